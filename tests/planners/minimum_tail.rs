// SPDX-License-Identifier: MIT OR Apache-2.0

//! The reference planner with a last pass that keeps at least a configured number of rows: the
//! split point moves down where one block is less. The environment read is an unknown constant.

/// Tokens; the recurrent kernel takes intermediate chunks in multiples of this many.
const WY4: usize = 4;

/// The last block boundary strictly under `total`; `None` for block size 0 or a prompt of one block.
pub fn ssm_tail_boundary(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total <= block_size {
        return None;
    }
    Some((total - 1) / block_size * block_size)
}

/// How many rows the last pass keeps at least, unless the environment says otherwise.
pub const DEFAULT_MIN_TAIL_ROWS: usize = 256;

/// The rows that the last pass keeps at least.
pub fn min_tail_rows() -> usize {
    let given = std::env::var("MIN_TAIL_ROWS").ok();
    given.and_then(|rows| rows.parse().ok()).unwrap_or(DEFAULT_MIN_TAIL_ROWS)
}

/// Where a prompt is split: at the highest boundary that a warm request can restore and that keeps
/// the configured rows, `None` when that is not above token 0.
pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    let restorable = ssm_tail_boundary(total, block_size)? - block_size;
    let keeping = total.checked_sub(min_tail_rows())? / block_size * block_size;
    match restorable.min(keeping) {
        0 => None,
        split => Some(split),
    }
}

/// The length of the chunk at `offset`, given what the scheduler proposes.
pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    if proposed == 0 {
        return 0;
    }
    let proposed_end = offset + proposed;
    if proposed_end >= total {
        return proposed;
    }
    let on_grid = match block_size {
        None | Some(0) => proposed_end,
        Some(size) => {
            let boundary = proposed_end / size * size;
            if boundary > offset { boundary } else { proposed_end }
        }
    };
    let stop = match split {
        Some(at) if offset < at && at < on_grid => at,
        _ => on_grid,
    };
    match stop - offset {
        short if short < WY4 => short,
        length => length / WY4 * WY4,
    }
}

/// Whether a non-last chunk that ends at `end_token` saves a snapshot.
pub fn is_checkpoint_chunk_end(
    end_token: usize,
    total: usize,
    block_size: usize,
    interval: usize,
) -> bool {
    let Some(index) = end_token.checked_div(block_size) else {
        return false;
    };
    let on_interval = interval > 0 && index % interval == 0;
    index > 0 && (on_interval || is_prompt_tail_end(end_token, total, block_size))
}

/// Whether an end is the last block boundary under `total`, one block below it, or the split point.
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 {
        return false;
    }
    let boundary = total.saturating_sub(1) / block_size * block_size;
    end_token == boundary
        || boundary.checked_sub(block_size) == Some(end_token)
        || tail_split_point(total, block_size) == Some(end_token)
}
