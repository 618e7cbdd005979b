"""What the gate does not read: refused where it stands, by its name, with what to do."""

from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import Result, Shell

BEFORE = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {"


class Refused(NamedTuple):
    """A body of ``tail_split_point`` with ``@`` before what is refused, and what is said of it."""

    name: str
    body: str
    construct: str
    advice: str
    items: str = ""


CONSTRUCTS = [
    Refused("while", "let mut n = 0; @while n < total { n += 1; } Some(n)", "while loop", "arith"),
    Refused("for", "@for _ in 0..total {} None", "for loop", "arithmetic"),
    Refused("loop", "@loop { return None; }", "loop", "arithmetic"),
    Refused(
        "recursion", "@tail_split_point(total - 1, block_size)", "recursion", "without recursion"
    ),
    Refused(
        "mutual-recursion",
        "even(total)",
        "recursion",
        "without recursion",
        "fn even(n: usize) -> Option<usize> { odd(n) }\n"
        "fn odd(n: usize) -> Option<usize> { @even(n) }",
    ),
    Refused("float", "let share = @0.5; None", "float literal", "outside the planner language"),
    Refused(
        "float-parameter",
        "None.or(f(total, 1))",
        "parameter of type f64",
        "unsigned integers",
        "fn f(@share: f64, n: usize) -> Option<usize> { Some(n) }",
    ),
    Refused("signed-cast", "Some(total as @i64)", "type i64", "unsigned integers"),
    Refused("signed-let", "let n: @i64 = 1; None", "type i64", "unsigned integers"),
    Refused("negation", "let n = @-1; None", "negation", "unsigned integers only"),
    Refused("reference-to-mut", "let r = @&mut 1; None", "&mut", "pure function"),
    Refused("unknown-macro", '@println!("{total}"); None', "println!", "reads assert!"),
    Refused("vec-macro", "let v = @vec![total]; None", "vec!", "reads assert!"),
    Refused("unknown-call", "@there::f(total)", "call of there::f", "[planner.externs]"),
    Refused("unknown-name", "Some(@LIMIT)", "name LIMIT", "[planner.externs]"),
    Refused("shift-by-variable", "Some(@total << block_size)", "<<", "shift by a constant"),
    Refused("shift-right-by-variable", "Some(@total >> block_size)", ">>", "shift by a constant"),
    Refused(
        "mask-of-variables", "Some(@total & block_size)", "& of two variables", "constant mask"
    ),
    Refused("or-of-variables", "Some(@total | block_size)", "| of two variables", "constant mask"),
    Refused("narrowing", "Some(@total as u32 as usize)", "as u32", "may change"),
    Refused("narrow-literal", "Some(@300 as u8 as usize)", "as u8", "changes the value 300"),
    Refused("unknown-method", "Some(@total.isqrt())", "method isqrt", "write it out"),
    Refused("option-method", "@Some(total).inspect(|_| ())", "method inspect", "match or if let"),
    Refused("option-of-option", "let o = @Some(Some(total)); None", "option of an option", "flat"),
    Refused("string", 'let name = @"ssm"; None', "string literal", "outside the planner language"),
    Refused("await", "@g(total).await", "await expression", "outside the planner language"),
    Refused("unsafe", "@unsafe { None }", "unsafe block", "outside the planner language"),
    Refused("wrong-branches", "@if total > 1 { Some(1) } else { 2 }", "branches", "make them one"),
    Refused(
        "generic",
        "g(total)",
        "generic function",
        "write it for usize",
        "fn g@<T>(n: usize) -> Option<usize> { None }",
    ),
    Refused(
        "async",
        "g(total)",
        "async fn",
        "plain fn",
        "@async fn g(n: usize) -> Option<usize> { None }",
    ),
    Refused(
        "enum",
        "g(Kind::Tail)",
        "parameter of type Kind",
        "unsigned integers",
        "enum Kind { Tail }\nfn g(@kind: Kind) -> Option<usize> { None }",
    ),
    Refused(
        "generic-parameter",
        "g(total)",
        "parameter of type T",
        "unsigned integers",
        "fn g<T>(@n: T) -> Option<usize> { None }",
    ),
    Refused("index", "let a = (total, 1); Some(@a[0])", "index expression", "outside the planner"),
    Refused("unknown-field", "Some(@total.len)", "field len", "make it an argument"),
    Refused("unknown-constructor", "@P::new(total)", "call of P::new", "[planner.externs]"),
    Refused("let-without-type", "@let (a, b); None", "let without a value", "bind one name"),
    Refused("cfg-statement", "@#[cfg(unix)] { return None; } None", "cfg", "build"),
    Refused(
        "struct-base",
        "let p = P { @..Q }; None",
        "..base",
        "name every field",
        "struct P { a: usize }\nconst Q: P = P { a: 1 };",
    ),
    Refused(
        "negative-pattern",
        "match total { @-1 => None, _ => None }",
        "negative literal",
        "unsigned integers only",
    ),
    Refused("try-of-number", "let n = @total?; None", "?", "is read on options"),
    Refused(
        "large-literal",
        "Some(@18446744073709551616)",
        "literal 18446744073709551616",
        "does not fit in usize",
    ),
    Refused("tab", "\tlet n = @-1; None", "negation", "unsigned integers only"),
    Refused(
        "after-letters", "let näh = 1; let n = @-1; None", "negation", "unsigned integers only"
    ),
]


def check(shell: Shell, folder: Path, content: str | bytes, name: str = "planner.rs") -> Result:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return shell.run("check", str(path), "--format", "json")


def errors_of(result: Result) -> list[dict[str, object]]:
    report = result.json()
    assert result.code == 2
    assert report["version"] == 1
    assert report["verdict"] == "error"
    found: list[dict[str, object]] = report["errors"]
    return found


def split_point(body: str, items: str = "") -> str:
    return f"{BEFORE}\n    {body}\n}}\n{items}\n"


@pytest.mark.parametrize("case", CONSTRUCTS, ids=lambda case: case.name)
def test_a_construct_is_refused_where_it_stands(
    shell: Shell, tmp_path: Path, case: Refused
) -> None:
    marked = split_point(case.body, case.items)
    before, _, after = marked.partition("@")
    result = check(shell, tmp_path, before + after)
    (error,) = errors_of(result)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (error["line"], error["column"]) == (line, column)
    assert case.construct in str(error["construct"])
    assert case.advice in str(error["message"])
    path = tmp_path / "planner.rs"
    assert error["file"] == str(path)

    said, text, caret = result.err.rstrip("\n").split("\n")
    assert said.startswith(f"prefill-gate: {path}:{line}:{column}: ")
    assert text == "  " + (before + after).split("\n")[line - 1]
    assert caret.endswith("^")
    assert caret.index("^") == column + 1
    assert caret[:-1].strip() == ""


def test_a_role_by_two_names_is_refused_and_both_are_named(shell: Shell, tmp_path: Path) -> None:
    body = split_point("None")
    result = check(shell, tmp_path, f"mod a {{\n{body}}}\nmod b {{\n{body}}}\n")
    (error,) = errors_of(result)
    assert "a::tail_split_point" in str(error["message"])
    assert "b::tail_split_point" in str(error["message"])
    assert "[planner.roles]" in str(error["message"])


def test_items_that_no_role_reaches_do_not_matter(shell: Shell, tmp_path: Path) -> None:
    unread = """
        use std::collections::HashMap;
        extern crate alloc;
        macro_rules! twice { ($x:expr) => { $x * 2 }; }
        enum Kind { Tail, Other(f64) }
        union Either { a: u32, b: f32 }
        trait Plan { fn plan<T: Clone>(&mut self, share: f64) -> Vec<T>; }
        struct Table { rows: HashMap<String, Vec<f64>> }
        impl Table { async fn grow(&mut self) { for _ in 0..3 { self.rows.clear(); } } }
        static NAMES: [&str; 2] = ["a", "b"];
        unsafe fn raw(at: *const u8) -> u8 { unsafe { *at } }
        fn spin(n: i64) -> i64 { let mut i = n; while i > 0 { i -= 1; } spin(i) }
        #[cfg(test)]
        mod tests { use super::*; #[test] fn is_fine() { assert!(spin(3) == 0); } }
    """
    clean = check(shell, tmp_path, split_point("None", unread))
    assert clean.err == ""
    assert clean.code == 1
    assert clean.json()["unknown_constants"] == []


def test_a_field_that_is_not_read_may_be_of_any_type(shell: Shell, tmp_path: Path) -> None:
    planner = """
        pub struct Prompt<'a> { total: usize, name: &'a str, scores: Vec<f64> }
        impl Prompt<'_> {
            pub fn is_prompt_tail_end(&self, end_token: usize, block_size: usize) -> bool {
                if block_size == 0 { return false; }
                let last = self.total.saturating_sub(1) / block_size * block_size;
                end_token == last || last.checked_sub(block_size) == Some(end_token)
            }
        }
    """
    result = check(shell, tmp_path, planner)
    assert result.err == ""
    assert result.code == 0


def test_a_role_that_cannot_be_read_leaves_the_others_their_rows(
    shell: Shell, tmp_path: Path
) -> None:
    other = "pub fn is_prompt_tail_end(end_token: usize, total: usize) -> bool { false }"
    result = check(shell, tmp_path, split_point("loop {}", other))
    (error,) = errors_of(result)
    assert error["construct"] == "loop"
    rows = result.json()["properties"]
    assert {row["role"] for row in rows if row["verdict"] != "skipped"} >= {"tail_end"}
    assert not [row for row in rows if row["role"] == "split_point"]


@pytest.mark.parametrize(
    ("result", "kind"), [("usize", int), ("bool", bool), ("Option<usize>", int | None)]
)
def test_a_function_without_arguments_that_cannot_be_read_is_an_unknown_constant(
    shell: Shell, tmp_path: Path, result: str, kind: type
) -> None:
    unread = f'fn setting() -> {result} {{ std::env::var("S").unwrap().parse().unwrap() }}'
    condition = {"usize": "setting() > 7", "bool": "setting()"}.get(result, "setting().is_some()")
    body = f"if {condition} {{ Some(total) }} else {{ None }}"
    found = check(shell, tmp_path, split_point(body, unread))
    report = found.json()
    assert found.code == 1
    assert report["unknown_constants"] == ["setting"]
    (row,) = (row for row in report["properties"] if row["id"] == "split-existence")
    assert row["verdict"] == "refuted"
    assert isinstance(row["witness"]["setting"], kind)


def test_an_unknown_constant_is_the_same_at_every_call(shell: Shell, tmp_path: Path) -> None:
    unread = 'fn rows() -> usize { std::env::var("ROWS").map_or(0, |v| v.len()) }'
    body = "assert!(rows() == rows()); None"
    report = check(shell, tmp_path, split_point(body, unread)).json()
    verdicts = {(row["id"], row["role"]): row["verdict"] for row in report["properties"]}
    assert verdicts["no-fault", "split_point"] == "proved"
    assert report["unknown_constants"] == ["rows"]


def test_a_function_with_arguments_that_cannot_be_read_is_no_constant(
    shell: Shell, tmp_path: Path
) -> None:
    unread = "fn rows(n: usize) -> usize { loop {} }"
    (error,) = errors_of(check(shell, tmp_path, split_point("Some(rows(total))", unread)))
    assert error["construct"] == "loop"


BIT_BY_BIT = split_point("let a = total + 1; Some(a)")

FILES = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\t\n", "is empty"),
    "binary": (b"fn f() {}\0\x01", "is binary"),
    "not UTF-8": (b"// caf\xe9\n" + BIT_BY_BIT.encode(), "is not UTF-8"),
    "no planner": (b"fn plan() -> usize { 1 }", "defines none of"),
    "prose": (b"This is a planner, is it not?", "does not parse"),
    "truncated": (BIT_BY_BIT[:-8].encode(), "does not parse"),
    "unbalanced": (BIT_BY_BIT.encode() + b"}}}", "does not parse"),
    "nested parentheses": (
        split_point("Some(" + "(" * 3000 + "1" + ")" * 3000 + ")").encode(),
        "split",
    ),
    "nested operators": (split_point("Some(" + "!" * 3000 + "1)").encode(), "split"),
    "a long sum": (split_point("Some(" + "1 + " * 3000 + "1)").encode(), "split"),
    "nested blocks": (split_point("{" * 3000 + "None" + "}" * 3000).encode(), "split"),
    "nested modules": (b"mod a {" * 3000 + b"}" * 3000, "defines none of"),
}


