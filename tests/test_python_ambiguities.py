"""What could mean several things in Python: refused where it matters, with what to write."""

from pathlib import Path

import pytest

from command_line import Shell
from test_python_refusals import Refused, check, error_of, require_refused, split_point

LISTS = [
    Refused(
        "a-list-of-two",
        "a, b = [total], []\nc = a if total > 3 else b\n§c.append(1)\nreturn len(a)",
        "list",
        "may be one of two lists here; make a new one",
    ),
    Refused(
        "one-of-the-two",
        "a, b = [total], []\nc = a if total > 3 else b\n§a.append(1)\nreturn len(c)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-of-two-in-place",
        "a, b = [total], []\nc = a if total > 3 else b\n§c += [1]\nreturn len(a)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-of-two-at-once",
        "a, b = [total], []\n§(a if total > 3 else b).append(1)\nreturn len(a)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-replaced-on-one-path",
        "a = [1]\nb = a\nif total > 3:\n    b = [2]\n§b.append(total)\nreturn len(a)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-or-another",
        "a = [n for n in (total,) if n > 3]\nb = a or [7]\n§b.append(1)\nreturn len(a)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-of-two-in-a-tuple",
        "a, b = [total], []\nc = (a, b) if total > 3 else (b, a)\n§c[0].append(1)\nreturn len(a)",
        "list",
        "may be one of two lists",
    ),
    Refused(
        "a-list-of-two-in-a-helper",
        "a, b = [total], []\nput(a if total > 3 else b)\nreturn len(a)",
        "list",
        "may be one of two lists",
        "def put(stops):\n    §stops.append(1)\n",
    ),
    Refused(
        "a-list-that-a-loop-changes",
        "a = [total]\nfor n in §a:\n    if len(a) < 3:\n        a.append(n)\nreturn len(a)",
        "list",
        "is changed while it is gone through; make a new one",
    ),
    Refused(
        "a-list-that-a-comprehension-changes",
        "a = [total]\nb = [a.append(n) for n in §a]\nreturn len(a)",
        "list",
        "is changed while it is gone through",
    ),
    Refused(
        "a-list-doubled-again-and-again",
        "a = [total]\n" + "a += a\n" * 6 + "§a += a\n" + "a += a\n" * 40 + "return len(a)",
        "list",
        "more than 64 items",
    ),
    Refused(
        "a-list-returned-early",
        "return len(§stops(total))",
        "early return",
        "return the value instead",
        "def stops(n):\n    a = []\n    if not n: return a\n    a.append(n)\n    return a\n",
    ),
    Refused(
        "tuples-of-some-items",
        "a = tuple(n for n in (total, 9) if n > 3)\nreturn 1 if §a == (total,) else 2",
        "tuple",
        "does not always have 2 items",
    ),
    Refused(
        "a-range-is-no-tuple",
        "return 1 if §range(2) == (0, 1) else 2",
        "==",
        "of a range; write a tuple",
    ),
    Refused("a-range-and-a-tuple", "return sum(§range(2) + (1,))", "+", "of a range"),
]

CONSUMERS = "in min, max, sum, any, all, next, list or tuple; write a list"

GENERATORS = [
    Refused(
        "a-generator-is-used-up",
        "g = (n for n in (total, 1))\nreturn sum(§g) + sum(g)",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "a-generator-binds-late",
        "k = 1\ng = (n + k for n in (total, 1))\nk = 5\nreturn sum(§g)",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "a-generator-is-true",
        "return 1 if §(n for n in (total,) if n) else 2",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "a-generator-has-no-length", "return len(§(n for n in (total,)))", "generator", CONSUMERS
    ),
    Refused(
        "in-a-generator",
        "return 1 if total in §(6 // n for n in (2, total)) else 2",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "for-over-a-generator",
        "k = 0\nfor n in §(n + k for n in (total, 1)):\n    k = n\nreturn k",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "extended-by-a-generator",
        "a = [1]\na.extend(§(n for n in (total, 1)))\nreturn len(a)",
        "generator",
        CONSUMERS,
    ),
    Refused(
        "a-generator-as-an-argument",
        "return twice(n for n in (total, 1))",
        "generator",
        CONSUMERS,
        "def twice(g):\n    return sum(§g) + sum(g)\n",
    ),
    Refused(
        "a-generator-of-a-generator",
        "return 1 if any(n > 3 for n in §(9 // m for m in (total, 1))) else 2",
        "generator of a generator",
        "write the inner one as a list",
    ),
    Refused("a-planner-that-yields", "return total\n§yield 1", "yield", "one value"),
    Refused(
        "a-helper-that-yields",
        "return once(total)",
        "yield",
        "one value",
        "def once(n):\n    return n\n    §yield\n",
    ),
    Refused(
        "a-yield-that-is-never-reached",
        "return once(total)",
        "yield",
        "one value",
        "def once(n):\n    if False:\n        §yield\n    return n\n",
    ),
]

