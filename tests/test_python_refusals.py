"""What is not read of Python: refused where it stands, by its name, with what to do."""

from pathlib import Path
from textwrap import dedent, indent
from typing import Any, NamedTuple

import pytest

from command_line import Result, Shell

BEFORE = "def tail_split_point(total: int, block_size: int) -> int | None:\n"


class Refused(NamedTuple):
    """A body of ``tail_split_point`` with ``§`` before what is refused, and what is said of it.

    A body that defines ``tail_split_point`` itself is the whole file.
    """

    name: str
    body: str
    construct: str
    advice: str
    before: str = ""

    @property
    def source(self) -> str:
        if "def tail_split_point" in self.body:
            return dedent(self.body).lstrip("\n")
        return dedent(self.before) + BEFORE + indent(dedent(self.body).strip(), "    ") + "\n"


STATEMENTS = [
    Refused("while", "§while total: pass", "while loop", "as arithmetic"),
    Refused("try", "§try:\n    pass\nfinally:\n    pass", "try statement", "test for what"),
    Refused("with", "§with total: pass", "with statement", "move it out"),
    Refused("del", "§del total", "del", "leave the name alone"),
    Refused("global", "§global STEP", "global", "pure function", "STEP = 4\n"),
    Refused("match", "§match total:\n    case 1:\n        pass", "match statement", "with if"),
    Refused("class", "§class P: pass", "class in a function", "move it out"),
    Refused("async-function", "§async def g(): pass", "async function", "pure function"),
    Refused("break", "for n in (1,):\n    §break", "break", "into a comprehension"),
    Refused("continue", "for n in (1,):\n    §continue", "continue", "as if"),
    Refused("for-else", "§for n in (1,):\n    pass\nelse:\n    pass", "for with else", "without"),
    Refused(
        "nonlocal", "def g():\n    §nonlocal total\nreturn g()", "nonlocal", "return the value"
    ),
    Refused("item-assignment", "§total[0] = 1", "assignment target", "assign to a name"),
    Refused("item-augmented", "n = [1]\n§n[0] += 1", "item assignment", "assign to a name"),
    Refused("attribute-of-a-tuple", "n = (1,)\n§n.size = 1", "attribute size", "no object"),
    Refused("too-few-items", "§a, b = (total,)", "tuple", "2 items"),
    Refused("items-that-may-lack", "§a, b = [n for n in (1, 2) if n > total]", "tuple", "2 items"),
    Refused("decorated-inner", "@cache\n§def g(): pass", "decorated inner function", "decorator"),
    Refused("import-inside", "import os\nreturn §os.sep", "name os", "is imported in the function"),
]

