"""Planners that are methods: attributes, properties, inheritance, objects that may be absent."""

from textwrap import dedent
from typing import Any, NamedTuple

import pytest

from prefill_proofs.types import USIZE, OptionType, Type
from python_calls import require_answers
from symbolic_calls import FAULT

NUMBER, OPTION = USIZE, OptionType(USIZE)


class Case(NamedTuple):
    """A planner, the names of its inputs, and its answers for their values in that order.

    ``classes`` are those of the objects that are not plain, by their path.
    """

    name: str
    source: str
    inputs: str
    answers: dict[tuple[Any, ...], Any]
    function: str = "S.f"
    kind: Type = NUMBER
    classes: dict[str, str] | None = None

    def given(self) -> list[tuple[dict[str, Any], Any]]:
        names = self.inputs.split()
        return [
            (dict(zip(names, values, strict=True)), expected)
            for values, expected in self.answers.items()
        ]


TABLE = [
    Case(
        "attribute-chains",
        """
        class S:
            def f(self, request, n: int):
                size = self.config.cache.block_size
                return request.offset // size * size + n
        """,
        "request.offset self.config.cache.block_size n",
        {(37, 16, 1): 33, (37, 0, 1): FAULT},
    ),
    Case(
        "assignment",
        """
        class S:
            def f(self, n: int):
                before = self.used
                self.used = n
                self.used += 1
                return before * 100 + self.used
        """,
        "self.used n",
        {(5, 7): 508},
    ),
    Case(
        "assignment-on-one-path",
        """
        class S:
            def f(self, n: int):
                if n > 3:
                    self.used = n
                return self.used
        """,
        "self.used n",
        {(5, 7): 7, (5, 2): 5},
    ),
    Case(
        "assignment-in-a-helper",
        """
        class S:
            def add(self, n):
                self.used += n
                if self.used > 9:
                    self.is_full = True

            def f(self, n: int):
                self.add(n)
                return self.used * 10 + self.is_full
        """,
        "self.used self.is_full n",
        {(5, False, 1): 60, (5, False, 7): 121, (5, True, 1): 61},
    ),
    Case(
        "assignment-by-another-name",
        "def f(request, n: int):\n    same = request\n    same.n = n\n    return request.n\n",
        "n",
        {(3,): 3},
        "f",
    ),
    Case(
        "order-of-attributes",
        """
        class S:
            def bump(self):
                self.n = self.n + 1
                return self.n

            def f(self):
                return self.n * 100 + self.bump() * 10 + self.n
        """,
        "self.n",
        {(2,): 233},
    ),
    Case(
        "swap-attributes",
        """
        class S:
            def f(self, n: int):
                self.a, self.b, n = self.b, n, self.a
                return self.a * 100 + self.b * 10 + n
        """,
        "self.a self.b n",
        {(1, 2, 3): 231},
    ),
    Case(
        "loop-over-an-attribute",
        """
        class S:
            def f(self, n: int):
                total = 0
                for self.at in (n, 2):
                    total += self.at
                return total * 10 + self.at
        """,
        "n",
        {(5,): 72},
    ),
    Case(
        "property",
        """
        class S:
            @property
            def room(self):
                if self.used > self.limit:
                    return 0
                return self.limit - self.used

            def f(self, n: int):
                return min(self.room, n)
        """,
        "self.used self.limit n",
        {(3, 9, 100): 6, (9, 3, 100): 0, (0, 9, 2): 2},
    ),
    Case(
        "inherited",
        """
        class Base:
            STEP = 4

            def floor(self, n):
                return n // self.STEP * self.STEP

        class S(Base):
            STEP = 8

            def f(self, n: int):
                return self.floor(n)
        """,
        "n",
        {(13,): 8},
    ),
    Case(
        "overridden",
        """
        class Base:
            def step(self):
                return 4

            def twice(self):
                return self.step() * 2

        class S(Base):
            def step(self):
                return 5

            def f(self):
                return self.twice()
        """,
        "",
        {(): 10},
    ),
    Case(
        "class-and-static-methods",
        """
        class S:
            STEP = 4

            @classmethod
            def scaled(cls, n, by=2):
                return n * cls.STEP * by

            @staticmethod
            def half(n):
                return n // 2

            def f(self, n: int):
                return self.half(self.scaled(n)) + S.scaled(n, by=1)
        """,
        "n",
        {(3,): 24},
    ),
    Case(
        "a-static-planner",
        "class S:\n    @staticmethod\n    def f(n: int, m: int = 3):\n        return n - m\n",
        "n m",
        {(3, 1): 2},
    ),
    Case(
        "a-class-planner",
        "class S:\n    STEP = 4\n    @classmethod\n    def f(cls, n: int):\n"
        "        return n * cls.STEP\n",
        "n",
        {(3,): 12},
    ),
    Case(
        "a-class-constant-that-is-assigned",
        """
        class S:
            STEP = 4

            def f(self, n: int):
                before = self.STEP
                self.STEP = n
                return before * 10 + self.STEP
        """,
        "self.STEP n",
        {(4, 2): 42, (7, 2): 72},
    ),
    Case(
        "object-of-a-class-of-the-file",
        """
        class Config:
            STEP = 4

            def __init__(self, size: int) -> None:
                self.size = size

            @property
            def twice(self):
                return self.size * 2

            def floor(self, n):
                return n // self.size * self.size

        class S:
            config: "Config"

            def f(self, n: int, other: Config):
                return self.config.floor(n) + self.config.twice + other.twice + other.STEP
        """,
        "n self.config.size other.size",
        {(13, 4, 1): 26, (13, 0, 1): FAULT},
        classes={"self.config": "Config", "other": "Config"},
    ),
    Case(
        "an-object-that-may-be-absent",
        """
        class S:
            def f(self, n: int):
                if self.config is None:
                    return n
                return self.config.size
        """,
        "n self.config self.config.size",
        {(3, True, 8): 8, (3, False, 0): 3},
    ),
    Case(
        "an-object-asked-for-too-late",
        """
        class S:
            def f(self, n: int):
                size = self.config.size
                return size if self.config is not None else n
        """,
        "n self.config self.config.size",
        {(3, True, 8): 8, (3, False, 0): FAULT},
    ),
    Case(
        "the-truth-of-an-object",
        """
        class S:
            def f(self, n: int):
                return 1 if self.config and self.config.size > n else 2
        """,
        "n self.config self.config.size",
        {(3, True, 8): 1, (3, False, 0): 2, (9, True, 8): 2},
    ),
    Case(
        "an-attribute-that-may-be-none",
        """
        class S:
            def f(self, n: int):
                return min(n, self.limit) if self.limit is not None else n
        """,
        "n self.limit",
        {(3, 2): 2, (3, None): 3, (1, 2): 1},
    ),
    Case(
        "an-attribute-that-may-be-none-used-at-once",
        """
        class S:
            def f(self, n: int):
                if self.limit is None and n == 0:
                    return 7
                return n // self.limit
        """,
        "n self.limit",
        {(9, 2): 4, (0, None): 7, (9, None): FAULT, (9, 0): FAULT},
    ),
    Case(
        "none-assigned-to-an-attribute",
        """
        class S:
            def f(self, n: int):
                self.limit = n if n > 2 else None
                return 7 if self.limit is None else self.limit
        """,
        "n",
        {(3,): 3, (2,): 7},
    ),
    Case(
        "getattr",
        """
        class S:
            def f(self, n: int):
                limit = getattr(self, "limit", None)
                return n if limit is None else min(n, limit)
        """,
        "n self.limit",
        {(9, 3): 3, (9, None): 9},
    ),
    Case(
        "getattr-of-a-flag",
        """
        class S:
            def f(self, n: int):
                return n if getattr(self, "is_on", False) else 0
        """,
        "n self.is_on",
        {(9, True): 9, (9, False): 0},
    ),
    Case(
        "the-length-of-an-input",
        """
        class S:
            def f(self, n: int):
                return n // len(self.queue) + len(self.queue)
        """,
        "n len(self.queue)",
        {(9, 2): 6, (9, 0): FAULT},
    ),
    Case(
        "the-items-of-an-input",
        "def f(span, n: int):\n    return span[1] - span[0] + n\n",
        "n span[0] span[1]",
        {(1, 4, 9): 6},
        "f",
    ),
    Case(
        "a-tuple-by-its-annotation",
        "def f(span: tuple[int, int]):\n    first, last = span\n"
        "    return last - first if span != (1, 2) else 50\n",
        "span[0] span[1]",
        {(4, 9): 5, (1, 2): 50, (1, 3): 2},
        "f",
    ),
    Case(
        "a-flag",
        "def f(flag: bool, n: int):\n    return n + flag if flag == 1 else n - flag * 2\n",
        "flag n",
        {(True, 3): 4, (False, 3): 3},
        "f",
    ),
    Case(
        "a-flag-that-may-be-none",
        "def f(flag: bool | None):\n    return 1 if flag is True else 2 if flag is None else 3\n",
        "flag",
        {(True,): 1, (None,): 2, (False,): 3},
        "f",
    ),
    Case(
        "a-number-that-may-be-none",
        "def f(size: int | None = None, n: int = 3):\n    return n % size if size else size\n",
        "size n",
        {(2, 5): 1, (0, 5): 0, (None, 5): None},
        "f",
        OPTION,
    ),
    Case(
        "the-default-of-an-attribute",
        """
        class S:
            def f(self, n: int):
                return (self.limit or 5) + n
        """,
        "n self.limit",
        {(1, 3): 4, (1, 0): 6},
    ),
    Case(
        "a-method-called-through-its-class",
        """
        class S:
            def step(self, n, by=0):
                return by

            def f(self, n: int):
                return S.step(self, n)
        """,
        "n",
        {(3,): 0},
    ),
    Case(
        "a-constant-in-place-of-a-property",
        """
        class Base:
            @property
            def step(self):
                return 1

        class S(Base):
            step = 7

            def f(self):
                return self.step
        """,
        "",
        {(): 7},
    ),
]


def require(case: Case) -> None:
    function = require_answers(
        dedent(case.source), case.function, case.kind, case.given(), case.classes
    )
    assert sorted(function.names) == sorted(case.inputs.split())


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_python_and_both_evaluators_give_the_known_values(case: Case) -> None:
    require(case)
