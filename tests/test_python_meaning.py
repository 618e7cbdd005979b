"""What each construct of Python means: known values, in Python itself and in both evaluators."""

from textwrap import dedent, indent
from typing import Any, NamedTuple

import pytest

from prefill_proofs.types import BOOL, USIZE, OptionType, Type
from python_calls import require_answers
from symbolic_calls import FAULT

MAX = 2**64 - 1
NUMBER, FLAG, OPTION = USIZE, BOOL, OptionType(USIZE)


class Case(NamedTuple):
    """A function ``f`` of the integers ``x`` and ``y``: its result, its body, and its answers."""

    name: str
    body: str
    answers: dict[tuple[int, int], Any]
    before: str = ""
    kind: Type = NUMBER

    @property
    def source(self) -> str:
        body = indent(dedent(self.body).strip(), "    ")
        return f"{dedent(self.before)}\ndef f(x: int, y: int):\n{body}\n"


SCALARS = [
    # Arithmetic
    Case("add", "return x + y", {(1, 2): 3, (MAX, MAX): 2 * MAX}),
    Case("subtract", "return x - y", {(1, 2): -1, (0, MAX): -MAX}),
    Case("multiply", "return x * y", {(3, 5): 15, (MAX, MAX): MAX * MAX}),
    Case("divide", "return x // y", {(7, 2): 3, (0, 9): 0, (3, 0): FAULT}),
    Case("remainder", "return x % y", {(7, 2): 1, (4, 4): 0, (3, 0): FAULT}),
    Case("floor-of-negative", "return (x - 9) // 4", {(0, 0): -3, (1, 0): -2, (8, 0): -1}),
    Case("remainder-of-negative", "return (x - 9) % 4", {(0, 0): 3, (1, 0): 0, (8, 0): 3}),
    Case("divide-by-negative", "return x // -2", {(7, 0): -4, (8, 0): -4, (0, 0): 0}),
    Case("remainder-by-negative", "return x % -4", {(7, 0): -1, (8, 0): 0}),
    Case("round-up", "return -(-x // y)", {(7, 2): 4, (8, 2): 4, (0, 3): 0, (1, 0): FAULT}),
    Case("divmod", "q, r = divmod(x - 5, 3)\nreturn q * 10 + r", {(0, 0): -19, (9, 0): 11}),
    Case("divmod-by-0", "return divmod(x, y)[0]", {(7, 2): 3, (7, 0): FAULT}),
    Case("precedence", "return x + y * 2 % 5 - 1 << 1", {(1, 4): 6}),
    Case("unary", "return -x + +y", {(3, 1): -2}),
    Case("invert", "return ~x", {(0, 0): -1, (MAX, 0): -MAX - 1}),
    Case("power", "return x ** 3 + 2 ** 10 + y ** 0", {(2, 9): 1033, (0, 0): 1025}),
    Case("literals", "return x + 1_000 + 0xFF + 0b11 + 0o17", {(0, 0): 1273}),
    Case("bools-as-numbers", "return (x > y) + (x > 1) * True", {(2, 1): 2, (0, 1): 0}),
    Case("minus-a-bool", "return -(x > y)", {(2, 1): -1, (0, 1): 0}),
    Case("abs", "return abs(x - y)", {(1, 5): 4, (5, 1): 4, (2, 2): 0}),
    Case("int", "return int(x) + int(x > y)", {(3, 1): 4, (0, 1): 0}),
    Case("bool", "return bool(x) + bool(y - 2)", {(3, 2): 1, (0, 0): 1}),
    # Masks and shifts, with negative numbers too
    Case("and", "return (x - y) & 5", {(7, 0): 5, (0, 1): 5, (0, 2): 4}),
    Case("and-not", "return (x - y) & ~3", {(7, 0): 4, (0, 1): -4, (MAX, 0): MAX - 3}),
    Case("and-negative", "return -6 & (x - y)", {(7, 0): 2, (0, 1): -6}),
    Case("and-0", "return (x - y) & 0", {(0, 9): 0}),
    Case("or", "return (x - y) | 6", {(1, 0): 7, (0, 1): -1, (0, 8): -2}),
    Case("or-negative", "return (x - y) | -4", {(1, 0): -3, (0, 9): -1}),
    Case("xor", "return 6 ^ (x - y)", {(1, 0): 7, (0, 1): -7}),
    Case("xor-negative", "return (x - y) ^ -1", {(5, 0): -6, (0, 5): 4}),
    Case("folded-mask", "return x & ~(STEP - 1)", {(19, 0): 16}, "STEP = 4"),
    Case("mask-of-constants", "return 12 & 10 | 12 ^ 10", {(0, 0): 14}),
    Case("shift-left", "return x << 3", {(MAX, 0): MAX * 8, (1, 0): 8}),
    Case("shift-right", "return (x - y) >> 2", {(7, 0): 1, (0, 1): -1, (0, 5): -2}),
    Case("shift-far", "return x >> 70", {(MAX, 0): 0}),
    Case("strict-and", "return (x > 9) & (8 // y > 1)", {(0, 0): FAULT, (10, 2): 1, (0, 2): 0}),
    Case("strict-or", "return (x > 9) | (y > 9)", {(0, 0): 0, (10, 2): 1}),
    Case("xor-of-bools", "return (x > 9) ^ (y > 9)", {(10, 10): 0, (10, 2): 1}),
    Case("mask-a-bool", "return (x > y) & 1", {(1, 0): 1, (0, 1): 0}),
    # Conditions
    Case("lazy-and", "return y > 0 and x // y > 1", {(4, 0): 0, (4, 2): 1, (3, 2): 0}, kind=FLAG),
    Case("lazy-or", "return y == 0 or x // y > 1", {(4, 0): 1, (3, 2): 0}, kind=FLAG),
    Case("three-operands", "return x and y and 8 // y", {(0, 0): 0, (3, 0): 0, (3, 2): 4}),
    Case("or-gives-the-operand", "return x or y or 7", {(3, 0): 3, (0, 5): 5, (0, 0): 7}),
    Case("and-gives-the-operand", "return x and y", {(3, 5): 5, (0, 5): 0, (3, 0): 0}),
    Case("or-of-none", "return (None or x) + (y and None or 4)", {(3, 0): 7, (3, 2): 7}),
    Case("not", "return (not x) * 2 + (not x > y)", {(0, 0): 3, (5, 0): 0}),
    Case("not-none", "return not None", {(0, 0): 1}, kind=FLAG),
    Case("not-not", "if not (not x):\n    return 1\nreturn 2", {(0, 0): 2, (5, 0): 1}),
    Case("chained", "return 0 < x < y <= 9", {(1, 2): 1, (2, 2): 0, (1, 10): 0}),
    Case("lazy-chain", "return 1 < x < 8 // y", {(0, 0): 0, (2, 2): 1, (2, 0): FAULT}),
    Case(
        "chain-runs-its-middle-once",
        "n = x\nok = 0 < (n := n + 1) < 5\nreturn n * 10 + ok",
        {(1, 0): 21, (9, 0): 100},
    ),
    Case("equal", "return (x == y) * 2 + (x != 3)", {(3, 3): 2, (4, 4): 3, (3, 4): 0}),
    Case("equal-bools", "return (x > 1) == (y > 1)", {(0, 2): 0, (2, 2): 1}),
    Case("number-equals-bool", "return (x == True) + (x == False) * 2", {(1, 0): 1, (0, 0): 2}),
    Case("number-is-no-true", "return x is True", {(1, 0): 0}),
    Case("bool-is-true", "return (x > y) is True", {(1, 0): 1, (0, 1): 0}),
    Case("bool-is-not-false", "return (x > y) is not False", {(1, 0): 1, (0, 1): 0}),
    Case("number-is-not-none", "return (x is None) + (x is not None) * 2", {(0, 0): 2}),
    Case("none-is-no-number", "return (None == x) + (x != None) * 2", {(0, 0): 2}),
    Case("in", "return x in (1, y, 5)", {(1, 0): 1, (0, 0): 1, (2, 0): 0}),
    Case("not-in", "return x not in [1, y]", {(1, 0): 0, (2, 0): 1}),
    Case("in-range", "return x in range(3)", {(2, 0): 1, (3, 0): 0}),
    Case("in-nothing", "return x in ()", {(0, 0): 0}),
    Case("tuples-equal", "return (x, y) == (1, 2)", {(1, 2): 1, (2, 1): 0}),
    Case("tuples-of-other-length", "return (x, y) == (x,)", {(1, 2): 0}),
    Case("tuples-with-none", "return (x or None, 1) == (None, y)", {(0, 1): 1, (3, 1): 0}),
    Case("choice", "return x if x > y else y", {(1, 2): 2, (5, 2): 5}),
    Case("choice-runs-one", "return x // y if y else 9", {(6, 2): 3, (6, 0): 9}),
    Case("none-on-one-side", "return x if x > y else None", {(5, 2): 5, (1, 2): None}, kind=OPTION),
    Case("none-for-a-number", "return x if x > y else None", {(5, 2): 5, (1, 2): FAULT}),
    Case(
        "arithmetic-on-none", "v = x if x > 2 else None\nreturn v + y", {(3, 1): 4, (0, 1): FAULT}
    ),
    Case("compare-none", "v = x if x > 2 else None\nreturn v < y", {(3, 4): 1, (0, 1): FAULT}),
    Case("equal-none", "v = x if x > 2 else None\nreturn v == y", {(3, 3): 1, (0, 0): 0}),
    Case("truth-of-none", "v = x if y else None\nreturn 1 if v else 2", {(3, 1): 1, (0, 1): 2}),
    Case("walrus", "return (n := x + 1) * 10 + n", {(1, 0): 22}),
    Case(
        "walrus-in-a-condition",
        "if (end := x + y) > 5:\n    return end\nreturn end * 100",
        {(1, 2): 300, (4, 2): 6},
    ),
    Case(
        "walrus-on-a-lazy-side",
        "a = x > 1 and (n := y) > 0\nreturn n + a",
        {(2, 3): 4, (0, 3): FAULT},
    ),
    Case("order", "n = x\nr = n + (n := n + 1)\nreturn r * 10 + n", {(1, 2): 32}),
    Case("a-condition-of-the-same", "return 1 if x // y > 3 else 1", {(1, 1): 1, (1, 0): FAULT}),
    Case("is-none-of-a-fault", "return 1 if (x // y) is None else 2", {(1, 1): 2, (1, 0): FAULT}),
    Case("equals-none-of-a-fault", "return (x // y) == None", {(1, 1): 0, (1, 0): FAULT}),
]

