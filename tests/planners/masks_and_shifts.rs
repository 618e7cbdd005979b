//! Masks and shifts by constants, on words and on bools.

const MASK: usize = !3;

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let end = offset + proposed;
    if (end >= total) | (proposed == 0) {
        return proposed;
    }
    let size = block_size.unwrap_or(0);
    let mut stop = end;
    if size > 0 {
        let boundary = end - end % size;
        if boundary > offset {
            stop = boundary;
        }
    }
    if let Some(at) = split
        && (at > offset) & (at < stop)
    {
        stop = at;
    }
    let length = stop - offset;
    if length >> 2 == 0 { length & 0b11 } else { length & MASK }
}

pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    block_size: usize,
    interval: usize,
) -> bool {
    let is_odd = (end_token ^ 0x1) < end_token;
    let rounded = (end_token >> 1 << 1) + is_odd as usize;
    let Some(index) = rounded.checked_div(block_size) else {
        return false;
    };
    let is_tail = is_prompt_tail_end(end_token, total, block_size);
    (index > 0) & (is_tail | (interval > 0 && index % interval == 0))
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 {
        return false;
    }
    let last = total.saturating_sub(1) / block_size * block_size;
    !((end_token != last) & (last < block_size || end_token != last - block_size))
}
