"""A planner in a class, with a base, a property, helpers and constants."""


class Grid:
    block_size: int | None
    STEP = 1

    def floor(self, token: int) -> int:
        return token // self.block_size * self.block_size if self.block_size else token

    @staticmethod
    def in_steps(length: int, step: int = 4) -> int:
        return length - length % step if length >= step else length


class PromptPlan(Grid):
    STEP = 1 << 2
    split: int | None
    total: int

    @property
    def last_boundary(self) -> int:
        return self.floor(max(self.total - 1, 0))

    def stop_before(self, offset: int, end: int) -> int:
        boundary = self.floor(end)
        if boundary > offset:
            end = boundary
        if (at := self.split) is not None and at > offset:
            end = min(end, at)
        return end

    def plan_chunk_len(self, offset: int, proposed: int) -> int:
        end = offset + proposed
        if not proposed or end >= self.total:
            return proposed
        return self.in_steps(self.stop_before(offset, end) - offset, step=self.STEP)

    def is_prompt_tail_end(self, end_token: int) -> bool:
        if not self.block_size:
            return False
        return end_token == self.last_boundary or end_token + self.block_size == self.last_boundary
