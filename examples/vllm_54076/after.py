"""A scheduler that aligns to the blocks of the group that keeps the states."""


class Scheduler:
    def chunk_tokens(self, request, num_new_tokens):
        """Return how many tokens are computed in this step; 0 waits for the next one."""
        block_size = self.groups.state_block
        start = request.num_computed_tokens
        end = start + num_new_tokens
        if end < request.num_prompt_tokens:
            end -= end % block_size
        stops = [request.num_prompt_tokens // block_size * block_size]
        if start % block_size > 0:
            stops.append(start - start % block_size + block_size)
        end = min((stop for stop in stops if start < stop < end), default=end)
        return max(end - start, 0)