OBJECTS = [
    Refused(
        "an-object-or-none",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                kv = self.kv if total > 3 else None
                rows = self.kv.rows if self.kv is not None else 0
                return rows if §kv is None else 1
        """,
        "value",
        "is not of one kind on every path to here",
    ),
    Refused(
        "one-of-two-objects",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                kv = self.left if total > 3 else self.right
                rows = self.left.rows if self.left is not None else 0
                rows += self.right.rows if self.right is not None else 0
                return rows if §kv is None else 1
        """,
        "value",
        "is not of one kind on every path to here",
    ),
    Refused(
        "an-object-through-a-helper",
        """
        class S:
            def pick(self, a, b):
                return a if self.flag else b

            def tail_split_point(self, total: int, block_size: int):
                kv = self.pick(self.left, self.right)
                rows = self.left.rows if self.left is not None else 0
                rows += self.right.rows if self.right is not None else 0
                return rows if §kv is None else 1
        """,
        "value",
        "is not of one kind on every path to here",
    ),
    Refused(
        "an-object-compared",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                if §self.kv == 3:
                    return self.kv.rows
                return None
        """,
        "self.kv",
        "is an object; ask whether it is there, or read an attribute of it",
    ),
    Refused(
        "an-object-set-on-one-path",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                if total > 3:
                    kv = self.kv
                rows = self.kv.rows if self.kv is not None else 0
                return rows if total > 3 and §kv is None else 1
        """,
        "name kv",
        "is not set on every path to here",
    ),
    Refused(
        "an-attribute-of-a-class",
        """
        class S:
            STEP = 4

            @classmethod
            def change(cls, step):
                §cls.STEP = step

            def tail_split_point(self, total: int, block_size: int):
                self.change(total)
                return self.STEP
        """,
        "attribute STEP",
        "is one of the class; assign one of the object",
    ),
    Refused(
        "a-private-attribute",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                return §self.__rows
        """,
        "attribute __rows",
        "rename it",
    ),
    Refused(
        "a-property-that-is-assigned",
        """
        class S:
            @property
            def rows(self):
                return 1

            def tail_split_point(self, total: int, block_size: int):
                §self.rows = total
                return self.rows
        """,
        "attribute rows",
        "is a method of S",
    ),
    Refused(
        "a-base-that-comes-twice",
        """
        class Root:
            def step(self):
                return 1

        class Left(Root):
            pass

        class Right(Root):
            def step(self):
                return 2

        class S(Left, Right):
            def tail_split_point(self, total: int, block_size: int):
                return §self.step()
        """,
        "attribute step",
        "is defined more than once in",
    ),
    Refused(
        "two-bases",
        """
        class Left:
            STEP = 1

        class Right:
            STEP = 3

        class S(Left, Right):
            def tail_split_point(self, total: int, block_size: int):
                return §self.STEP
        """,
        "attribute STEP",
        "is defined more than once in",
    ),
    Refused(
        "a-method-and-a-constant",
        """
        class S:
            def step(self):
                return 1

            step = 5

            def tail_split_point(self, total: int, block_size: int):
                return §self.step
        """,
        "attribute step",
        "is defined more than once in S",
    ),
    Refused(
        "a-constant-that-grows",
        """
        class S:
            STEP = 3
            STEP += 1

            def tail_split_point(self, total: int, block_size: int):
                return §self.STEP
        """,
        "attribute STEP",
        "is defined more than once in S",
    ),
    Refused(
        "a-decorated-class",
        """
        def changed(kind):
            setattr(kind, "STEP", 9)
            return kind

        @changed
        class S:
            STEP = 3

            def tail_split_point(self, total: int, block_size: int):
                return §self.STEP
        """,
        "attribute STEP",
        "changes what its attributes are",
    ),
    Refused(
        "a-class-of-its-own-attributes",
        """
        class S:
            STEP = 3

            def __getattribute__(self, name):
                return 9

            def tail_split_point(self, total: int, block_size: int):
                return §self.STEP
        """,
        "attribute STEP",
        "changes what its attributes are",
    ),
    Refused(
        "a-default-that-no-input-takes",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                return §getattr(self, "limit", -1) + 1
        """,
        "getattr",
        "default that no input takes",
    ),
    Refused(
        "a-default-that-is-computed",
        """
        class S:
            def tail_split_point(self, total: int, block_size: int):
                return §getattr(self, "limit", 8 // total)
        """,
        "getattr",
        "default that no input takes",
    ),
]

