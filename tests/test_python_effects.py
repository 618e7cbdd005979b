"""What Python runs though nothing comes of it, and what one path leaves for another."""

import pytest

from symbolic_calls import FAULT
from test_python_meaning import FLAG, OPTION, Case, require

LOGGER = 'import logging\nlogger = logging.getLogger("planner")\nlogger.disabled = True'

NOT_USED = [
    Case(
        "a-condition-of-two-empty-branches",
        "if x // y > 3:\n    pass\nelse:\n    pass\nreturn 1",
        {(1, 1): 1, (1, 0): FAULT},
    ),
    Case(
        "a-condition-that-only-logs",
        "if x // y > 3:\n    logger.info('long')\nreturn 1",
        {(9, 1): 1, (1, 0): FAULT},
        LOGGER,
    ),
    Case("or-true", "return x // y > 0 or True", {(1, 1): 1, (1, 0): FAULT}, kind=FLAG),
    Case("and-false", "return x // y > 0 and False", {(1, 1): 0, (1, 0): FAULT}, kind=FLAG),
    Case("true-or", "return True or x // y > 0", {(1, 0): 1}, kind=FLAG),
    Case("false-and", "return False and x // y > 0", {(1, 0): 0}, kind=FLAG),
    Case("not-none-of-a-fault", "return (x // y) is not None", {(1, 1): 1, (1, 0): FAULT}),
    Case("differs-from-none", "return (x // y) != None", {(1, 1): 1, (1, 0): FAULT}),
    Case("none-among-faults", "return None in (x // y, 1)", {(1, 1): 0, (1, 0): FAULT}),
    Case("a-tuple-nobody-reads", "t = (x // y, 1)\nreturn 1", {(1, 1): 1, (1, 0): FAULT}),
    Case("a-text-and-a-fault", "t = ('a', x // y)\nreturn 1", {(1, 1): 1, (1, 0): FAULT}),
    Case(
        "a-text-by-a-condition",
        "t = 'a' if x // y > 1 else 'b'\nreturn 1",
        {(1, 1): 1, (1, 0): FAULT},
    ),
    Case("a-length-of-faults", "return len([x // y, 1])", {(1, 1): 2, (1, 0): FAULT}),
    Case("a-format-faults", "t = f'{x // y} of {x:>{y}}'\nreturn 1", {(1, 1): 1, (1, 0): FAULT}),
    Case("a-format-assigns", "n = 1\nt = f'{(n := x)}'\nreturn n", {(5, 0): 5}),
    Case("a-format-appends", "a = [1]\nt = f'{a.append(x)}'\nreturn len(a)", {(5, 0): 2}),
    Case(
        "a-format-of-what-is-not-set",
        "if x > 2:\n    n = 1\nt = f'{n}'\nreturn 1",
        {(3, 0): 1, (1, 0): FAULT},
    ),
    Case(
        "a-logged-fault",
        "logger.info('%d', x // y)\nreturn 1",
        {(1, 1): 1, (1, 0): FAULT},
        LOGGER,
    ),
    Case(
        "a-logged-assignment",
        "n = 1\nlogger.info('%d', (n := x))\nreturn n",
        {(5, 0): 5},
        LOGGER,
    ),
    Case(
        "a-logged-append",
        "a = [1]\nlogger.info('%s', a.append(x))\nreturn sum(a)",
        {(5, 0): 6},
        LOGGER,
    ),
    Case(
        "a-logged-name-that-is-not-set",
        "if x > 2:\n    n = 1\nlogger.info('%d', n)\nreturn 1",
        {(3, 0): 1, (1, 0): FAULT},
        LOGGER,
    ),
    Case(
        "a-logged-keyword",
        "n = 1\nlogger.info('split', extra=(n := x))\nreturn n",
        {(0, 0): 0},
        LOGGER,
    ),
    Case(
        "a-statement-of-what-is-not-set",
        "if x > 2:\n    n = 1\nn\nreturn 1",
        {(3, 0): 1, (1, 0): FAULT},
    ),
    Case(
        "an-argument-that-is-not-set",
        "if x > 2:\n    n = 1\nreturn g(n, y)",
        {(3, 4): 4, (1, 4): FAULT},
        "def g(a, b):\n    return b",
    ),
    Case(
        "a-result-nobody-reads",
        "g(x)\nreturn 1",
        {(3, 0): 1, (0, 0): FAULT},
        "def g(a):\n    return 8 // a",
    ),
    Case(
        "a-raise-whose-text-faults",
        "if x > 3:\n    raise ValueError(x // y)\nreturn y",
        {(3, 0): 0, (4, 1): FAULT, (4, 0): FAULT},
    ),
    Case(
        "the-least-of-one", "return min([x if y else None])", {(3, 1): 3, (3, 0): None}, kind=OPTION
    ),
]

