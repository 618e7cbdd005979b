//! Locals that shadow parameters and each other, `let mut`, compound assignment, late `let`.

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let mut end = offset;
    end += proposed;
    if end >= total {
        return proposed;
    }
    if let Some(block_size) = block_size {
        if block_size > 0 {
            let mut boundary = end;
            boundary /= block_size;
            boundary *= block_size;
            if boundary > offset {
                end = boundary;
            }
        }
    }
    if let Some(split) = split {
        let split = if split > offset { split } else { end };
        if split < end {
            end = split;
        }
    }
    let length: usize;
    let offset = {
        let mut end = end;
        end -= offset;
        end
    };
    if offset < 4 {
        length = offset;
    } else {
        let mut rest = offset;
        rest %= 4;
        length = offset - rest;
    }
    length
}

pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total == 0 {
        return None;
    }
    let total = total - 1;
    let total = total / block_size;
    let blocks = if total > 1 { total - 1 } else { 0 };
    let (total, blocks) = (blocks, total);
    let _ = blocks;
    if total == 0 { None } else { Some(total * block_size) }
}

/// The interval counts tokens, not blocks: a mistake.
pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    _block_size: usize,
    interval: usize,
) -> bool {
    let block_size = _block_size;
    if block_size == 0 || end_token < block_size {
        return false;
    }
    let mut is_saved = false;
    if interval > 0 {
        is_saved = end_token % interval == 0;
    }
    let end_token = end_token / block_size * block_size;
    if total > 0 {
        let total = (total - 1) / block_size * block_size;
        if total == end_token {
            is_saved = true;
        } else if total - total.min(block_size) == end_token {
            is_saved = true;
        }
    }
    is_saved
}