@pytest.mark.parametrize(("content", "said"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_planner_is_refused(
    shell: Shell, tmp_path: Path, content: bytes, said: str
) -> None:
    result = check(shell, tmp_path, content)
    (error,) = errors_of(result)
    assert said in str(error["message"])
    first = result.err.splitlines()[0]
    assert first.startswith(f"prefill-gate: {tmp_path / 'planner.rs'}:{error['line']}:")
    assert "Traceback" not in result.err


def test_a_planner_cut_off_anywhere_is_no_fault_of_ours(shell: Shell, tmp_path: Path) -> None:
    source = (Path(__file__).parent / "planners" / "matching.rs").read_text()
    for length in range(0, len(source), 97):
        assert check(shell, tmp_path, source[:length]).code in (0, 2)


@pytest.mark.parametrize("name", ["missing.rs", "folder.rs", "missing/planner.rs"])
def test_a_path_without_a_file_is_refused_in_one_line(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder.rs").mkdir()
    result = shell.run("check", str(tmp_path / name), "--format", "json")
    errors_of(result)
    assert len(result.err.splitlines()) == 1
    assert str(tmp_path / name) in result.err


IMPURE = {
    "ref mut binds a copy": split_point(
        "let mut o = Some(total); if let Some(ref mut v) = o { *v += 1; } o"
    ),
    "numbers that nothing types are taken for usize": split_point("Some((1 << 31) as usize)"),
    "an equality of its own is passed over": split_point(
        "if P { a: total } == P { a: 1 } { None } else { Some(total) }",
        "struct P { a: usize } impl PartialEq for P { fn eq(&self, _: &P) -> bool { true } }",
    ),
    "a parameter by mutable reference is read as a value": split_point(
        "grow(total); None", "fn grow(n: &mut usize) { *n += 1; }"
    ).replace("total: usize", "total: &mut usize"),
    "a field written through &mut self is read as if it were not": """
        pub struct Planner { block_size: usize }
        impl Planner {
            fn shrink(&mut self) { let Self { block_size } = self; *block_size = 1; }
            pub fn is_prompt_tail_end(&mut self, end_token: usize, total: usize) -> bool {
                self.shrink();
                if self.block_size == 0 { return false; }
                let last = total.saturating_sub(1) / self.block_size * self.block_size;
                end_token == last || last.checked_sub(self.block_size) == Some(end_token)
            }
        }
    """,
    "arithmetic with what never comes back ends in a fault of our own": split_point(
        "if total > 1 { None } else { Some(total + return None) }"
    ),
}
"""What would be read as something else, by what it would be taken for."""


@pytest.mark.parametrize("source", IMPURE.values(), ids=IMPURE.keys())
def test_what_would_be_read_wrongly_is_refused(shell: Shell, tmp_path: Path, source: str) -> None:
    errors_of(check(shell, tmp_path, source))