DEAD_PATHS = [
    Case(
        "what-a-raise-leaves",
        "n = 1\nif x > 3:\n    n = 9\n    raise ValueError\nreturn n",
        {(3, 0): 1, (4, 0): FAULT},
    ),
    Case(
        "what-a-helper-leaves-that-raises",
        "a = [1]\nput(a, x)\nreturn sum(a)",
        {(3, 0): 1, (0, 0): FAULT},
        "def put(a, n):\n    if n > 1:\n        return 1\n    a.append(5)\n    raise ValueError",
    ),
    Case(
        "what-a-return-leaves",
        "a = [1]\nif x > 3:\n    a.append(y)\n    return sum(a)\nreturn len(a)",
        {(3, 7): 1, (4, 7): 8},
    ),
    Case("after-a-raise", "raise ValueError\nreturn 1", {(0, 0): FAULT}),
    Case("after-a-return", "return x\nreturn 1 / 2", {(3, 0): 3}),
    Case("never-true", "if False:\n    x = x + 1\n    n = 1 / 2\nreturn x", {(3, 0): 3}),
    Case(
        "a-comprehension-that-keeps-nothing",
        "a = [1]\nif x > 1:\n    a = [v / 2 for v in (x, y) if False]\nreturn sum(a)",
        {(0, 0): 1, (2, 0): 0},
    ),
    Case(
        "what-is-never-gone-through",
        "return next((v / 2 for v in (x, y) if False), 7) + any(v / 2 for v in (x,) if False)",
        {(3, 0): 7},
    ),
]

LISTS = [
    Case(
        "none-or-some",
        "if x > 3:\n    a = []\nelse:\n    a = [y]\na.append(x)\nreturn sum(a) * 10 + len(a)",
        {(4, 7): 41, (3, 7): 102},
    ),
    Case(
        "none-then-some",
        "a = []\nif x:\n    a = [y // x]\nreturn min(a, default=9)",
        {(0, 7): 9, (2, 7): 3},
    ),
    Case(
        "chosen-at-once",
        "a = [x] if x > y else []\nreturn max(a, default=y)",
        {(5, 2): 5, (2, 5): 5, (0, 0): 0},
    ),
    Case(
        "a-list-in-a-branch",
        "a = []\nif x:\n    a.append([v for v in (x, y) if v > 1])\nreturn sum(len(r) for r in a)",
        {(0, 5): 0, (1, 5): 1, (2, 5): 2},
    ),
    Case(
        "a-tuple-in-a-branch",
        "a = []\nif x:\n    a.append(tuple(v for v in (x, y) if v > 1))\n"
        "return sum(sum(r) for r in a)",
        {(0, 5): 0, (1, 5): 5, (2, 5): 7},
    ),
    Case(
        "a-tuple-of-some-items",
        "t = (x, y) if x > 2 else (x,)\nreturn len(t) * 100 + sum(t) * 10 + (y in t)",
        {(3, 4): 271, (1, 4): 110, (1, 1): 111},
    ),
    Case(
        "a-comprehension-on-one-path",
        "a = []\nif x > 1:\n    a = [v + 1 for v in (x, y) if v > 3]\nreturn sum(a) * 10 + len(a)",
        {(1, 9): 0, (2, 9): 101, (4, 9): 152, (2, 2): 0},
    ),
    Case(
        "a-comprehension-that-faults-on-one-path",
        "a = []\nif x > 1:\n    a = [8 // v for v in (x, y)]\nreturn sum(a)",
        {(1, 0): 0, (2, 0): FAULT, (2, 4): 6},
    ),
    Case(
        "comprehensions-on-both-paths",
        "a = [v for v in (x, y) if v > 3] if x > 1 else [v * 2 for v in (x, y) if v > 4]\n"
        "return sum(a) * 10 + len(a)",
        {(2, 9): 91, (1, 9): 181, (4, 9): 132, (1, 4): 0},
    ),
    Case(
        "extended-on-one-path",
        "a = [7]\nif x > 1:\n    a.extend([v for v in (x, y) if v > 3])\nreturn sum(a)",
        {(1, 9): 7, (2, 9): 16, (4, 9): 20},
    ),
    Case(
        "two-names-of-one-list",
        "a = [1]\nc = a if x > 3 else a\nc.append(y)\nreturn sum(a)",
        {(4, 2): 3, (3, 2): 3},
    ),
    Case(
        "one-list-in-two-places",
        "a = [1]\nb = [a, a]\na.append(x)\nreturn sum(sum(r) for r in b)",
        {(5, 0): 12},
    ),
    Case(
        "doubled-in-place",
        "a = [x]\na += a\na += a\na += a\nreturn sum(a) * 10 + len(a)",
        {(3, 0): 248},
    ),
    Case(
        "none-among-some",
        "a = [None if v > 3 else v for v in (x, y) if v != 1]\nreturn (None in a) * 10 + any(a)",
        {(1, 1): 0, (4, 1): 10, (4, 2): 11, (0, 1): 0},
    ),
    Case(
        "a-sum-with-none",
        "return sum([None if v > 3 else v for v in (x, y) if v != 1])",
        {(1, 1): 0, (3, 2): 5, (4, 1): FAULT},
    ),
]

