//! Rounding methods: `div_ceil`, `next_multiple_of`, `is_multiple_of`, `pow`, `clamp`, `abs_diff`.

const STEP: usize = 2usize.pow(2);

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    debug_assert!(STEP.is_power_of_two());
    let end = offset + proposed;
    if end >= total {
        return proposed;
    }
    let size = block_size.unwrap_or(1).max(1);
    let grid = if end.is_multiple_of(size) { end } else { (end.div_ceil(size) - 1) * size };
    let stop = if grid > offset { grid } else { end };
    let stop = match split {
        Some(at) if at > offset => at.clamp(offset, stop),
        _ => stop,
    };
    let length = stop.abs_diff(offset);
    if length < STEP {
        return length;
    }
    match length.checked_next_multiple_of(STEP) {
        Some(up) if up == length => length,
        Some(up) => up - STEP,
        None => length - length.rem_euclid(STEP),
    }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total == 0 {
        return None;
    }
    let blocks = total.div_ceil(block_size) - 1;
    let blocks = blocks.saturating_sub(1).clamp(0, usize::MAX);
    (blocks != 0).then(|| blocks * block_size)
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 || !end_token.is_multiple_of(block_size) {
        return false;
    }
    if total < 2 {
        return end_token == 0;
    }
    let last = (total - 1).div_euclid(block_size);
    std::cmp::max(last, 1) - 1 == end_token / block_size || last == end_token / block_size
}