EXPRESSIONS = [
    Refused("divide", "return §total / block_size", "/", "rounds above 2**53; write a // b"),
    Refused("divide-in-place", "§total /= 2", "/", "rounds above 2**53"),
    Refused("float", "return §0.5 + total", "float 0.5", "rounds above 2**53"),
    Refused("float-compared", "return 1 if total > §1e3 else 2", "float 1000.0", "2**53"),
    Refused(
        "ceil",
        "return §math.ceil(total / block_size)",
        "math.ceil(a / b)",
        "write -(-a // b)",
        "import math\n",
    ),
    Refused(
        "floor", "return §math.floor(total / 2)", "math.floor(a / b)", "a // b", "import math\n"
    ),
    Refused("int", "return §int(total / block_size)", "int(a / b)", "write a // b"),
    Refused("sqrt", "return §math.sqrt(total)", "call of math.sqrt", "integers", "import math\n"),
    Refused("inf", "return §math.inf + 1", "math.inf", "is a float", "import math\n"),
    Refused("text", "return §'a' + total", "text", "integers and bools"),
    Refused("text-compared", "return 1 if total == §'a' else 2", "text", "integers and bools"),
    Refused("format", "return 1 + §f'{total}'", "text", "integers and bools"),
    Refused("bytes", "n = b'a'\nreturn §n + 1", "text", "integers and bools"),
    Refused("dict", "return §{1: 2}[total]", "dict", "use a tuple"),
    Refused("set", "return 1 if total in §{1, 2} else 2", "set", "use a tuple"),
    Refused("set-comprehension", "n = §{n for n in (1,)}", "set comprehension", "list"),
    Refused("dict-comprehension", "n = §{n: n for n in (1,)}", "dict comprehension", "list"),
    Refused("yield", "n = (§yield total)", "yield", "one value"),
    Refused("yield-from", "§yield from total", "yield", "one value"),
    Refused("star-in-a-list", "n = [§*(1, 2)]", "*", "name the items"),
    Refused("unknown-name", "return §totl", "name totl", "did you mean total?"),
    Refused("far-name", "return §limit", "name limit", "is not defined here"),
    Refused("unknown-constant", "return §BLOK", "name BLOK", "did you mean BLOCK?", "BLOCK = 4\n"),
    Refused(
        "tuple-of-one-path",
        "if total:\n    n = (1, 2)\nreturn §n[0]",
        "name n",
        "not set on every path",
    ),
    Refused("slice", "n = (1, 2)\nreturn §n[0:1]", "slice", "write the items out"),
    Refused("computed-place", "n = (1, 2)\nreturn §n[total]", "item at a computed place", "const"),
    Refused("past-the-end", "n = (1, 2)\nreturn §n[2]", "n[2]", "past the end"),
    Refused(
        "item-of-some",
        "n = [n for n in (1, 2) if n > total]\nreturn §n[0]",
        "n[0]",
        "use next()",
    ),
    Refused("mask", "return §total & block_size", "& of two variables", "constant mask"),
    Refused("or", "return §total | block_size", "| of two variables", "constant mask"),
    Refused("shift", "return §total << block_size", "<< by a variable", "shift by a constant"),
    Refused("shift-right", "return §total >> block_size", ">> by a variable", "by a constant"),
    Refused("shift-back", "return §total << -1", "<< by -1", "0 to 512"),
    Refused("power", "return §total ** block_size", "**", "constant exponent up to 8"),
    Refused("high-power", "return §total ** 9", "**", "constant exponent up to 8"),
    Refused("matrix", "return §total @ 2", "MatMult", "outside the planner language"),
    Refused("is", "return 1 if §total is block_size else 2", "is", "for numbers use =="),
    Refused("attribute-of-a-number", "n = total + 1\nreturn §n.size", "attribute size", "object"),
    Refused("number-and-tuple", "return §(total, 1) + 1", "(total, 1) + 1", "no tuple or list"),
    Refused("negative-tuple", "return -§(total, 1)", "a tuple as a value", "an int"),
    Refused("list-as-a-number", "n = [1]\nreturn 1 + §n", "a list as a value", "an int"),
    Refused("function-as-a-number", "n = lambda: 1\nreturn 1 + §n", "a function as a", "an int"),
    Refused("list-and-tuple", "n = §[total] + (1,)", "+", "make them one kind"),
    Refused(
        "number-or-tuple",
        "n = total if total > 1 else (1, 2)\nreturn §n + 1",
        "value",
        "not of one kind",
    ),
    Refused("tuple-and-none", "n = total or None\nreturn 1 if n == §(1, 2) else 2", "tuple", "int"),
]

SEQUENCES = [
    Refused("for-over-an-input", "for n in §total: pass", "total", "list them"),
    Refused("sum-of-an-input", "return sum(§total)", "total", "list them"),
    Refused("in-an-input", "return 1 if 1 in §total else 2", "total", "list them"),
    Refused("range", "for n in §range(total): pass", "range", "no constants"),
    Refused("long-range", "return sum(§range(65))", "range", "bound past 64"),
    Refused("long-list", "n = []\nn.extend(range(60))\n§n.extend(range(5))", "list", "64 items"),
    Refused(
        "long-sum",
        "n = tuple(range(60))\nreturn sum(§n + n)",
        "list",
        "more than 64 items",
    ),
    Refused("pop", "n = [1]\nreturn §n.pop()", "method pop of a list", "append, extend or +"),
    Refused("append-to-a-tuple", "n = (1,)\n§n.append(2)", "attribute append", "same object"),
    Refused("two-loops", "n = §[a for a in (1,) for b in (2,)]", "comprehension", "write one"),
    Refused("async", "n = §[a async for a in total]", "async comprehension", "pure function"),
]

