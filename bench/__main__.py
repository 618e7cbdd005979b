"""``python -m bench``: measure everything, and write the results.

The whole run writes ``bench/results.md``, its plots, and the short table of the README. ``--quick``
has shorter limits and fewer questions and sizes, and writes to a folder of its own.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench import floor, growth, machine, plots, results, side_by_side
from bench.fits import fit
from bench.questions import ROOT, bug_questions, reference_questions
from bench.readme import with_summary
from bench.worker import Effort

HERE = ROOT / "bench"
README = ROOT / "README.md"


class Plan(NamedTuple):
    """How much is measured: every how many-th question, and the runs of each command."""

    effort: Effort
    step: int
    rounds: int
    growth_rounds: int


WHOLE = Plan(Effort(seconds=60, examples=10_000), step=1, rounds=15, growth_rounds=3)
QUICK = Plan(Effort(seconds=5, examples=1_000), step=6, rounds=3, growth_rounds=1)


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(prog="bench", description="Compare with other tools.")
    parser.add_argument("--quick", action="store_true", help="a rough run, written elsewhere")
    jobs = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=jobs, help="questions asked at a time")
    arguments = parser.parse_args()
    plan = QUICK if arguments.quick else WHOLE
    target = HERE / "quick" if arguments.quick else HERE
    (target / "plots").mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    found = _measured(plan, arguments.jobs, target, started)
    minutes = (time.monotonic() - started) / 60
    settings = (
        f"{machine.described()}\nThe run took {minutes:.1f} minutes on {arguments.jobs} cores."
    )
    if arguments.quick:
        settings += (
            f"\n\n**A quick run**: every {plan.step}th question and every other size, limits of"
            f" {plan.effort.seconds} s. It says little."
        )
    page = results.page(found, settings, plan.effort, plan.rounds)
    (target / "results.md").write_text(page, encoding="utf-8")
    if not arguments.quick:
        text = README.read_text(encoding="utf-8")
        README.write_text(with_summary(text, results.summary(found)), encoding="utf-8")
    print(results.summary(found))
    print(f"\nwritten to {(target / 'results.md').relative_to(ROOT)}")


def _measured(plan: Plan, jobs: int, target: Path, started: float) -> results.Results:
    def said(what: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)

    said("whole commands")
    costs = floor.measure(plan.rounds)
    said("properties")
    asked = reference_questions()[:: plan.step]
    start_up = side_by_side.start_up(asked[0], plan.rounds)
    properties = side_by_side.ask_all(asked, plan.effort, jobs)
    said("bugs")
    bugs = side_by_side.ask_all(bug_questions()[:: plan.step], plan.effort, jobs)
    grown = []
    for family in growth.FAMILIES:
        said(f"growth: {family.name}")
        grown.append(_grown(family, plan, target))
    said("done")
    return results.Results(properties, bugs, costs, grown, start_up)


def _grown(family: growth.Family, plan: Plan, target: Path) -> results.Growth:
    with tempfile.TemporaryDirectory() as folder:
        measured = growth.measure(family, Path(folder), plan.growth_rounds, plan is QUICK)
    law = fit(measured.points)
    plot = f"plots/{family.name.replace(' ', '-')}.svg"
    plots.draw(family.name, family.unit, measured.points, law, target / plot)
    return results.Growth(family, measured, law, plot)


if __name__ == "__main__":
    main()
