"""Which class says what an attribute is, and objects that may be absent."""

import pytest

from symbolic_calls import FAULT
from test_python_objects import Case, require

CLASSES = [
    Case(
        "an-inherited-class-method",
        """
        class Base:
            STEP = 3

            @classmethod
            def step(cls):
                return cls.STEP

        class S(Base):
            STEP = 5

            def f(self, n: int):
                return self.step() * 100 + S.step() * 10 + Base.step() + n
        """,
        "n",
        {(0,): 553},
    ),
    Case(
        "a-constant-of-a-constant",
        """
        STEP = 10

        class S:
            STEP = 2
            TWICE = STEP * 2

            def f(self, n: int):
                return self.TWICE + S.TWICE * 10 + STEP * n
        """,
        "n",
        {(1,): 54},
    ),
    Case(
        "a-default-of-a-constant",
        """
        STEP = 10

        class S:
            STEP = 2

            def step(self, by=STEP):
                return by + STEP

            def f(self, n: int):
                return self.step() + n
        """,
        "n",
        {(1,): 13},
    ),
    Case(
        "a-constant-over-a-property",
        """
        class Base:
            @property
            def step(self):
                return 1

            def twice(self):
                return self.step * 2

        class S(Base):
            step = 7

            def f(self, n: int):
                return self.twice() + n
        """,
        "n",
        {(1,): 15},
    ),
    Case(
        "a-property-over-a-constant",
        """
        class Base:
            step = 7

        class S(Base):
            @property
            def step(self):
                return self.size + 1

            def f(self, n: int):
                return self.step + n
        """,
        "n self.size",
        {(1, 4): 6},
    ),
    Case(
        "a-line-of-bases",
        """
        class Root:
            STEP = 1
            LIMIT = 9

        class Base(Root):
            STEP = 2

        class S(Base):
            def f(self, n: int):
                return self.STEP * 10 + self.LIMIT + n
        """,
        "n",
        {(1,): 30},
    ),
    Case(
        "two-bases-that-share-nothing",
        """
        class Left:
            STEP = 1

        class Right:
            LIMIT = 3

        class S(Left, Right):
            def f(self, n: int):
                return self.STEP * 10 + self.LIMIT + n
        """,
        "n",
        {(1,): 14},
    ),
    Case(
        "a-constant-that-an-object-replaces",
        """
        class S:
            STEP = 5

            def __init__(self):
                self.STEP = 7

            def f(self, n: int):
                return self.STEP + n
        """,
        "n self.STEP",
        {(1, 7): 8, (1, 5): 6},
    ),
    Case(
        "a-method-of-another-class",
        """
        class Half:
            @staticmethod
            def of(n):
                return n // 2

        class S:
            def f(self, n: int):
                return Half.of(n) + S.three(self)

            def three(self, by=3):
                return by
        """,
        "n",
        {(9,): 7},
    ),
    Case(
        "a-constant-of-an-enum",
        """
        import enum

        class Mode(enum.IntEnum):
            ALL = 1
            LAST = 2

        def f(n: int):
            return Mode.LAST + n
        """,
        "n",
        {(3,): 5},
        "f",
    ),
    Case(
        "an-assignment-after-a-raise",
        """
        class S:
            def f(self, n: int):
                if n > 3:
                    self.used = 9
                    raise ValueError
                return self.used
        """,
        "n self.used",
        {(3, 5): 5, (4, 5): FAULT},
    ),
    Case(
        "an-assignment-in-a-helper-that-raises",
        """
        class S:
            def cap(self, n):
                if n < self.limit:
                    return n
                self.limit = 0
                raise ValueError("over the limit")

            def f(self, n: int):
                return self.cap(n) * 10 + self.limit
        """,
        "n self.limit",
        {(3, 5): 35, (5, 5): FAULT},
    ),
]

OBJECTS = [
    Case(
        "an-attribute-of-what-is-absent",
        """
        class S:
            def f(self, n: int):
                if n > 3:
                    self.kv.seen = 1
                return n if self.kv is not None else 0
        """,
        "n self.kv self.kv.seen",
        {(4, True, 0): 4, (3, True, 0): 3, (3, False, 0): 0, (4, False, 0): FAULT},
    ),
    Case(
        "an-attribute-of-what-is-asked-for-later",
        """
        class Part:
            pass

        class S:
            def f(self, n: int):
                self.kv.rows = n
                return 1 if self.kv is None else self.kv.rows
        """,
        "n self.kv",
        {(4, True): 4, (4, False): FAULT},
        classes={"self.kv": "Part"},
    ),
    Case(
        "an-attribute-that-grows-of-what-is-absent",
        """
        class S:
            def f(self, n: int):
                if n > 3:
                    self.kv.rows += n
                return self.kv.rows if self.kv is not None else 0
        """,
        "n self.kv self.kv.rows",
        {(4, True, 1): 5, (3, True, 1): 1, (3, False, 0): 0, (4, False, 0): FAULT},
    ),
    Case(
        "objects-in-a-tuple",
        """
        class S:
            def f(self, n: int):
                for part in (self.left, self.right):
                    if part is not None:
                        n += part.rows
                return n
        """,
        "n self.left self.left.rows self.right self.right.rows",
        {(1, True, 2, True, 4): 7, (1, False, 0, True, 4): 5, (1, False, 0, False, 0): 1},
    ),
    Case(
        "objects-that-a-comprehension-keeps",
        """
        class S:
            def f(self, n: int):
                parts = [part for part in (self.left, self.right) if part is not None]
                return sum(part.rows for part in parts) * n + len(parts)
        """,
        "n self.left self.left.rows self.right self.right.rows",
        {(10, True, 2, True, 4): 62, (10, False, 0, True, 4): 41, (1, False, 0, False, 0): 0},
    ),
    Case(
        "none-among-objects",
        """
        class S:
            def f(self, n: int):
                rows = self.kv.rows if self.kv else 0
                return 1 if None in (self.kv, n) else rows
        """,
        "n self.kv self.kv.rows",
        {(3, True, 8): 8, (3, False, 0): 1},
    ),
    Case(
        "an-object-in-an-object",
        """
        class S:
            def f(self, n: int):
                return self.a.b.rows if self.a.b is not None and self.a.b.rows > n else n
        """,
        "n self.a.b self.a.b.rows",
        {(3, True, 8): 8, (9, True, 8): 9, (3, False, 0): 3},
    ),
    Case(
        "a-flag-that-may-be-absent",
        "def f(flag: bool = None, n: int = 1):\n"
        "    return n if flag is True else 2 if flag is False else 3\n",
        "flag n",
        {(True, 9): 9, (False, 9): 2, (None, 9): 3},
        "f",
    ),
    Case(
        "a-number-that-may-be-absent-is-one",
        "def f(n: int = None):\n    return 1 if n == True else 2\n",
        "n",
        {(1,): 1, (0,): 2, (None,): 2, (5,): 2},
        "f",
    ),
]


@pytest.mark.parametrize("case", [*CLASSES, *OBJECTS], ids=lambda case: case.name)
def test_python_and_both_evaluators_give_the_known_values(case: Case) -> None:
    require(case)


def test_the_names_of_the_cases_are_their_own() -> None:
    names = [case.name for case in (*CLASSES, *OBJECTS)]
    assert len(set(names)) == len(names)
