"""A batch builder that leaves the end of a batch empty where only a sliver fits."""


class BatchBuilder:
    def chunk_tokens(self, seq, tokens_left, batch_has_work):
        """Return how many tokens of a sequence join the batch; 0 waits for the next one."""
        rest = seq.num_tokens - seq.num_computed
        chunk = min(rest, tokens_left)
        if chunk == rest:
            return chunk
        step = max(self.block_size, self.smallest_step)
        whole = chunk // step * step
        if whole == 0:
            return 0 if batch_has_work else chunk
        return whole
