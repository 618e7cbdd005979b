//! Methods that read the fields of their struct, next to plain functions.

#[derive(Clone, Debug)]
pub struct Planner {
    pub block_size: usize,
    pub interval: usize,
    pub step: usize,
}

struct Prompt(usize, usize);

impl Prompt {
    const NONE: usize = 0;

    fn last_boundary(&self) -> usize {
        let Prompt(total, size) = self;
        if *size == Self::NONE || *total == 0 { 0 } else { (*total - 1) / *size * *size }
    }
}

impl Planner {
    fn boundary(&self, total: usize) -> usize {
        Prompt(total, self.block_size).last_boundary()
    }

    pub fn plan_chunk_len(
        &self,
        offset: usize,
        total: usize,
        proposed: usize,
        split: Option<usize>,
    ) -> usize {
        let end = offset + proposed;
        if end >= total {
            return proposed;
        }
        let stop = self.on_grid(offset, end);
        let stop = match split {
            Some(at) if at > offset => at.min(stop),
            _ => stop,
        };
        round_down(stop - offset)
    }

    fn on_grid(&self, offset: usize, end: usize) -> usize {
        let Self { block_size: size, .. } = self;
        match *size {
            0 => end,
            size if end / size * size > offset => end / size * size,
            _ => end,
        }
    }

    pub fn is_checkpoint_chunk_end(&self, end_token: usize, total: usize) -> bool {
        if self.block_size == 0 || end_token < self.block_size {
            return false;
        }
        let is_on = self.interval != 0 && end_token / self.block_size % self.interval == 0;
        is_on || self.is_prompt_tail_end(end_token, total)
    }

    pub fn is_prompt_tail_end(&self, end_token: usize, total: usize) -> bool {
        let last = self.boundary(total);
        self.block_size > 0
            && (end_token == last
                || last >= self.block_size && end_token == last - self.block_size)
    }
}

fn round_down(length: usize) -> usize {
    if length < 4 { length } else { length / 4 * 4 }
}
