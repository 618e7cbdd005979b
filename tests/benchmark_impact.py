"""Time the replay of a trace, and of 2, 4 and 8 times the trace, for a planner file.

Run it by hand: ``.venv/bin/python tests/benchmark_impact.py TRACE [PLANNER]`` with JSON lines. Each
copy of the trace has hash ids of its own, so nothing is found again. Each replay is a process, and
times are its processor time, without the start of Python and the reading of the planner.
"""

import json
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from prefill_gate.impact_shards import Shard, replay_shard
from prefill_gate.policies import load_policies
from prefill_reference.replay import Settings

REFERENCE = str(Path(__file__).parent.parent / "reference" / "rust" / "prefill_plan.rs")
SETTINGS = Settings(8193, 8192, 512, 16)


def write_copies(trace: Path, copies: int, target: Path) -> None:
    """Write a trace several times over, each time with other hash ids."""
    rows = [json.loads(line) for line in trace.open()]
    apart = 1 + max(max(row["hash_ids"], default=0) for row in rows)
    with target.open("w") as file:
        for copy in range(copies):
            for row in rows:
                ids = [block + copy * apart for block in row["hash_ids"]]
                file.write(json.dumps(row | {"hash_ids": ids}) + "\n")


def measure(trace: str, planner: str) -> tuple[int, float, float]:
    """Return the requests of a trace, the seconds that they take, and the peak megabytes."""
    policies = tuple(load_policies([planner], []))
    started = time.process_time()
    impact = replay_shard(Shard(trace, policies, SETTINGS, skips_bad=False))
    seconds = time.process_time() - started
    return impact.requests, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    trace = Path(sys.argv[1])
    planner = sys.argv[2] if len(sys.argv) > 2 else REFERENCE
    with tempfile.TemporaryDirectory() as folder:
        for copies in (1, 2, 4, 8):
            target = Path(folder) / f"{copies}.jsonl"
            write_copies(trace, copies, target)
            with ProcessPoolExecutor(1, max_tasks_per_child=1) as alone:
                runs = list(alone.map(measure, [str(target)] * 3, [planner] * 3))
            requests, seconds, peak = min(runs, key=lambda run: run[1])
            speed = f"{requests / seconds:8,.0f} requests a second"
            print(
                f"{copies} times: {requests:7,} requests in {seconds:.3f} s, {speed}, {peak:.0f} MB"
            )


if __name__ == "__main__":
    main()
