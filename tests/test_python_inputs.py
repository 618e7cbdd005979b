"""The inputs of a planner in Python: their names, their types, and the constants beside them."""

from pathlib import Path
from textwrap import dedent

import pytest

from command_line import Result, Shell
from prefill_proofs.types import BOOL, USIZE, OptionType, Type
from python_calls import PythonModule, read_python, require_answers

MAYBE, MAYBE_FLAG = OptionType(USIZE), OptionType(BOOL)


def types_of(source: str, name: str = "f", kind: Type = USIZE) -> dict[str, Type]:
    function = read_python(dedent(source), name, kind)
    return dict(zip(function.names, (kind for _, kind in function.parameters), strict=True))


def unknowns_of(source: str) -> dict[str, Type]:
    return read_python(dedent(source)).unknowns


def function(parameter: str, body: str = "return 1") -> str:
    imports = "from typing import Annotated, Final, Optional, Union\nimport typing\n"
    return f"{imports}def f({parameter}):\n    {body}\n"


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("int", USIZE),
        ("'int'", USIZE),
        ("bool", BOOL),
        ("int | None", MAYBE),
        ("None | int", MAYBE),
        ("'int | None'", MAYBE),
        ("Optional[int]", MAYBE),
        ("Optional['int']", MAYBE),
        ("typing.Optional[bool]", MAYBE_FLAG),
        ("Union[int, None]", MAYBE),
        ("Union[None, bool]", MAYBE_FLAG),
        ("Annotated[int, 'tokens']", USIZE),
        ("Final[int]", USIZE),
        ("Tokens", USIZE),
        ("'not a type ('", USIZE),
    ],
)
def test_an_annotation_says_the_type(annotation: str, kind: Type) -> None:
    # However it is used: a bool counts as a number, and a number as true or false.
    assert types_of(function(f"n: {annotation}", "return n + 1 if n else 0")) == {"n": kind}


@pytest.mark.parametrize(
    ("parameter", "body", "kind"),
    [
        ("n", "return n + 1", USIZE),
        ("n", "return 1 if n > 1 else 2", USIZE),
        ("n", "return 1 if n == 1 else 2", USIZE),
        ("n", "return 1 if n in (1, 2) else 2", USIZE),
        ("n", "return min(n, 3)", USIZE),
        ("n", "return n", USIZE),
        ("n", "return 1 if n else 2", BOOL),
        ("n", "return 1 if not n else 2", BOOL),
        ("n", "return 1 if n and True else 2", BOOL),
        ("n", "return 1 if n is True else 2", BOOL),
        ("n", "return 1 if n == False else 2", BOOL),
        ("n", "return 1 if bool(n) else 2", BOOL),
        ("n", "return any((n, False))", BOOL),
        ("n", "return n + 1 if n else 2", USIZE),
        ("n", "return 1 if n is None else 2", MAYBE),
        ("n", "return 1 if n is not None and n > 2 else 2", MAYBE),
        ("n", "return 1 if n == None else 2", MAYBE),
        ("n", "return 3 if n is None else 1 if n else 2", MAYBE_FLAG),
        ("n=4", "return 1 if n else 2", USIZE),
        ("n=False", "return 1 if n else 2", BOOL),
        ("n=None", "return n % 3 if n else 0", MAYBE),
        ("n: int = None", "return n or 1", MAYBE),
        ("*, n=0", "return n", USIZE),
        ("n, /", "return n", USIZE),
    ],
)
def test_the_default_and_the_use_say_the_type(parameter: str, body: str, kind: Type) -> None:
    assert types_of(function(parameter, body)) == {"n": kind}


ASKED_AND_USED = [
    "return (n or 5) + 1",
    "return (n if n else 5) + 1",
    "if n: m = n\n    else: m = 5\n    return m + 1",
    "return (n and 5) + 1",
    "m = n or 5\n    return 1 if m == 7 else 2",
    "m = 5\n    if n: m = n\n    return 1 if m == 7 else 2",
    "m = n\n    if not n: m = 5\n    return 1 if m == 7 else 2",
    "m = False\n    if n: m = n\n    return m + 0",
    "return (m := n) + 1 if n else 0",
    "return next((m for m in (n,) if m), 5)",
    "return max(m for m in (n, 1) if m)",
    "stops = [1]\n    if n: stops.append(n)\n    return 1 if 7 in stops else 2",
    "stops = [n] if n else []\n    return sum(stops)",
    "pair = (n, 1)\n    return pair[0] if pair[0] and block == pair[0] else 2",
    "return 1 if n and n & True else 2",
    "least = lambda m: m if m else 5\n    return 1 if least(n) == 7 else 2",
]

