"""A scheduler that takes a part of a block where it cannot take a whole one."""


class Scheduler:
    def chunk_tokens(self, request, num_new_tokens):
        """Return how many tokens are computed in this step."""
        start = request.num_computed_tokens
        if start >= max(request.num_prompt_tokens, request.num_tokens - 1):
            return num_new_tokens
        last = self.last_cached_token(request.num_tokens)
        if start + num_new_tokens < last:
            whole = num_new_tokens - num_new_tokens % self.cache_config.block_size
            return whole if whole > 0 else num_new_tokens
        if start < last < start + num_new_tokens:
            return last - start
        return num_new_tokens

    def last_cached_token(self, tokens):
        """The last block boundary of a sequence; one block earlier with a draft model."""
        block_size = self.cache_config.block_size
        last = tokens - tokens % block_size
        if self.cache_config.uses_draft_model:
            last = max(last - block_size, 0)
        return last
