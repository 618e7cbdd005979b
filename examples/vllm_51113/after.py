"""A scheduler that keeps to block boundaries up to the end of the prefill."""


class Scheduler:
    def chunk_tokens(self, request, num_new_tokens):
        """Return how many tokens are computed in this step; 0 waits for the next one."""
        start = request.num_computed_tokens
        prefill_end = max(request.num_prompt_tokens, request.num_tokens - 1)
        if start >= prefill_end:
            return num_new_tokens
        block_size = self.cache_config.block_size
        last = self.last_cached_token(request.num_tokens)
        end = start + num_new_tokens
        if end < prefill_end:
            floored = end - end % block_size
            if floored > start or block_size <= self.most_tokens():
                end = floored
        stops = [last]
        boundary = start - start % block_size + block_size
        if start % block_size > 0:
            stops.append(boundary)
        if (tail := self.partial_tail(request)) is not None:
            stops.append(tail)
        end = min((stop for stop in stops if start < stop < end), default=end)
        return max(end - start, 0)

    def last_cached_token(self, tokens):
        """The last block boundary of a sequence; one block earlier with a draft model."""
        block_size = self.cache_config.block_size
        last = tokens - tokens % block_size
        if self.cache_config.uses_draft_model:
            last = max(last - block_size, 0)
        return last

    def most_tokens(self):
        """The most tokens of one request that a step can take."""
        threshold = self.scheduler_config.long_prefill_threshold
        tokens = self.scheduler_config.max_step_tokens
        return min(tokens, threshold) if threshold > 0 else tokens

    def partial_tail(self, request):
        """The last token of a prompt at which a part of a block is cached, if any is."""
        if not self.cache_config.caches_partial_blocks:
            return None
        tokens = request.num_prompt_tokens
        tail = tokens - tokens % self.cache_config.hash_block_size
        return tail if self.last_cached_token(request.num_tokens) < tail < tokens else None