FUNCTIONS = [
    Refused(
        "a-cached-function",
        "return double(total)",
        "decorator lru_cache",
        "compute it anew",
        "from functools import lru_cache\n@lru_cache(maxsize=None)\n§def double(n): return n * 2\n",
    ),
    Refused(
        "a-cached-property",
        """
        from functools import cached_property

        class S:
            @cached_property
            §def step(self):
                return self.size * 2

            def tail_split_point(self, total: int, block_size: int):
                before = self.step
                self.size = total
                return before + self.step
        """,
        "decorator cached_property",
        "compute it anew",
    ),
    Refused(
        "a-decorator-of-that-name",
        "return double(total)",
        "decorator final",
        "may change what double does",
        "def final(f): return lambda n: 99\n@final\n§def double(n): return n * 2\n",
    ),
    Refused(
        "an-inner-function-of-a-helper",
        "return §make(total)()",
        "inner function",
        "outside the function that makes it",
        "def make(n):\n    return lambda: n\n",
    ),
    Refused(
        "an-inner-function-called-by-a-helper",
        "return use(lambda: total, 1)",
        "inner function",
        "outside the function that makes it",
        "def use(function, total):\n    return §function()\n",
    ),
    Refused(
        "inner-functions-of-a-comprehension",
        "a = [§lambda: n for n in (total, 2)]\nreturn a[0]()",
        "function in a comprehension",
        "where it is called",
    ),
    Refused(
        "a-default-of-an-inner-function",
        "§def g(n=8 // total):\n    return n\nreturn g(1)",
        "default of an inner function",
        "pass the argument",
    ),
    Refused(
        "a-default-of-a-lambda",
        "g = §lambda n=total: n\nreturn g(1)",
        "default of an inner function",
        "pass the argument",
    ),
    Refused(
        "an-annotation-of-an-inner-function",
        "§def g(n: 8 // total):\n    return n\nreturn g(1)",
        "annotation of an inner function",
        "leave it out",
    ),
    Refused(
        "is-true-of-either",
        "n = total > 3 if block_size else 1\nreturn 1 if §n is True else 2",
        "is True",
        "of a number; use ==",
    ),
    Refused(
        "is-true-of-a-number",
        "return 1 if §(total // block_size) is True else 2",
        "is True",
        "of a number; use ==",
    ),
]

NAMES = [
    Refused(
        "a-list-of-the-module",
        "return min(STOPS)",
        "constant STOPS",
        "is a list, which can change; make it a tuple",
        "STOPS = §[1, 2]\nSTOPS.append(0)\n",
    ),
    Refused(
        "a-list-of-the-class",
        "return sum(P.STOPS)",
        "constant P.STOPS",
        "make it a tuple",
        "class P:\n    STOPS = §[1, 2]\n",
    ),
    Refused(
        "a-list-as-a-default",
        "return put(total) + put(total)",
        "constant put.stops",
        "make it a tuple",
        "def put(n, stops=§[]):\n    stops.append(n)\n    return len(stops)\n",
    ),
    Refused(
        "a-name-under-if",
        "return §STEP",
        "name STEP",
        "on some paths only; define it in any case",
        "import sys\nif sys.version_info < (3,):\n    STEP = 4\n",
    ),
    Refused(
        "a-name-under-try",
        "return §STEP",
        "name STEP",
        "on some paths only",
        "try:\n    STEP = 1 // 0\nexcept ZeroDivisionError:\n    OTHER = 5\n",
    ),
    Refused(
        "a-function-under-if",
        "return §half(total)",
        "name half",
        "on some paths only",
        "if False:\n    def half(n): return n // 2\n",
    ),
    Refused("a-name-of-a-loop", "return §STEP", "name STEP", "only", "for STEP in (1, 2): pass\n"),
    Refused(
        "a-name-of-a-while",
        "return §STEP",
        "name STEP",
        "more than once",
        "STEP = 4\nwhile STEP < 9:\n    STEP *= 2\n",
    ),
    Refused(
        "a-name-of-a-walrus",
        "return §STEP",
        "name STEP",
        "more than once",
        "STEP = 4\nif (STEP := 7) > 3:\n    pass\n",
    ),
    Refused(
        "a-name-of-a-match",
        "return §STEP",
        "name STEP",
        "more than once",
        "STEP = 4\nmatch STEP:\n    case 4:\n        STEP = 5\n",
    ),
    Refused(
        "a-default-of-a-changing-name",
        "return half(total)",
        "name STEP",
        "more than once",
        "STEP = 1\ndef half(n, step=§STEP): return n // step\nSTEP = 2\n",
    ),
]

