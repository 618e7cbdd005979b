"""Time whole processes of the gate against the bare import of its two libraries.

Run it by hand: ``.venv/bin/python tests/benchmark.py [PLANNER]``. It prints the median of each and
the ratio to the import, measured in turn so that a busy machine slows both.
"""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
BARE = [sys.executable, "-c", "import z3, tree_sitter_rust"]
GATE = str(Path(sys.executable).with_name("prefill-gate"))
ROOT = Path(__file__).parent.parent
REFERENCE = str(ROOT / "reference" / "rust" / "prefill_plan.rs")
EXAMPLE = ROOT / "examples" / "vllm_40757"


def seconds(command: list[str]) -> float:
    """Return the wall time of one whole process."""
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


def main() -> None:
    planner = sys.argv[1] if len(sys.argv) > 1 else REFERENCE
    commands = {
        "check": [GATE, "check", planner],
        "check of Python": [GATE, "check", str(EXAMPLE / "after.py")],
        "diff": [GATE, "diff", str(EXAMPLE / "before.py"), str(EXAMPLE / "after.py")],
        "prove": [GATE, "prove"],
        "plan": [GATE, "plan", "--total", "32772"],
    }
    for name, command in commands.items():
        seconds(command)
        pairs = [(seconds(command), seconds(BARE)) for _ in range(RUNS)]
        own = statistics.median(gate for gate, _ in pairs)
        ratio = statistics.median(gate / bare for gate, bare in pairs)
        print(f"{name:<15} {own * 1000:6.0f} ms   {ratio:4.1f} times the bare import")
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"peak memory {kilobytes / 1024:.0f} MB")


if __name__ == "__main__":
    main()
