//! Checked, saturating and wrapping arithmetic. The split point is one block too deep.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let Some(end) = offset.checked_add(proposed) else {
        return proposed;
    };
    if end >= total {
        return proposed;
    }
    let rest = block_size.and_then(|size| end.checked_rem(size)).unwrap_or(0);
    let boundary = end.wrapping_sub(rest);
    let mut stop = if boundary > offset { boundary } else { end };
    if let Some(at) = split
        && at.saturating_sub(offset) > 0
    {
        stop = stop.min(at);
    }
    let length = stop.saturating_sub(offset);
    let (rounded, is_over) = (length / 4).overflowing_mul(4);
    if is_over || rounded == 0 { length } else { rounded }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    let blocks = total.checked_sub(1)?.checked_div(block_size)?;
    let split = blocks.checked_mul(block_size)?;
    (split > 0).then_some(split)
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let Some(blocks) = total.saturating_sub(1).checked_div(block_size) else {
        return false;
    };
    let last = blocks.saturating_mul(block_size);
    end_token == last || end_token.checked_add(block_size) == Some(last)
}