CALLS = [
    Refused("unknown-call", "return §there(total)", "call of there", '[planner.externs] "there"'),
    Refused("sorted", "return §sorted((total, 1))", "call of sorted", "the planner language"),
    Refused("call-of-an-input", "return §total(1)", "call of total", "pass the result"),
    Refused("method-of-an-input", "return §total.size()", "call of total.size", "pass the result"),
    Refused(
        "imported",
        "return §there(total)",
        "name there",
        '[planner.externs] "there" = "FILE.py"',
        "from somewhere import there\n",
    ),
    Refused("super", "return §super().split(total)", "super()", "name the function"),
    Refused("star", "return §max(*(1, total))", "* in a call of max", "name"),
    Refused(
        "double-star", "return §g(**total)", "**", "name the arguments", "def g(a): return a\n"
    ),
    Refused("key", "return §min(total, 1, key=abs)", "key in min", "leave it out"),
    Refused("min-of-nothing", "return §min()", "min()", "arguments that are not read"),
    Refused("sum-with-a-name", "return §sum((1,), start=1)", "sum((1,), start=1)", "not read"),
    Refused("any-of-two", "return §any(total, 1)", "any(total, 1)", "not read"),
    Refused("len-of-two", "return §len(total, 1)", "len(total, 1)", "not read"),
    Refused("divmod-of-one", "return §divmod(total)", "divmod(total)", "not read"),
    Refused("next-of-a-list", "return §next([1])", "next", "of a generator expression"),
    Refused(
        "walrus-beside-a-generator",
        "return min((v for v in (total, 7)), default=(§n := 3))",
        ":=",
        "beside a generator",
    ),
    Refused("getattr", "return §getattr(total, block_size)", "getattr", "no literal text"),
    Refused("missing", "return §g(1)", "call of g", "gives no b", "def g(a, b): return a\n"),
    Refused("too-many", "return §g(1, 2)", "call of g", "2 arguments", "def g(a): return a\n"),
    Refused("no-such-name", "return §g(1, b=2)", "call of g", "take b", "def g(a): return a\n"),
    Refused("twice", "return §g(1, a=2)", "call of g", "take a", "def g(a): return a\n"),
    Refused("any-number", "return §g(1)", "call of g", "name them", "def g(*a): return 1\n"),
    Refused("lambda-missing", "g = lambda a: a\nreturn §g()", "inner function", "left out"),
    Refused(
        "inner-from-another",
        "def g(): return 1\ndef h(): return §g()\nreturn h()",
        "inner function",
        "outside the function that makes it",
    ),
    Refused("recursion", "return §tail_split_point(total, 1)", "recursion", "without recursion"),
    Refused(
        "mutual-recursion",
        "return even(total)",
        "recursion",
        "even calls itself",
        "def even(n): return odd(n)\ndef odd(n): return §even(n)\n",
    ),
    Refused(
        "decorator",
        "return twice(total)",
        "decorator retry",
        "may change what twice does",
        "from tools import retry\n@retry(3)\n§def twice(n): return n * 2\n",
    ),
    Refused(
        "results-of-several-kinds",
        "return §g(total)",
        "results",
        "one kind",
        "def g(n):\n    if n: return 1\n    return 1, 2\n",
    ),
    Refused(
        "early-return-and-change",
        "n = []\n§g(n, total)\nreturn len(n)",
        "early return",
        "return the value instead",
        "def g(a, n):\n    if n: return\n    a.append(n)\n",
    ),
    Refused(
        "changed-method",
        "return §P.half(total)",
        "method P.half",
        "assigned anew",
        "class P:\n    @staticmethod\n    def half(n): return n // 2\nP.half = max\n",
    ),
    Refused("class-as-a-value", "return 1 + §P", "class P", "no value", "class P:\n    STEP = 4\n"),
    Refused(
        "text-parameter",
        "return §g(total)",
        "call of g",
        "gives no mode",
        "def g(n, mode): return n\n",
    ),
]

