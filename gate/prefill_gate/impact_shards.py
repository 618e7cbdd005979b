"""Replaying traces, each through a cache of its own: here, in processes, or on a Dask cluster."""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce

from prefill_gate.errors import TraceError, UsageError
from prefill_gate.impact_result import Impact, Side
from prefill_gate.progress import Progress
from prefill_gate.traces import read_trace
from prefill_reference.cache import block_match
from prefill_reference.policies import Policy
from prefill_reference.replay import (
    Prefixes,
    Settings,
    matched,
    planned,
    replay_again,
    replayed,
)


@dataclass(frozen=True)
class Shard:
    """One trace to replay under some policies, wherever that is done."""

    trace: str
    policies: tuple[Policy, ...]
    settings: Settings
    skips_bad: bool


def settings_of(arguments: Namespace) -> Settings:
    """Return the settings of the engine that a command line has."""
    return Settings(
        arguments.first,
        arguments.next,
        arguments.block_size,
        arguments.interval,
        arguments.hash_block,
    )


def shards_of(arguments: Namespace, policies: tuple[Policy, ...]) -> list[Shard]:
    """Return a shard for each trace of a command line."""
    settings = settings_of(arguments)
    return [Shard(trace, policies, settings, arguments.skip_bad) for trace in arguments.traces]


def require_requests(impact: Impact, traces: Sequence[str]) -> None:
    """Raise ``UsageError`` for traces without a request: nothing can be said of them."""
    if impact.requests == 0:
        raise UsageError(f"{', '.join(traces)}: there is no request to replay")


def replay_shard(shard: Shard, said: Callable[[int], None] = lambda _: None) -> Impact:
    """Return what a trace costs; ``said`` is told how many of its bytes are read.

    Raises ``TraceError`` for a bad line, unless those are skipped.
    """
    settings = shard.settings
    impact = Impact([Side(policy.name) for policy in shard.policies])
    plans = [planned(policy, settings) for policy in shard.policies]
    sides = [replayed(plan, settings.hash_block) for plan in plans]
    prefixes = Prefixes()
    with _no_collection():
        for entry in read_trace(shard.trace, settings.hash_block, said):
            if isinstance(entry, TraceError):
                if not shard.skips_bad:
                    raise entry
                impact.skip(str(entry))
                continue
            line, total, blocks = entry
            if blocks is None:
                match = block_match(total, total, settings.block_size or 0)
                twice = [replay_again(total, match, plan) for plan in plans]
                impact.record(shard.trace, line, total, 0, [cold for cold, _ in twice])
                impact.record(shard.trace, line, total, match, [warm for _, warm in twice])
            else:
                shared = prefixes.add(blocks)
                match = matched(total, len(shared), settings)
                outcomes = [replay(blocks, total, shared, match) for replay in sides]
                impact.record(shard.trace, line, total, match, outcomes)
    impact.strays = prefixes.strays
    return impact


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let Python look for no garbage: a replay makes no cycles, and looking takes its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def replay_here(shards: Sequence[Shard], jobs: int) -> Impact:
    """Return what all shards cost together, with at most ``jobs`` of them at a time."""
    sizes = [_size_of(shard) for shard in shards]
    with Progress(sum(sizes)) as progress:
        if min(jobs, len(shards)) == 1:
            return _joined(_in_turn(shards, sizes, progress))
        return _joined(_in_processes(shards, sizes, jobs, progress))


def _joined(impacts: Iterator[Impact]) -> Impact:
    return reduce(Impact.joined, impacts)


def _size_of(shard: Shard) -> int:
    try:
        return os.path.getsize(shard.trace)
    except OSError as error:
        raise UsageError(f"cannot read {shard.trace}: {error.strerror or error}") from error


def _in_turn(shards: Sequence[Shard], sizes: Sequence[int], progress: Progress) -> Iterator[Impact]:
    for shard, size in zip(shards, sizes, strict=True):
        yield replay_shard(shard, progress.show)
        progress.finish(size)


def _in_processes(
    shards: Sequence[Shard], sizes: Sequence[int], jobs: int, progress: Progress
) -> Iterator[Impact]:
    from concurrent.futures import ProcessPoolExecutor  # here, for it is slow to load

    pool = ProcessPoolExecutor(jobs, initializer=sys.setrecursionlimit, initargs=(_frames(),))
    try:
        for impact, size in zip(pool.map(replay_shard, shards), sizes, strict=True):
            progress.finish(size)
            yield impact
    finally:
        pool.shutdown(cancel_futures=True)


def _frames() -> int:
    return sys.getrecursionlimit()


def replay_on_dask(shards: Sequence[Shard], address: str) -> Impact:
    """Return what all shards cost together, replayed by the workers of a Dask cluster.

    Raises ``UsageError`` without Dask, and where the cluster cannot be reached.
    """
    try:
        from distributed import Client
    except ImportError as error:
        message = "--dask needs Dask, which is not installed: pip install 'prefill-gate[dask]'"
        raise UsageError(message) from error
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask {address}: no cluster answers: {error}") from error
    with client:
        # Not pure: a trace is a file, which may have changed since it was replayed.
        parts = client.map(replay_shard, shards, pure=False)
        while len(parts) > 1:
            rest = parts[-1:] if len(parts) % 2 else []
            pairs = zip(parts[::2], parts[1::2], strict=False)
            parts = [client.submit(Impact.joined, *pair, pure=False) for pair in pairs] + rest
        impact: Impact = parts[0].result()
        return impact
