"""A planner that collects its stops in a list and takes the nearest."""


def plan_chunk_len(
    offset: int, total: int, proposed: int, block_size: int | None, split: int | None
) -> int:
    end = offset + proposed
    if end >= total:
        return proposed
    stops = []
    if split is not None:
        stops.append(split)
    if block_size:
        stops.append(end // block_size * block_size)
    reached = [stop for stop in stops if offset < stop <= end]
    stop = min(reached, default=end)
    for step in (4,):
        if stop - offset >= step:
            stop -= (stop - offset) % step
    return stop - offset


def tail_split_point(total: int, block_size: int) -> int | None:
    if block_size == 0:
        return None
    candidates = [total - 1 - (total - 1) % block_size - back * block_size for back in range(2)]
    return next((stop for stop in (candidates[1], 0) if stop > 0), None)