NAMES = [
    Refused("two-constants", "return §STEP", "name STEP", "more than once", "STEP = 4\nSTEP = 5\n"),
    Refused(
        "two-functions",
        "return §g(total)",
        "name g",
        "more than once",
        "def g(n): return n\ndef g(n): return 1\n",
    ),
    Refused(
        "function-and-constant",
        "return §g(total)",
        "name g",
        "more than once",
        "def g(n): return n\ng = max\n",
    ),
    Refused("opaque", "return §STEP", "name STEP", "exec or eval", "STEP = 4\nglobals()\n"),
    Refused(
        "star-import", "return §max(total, 1)", "call of max", "import *", "from tools import *\n"
    ),
    Refused(
        "star-import-below",
        "return §g(total)",
        "name g",
        "import * below it",
        "def g(n): return n\nfrom tools import *\n",
    ),
    Refused(
        "two-methods",
        "return §P.g(total)",
        "attribute g",
        "more than once in P",
        "class P:\n    @staticmethod\n    def g(n): return n\n"
        "    @staticmethod\n    def g(n): return 1\n",
    ),
]

CONSTRUCTS = [*STATEMENTS, *EXPRESSIONS, *SEQUENCES, *CALLS, *NAMES]


def check(shell: Shell, folder: Path, content: str | bytes, name: str = "planner.py") -> Result:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return shell.run("check", str(path), "--format", "json")


def errors_of(result: Result) -> list[dict[str, Any]]:
    report = result.json()
    assert result.code == 2
    assert report["verdict"] == "error"
    assert "Traceback" not in result.err
    found: list[dict[str, Any]] = report["errors"]
    return found


def error_of(result: Result) -> dict[str, Any]:
    (error,) = errors_of(result)
    return error


def require_refused(shell: Shell, folder: Path, case: Refused) -> None:
    before, _, after = case.source.partition("§")
    result = check(shell, folder, before + after)
    error = error_of(result)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (error["line"], error["column"]) == (line, column)
    assert case.construct in str(error["construct"])
    assert case.advice in str(error["message"])
    path = folder / "planner.py"
    assert error["file"] == str(path)

    said, text, caret = result.err.rstrip("\n").split("\n")
    assert said.startswith(f"prefill-gate: {path}:{line}:{column}: ")
    assert text == "  " + (before + after).split("\n")[line - 1]
    assert caret.index("^") == column + 1
    assert caret.strip() == "^"


@pytest.mark.parametrize("case", CONSTRUCTS, ids=lambda case: case.name)
def test_a_construct_is_refused_where_it_stands(
    shell: Shell, tmp_path: Path, case: Refused
) -> None:
    require_refused(shell, tmp_path, case)


def test_the_names_of_the_cases_are_their_own() -> None:
    names = [case.name for case in CONSTRUCTS]
    assert len(set(names)) == len(names)


def split_point(body: str, before: str = "") -> str:
    return Refused("", body, "", "", before).source


def test_what_is_never_used_does_not_matter(shell: Shell, tmp_path: Path) -> None:
    unread = """
        import torch
        from tools import *
        RATIO = 0.75
        TABLE = {"a": 1}
        class Engine(torch.nn.Module):
            async def step(self, *args, **kwargs):
                while True:
                    with self.lock:
                        yield args[0] / 2
        def helper(n):
            try:
                return n / 2
            except ZeroDivisionError:
                return float("inf")
    """
    body = "name, share = 'tail', 0.5\nn = {'a': 1} if False else total\nreturn None"
    result = check(shell, tmp_path, split_point(body, dedent(unread)))
    assert result.code in (0, 1)
    assert "errors" not in result.json()