STATEMENTS = [
    Case("chained-assignment", "a = b = x\na += 1\nreturn a * 10 + b", {(1, 0): 21}),
    Case("annotated", "n: int = x\nm: int\nreturn n", {(4, 0): 4}),
    Case("unpack", "a, (b, [c]) = x, (y, [7])\nreturn a * 100 + b * 10 + c", {(1, 2): 127}),
    Case("swap", "x, y = y, x\nreturn x * 10 + y", {(1, 2): 21}),
    Case(
        "rotate", "a, b, c = x, y, 3\na, b, c = c, a, b\nreturn a * 100 + b * 10 + c", {(1, 2): 312}
    ),
    Case(
        "augmented",
        "n = x\nn += 5\nn -= 1\nn *= 3\nn //= 2\nn %= 7\nn <<= 2\nn |= 1\nreturn n",
        {(2, 0): 9},
    ),
    Case("augmented-order", "n = x\nn += (n := 10)\nreturn n", {(1, 0): 11}),
    Case(
        "if",
        "if x > 5:\n    n = 1\nelif x > 2:\n    n = 2\nelse:\n    n = 3\nreturn n",
        {(9, 0): 1, (3, 0): 2, (0, 0): 3},
    ),
    Case(
        "return-early",
        "if x > y:\n    return 1\nif x == y:\n    return 2\nreturn 3",
        {(1, 0): 1, (1, 1): 2, (0, 1): 3},
    ),
    Case(
        "return-nothing", "if x > 1:\n    return\nreturn x", {(1, 0): 1, (2, 0): None}, kind=OPTION
    ),
    Case("no-return", "if x > 1:\n    return x", {(1, 0): None, (2, 0): 2}, kind=OPTION),
    Case("set-on-one-path", "if x > 1:\n    n = y\nreturn n", {(2, 7): 7, (1, 7): FAULT}),
    Case(
        "set-on-one-path-and-read-there",
        "if x > 1:\n    n = y\nif x > 1:\n    return n\nreturn 0",
        {(2, 7): 7, (1, 7): 0},
    ),
    Case(
        "set-late",
        "if x > 1:\n    n = 1\nelse:\n    m = 2\nn = 3\nreturn n",
        {(2, 0): 3, (0, 0): 3},
    ),
    Case("assert", "assert x > y, 'no'\nreturn x - y", {(3, 1): 2, (1, 3): FAULT}),
    Case(
        "raise",
        "if x > y:\n    raise ValueError(f'{x} > {y}')\nreturn x",
        {(1, 3): 1, (3, 1): FAULT},
    ),
    Case("raise-again", "if x > y:\n    raise\nreturn x", {(1, 3): 1, (3, 1): FAULT}),
    Case("a-statement-can-fault", "x // y\nreturn 1", {(1, 1): 1, (1, 0): FAULT}),
    Case("docstring-and-pass", "'''Says so.'''\npass\n...\nreturn x", {(3, 0): 3}),
    Case(
        "logging",
        "logger.info('chunk %s', x / 2, {1: 2})\nreturn x",
        {(3, 0): 3},
        "import logging\nlogger = logging.getLogger(__name__)",
    ),
    Case("import", "import os\nreturn x", {(3, 0): 3}),
    Case("unreachable", "return x\nwhile True:\n    x = x / 2", {(3, 0): 3}),
    Case(
        "never-true",
        "if False:\n    x = x / 2\nelif DEBUG:\n    x = str(x)\nreturn x",
        {(3, 0): 3},
        "DEBUG = False",
    ),
    Case("for", "n = 0\nfor v in (x, y, 5):\n    n = n * 10 + v\nreturn n", {(1, 2): 125}),
    Case(
        "for-leaves",
        "for v in (5, x, y):\n    if v < 3:\n        return v\nreturn 9",
        {(4, 1): 1, (2, 1): 2, (4, 4): 9},
    ),
    Case(
        "for-range", "n = x\nfor i in range(1, 8, 3):\n    n += i\nreturn n * 10 + i", {(0, 0): 127}
    ),
    Case(
        "for-backwards",
        "n = 0\nfor i in range(3, 0, -1):\n    n = n * 10 + i\nreturn n + x",
        {(0, 0): 321},
    ),
    Case(
        "for-pairs", "n = 0\nfor a, b in ((x, 1), (y, 2)):\n    n += a * b\nreturn n", {(3, 4): 11}
    ),
    Case(
        "for-variable-stays",
        "for v in [v for v in (1, 2) if v > x]:\n    pass\nreturn v",
        {(0, 0): 2, (2, 0): FAULT},
    ),
    Case(
        "a-condition-of-nothing",
        "if x // y > 3:\n    pass\nreturn 1",
        {(1, 1): 1, (1, 0): FAULT},
    ),
]

