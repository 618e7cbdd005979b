"""The command line: ``prefill-gate COMMAND``."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from prefill_gate import __version__, exits


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and exits with the code for bad usage."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(exits.UNUSABLE)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="prefill-gate",
        description="Prove that a prefill planner keeps its contract, or show where it does not.",
        epilog="exit codes: 0 holds, 1 refuted, 2 bad usage or unreadable source, 3 inconclusive, "
        "70 a fault of prefill-gate itself",
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
    _add_format(prove)

    check = commands.add_parser(
        "check",
        help="prove the contract of a planner in a source file",
        description="Prove the contract of the planner in a Rust file, from its own source.",
        allow_abbrev=False,
    )
    check.add_argument(
        "planner",
        nargs="?",
        metavar="PLANNER",
        help="a file, or REV:path of a git revision; without it, the source of prefill-gate.toml",
    )
    _add_property(check)
    check.add_argument(
        "--config", metavar="FILE", help="instead of the prefill-gate.toml above the planner"
    )
    _add_format(check)

    explain = commands.add_parser(
        "explain",
        help="say what a property means and why it matters",
        description="Say what a property means, why it matters and how to waive it.",
        allow_abbrev=False,
    )
    explain.add_argument("id", nargs="?", metavar="ID", help="a property; all of them without it")
    return parser


def _add_format(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print the result"
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

            return run_prove(arguments.properties, arguments.format)
        case "check":
            from prefill_gate.check import run_check

            return run_check(
                arguments.planner, arguments.properties, arguments.config, arguments.format
            )
        case _:
            from prefill_gate.explain import run_explain

            return run_explain(arguments.id)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit code."""
    from prefill_gate.errors import UsageError

    arguments = _parser().parse_args(argv)
    try:
        return dispatch(arguments)
    except UsageError as error:
        print(f"prefill-gate: {error}", file=sys.stderr)
        return exits.UNUSABLE
    except KeyboardInterrupt:
        print("prefill-gate: interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        return report_own_fault(error)


def report_own_fault(error: Exception) -> int:
    """Say that the fault is ours: an uncaught exception would exit 1 and read as a verdict."""
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    print(
        f"prefill-gate: internal fault, no verdict: {type(error).__name__}: {error} "
        f"({place.filename}:{place.lineno}); please report it",
        file=sys.stderr,
    )
    return exits.INTERNAL


def run() -> NoReturn:
    """Run as the console script."""
    sys.exit(main())