def test_a_role_by_two_names_is_refused_and_both_are_named(shell: Shell, tmp_path: Path) -> None:
    method = "    def tail_split_point(self, total, block_size): return None\n"
    error = error_of(check(shell, tmp_path, f"class A:\n{method}class B:\n{method}"))
    assert (error["line"], error["column"]) == (4, 5)
    assert error["construct"] == "role split_point"
    for word in ("A.tail_split_point", "B.tail_split_point", "[planner.roles]"):
        assert word in error["message"]


def test_a_role_that_is_defined_twice_is_refused(shell: Shell, tmp_path: Path) -> None:
    error = error_of(check(shell, tmp_path, split_point("return None") * 2))
    assert (error["line"], error["construct"]) == (3, "role split_point")


def test_a_decorated_role_is_refused(shell: Shell, tmp_path: Path) -> None:
    error = error_of(check(shell, tmp_path, split_point("return None", "@torch.compile\n")))
    assert (error["line"], error["construct"]) == (2, "decorator compile")


@pytest.mark.parametrize("value", ["(total, 1)", "[total]", "lambda: 1", "f'{total}'", "'a'", "()"])
def test_a_role_that_gives_no_integer_is_refused(shell: Shell, tmp_path: Path, value: str) -> None:
    error = error_of(check(shell, tmp_path, split_point(f"return {value}")))
    assert error["line"] in (1, 2)
    words = ("as a value", "text", "does not give an integer")
    assert any(word in f"{error['construct']}: {error['message']}" for word in words)


def test_too_much_code_is_refused(shell: Shell, tmp_path: Path) -> None:
    layers = ["def g0(n): return n + 1"]
    layers += [f"def g{i}(n): return " + " + ".join([f"g{i - 1}(n)"] * 8) for i in range(1, 8)]
    error = error_of(
        check(shell, tmp_path, split_point("return g7(total)", "\n".join(layers) + "\n"))
    )
    assert error["construct"] == "too much code"
    assert "make it smaller" in error["message"]


def test_a_function_without_a_parameter_of_its_role_is_refused(
    shell: Shell, tmp_path: Path
) -> None:
    error = error_of(check(shell, tmp_path, "def tail_split_point(length): return None\n"))
    assert "tail_split_point" in error["construct"]
    assert '[planner.roles.split_point] total = "..."' in error["message"]


def test_a_file_without_a_role_is_refused(shell: Shell, tmp_path: Path) -> None:
    error = error_of(check(shell, tmp_path, "def split(total): return None\n"))
    assert error["construct"] == "no planner"
    assert "tail_split_point" in error["message"]


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("parentheses", "(" * 10_000 + "total" + ")" * 10_000),
        ("minus", "-" * 10_000 + "total"),
        ("not", "not " * 10_000 + "total"),
        ("sum", " + ".join(["total"] * 10_000)),
        ("lists", "[" * 10_000 + "]" * 10_000),
        ("choices", "1 if total else " * 10_000 + "2"),
    ],
)
def test_deep_nesting_is_refused(shell: Shell, tmp_path: Path, name: str, expression: str) -> None:
    result = check(shell, tmp_path, split_point(f"return {expression}"), f"{name}.py")
    (error, *_) = errors_of(result)
    assert error["construct"] in ("deep nesting", "syntax error")


def test_blocks_nested_deeply_are_refused(shell: Shell, tmp_path: Path) -> None:
    lines = ["    " + " " * depth + "if total:" for depth in range(1_000)]
    body = "\n".join([*lines, "    " + " " * 1_000 + "return 1"])
    (error, *_) = errors_of(check(shell, tmp_path, f"{BEFORE}{body}\n"))
    assert error["construct"] in ("deep nesting", "syntax error")


