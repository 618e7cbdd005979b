"""The command line: ``prefill-gate COMMAND``."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

from prefill_gate import __version__, exits
from prefill_gate.errors import UsageError
from prefill_gate.formats import FORMATS, Output
from prefill_gate.impact_arguments import add_impact_arguments, add_replay_arguments
from prefill_gate.mutants_arguments import add_mutants_arguments
from prefill_gate.numbers import PROPERTY_SECONDS, seconds
from prefill_gate.plan_arguments import add_plan_arguments

MAX_FRAMES = 20_000
"""Python's frames: source is read, and formulas are built, by recursion."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other error of usage is said."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="prefill-gate",
        description="Prove that a prefill planner keeps its contract, or show where it does not.",
        epilog="exit codes: 0 holds, 1 refuted (or differs, for diff --exit-code), 2 bad usage or "
        "unreadable source, 3 inconclusive, 70 a fault of prefill-gate itself",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    prove = commands.add_parser(
        "prove",
        help="prove the whole specification of the shipped reference",
        description="Prove the whole specification of the shipped reference planner.",
        allow_abbrev=False,
    )
    _add_property(prove)
    _add_certify(prove)
    _add_quiet(prove)
    prove.add_argument(
        "--pinning",
        action="store_true",
        help="say of each property whether the others imply it, or show what it alone forbids",
    )
    _add_format(prove)

    check = commands.add_parser(
        "check",
        help="prove the contract of a planner in a source file",
        description="Prove the contract of the planner in a Rust or Python file, from its source.",
        allow_abbrev=False,
    )
    check.add_argument(
        "planner",
        nargs="?",
        metavar="PLANNER",
        help="a file, or REV:path of a git revision, or a folder that holds planners; without it, "
        "every planner that the configuration gives the source of",
    )
    _add_property(check)
    _add_certify(check)
    check.add_argument(
        "--playback", action="store_true", help="print each witness as a Rust and a pytest test"
    )
    check.add_argument(
        "--rustc", action="store_true", help="run each witness on the compiled file as well"
    )
    _add_timeout(check, "one property")
    check.add_argument(
        "--base",
        metavar="REV",
        help="compare with this git revision: what is lost fails, what it lacked already does not",
    )
    check.add_argument(
        "--changed",
        action="store_true",
        help="with --base: exit 0 at once when nothing that is checked has changed since",
    )
    check.add_argument(
        "--config",
        metavar="FILE",
        help="a TOML file instead of the prefill-gate.toml or pyproject.toml above the planner",
    )
    _add_quiet(check)
    _add_format(check, FORMATS)
    check.add_argument(
        "--output",
        action="append",
        type=_output,
        default=[],
        metavar="FORMAT=FILE",
        dest="outputs",
        help="also write the result to a file, in any of the formats (repeatable)",
    )

    diff = commands.add_parser(
        "diff",
        help="prove two planners equal, or say for which inputs they differ",
        description="Prove two planners equal, or say for which calls they differ: each a file, "
        "or REV:path of a git revision. With one REV, compare the source of prefill-gate.toml at "
        "that revision with the one in the working tree.",
        allow_abbrev=False,
    )
    diff.add_argument("base", metavar="BASE", help="the planner before the change, or a REV alone")
    diff.add_argument("head", nargs="?", metavar="HEAD", help="the planner after the change")
    diff.add_argument(
        "--config", metavar="FILE", help="instead of the prefill-gate.toml above either planner"
    )
    diff.add_argument("--exit-code", action="store_true", help="exit 1 when anything differs")
    diff.add_argument("--html", type=Path, metavar="FILE", help="also write a page for a reviewer")
    diff.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="also write the same in short, as a comment for a pull request",
    )
    _add_timeout(diff, "one property, or one role to compare,")
    _add_quiet(diff)
    _add_format(diff)
    traffic = diff.add_argument_group(
        "on real traffic",
        "what --html and --markdown say of request traces, as impact replays them",
    )
    add_replay_arguments(traffic, is_trace_required=False)

    plan = commands.add_parser(
        "plan",
        help="lay out one prompt: passes, snapshots, warm restore, replay",
        description="Lay out one prompt: its passes and snapshots, and what the next, warm "
        "request for it restores and computes again. All counts are tokens.",
        allow_abbrev=False,
    )
    add_plan_arguments(plan)
    _add_format(plan)

    impact = commands.add_parser(
        "impact",
        help="replay request traces under two planners: tokens computed again, passes, snapshots",
        description="Replay request traces under one policy or two, and say how many tokens are "
        "computed that a snapshot could have saved. All counts are tokens.",
        allow_abbrev=False,
    )
    add_impact_arguments(impact)
    _add_format(impact)

    mutants = commands.add_parser(
        "mutants",
        help="break a planner in every small way, and say which mistakes no property notices",
        description="Break a planner in every small way on its syntax tree, and decide each "
        "mutant: caught by a property, proved equivalent, or survived.",
        allow_abbrev=False,
    )
    add_mutants_arguments(mutants)
    _add_format(mutants)

    explain = commands.add_parser(
        "explain",
        help="say what a property means and why it matters",
        description="Say what a property, run theorem or profile means: its formula, why it "
        "matters, a real failure, its premises, how to waive it, an example.",
        allow_abbrev=False,
    )
    explain.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="a property, run theorem or profile; without it, a line for each",
    )
    _add_format(explain)
    return parser