ASKED_AND_COMPARED = [
    "if not n: return 5\n    return n",
    "if n: return n\n    return block",
    "if (m := n): return m\n    return block",
    "for m in (n, 0):\n        if m: return m\n    return block",
    "if not n: return 5\n    return 1 if n == block else 2",
    "return 1 if n and n == block else 2",
    "return 1 if n and block == n else 2",
    "return 1 if n and n in (block, 3) else 2",
    "if not n: return 5\n    return 1 if (n, 1) == (block, 1) else 2",
    "assert n\n    return 1 if n == block else 2",
    "stops = [m for m in (n,) if m]\n    return 1 if 7 in stops else 2",
    "def least(m):\n        if m: return m\n        return 5\n    return 1 if least(n) == 7 else 2",
    "return 1 if least_of(n) == 7 else 2",
    "return 1 if pair_of(n)[0] == 7 else 2",
    "return 1 if known(n) == block else 2",
    "if not n: return 5\n    return 1 if min([n]) == block else 2",
]
"""What takes a number for a flag though its value is used."""

HELPERS = """
def least_of(m):
    if m:
        return m
    return 5

def pair_of(m):
    if m:
        return m, 1
    return 5, 2

def known(m):
    if not m:
        return None
    return m

"""


def require_number(body: str) -> None:
    source = f"{HELPERS}def f(n, block: int):\n    {body}\n"
    assert types_of(source)["n"] == USIZE
    module = PythonModule(source)
    values = [{"n": n, "block": block} for n in (0, 1, 2, 7) for block in (1, 2, 7)]
    answers = [(given, module.answer("f", given)) for given in values]
    require_answers(source, "f", USIZE, answers)


@pytest.mark.parametrize("body", ASKED_AND_USED)
def test_an_input_that_is_asked_for_and_used_is_a_number(body: str) -> None:
    require_number(body)


@pytest.mark.parametrize("body", ASKED_AND_COMPARED)
def test_an_input_that_is_asked_for_and_compared_is_a_number(body: str) -> None:
    require_number(body)


@pytest.mark.parametrize(
    ("parameter", "body", "name", "kind"),
    [
        ("o", "if getattr(o, 'n', 0): return getattr(o, 'n', 0)\n    return 1", "o.n", USIZE),
        ("o", "if getattr(o, 'n', None): return o.n\n    return 1", "o.n", MAYBE),
        ("n", "if n is not None and n: return n\n    return 1", "n", MAYBE),
        ("o", "if o.n: return o.n\n    return None", "o.n", USIZE),
    ],
)
def test_what_is_returned_after_it_was_asked_for_is_a_number(
    parameter: str, body: str, name: str, kind: Type
) -> None:
    assert types_of(function(parameter, body), kind=MAYBE)[name] == kind


def test_the_use_in_a_helper_says_the_type() -> None:
    source = """
        def g(a, b):
            return a if b else a + 1
        def f(n, flag):
            return g(n, flag)
    """
    assert types_of(source) == {"n": USIZE, "flag": BOOL}


def test_the_use_on_a_path_that_is_never_taken_says_the_type() -> None:
    assert types_of(function("n", "return n > 1 if False else 1 if n else 2")) == {"n": USIZE}


def test_an_input_is_what_is_read_of_an_object() -> None:
    source = """
        class S:
            def f(self, request, n: int):
                if self.cache.is_on:
                    return self.cache.size // request.size
                return n
    """
    assert types_of(source) == {
        "n": USIZE,
        "self.cache.is_on": BOOL,
        "self.cache.size": USIZE,
        "request.size": USIZE,
    }


def test_an_object_is_an_input_only_where_it_may_be_absent() -> None:
    test = "return o.size if o is not None else 0"
    assert types_of(function("o", test)) == {"o": BOOL, "o.size": USIZE}
    assert types_of(function("o", "return o.size if o else 0")) == {"o": BOOL, "o.size": USIZE}
    assert types_of(function("o", "return o.size")) == {"o.size": USIZE}


def test_a_class_of_the_file_says_the_types_of_its_attributes() -> None:
    source = """
        from dataclasses import dataclass
        @dataclass
        class Config:
            size: int | None
            is_on: bool = False
            limit: int = 3
            name: str = ""
        class S:
            config: Config
            def __init__(self, rows: int, flag: bool, other):
                self.rows = rows
                self.flag = flag
                self.mode: bool = other
            def f(self, config: "Config", other: Config | None):
                a = (self.config.size, self.config.is_on, config.limit)
                if a == (other.size, self.flag, self.rows):
                    return 1
                return 2 if self.mode else 3
    """
    assert types_of(source) == {
        "self.config.size": MAYBE,
        "self.config.is_on": BOOL,
        "config.limit": USIZE,
        "other.size": MAYBE,
        "self.flag": BOOL,
        "self.rows": USIZE,
        "self.mode": BOOL,
    }


