//! `let ... else`, `?`, `return` in the middle of expressions, diverging branches.

fn boundary(total: usize, block_size: usize) -> Option<usize> {
    let size = if block_size == 0 { return None } else { block_size };
    let before = total.checked_sub(1)?;
    Some(before / size * size)
}

fn lower_of(end: usize, split: Option<usize>, offset: usize) -> Option<usize> {
    let at = split?;
    if at <= offset || at >= end {
        None?;
    }
    Some(at)
}

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let 1.. = proposed else { return 0 };
    let end = match offset + proposed {
        end if end < total => end,
        _ => return proposed,
    };
    let grid = match block_size.unwrap_or(0) {
        0 => end,
        size => {
            let below = end - end % size;
            if below <= offset { end } else { below }
        }
    };
    let Some(stop) = lower_of(grid, split, offset).or(Some(grid)) else {
        unreachable!("there is always an end");
    };
    let length = stop - offset;
    if length < 4 {
        return length;
    }
    return length / 4 * 4;
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    let last = boundary(total, block_size)?;
    let split = last.checked_sub(block_size)?;
    if split == 0 {
        return None;
    }
    Some(split)
}

pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    block_size: usize,
    interval: usize,
) -> bool {
    let Some(last) = boundary(total.max(1), block_size) else { return false };
    let index = end_token / block_size;
    if index == 0 {
        return false;
    }
    if last == end_token || last.checked_sub(block_size) == Some(end_token) {
        return true;
    }
    interval != 0 && index % interval == 0
}
