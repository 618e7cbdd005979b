//! Integers of other widths, cast upward; the prompt's total can overflow a narrow sum: a mistake.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: u64,
    block_size: Option<u32>,
    split: Option<u64>,
) -> usize {
    const STEP: u8 = 4;
    let proposed = proposed as usize;
    let end = offset + proposed;
    if end >= total {
        return proposed;
    }
    let size = block_size.map(u64::from).unwrap_or(0) as usize;
    let grid = if size == 0 { end } else { end - end % size };
    let stop = if grid > offset { grid } else { end };
    let stop = match split {
        Some(at) if at as usize > offset => stop.min(at as usize),
        _ => stop,
    };
    let wide = (stop as u128) - (offset as u128);
    debug_assert!(wide <= usize::MAX as u128);
    let length = stop - offset;
    if length < STEP as usize { length } else { length - length % usize::from(STEP) }
}

pub fn tail_split_point(total: u32, block_size: u16) -> Option<usize> {
    let size = u32::from(block_size);
    if size == 0 || total + size < size {
        return None;
    }
    let blocks = total.saturating_sub(1) / size;
    if blocks < 2 { None } else { Some((blocks as usize - 1) * size as usize) }
}
