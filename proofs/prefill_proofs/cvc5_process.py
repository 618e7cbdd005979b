"""A process of its own that asks cvc5: run as a script, it imports nothing of this package.

It reads a JSON object from standard input, ``{"seconds": 5.0, "files": [..]}``, and prints for each
file, in turn, a line with what cvc5 answers: a JSON list of ``sat``, ``unsat`` or ``unknown`` and a
reason. A query that does not heed its limit of time ends the process.
"""

import faulthandler
import json
import sys

import cvc5


def answer(file: str, seconds: float) -> tuple[str, str]:
    """Return what cvc5 answers to the query in a file, and the reason of an unknown."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    parser = cvc5.InputParser(solver)
    said = ""
    try:
        parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, file)
        while not (command := parser.nextCommand()).isNull():
            said += str(command.invoke(solver, parser.getSymbolManager()))
    except RuntimeError as error:
        return "unknown", f"cvc5 cannot read it: {error}"
    said = said.strip()
    return (said, "") if said in ("sat", "unsat") else ("unknown", said or "no answer")


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    for name in asked["files"]:
        faulthandler.dump_traceback_later(2 * asked["seconds"] + 1, exit=True)
        print(json.dumps(answer(name, asked["seconds"])), flush=True)
        faulthandler.cancel_dump_traceback_later()
