//! Ranges of every kind. A chunk may end on the token after the split point: a mistake.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let end = offset + proposed;
    if (total..).contains(&end) {
        return proposed;
    }
    let proposal = offset..end;
    let size = block_size.unwrap_or_default();
    let grid = if (1..).contains(&size) { end / size * size } else { end };
    let stop = if (offset + 1..=end).contains(&grid) { grid } else { proposal.end };
    let stop = match split {
        Some(at) if (offset + 1..stop).contains(&at) => at + 1,
        _ => stop,
    };
    let length = (proposal.start..stop).len();
    if (..4).contains(&length) { length } else { length - length % 4 }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    if (..1).contains(&block_size) || (0..1).contains(&total) {
        return None;
    }
    let blocks = (total - 1) / block_size;
    let inner = 1..blocks;
    if inner.is_empty() || (1..=0).contains(&total) {
        return None;
    }
    Some((inner.end - inner.start) * block_size)
}