SEQUENCES = [
    Case("items", "t = (x, y, 3)\nreturn t[0] * 100 + t[-1] * 10 + t[1]", {(1, 2): 132}),
    Case("append", "a = [x]\na.append(y)\nreturn len(a) * 10 + a[1]", {(1, 2): 22}),
    Case(
        "append-on-one-path",
        "a = [x]\nif y > 3:\n    a.append(y)\nreturn max(a) * 10 + len(a)",
        {(1, 4): 42, (1, 2): 11},
    ),
    Case(
        "extend", "a = []\na.extend((x, y))\na.extend(a)\nreturn sum(a) * 10 + len(a)", {(1, 2): 64}
    ),
    Case("aliases", "a = [x]\nb = a\nb.append(y)\nreturn len(a)", {(1, 2): 2}),
    Case("augmented-is-no-new-list", "a = [x]\nb = a\nb += [y]\nreturn len(a)", {(1, 2): 2}),
    Case(
        "sum-is-a-new-list",
        "a = [x]\nb = a + [y]\nb.append(1)\nreturn len(a) * 10 + len(b)",
        {(1, 2): 13},
    ),
    Case(
        "copies",
        "a = [x]\nb = list(a)\nc = tuple(a)\na.append(y)\nreturn len(b) * 10 + len(c)",
        {(1, 2): 11},
    ),
    Case("tuple-sum", "t = (x,) + (y,)\nt += (1,)\nreturn sum(t)", {(1, 2): 4}),
    Case(
        "truth-of-a-list",
        "a = []\nif x:\n    a.append(x)\nreturn 1 if a else 2",
        {(3, 0): 1, (0, 0): 2},
    ),
    Case("not-a-list", "return not [v for v in (x, y) if v]", {(0, 0): 1, (0, 1): 0}, kind=FLAG),
    Case(
        "helper-appends",
        "a = [x]\nadd(a, y)\nreturn len(a)",
        {(1, 2): 2},
        "def add(stops, stop):\n    stops.append(stop)",
    ),
    Case(
        "comprehension", "return sum([v * 2 for v in (x, y, 9) if v < 5])", {(1, 2): 6, (9, 9): 0}
    ),
    Case(
        "comprehension-of-two-tests",
        "return sum(v for v in (x, y) if v if 8 // v > 1)",
        {(0, 3): 3, (9, 2): 2},
    ),
    Case("comprehension-of-pairs", "return sum(a - b for a, b in ((x, 1), (y, 2)))", {(5, 5): 7}),
    Case(
        "comprehension-of-a-comprehension",
        "a = [v for v in (x, y) if v]\nreturn len([v for v in a if v > 2])",
        {(0, 3): 1, (4, 3): 2},
    ),
    Case(
        "comprehension-has-its-own-names",
        "v = 7\nn = sum(v for v in (x, y))\nreturn n * 10 + v",
        {(1, 2): 37},
    ),
    Case(
        "walrus-leaves-a-comprehension",
        "hit = 0\nany((hit := v) > x for v in (1, 4, 9))\nreturn hit",
        {(0, 0): 1, (3, 0): 4, (9, 0): 9},
    ),
    Case(
        "nested-comprehension",
        "return sum(sum(v * w for w in (1, 2)) for v in (x, y))",
        {(1, 2): 9},
    ),
    Case(
        "conditional-pairs",
        "a = []\nif x:\n    a.append((x, y))\nn = 0\nfor p, q in a:\n    n += p * q\nreturn n",
        {(3, 2): 6, (0, 2): 0},
    ),
    Case(
        "item-on-two-paths",
        "t = (x, 1) if x > y else (y, 2)\nreturn t[0] * 10 + t[1]",
        {(3, 2): 31, (2, 3): 32},
    ),
    Case(
        "lists-on-two-paths",
        "if x > y:\n    a = [x]\nelse:\n    a = [y, 1]\nreturn len(a) * 10 + max(a)",
        {(3, 2): 13, (2, 3): 23},
    ),
    Case(
        "a-list-in-place-of-another",
        "a = [1]\nif x > 2:\n    a = [x, y]\nreturn sum(a)",
        {(3, 4): 7, (1, 4): 1},
    ),
    Case("a-generator-nobody-asks", "g = (x // v for v in (y,))\nreturn 1", {(1, 0): 1}),
    Case(
        "the-second-test-is-lazy",
        "return sum(v for v in (x, y) if v if (w := 8 // v) > 1)",
        {(0, 3): 3, (2, 2): 4},
    ),
]

