//! Closures bound to names, that capture, that return early, and functions passed by name.

fn is_positive(size: &usize) -> bool {
    *size > 0
}

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let end = offset + proposed;
    if end >= total {
        return proposed;
    }
    let floor = |size: usize| end / size * size;
    let is_ahead = |token: &usize| *token > offset;
    let offset_before = offset;
    let grid = block_size.filter(is_positive).map(floor).filter(is_ahead).unwrap_or(end);
    let lowest = |token: usize| {
        if token <= offset_before {
            return grid;
        }
        token.min(grid)
    };
    let stop = split.map_or_else(|| grid, lowest);
    let round = |length: usize| match length {
        0..4 => length,
        _ => length - length % 4,
    };
    round(stop - offset)
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    let boundary = |end: usize| -> Option<usize> {
        let blocks = end.checked_sub(1)?.checked_div(block_size)?;
        Some(blocks * block_size)
    };
    let one_lower = boundary(total).and_then(|last| last.checked_sub(block_size));
    one_lower.filter(is_positive)
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let last = total.saturating_sub(1).checked_div(block_size).map(|n| n * block_size);
    let is_end = |token: usize| token == end_token;
    last.is_some_and(is_end)
        || last.and_then(|token| token.checked_sub(block_size)).is_some_and(is_end)
}
