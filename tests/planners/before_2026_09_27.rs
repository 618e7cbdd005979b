// SPDX-License-Identifier: MIT OR Apache-2.0

//! The policy `before-2026-09-27` in Rust: the reference planner with the chunk rule of that time.
//! Standalone: it needs nothing but the standard library.

/// Tokens; the recurrent kernel takes intermediate chunks in multiples of this many.
const WY4: usize = 4;

/// The last block boundary strictly under `total`; `None` for block size 0 or a prompt of one block.
pub fn ssm_tail_boundary(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total <= block_size {
        return None;
    }
    Some((total - 1) / block_size * block_size)
}

/// Where a prompt is split so that its tail snapshot stays restorable: one block below the last
/// boundary, `None` when that is not above token 0.
pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    match ssm_tail_boundary(total, block_size)? - block_size {
        0 => None,
        split => Some(split),
    }
}

/// The length of the chunk at `offset`: the first one of a run and the last one as proposed, any
/// other a multiple of 4. It knows no block boundaries, and leaves the split point to the dispatcher.
pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    _block_size: Option<usize>,
    _split: Option<usize>,
    first_pass: bool,
) -> usize {
    if first_pass || offset + proposed >= total || proposed < WY4 {
        return proposed;
    }
    proposed / WY4 * WY4
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

/// Whether an end is the last block boundary under `total`, or one block below it.
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 {
        return false;
    }
    let boundary = total.saturating_sub(1) / block_size * block_size;
    end_token == boundary || boundary.checked_sub(block_size) == Some(end_token)
}