@pytest.mark.parametrize(
    ("content", "line", "construct", "message"),
    [
        ("def tail_split_point(total:\n", 1, "syntax error", "mend the file first"),
        (split_point("return None") + "if total\n", 3, "syntax error", "':'"),
        (split_point("return None\n\treturn 1"), 3, "syntax error", "mend the file first"),
        ("x = 1\0", 1, "file", "is binary"),
        ("", 1, "file", "is empty"),
        (" \n\n", 1, "file", "is empty"),
        (b"x = 1\ny = '\xff'\n", 2, "file", "is not UTF-8"),
        ("def tail_split_point(total: int):\n", 1, "syntax error", "mend the file first"),
    ],
    ids=["open", "colon", "tab", "null", "nothing", "blank", "latin-1", "no-body"],
)
def test_a_file_that_is_no_python_is_refused(
    shell: Shell, tmp_path: Path, content: str | bytes, line: int, construct: str, message: str
) -> None:
    error = error_of(check(shell, tmp_path, content))
    assert (error["line"], error["construct"]) == (line, construct)
    assert message in error["message"]


def test_a_missing_file_is_refused(shell: Shell, tmp_path: Path) -> None:
    error = error_of(shell.run("check", str(tmp_path / "missing.py"), "--format", "json"))
    assert error["file"] == str(tmp_path / "missing.py")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_every_kind_of_line_counts(shell: Shell, tmp_path: Path, mark: bytes, end: str) -> None:
    source = '"""One\ntwo."""\n\n' + split_point("n = 1\nwhile total: pass")
    error = error_of(check(shell, tmp_path, mark + source.replace("\n", end).encode()))
    assert (error["line"], error["column"], error["construct"]) == (6, 5, "while loop")


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_a_planner_is_checked_whatever_ends_its_lines(
    shell: Shell, tmp_path: Path, end: str
) -> None:
    source = split_point("if total > 9:\n    return total\nreturn None")
    expected = check(shell, tmp_path, source).json()["properties"]
    result = check(shell, tmp_path, source.replace("\n", end).encode())
    assert result.code == 1
    assert [(row["id"], row["verdict"]) for row in result.json()["properties"]] == [
        (row["id"], row["verdict"]) for row in expected
    ]
    told = shell.run("check", str(tmp_path / "planner.py"))
    assert (told.code, "Traceback" in told.err) == (1, False)


def test_a_mark_of_utf_8_is_accepted(shell: Shell, tmp_path: Path) -> None:
    source = split_point("return None").replace("\n", "\r\n").encode()
    result = check(shell, tmp_path, b"\xef\xbb\xbf" + source)
    assert result.code in (0, 1)
    assert "errors" not in result.json()


def test_a_column_counts_letters_and_not_bytes(shell: Shell, tmp_path: Path) -> None:
    error = error_of(check(shell, tmp_path, split_point("näh = 'ßß'; n = total / 2")))
    assert (error["line"], error["column"]) == (2, 21)


def test_a_line_before_a_form_feed_counts_once(shell: Shell, tmp_path: Path) -> None:
    error = error_of(check(shell, tmp_path, "x = 1\n\f\n" + split_point("while total: pass")))
    assert (error["line"], error["column"]) == (4, 5)


def test_each_role_is_refused_by_itself(shell: Shell, tmp_path: Path) -> None:
    tail = "def is_prompt_tail_end(end_token, total, block_size):\n    while 1: pass\n"
    point = split_point("return total / 2")
    chunk = "def plan_chunk_len(offset, total, proposed): return proposed\n"
    result = check(shell, tmp_path, point + tail + chunk)
    assert result.code == 1  # a planner that is refuted is worse than one that is not read
    assert [error["line"] for error in result.json()["errors"]] == [2, 4]
    rows = result.json()["properties"]
    assert {row["verdict"] for row in rows if row["role"] == "chunk_len"} >= {"proved"}