NUMBERS = [
    Refused("a-long-power", "return total // §(2 ** 64) ** 4096", "number", "1024 bits"),
    Refused("a-tower", "return total // (§(2 ** 512) ** 8) ** 8", "number", "1024 bits"),
    Refused("a-long-shift", "return total // (§1 << 4096)", "<< by 4096", "shift by 0 to 512"),
    Refused("a-long-shift-right", "return §total >> 513", ">> by 513", "shift by 0 to 512"),
    Refused("a-long-product", "return total // (§(1 << 512) * (1 << 512))", "number", "1024 bits"),
    Refused("an-endless-range", "for n in §range(10 ** 30): pass", "range", "bound past 64"),
    Refused("a-range-far-below", "for n in §range(-(10 ** 30), 0): pass", "range", "past 64"),
]

TABLE = [*LISTS, *GENERATORS, *OBJECTS, *FUNCTIONS, *NAMES, *NUMBERS]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_what_could_mean_several_things_is_refused(
    shell: Shell, tmp_path: Path, case: Refused
) -> None:
    require_refused(shell, tmp_path, case)


def test_the_names_of_the_cases_are_their_own() -> None:
    names = [case.name for case in TABLE]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("digits", [f"0x{'f' * 5000}", f"0b{'1' * 1025}"], ids=["hex", "binary"])
def test_a_number_that_is_far_too_long_is_refused(
    shell: Shell, tmp_path: Path, digits: str
) -> None:
    error = error_of(check(shell, tmp_path, split_point(f"return total // {digits}")))
    assert (error["line"], error["column"], error["construct"]) == (2, 21, "number")
    assert "more than 1024 bits" in error["message"]


def test_the_longest_number_is_read(shell: Shell, tmp_path: Path) -> None:
    result = check(shell, tmp_path, split_point(f"return total // 0b{'1' * 1024} or None"))
    assert result.code in (0, 1)
    assert "errors" not in result.json()


@pytest.mark.parametrize(
    ("outside", "line", "construct"),
    [
        ("def half(n):\n    return n / 2\n", 2, "/"),
        ("STEP = 2\nSTEP = 3\ndef half(n):\n    return n // STEP\n", 4, "name STEP"),
        ("STEPS = [2]\ndef half(n):\n    return n // min(STEPS)\n", 1, "constant STEPS"),
        ("def half(n):\n    return n\n    yield\n", 3, "yield"),
        ("@retry\ndef half(n):\n    return n\n", 2, "decorator retry"),
    ],
)
def test_a_file_that_the_configuration_names_is_read_as_closely(
    shell: Shell, tmp_path: Path, outside: str, line: int, construct: str
) -> None:
    (tmp_path / "tools.py").write_text(outside)
    (tmp_path / "prefill-gate.toml").write_text('[planner.externs]\n"half" = "tools.py"\n')
    source = split_point("return half(total)", "from tools import half\n")
    error = error_of(check(shell, tmp_path, source))
    assert Path(error["file"]).name == "tools.py"
    assert (error["line"], error["construct"]) == (line, construct)


@pytest.mark.parametrize(
    "outside",
    [
        "def half(n):\n    return n\ndef half(n):\n    return n // 2\n",
        "if DEBUG:\n    def half(n):\n        return n\n",
        "def half(n):\n    return n\nfrom more import *\n",
        "def half(n):\n    return n\nexec(CODE)\n",
    ],
    ids=["twice", "on-a-path", "star-import", "exec"],
)
def test_a_name_of_another_file_has_to_mean_one_thing(
    shell: Shell, tmp_path: Path, outside: str
) -> None:
    (tmp_path / "tools.py").write_text(outside)
    (tmp_path / "prefill-gate.toml").write_text('[planner.externs]\n"half" = "tools.py"\n')
    source = split_point("return half(total)", "from tools import half\n")
    error = error_of(check(shell, tmp_path, source))
    assert error["construct"] == "name half"