COMPREHENSIONS = [
    Case(
        "a-walrus-leaves-it",
        "a = [z := v + 1 for v in (x, y)]\nreturn z * 10 + len(a)",
        {(1, 2): 32},
    ),
    Case(
        "a-walrus-in-its-test",
        "a = [n for v in (x, y) if (n := v // 2) > 1]\nreturn sum(a) * 10 + n",
        {(4, 2): 21, (1, 9): 44},
    ),
    Case(
        "a-walrus-on-its-lazy-side",
        "a = [n for v in (x, y) if v > 2 and (n := v // 2) > 1]\nreturn n",
        {(4, 2): 2, (1, 1): FAULT},
    ),
    Case(
        "it-stops-before-a-walrus",
        "n = 0\nnext((v for v in (x, y) if (n := v) > 2), None)\nreturn n",
        {(3, 9): 3, (1, 9): 9, (1, 1): 1},
    ),
    Case(
        "it-stops-before-an-append",
        "a = []\nany(a.append(v) or v > 2 for v in (x, y))\nreturn len(a)",
        {(3, 9): 1, (1, 9): 2},
    ),
    Case(
        "a-second-test-after-the-first",
        "return sum(1 for v in (x, y) if v != 0 if max(8 // v, 2) > 2)",
        {(0, 0): 0, (2, 0): 1, (2, 8): 1},
    ),
    Case("it-shadows", "return sum(x + y for x in (x, y)) * 10 + x", {(1, 2): 71}),
    Case(
        "it-shadows-itself", "return sum(sum(v for v in (v, y)) + v for v in (x, y))", {(1, 2): 10}
    ),
    Case(
        "an-inner-function-sees-what-is-around",
        "v = 7\ndef g(a):\n    return a + v\nreturn sum(g(x) for v in (1, 2))",
        {(1, 0): 16},
    ),
    Case(
        "a-lambda-sees-what-is-around",
        "v = 100\ng = lambda: v\nreturn sum(g() + v for v in (x, y))",
        {(1, 2): 203},
    ),
    Case(
        "a-lambda-of-a-loop-sees-its-last-item",
        "a = []\nfor v in (x, y):\n    a.append(lambda: v)\nreturn a[0]()",
        {(1, 2): 2},
    ),
]

CONSTANTS = [
    Case("the-greatest", "return x + STEP", {(9, 0): 1}, "STEP = max(1, 2) - 10"),
    Case("the-least", "return x + STEP", {(9, 0): 10}, "STEP = min(3, 1, 2)"),
    Case("a-sum", "return x + STEP", {(9, 0): 5}, "STEP = sum((1, 2, 3)) - 10"),
    Case("a-choice", "return x + STEP", {(9, 0): 6}, "FLAG = False\nSTEP = 3 if FLAG else -3"),
    Case(
        "a-helper-that-returns-early",
        "return x + STEP",
        {(9, 0): 2},
        "def g(a):\n    if a > 3:\n        return -7\n    return 1\nSTEP = g(5)",
    ),
    Case("a-tuple", "return STOPS[1] + x", {(9, 0): 13}, "STOPS = (2, max(3, 4), 9)"),
    Case(
        "a-default",
        "return g(x)",
        {(9, 0): 11},
        "STEP = 1\ndef g(a, step=max(STEP, 2)):\n    return a + step",
    ),
]

LOGGED = [
    Case(
        "what-cannot-be-logged-ends-nothing",
        "logger.info('%s', g(x))\nreturn x + 1",
        {(0, 0): 1, (3, 0): 4},
        LOGGER + "\ndef g(n):\n    if n:\n        return 1\n    return 1, 2",
    ),
    Case(
        "a-logged-name-that-is-set-later",
        "logger.info('%d', n)\nn = 1\nreturn n",
        {(0, 0): FAULT},
        LOGGER,
    ),
    Case(
        "a-constant-of-some-items",
        "return sum(STOPS) + x",
        {(9, 0): 15},
        "STOPS = tuple(v for v in (2, 4, 9) if v < 9)",
    ),
]

TABLE = [*NOT_USED, *DEAD_PATHS, *LISTS, *COMPREHENSIONS, *CONSTANTS, *LOGGED]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_python_and_both_evaluators_give_the_known_values(case: Case) -> None:
    require(case)


def test_the_names_of_the_cases_are_their_own() -> None:
    names = [case.name for case in TABLE]
    assert len(set(names)) == len(names)
