//! Assertions. One of them says what no scheduler promises: a mistake.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    assert!(offset <= total, "the chunk starts at {offset}, past {total}");
    debug_assert!(proposed <= total - offset);
    debug_assert!(!matches!(split, Some(at) if at > total), "the split is in the prompt");
    let end = offset + proposed;
    if end >= total {
        debug_assert_eq!(end, total);
        return proposed;
    }
    let stop = match block_size {
        Some(size) if matches!(size, 1..=usize::MAX) && end / size * size > offset => end / size * size,
        _ => end,
    };
    let stop = split.filter(|at| *at > offset && *at < stop).unwrap_or(stop);
    assert_ne!(proposed, usize::MAX);
    let length = stop - offset;
    if matches!(length, 0 | 1..=3) { length } else { length / 4 * 4 }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total <= block_size {
        return None;
    }
    let last = (total - 1) / block_size * block_size;
    assert!(last >= block_size);
    if last == block_size {
        return None;
    }
    let split = last.checked_sub(block_size).expect("a block below");
    assert!(split > 0 && split < total);
    Some(split)
}