def _add_format(command: argparse.ArgumentParser, forms: Sequence[str] = ("text", "json")) -> None:
    command.add_argument(
        "--format",
        type=_one_of(forms),
        default="text",
        metavar="FORMAT",
        help=f"how to print the result: {', '.join(forms)} (default %(default)s)",
    )


def _one_of(forms: Sequence[str]) -> Callable[[str], str]:
    def known(form: str) -> str:
        if form not in forms:
            from prefill_proofs.refusals import suggestion

            hint = suggestion(form, forms) or f"there are {', '.join(forms)}"
            raise argparse.ArgumentTypeError(f"there is no format {form!r}; {hint}")
        return form

    return known


def _output(given: str) -> Output:
    form, _, path = given.partition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{given!r} names no file; write FORMAT=FILE")
    return Output(_one_of(FORMATS)(form), Path(path))


def _add_timeout(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument(
        "--timeout",
        type=seconds,
        default=PROPERTY_SECONDS,
        metavar="SECONDS",
        help=f"what {what} may take before it is inconclusive (default %(default)g)",
    )


def _add_quiet(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--quiet", action="store_true", help="as text, print only what does not hold"
    )


def _add_certify(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--certify", action="store_true", help="have cvc5 decide again what every proof rests on"
    )
    command.add_argument(
        "--smt2", type=Path, metavar="DIR", help="write those queries to a folder, as SMT-LIB 2"
    )


def _add_property(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--property",
        action="append",
        metavar="ID",
        dest="properties",
        help="only this property (repeatable)",
    )


def dispatch(arguments: argparse.Namespace) -> int:
    """Run a parsed command; return its exit code."""
    # Imported here: a command loads only what it needs, and --help needs nothing.
    match arguments.command:
        case "prove":
            from prefill_gate.prove import run_prove

            return run_prove(arguments)
        case "check":
            if arguments.changed:
                from prefill_gate.changed import is_unchanged
                from prefill_gate.formats import publish_unchanged

                if is_unchanged(arguments):
                    publish_unchanged(arguments.format, arguments.base, arguments.quiet)
                    return exits.HOLDS
            from prefill_gate.check import run_check

            return run_check(arguments)
        case "diff":
            from prefill_gate.diff import run_diff

            return run_diff(arguments)
        case "plan":
            from prefill_gate.plan import run_plan

            return run_plan(arguments)
        case "impact":
            from prefill_gate.impact import run_impact

            return run_impact(arguments)
        case "mutants":
            from prefill_gate.mutants import run_mutants

            return run_mutants(arguments)
        case _:
            from prefill_gate.explain import run_explain

            return run_explain(arguments.id, arguments.format)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = _first_look(words)
    sys.setrecursionlimit(MAX_FRAMES)
    if sys.stdout is None:
        print("prefill-gate: standard output is closed; open it", file=sys.stderr)
        return exits.UNUSABLE
    if isinstance(sys.stdout, TextIOWrapper):
        # A sign that the terminal lacks is written out, as on standard error.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _parser().parse_args(words, arguments)
        code = dispatch(arguments)
        sys.stdout.flush()
    except UsageError as error:
        return fail(arguments, exits.UNUSABLE, str(error), error.details())
    except KeyboardInterrupt:
        print("prefill-gate: interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except BrokenPipeError:
        _give_up_output()
        return exits.INTERRUPTED
    except OSError as error:
        if error.filename is not None:
            message = f"cannot use {error.filename}: {error.strerror}"
            return fail(arguments, exits.UNUSABLE, message, {"message": message})
        # A file has a name; what is left is standard output.
        _give_up_output()
        print(f"prefill-gate: cannot write the result: {error.strerror}", file=sys.stderr)
        return exits.UNUSABLE
    except Exception as error:
        # An uncaught exception would exit 1 and read as a verdict.
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename}:{place.lineno}"
        said = f"{type(error).__name__}: {error} ({where})"
        message = f"internal fault, no verdict: {said}; please report it"
        return fail(arguments, exits.INTERNAL, message, {"message": message})
    return code


def _first_look(words: Sequence[str]) -> argparse.Namespace:
    """Return where a command line wants its result, even one that cannot be parsed."""
    forms = [form for form in _values_of("--format", words) if form in FORMATS]
    outputs = [given.partition("=") for given in _values_of("--output", words)]
    return argparse.Namespace(
        command=next(iter(words), None),
        format=forms[-1] if forms else "text",
        outputs=[Output(form, Path(path)) for form, _, path in outputs if form in FORMATS and path],
        planner=None,
    )


def _values_of(option: str, words: Sequence[str]) -> Iterator[str]:
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        if word == option:
            yield after
        elif word.startswith(f"{option}="):
            yield word.removeprefix(f"{option}=")


def _give_up_output() -> None:
    """Let nothing more be written, not even while Python shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(arguments: argparse.Namespace, code: int, message: str, details: dict[str, Any]) -> int:
    """Say what went wrong, in every form that was asked for too; return the exit code."""
    print(f"prefill-gate: {message}", file=sys.stderr)
    try:
        if arguments.command == "check":
            from prefill_gate.formats import publish_error

            publish_error(arguments.format, arguments.outputs, arguments.planner, details)
        elif arguments.format == "json":
            from prefill_gate.output import error_to_json

            print(error_to_json(arguments.command, details), end="")
    except Exception as error:
        # Whatever else fails, the exit code has to be that of the first error.
        print(f"prefill-gate: cannot write the result: {error}", file=sys.stderr)
    return code


def run() -> NoReturn:
    """Run as the console script."""
    sys.exit(main())
