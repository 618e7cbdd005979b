//! Modules, imports, functions of one name in two places, constants across modules.

use self::grid::{floor_to as floor, kernel::*};

mod grid {
    use super::limits::FIRST;

    pub fn floor_to(token: usize, size: usize) -> usize {
        token / size * size
    }

    pub(super) fn last_below(total: usize, size: usize) -> usize {
        if total < FIRST { 0 } else { floor_to(total - FIRST, size) }
    }

    pub mod kernel {
        pub const STEP: usize = 4;

        pub fn whole_steps(length: usize) -> usize {
            crate::grid::floor_to(length, STEP)
        }
    }
}

mod limits {
    pub const FIRST: usize = 1;

    #[allow(dead_code)]
    pub fn whole_steps(_length: usize) -> usize {
        0
    }
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
    let mut stop = end;
    if let Some(size) = block_size && size >= limits::FIRST && floor(end, size) > offset {
        stop = floor(end, size);
    }
    if let Some(at) = split && at > offset && at < stop {
        stop = at;
    }
    let length = stop - offset;
    if length < STEP { length } else { whole_steps(length) }
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 {
        return None;
    }
    let last = grid::last_below(total, block_size);
    if last < 2 * (block_size / 2) + block_size % 2 || last == block_size {
        return None;
    }
    Some(last - block_size)
}

#[cfg(test)]
mod tests {
    fn plan_chunk_len() -> f64 {
        0.5
    }
}
