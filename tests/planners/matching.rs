//! `match` with guards, bindings, alternatives, ranges, tuples and nested options.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let end = match (proposed, offset + proposed) {
        (0, _) => return 0,
        (all, end) if end >= total => return all,
        (_, end) => end,
    };
    let grid = match block_size {
        None | Some(0) => end,
        Some(size @ 1..) => match end / size * size {
            boundary if boundary > offset => boundary,
            _ => end,
        },
    };
    let stop = match (split, grid) {
        (Some(at), limit) if (offset + 1..limit).contains(&at) => at,
        (Some(_) | None, limit) => limit,
    };
    match stop - offset {
        short @ 0..=3 => short,
        length => length - length % 4,
    }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    match (total, block_size) {
        (_, 0) | (0, _) => None,
        (total, size) => match (total - 1) / size {
            ..=1 => None,
            blocks => Some((blocks - 1) * size),
        },
    }
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    match block_size {
        0 => false,
        size => match total.max(1) - 1 - (total.max(1) - 1) % size {
            last if last == end_token => true,
            last if last >= size => last - size == end_token,
            _ => false,
        },
    }
}

pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    block_size: usize,
    interval: usize,
) -> bool {
    match (block_size, interval, is_prompt_tail_end(end_token, total, block_size)) {
        (0, ..) => false,
        (size, _, true) => end_token >= size,
        (_, 0, false) => false,
        (size, every, false) => {
            let index = end_token / size;
            !matches!(index, usize::MIN) && index % every == 0
        }
    }
}