def test_a_tuple_by_its_annotation_is_its_items() -> None:
    kinds = types_of(function("n: tuple[int, bool | None]", "return n[0] if n[1] else 2"))
    assert kinds == {"n[0]": USIZE, "n[1]": MAYBE_FLAG}


def test_the_length_of_an_input_is_an_input() -> None:
    assert types_of(function("n", "return len(n) + len(n.rows)")) == {
        "len(n)": USIZE,
        "len(n.rows)": USIZE,
    }


def test_a_text_is_no_input() -> None:
    assert types_of(function("n: int, mode: str, share: float")) == {"n": USIZE}


def test_getattr_reads_an_input() -> None:
    body = "return 1 if getattr(o, 'is_on', False) else getattr(o, 'size', None) or 2"
    kinds = types_of(function("o", body))
    assert kinds["o.is_on"] == BOOL
    assert isinstance(kinds["o.size"], OptionType)


# Unknown constants


@pytest.mark.parametrize(
    ("before", "value", "unknowns"),
    [
        ("import os\nSTEP = int(os.environ['STEP'])", "STEP", {"STEP": USIZE}),
        ("STEP = len('four')", "STEP", {"STEP": USIZE}),
        ("STEP, OTHER = 4, 5", "STEP", {"STEP": USIZE}),
        ("from config import STEP", "STEP", {"STEP": USIZE}),
        ("from config import STEP as SIZE", "SIZE", {}),
        ("import config", "config.step", {"config.step": USIZE}),
        ("import config.cache", "config.cache.step", {"config.cache.step": USIZE}),
        ("from config import IS_ON", "1 if IS_ON else 2", {"IS_ON": BOOL}),
        ("STEP = 4", "STEP", {}),
        ("STEP = -(-7 // 2)", "STEP", {}),
        ("STEP = None", "STEP or 1", {}),
        ("class P:\n    STEP = 4", "P.STEP", {}),
        ("class P:\n    STEP = make()", "P.STEP", {"P.STEP": USIZE}),
        ("from enum import Enum\nclass P(Enum):\n    STEP = 4", "1 if P.STEP else 2", None),
    ],
)
def test_a_constant_that_is_not_known_is_any_value(
    before: str, value: str, unknowns: dict[str, Type] | None
) -> None:
    found = unknowns_of(f"{before}\ndef f(n: int):\n    return {value}\n")
    if value == "SIZE":
        assert found == {"SIZE": USIZE}
    elif unknowns is not None:
        assert {name: found[name] for name in unknowns} == unknowns
        assert set(found) - set(unknowns) <= {"os.environ"}


def test_a_global_that_a_function_changes_is_not_known() -> None:
    source = """
        STEP = 4
        def change():
            global STEP
            STEP = 5
        def f(n: int):
            return n // STEP
    """
    assert unknowns_of(source) == {"STEP": USIZE}


def test_a_default_that_is_not_known_is_reported_when_it_is_used() -> None:
    source = """
        from config import STEP
        def g(n, step=STEP):
            return n // step
        def f(n: int):
            return g(n)
    """
    assert list(unknowns_of(source).values()) == [USIZE]


SPLIT = """\
import os
from config import STEP
LIMIT = int(os.environ["LIMIT"])
def tail_split_point(total: int, block_size: int) -> int | None:
    if total > LIMIT:
        return STEP
    return None
"""


def check(shell: Shell, folder: Path, source: str, config: str = "") -> Result:
    path = folder / "planner.py"
    path.write_text(dedent(source))
    (folder / "prefill-gate.toml").write_text(dedent(config))
    return shell.run("check", str(path), "--format", "json")


def test_unknown_constants_are_reported(shell: Shell, tmp_path: Path) -> None:
    report = check(shell, tmp_path, SPLIT).json()
    assert {"LIMIT", "STEP"} <= set(report["unknown_constants"])


def test_only_what_a_role_depends_on_is_reported(shell: Shell, tmp_path: Path) -> None:
    report = check(shell, tmp_path, SPLIT).json()
    assert report["unknown_constants"] == ["LIMIT", "STEP"]


def test_what_is_taken_for_granted_is_reported(shell: Shell, tmp_path: Path) -> None:
    source = """
        import config
        import logging
        logger = logging.getLogger()
        def tail_split_point(total: int, block_size: int, request):
            logger.info("split")
            request.seen = True
            return config.STEP + request.rows[1]
    """
    assumptions = " ".join(check(shell, tmp_path, source).json()["assumptions"])
    assert "logger.info changes nothing" in assumptions
    assert "objects of different names are different objects" in assumptions
    assert "config.STEP is a number or a truth value that does not change" in assumptions
    assert "request.rows[1] is there" in assumptions


