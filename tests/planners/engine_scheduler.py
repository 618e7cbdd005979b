"""A scheduler of an engine: one method clips the tokens of a request to its blocks."""

from typing import Any


class EngineScheduler:
    block_size: int
    speculates: bool

    def clip_to_blocks(self, request: Any, budget: int) -> int:
        begin = request.cached + request.computed
        if begin >= request.length:
            return budget
        last_whole = request.length // self.block_size * self.block_size
        if self.speculates and last_whole > 0:
            last_whole -= self.block_size
        finish = begin + budget
        if finish < last_whole:
            budget -= budget % self.block_size
        elif begin < last_whole < finish:
            budget = last_whole - begin
        return budget
