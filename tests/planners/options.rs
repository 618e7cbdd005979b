//! Option methods in long chains.

const STEP: usize = 4;

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
    let on_grid = block_size
        .as_ref()
        .copied()
        .filter(|&size| size != 0)
        .map(|size| end / size * size)
        .filter(|boundary| *boundary > offset)
        .unwrap_or(end);
    let stop = split
        .xor(None)
        .zip(Some(on_grid))
        .filter(|&(at, grid)| offset < at && at < grid)
        .map_or(on_grid, |(at, _)| at);
    let length = stop - offset;
    (length >= STEP).then(|| length / STEP * STEP).or(Some(length)).unwrap_or_default()
}

fn boundary(total: usize, block_size: usize) -> Option<usize> {
    let below = total.checked_sub(1)?;
    below.checked_div(block_size).map(|blocks| blocks * block_size).filter(|&at| at > 0)
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    boundary(total, block_size)
        .and_then(|last| last.checked_sub(block_size))
        .and_then(|at| (at > 0).then_some(at))
        .or_else(|| None)
}

pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    block_size: usize,
    interval: usize,
) -> bool {
    let index = end_token.checked_div(block_size).unwrap_or_else(|| 0);
    index > 0
        && (index.checked_rem(interval).is_some_and(|rest| rest == 0)
            || is_prompt_tail_end(end_token, total, block_size))
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let last = total.saturating_sub(1).checked_div(block_size).map(|blocks| blocks * block_size);
    last.map_or_else(|| false, |at| at == end_token || at.checked_sub(block_size) == Some(end_token))
}