# Types that the configuration declares

DECLARED = """
    def plan_chunk_len(offset, total, proposed, request):
        if request.is_capped:
            return proposed // 2
        return proposed
"""


@pytest.mark.parametrize(
    ("kind", "values"),
    [("bool", {True}), ("usize", None), ("bool | None", {True}), ("usize | None", None)],
)
def test_the_configuration_declares_the_type_of_an_input(
    shell: Shell, tmp_path: Path, kind: str, values: set[object] | None
) -> None:
    config = f'[planner.roles.chunk_len.inputs]\n"request.is_capped" = "{kind}"\n'
    rows = check(shell, tmp_path, DECLARED, config).json()["properties"]
    (row,) = (entry for entry in rows if entry["id"] == "chunk-last")
    found = row["witness"]["request.is_capped"]
    assert type(found) is (bool if values else int)
    assert found


def test_a_declaration_goes_before_an_annotation(shell: Shell, tmp_path: Path) -> None:
    source = """
        def plan_chunk_len(offset, total, proposed, size: int):
            return 0 if size is None else proposed
    """
    config = '[planner.roles.chunk_len.inputs]\nsize = "usize | None"\n'
    rows = check(shell, tmp_path, source, config).json()["properties"]
    (row,) = (entry for entry in rows if entry["id"] == "chunk-last")
    assert row["witness"]["size"] is None
    rows = check(shell, tmp_path, source).json()["properties"]
    assert {"proved"} == {row["verdict"] for row in rows if row["id"] == "chunk-last"}


@pytest.mark.parametrize(
    ("name", "near"),
    [("request.is_caped", "request.is_capped"), ("offst", "offset"), ("requst", "")],
)
def test_an_input_that_does_not_exist_is_refused_with_the_nearest(
    shell: Shell, tmp_path: Path, name: str, near: str
) -> None:
    config = f'[planner.roles.chunk_len.inputs]\n"{name}" = "bool"\n'
    result = check(shell, tmp_path, DECLARED, config)
    assert result.code == 2
    (error,) = result.json()["errors"]
    assert (Path(error["file"]).name, error["line"]) == ("prefill-gate.toml", 2)
    assert name in error["construct"]
    assert near in error["message"]


def test_a_type_that_does_not_exist_is_refused_with_those_that_do(
    shell: Shell, tmp_path: Path
) -> None:
    config = '[planner.roles.chunk_len.inputs]\noffset = "int"\n'
    result = check(shell, tmp_path, DECLARED, config)
    assert result.code == 2
    (error,) = result.json()["errors"]
    assert error["line"] == 2
    assert "usize | None" in error["message"]


def test_a_name_in_an_expression_of_the_configuration_is_refused_with_the_nearest(
    shell: Shell, tmp_path: Path
) -> None:
    config = '[planner.roles.chunk_len]\nassume = ["totl > 0"]\n'
    result = check(shell, tmp_path, DECLARED, config)
    assert result.code == 2
    (error,) = result.json()["errors"]
    assert (Path(error["file"]).name, error["line"]) == ("prefill-gate.toml", 2)
    assert "did you mean total?" in error["message"]


def test_an_input_used_as_a_number_and_as_an_object_is_refused(
    shell: Shell, tmp_path: Path
) -> None:
    source = "def tail_split_point(total, block_size): return total + total.rows\n"
    result = check(shell, tmp_path, source)
    assert result.code == 2
    (error,) = result.json()["errors"]
    assert error["construct"] == "total"
    assert "is an object; ask whether it is there, or read an attribute" in error["message"]


def test_a_default_below_0_of_an_attribute_that_is_missing_is_refused(
    shell: Shell, tmp_path: Path
) -> None:
    source = """
        def plan_chunk_len(offset, total, proposed, request):
            if getattr(request, "cap", -1) < 0:
                return proposed + 1
            return proposed
    """
    result = check(shell, tmp_path, source)
    assert result.code == 2
    (error,) = result.json()["errors"]
    assert (error["line"], error["construct"]) == (3, "getattr")
    assert "default that no input takes" in error["message"]


def test_a_limit_that_is_off_at_0_is_more_than_a_flag(shell: Shell, tmp_path: Path) -> None:
    source = """
        def plan_chunk_len(offset, total, proposed, request):
            return proposed if (request.limit or 1) < 2 else proposed + 1
    """
    rows = check(shell, tmp_path, source).json()["properties"]
    assert {"proved"} != {row["verdict"] for row in rows if row["id"] == "chunk-last"}
