"""A scheduler that stops at the last block boundary, be it the end of the sequence."""


class Scheduler:
    def chunk_tokens(self, request, num_new_tokens):
        """Return how many tokens are computed in this step; 0 waits for the next one."""
        start = request.num_computed_tokens
        if start >= max(request.num_prompt_tokens, request.num_tokens - 1):
            return num_new_tokens
        block_size = self.cache_config.block_size
        last = self.last_cached_token(request.num_tokens)
        end = start + num_new_tokens
        if end < last:
            end -= end % block_size
        stops = [last]
        if start % block_size > 0 and (boundary := start - start % block_size + block_size) <= last:
            stops.append(boundary)
        end = min((stop for stop in stops if start < stop < end), default=end)
        return max(end - start, 0)

    def last_cached_token(self, tokens):
        """The last block boundary of a sequence; one block earlier with a draft model."""
        block_size = self.cache_config.block_size
        last = tokens - tokens % block_size
        if self.cache_config.uses_draft_model:
            last = max(last - block_size, 0)
        return last
