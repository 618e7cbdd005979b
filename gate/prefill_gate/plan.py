"""``prefill-gate plan``: one prompt laid out, pass by pass, and the warm request after it."""

import argparse
from pathlib import Path

from prefill_gate import exits
from prefill_gate.errors import UsageError
from prefill_gate.files import write_whole
from prefill_gate.output import emit
from prefill_gate.plan_layout import Layout, Request, lay_out, to_json
from prefill_gate.plan_text import render
from prefill_gate.policies import load_policies
from prefill_reference.policies import Policy
from prefill_reference.runs import Prompt, TooManyAnswersError


def run_plan(arguments: argparse.Namespace) -> int:
    """Lay a prompt out under one policy or two; return the exit code.

    A planner that stalls the prompt has broken its contract: the exit code is that of a refutation.
    """
    request = _request(arguments)
    names: list[str | Path] = [arguments.planner or arguments.policy]
    names += [] if arguments.against is None else [arguments.against]
    policies = load_policies(names, arguments.settings)
    layouts = [_lay_out(request, policy) for policy in policies]
    if arguments.svg is not None:
        from prefill_gate.plan_svg import draw

        write_whole(arguments.svg, draw(layouts))
    against = layouts[1] if len(layouts) > 1 else None
    emit(arguments.format, lambda: to_json(layouts[0], against), lambda: render(layouts))
    is_stalled = any(layout.run.stall is not None for layout in layouts)
    return exits.REFUTED if is_stalled else exits.HOLDS


def _request(arguments: argparse.Namespace) -> Request:
    total = arguments.total
    if arguments.start > total:
        raise UsageError(f"--start {arguments.start} is past the prompt's end, --total {total}")
    if arguments.warm is not None and arguments.warm > total:
        raise UsageError(f"--warm {arguments.warm} is past the prompt's end, --total {total}")
    return Request(
        Prompt(total, arguments.block_size, arguments.interval, arguments.start),
        arguments.first,
        arguments.next,
        arguments.dispatch,
        total if arguments.warm is None else arguments.warm,
    )


def _lay_out(request: Request, policy: Policy) -> Layout:
    try:
        return lay_out(request, policy)
    except TooManyAnswersError as error:
        raise UsageError(f"{policy.name}: {error}; propose more with --next") from error