LIBRARY = [
    Case("min-max", "return min(x, y, 5) * 10 + max(x, y)", {(1, 2): 12, (9, 7): 59}),
    Case("min-of-a-list", "return min([x, y])", {(1, 2): 1, (5, 2): 2}),
    Case(
        "min-of-some",
        "return min(v for v in (x, y) if v > 2)",
        {(3, 5): 3, (1, 5): 5, (1, 1): FAULT},
    ),
    Case(
        "min-default",
        "return min((v for v in (x, y) if v > 2), default=x * 10)",
        {(3, 5): 3, (1, 1): 10},
    ),
    Case("min-default-is-run", "return min((x, y), default=1 // y)", {(3, 5): 3, (3, 0): FAULT}),
    Case("max-of-nothing", "return max([v for v in (x, y) if v > 2])", {(3, 5): 5, (0, 0): FAULT}),
    Case(
        "max-default-none",
        "return max((v for v in (x, y) if v > 2), default=None)",
        {(3, 5): 5, (0, 0): None},
        kind=OPTION,
    ),
    Case("min-of-none", "return min(x, None if y else 3)", {(9, 0): 3, (9, 1): FAULT}),
    Case("negative-max", "return max(v - 9 for v in (x, y))", {(1, 2): -7}),
    Case("sum", "return sum((x, y, True), 10)", {(1, 2): 14}),
    Case("sum-of-nothing", "return sum(())", {(0, 0): 0}),
    Case("count", "return sum(v > x for v in (1, 2, 3))", {(1, 0): 2, (9, 0): 0}),
    Case("any", "return any((x, y > 1))", {(0, 0): 0, (1, 0): 1, (0, 2): 1}, kind=FLAG),
    Case("all", "return all([x, y > 1])", {(0, 2): 0, (1, 0): 0, (1, 2): 1}, kind=FLAG),
    Case("any-of-nothing", "return any(()) or all(())", {(0, 0): 1}, kind=FLAG),
    Case(
        "any-is-lazy",
        "return any(8 // v > x for v in (4, y))",
        {(1, 0): 1, (5, 0): FAULT, (5, 1): 1, (5, 2): 0},
        kind=FLAG,
    ),
    Case(
        "all-is-lazy",
        "return all(8 // v > x for v in (4, y))",
        {(2, 0): 0, (1, 0): FAULT, (1, 1): 1},
        kind=FLAG,
    ),
    Case(
        "any-of-a-list-is-not",
        "return any([8 // v > x for v in (4, y)])",
        {(1, 0): FAULT, (1, 8): 1},
        kind=FLAG,
    ),
    Case(
        "any-with-a-test",
        "return any(v > 5 for v in (x, y) if 8 // v > 0)",
        {(6, 0): 1, (1, 0): FAULT, (9, 1): 0},
        kind=FLAG,
    ),
    Case(
        "next", "return next((v for v in (x, y, 7) if v > 2), 0)", {(3, 5): 3, (1, 5): 5, (0, 0): 7}
    ),
    Case("next-is-lazy", "return next(8 // v for v in (x, y))", {(4, 0): 2, (0, 4): FAULT}),
    Case("next-of-nothing", "return next(v for v in (x, y) if v)", {(0, 2): 2, (0, 0): FAULT}),
    Case(
        "next-default-is-run",
        "return next((v for v in (x,) if v), 8 // y)",
        {(1, 0): FAULT, (0, 2): 4},
    ),
    Case(
        "next-none",
        "return next((v for v in (x, y) if v > 2), None)",
        {(3, 0): 3, (0, 0): None},
        kind=OPTION,
    ),
    Case("len", "return len((x, y)) * 10 + len([v for v in (x, y) if v])", {(0, 1): 21}),
    Case("range-tuple", "return sum(tuple(range(4))) + len(list())", {(0, 0): 6}),
    Case(
        "own-function-of-that-name",
        "return min(x, y)",
        {(1, 2): 3},
        "def min(a, b):\n    return a + b",
    ),
    Case("variable-of-that-name", "len = x\nreturn len", {(4, 0): 4}),
    Case("maxsize", "return min(x, sys.maxsize)", {(MAX, 0): 2**63 - 1}, "import sys"),
]

CALLS = [
    Case(
        "defaults",
        "return g(x) + g(x, 5)",
        {(1, 0): 47},
        "STEP = 4\ndef g(a, b=STEP * 10):\n    return a + b",
    ),
    Case("keywords", "return g(b=x, a=y)", {(1, 2): 21}, "def g(a, b):\n    return a * 10 + b"),
    Case(
        "keyword-only",
        "return g(x, k=y)",
        {(1, 2): 12},
        "def g(a, /, *, j=0, k):\n    return a * 10 + k + j",
    ),
    Case(
        "argument-order",
        "n = x\nr = g(n, k=(n := n + 1), j=n)\nreturn r",
        {(1, 0): 122},
        "def g(i, *, j, k):\n    return i * 100 + j * 10 + k",
    ),
    Case(
        "early-return-in-a-helper",
        "return g(x) * 10 + g(y)",
        {(1, 9): 15},
        "def g(a):\n    if a > 5:\n        return 5\n    return a",
    ),
    Case(
        "a-helper-that-may-give-none",
        "n = g(x)\nreturn y if n is None else n",
        {(9, 3): 3, (4, 3): 4},
        "def g(a):\n    if a > 5:\n        return None\n    return a",
    ),
    Case(
        "a-helper-without-return",
        "g(x)\nreturn x",
        {(1, 0): 1, (0, 0): FAULT},
        "def g(a):\n    assert a",
    ),
    Case(
        "a-helper-that-raises",
        "if x > y:\n    g()\nreturn x",
        {(1, 3): 1, (3, 1): FAULT},
        "def g():\n    raise ValueError",
    ),
    Case(
        "a-helper-that-gives-a-tuple",
        "lo, hi = g(x, y)\nreturn lo * 10 + hi",
        {(1, 2): 12, (2, 1): 12},
        "def g(a, b):\n    if a > b:\n        return b, a\n    return a, b",
    ),
    Case(
        "tuple-with-none",
        "at, n = g(x)\nreturn n if at is None else at * 10",
        {(0, 0): 7, (2, 0): 20},
        "def g(a):\n    if not a:\n        return None, 7\n    return a, 1",
    ),
    Case(
        "helpers-in-helpers",
        "return g(x)",
        {(1, 0): 6},
        "def g(a):\n    return h(a) * 2\ndef h(a):\n    return a + 2",
    ),
    Case(
        "a-helper-has-its-own-names",
        "n = 1\ng(x)\nreturn n",
        {(5, 0): 1},
        "def g(a):\n    n = a\n    return n",
    ),
    Case("inner-function", "def g(a):\n    return a + y\nreturn g(x) * 10 + g(1)", {(1, 2): 33}),
    Case(
        "late-binding",
        "def g(a):\n    return a + n\nn = 1\nr = g(x)\nn = y\nreturn r * 10 + g(x)",
        {(1, 5): 26},
    ),
    Case("late-lambda", "g = lambda a: a * n\nn = y\nreturn g(x)", {(3, 5): 15}),
    Case(
        "inner-function-shadows",
        "def g(x):\n    n = x + 1\n    return n\nn = 100\nreturn g(y) + n + x",
        {(1, 5): 107},
    ),
    Case(
        "inner-early-return",
        "def g(a):\n    if a > 3:\n        return 3\n    return a\nreturn g(x) + g(y)",
        {(9, 1): 4},
    ),
    Case(
        "lambda-in-a-comprehension",
        "g = lambda a: 8 // a\nreturn any(g(v) > 3 for v in (x, y))",
        {(2, 0): 1, (4, 0): FAULT},
        kind=FLAG,
    ),
    Case(
        "constants",
        "return x // STEP * SIZES[1] + EITHER",
        {(9, 0): 13},
        "STEP = 1 << 2\nSIZES = (1, STEP + 2)\nEITHER = STEP == 4",
    ),
    Case(
        "constant-none", "return x if LIMIT is None else min(x, LIMIT)", {(9, 0): 9}, "LIMIT = None"
    ),
    Case(
        "annotated-constant",
        "return x + STEP",
        {(1, 0): 5},
        "from typing import Final\nSTEP: Final[int] = 4",
    ),
    Case(
        "constant-from-a-helper",
        "return x + STEP",
        {(1, 0): 9},
        "def double(a):\n    return a * 2\nSTEP = double(4)",
    ),
    Case(
        "static-method",
        "return P.f2(x) + P.f3(y)",
        {(1, 2): 1 + 2 * 4},
        "class P:\n    STEP = 4\n    @staticmethod\n    def f2(a):\n        return a\n"
        "    @classmethod\n    def f3(cls, a):\n        return a * cls.STEP",
    ),
    Case(
        "class-constant",
        "return x + P.STEP + P.Q.STEP",
        {(1, 0): 10},
        "class P:\n    STEP = 4\n    class Q:\n        STEP = 5",
    ),
    Case(
        "an-inner-function-does-not-see-a-comprehension",
        "v = x\ndef g():\n    return v\nreturn sum(g() for v in (5, 6))",
        {(1, 0): 2},
    ),
]

TABLE = [*SCALARS, *STATEMENTS, *SEQUENCES, *LIBRARY, *CALLS]


def require(case: Case) -> None:
    answers = [({"x": x, "y": y}, expected) for (x, y), expected in case.answers.items()]
    require_answers(case.source, "f", case.kind, answers)


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_python_and_both_evaluators_give_the_known_values(case: Case) -> None:
    require(case)


def test_the_names_of_the_cases_are_their_own() -> None:
    names = [case.name for case in TABLE]
    assert len(set(names)) == len(names)
