"""What each construct and method of Rust means: known values, in both evaluators and in Rust."""

import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from prefill_proofs.language import Function
from prefill_proofs.rust.source import RustSource
from reading import read_function
from symbolic_calls import FAULT, SymbolicCall, concrete_answer

MAX = 2**64 - 1


class Case(NamedTuple):
    """A function ``f`` of ``x`` and ``y``: its result's type, its body, and its answers."""

    name: str
    result: str
    body: str
    answers: dict[tuple[int, int], Any]
    items: str = ""

    @property
    def source(self) -> str:
        return f"{self.items}\npub fn f(x: usize, y: usize) -> {self.result} {{\n{self.body}\n}}\n"


NUMBER, FLAG, OPTION = "usize", "bool", "Option<usize>"

CASES = [
    # Arithmetic
    Case("add", NUMBER, "x + y", {(1, 2): 3, (MAX, 0): MAX, (MAX, 1): FAULT}),
    Case("subtract", NUMBER, "x - y", {(2, 2): 0, (MAX, 1): MAX - 1, (1, 2): FAULT}),
    Case("multiply", NUMBER, "x * y", {(3, 5): 15, (MAX, 1): MAX, (2**32, 2**32): FAULT}),
    Case("divide", NUMBER, "x / y", {(7, 2): 3, (MAX, MAX): 1, (0, 9): 0, (3, 0): FAULT}),
    Case("remainder", NUMBER, "x % y", {(7, 2): 1, (MAX, 2): 1, (4, 4): 0, (3, 0): FAULT}),
    Case("precedence", NUMBER, "x + y * 2 % 5 - 1", {(1, 4): 3, (0, 5): FAULT, (0, 3): 0}),
    Case("narrow-overflow", "u8", "255u8 + (x == 1) as u8", {(0, 0): 255, (1, 0): FAULT}),
    Case("wide", "u128", "x as u128 * y as u128", {(MAX, MAX): MAX * MAX, (2, 3): 6}),
    Case("literals", NUMBER, "x + 1_000 + 0xff + 0b1_1 + 0o17 + 2usize", {(0, 0): 1000 + 255 + 20}),
    Case("usize-edges", NUMBER, "if x == 0 { usize::MAX } else { usize::MIN }", {(0, 0): MAX}),
    Case("bits", "u32", "usize::BITS + u8::BITS", {(0, 0): 72}),
    Case("cast", "u64", "x as u64 + 7u32 as u64", {(1, 0): 8, (MAX, 0): FAULT}),
    Case("bool-cast", NUMBER, "(x < y) as usize + usize::from(x == y)", {(0, 1): 1, (2, 1): 0}),
    # Masks and shifts
    Case("and-not", NUMBER, "x & !3", {(7, 0): 4, (3, 0): 0, (MAX, 0): MAX - 3}),
    Case("and-low", NUMBER, "x & 0b101", {(7, 0): 5, (10, 0): 0, (MAX, 0): 5}),
    Case("or", NUMBER, "x | 6", {(1, 0): 7, (6, 0): 6, (MAX, 0): MAX, (9, 0): 15}),
    Case("xor", NUMBER, "6 ^ x", {(1, 0): 7, (6, 0): 0, (MAX, 0): MAX - 6, (3, 0): 5}),
    Case("shift-right", NUMBER, "x >> 2", {(7, 0): 1, (MAX, 0): MAX // 4, (3, 0): 0}),
    Case("shift-left", NUMBER, "x << 3", {(1, 0): 8, (2**61, 0): 0, (MAX, 0): MAX - 7}),
    Case("complement", NUMBER, "!x", {(0, 0): MAX, (MAX, 0): 0, (5, 0): MAX - 5}),
    Case("shift-by-const", NUMBER, "x >> BITS << BITS", {(19, 0): 16}, "const BITS: u32 = 2;"),
    Case("mask-const", NUMBER, "x & MASK", {(19, 0): 16}, "const MASK: usize = !3;"),
    Case(
        "bools",
        NUMBER,
        "let (p, q) = (x > 1, y > 1); ((p & q) as usize) * 4 + ((p | q) as usize) * 2"
        " + (p ^ q) as usize",
        {(0, 0): 0, (2, 0): 3, (0, 2): 3, (2, 2): 6},
    ),
    Case("strict-and", FLAG, "(x > 9) & (y - 1 > 0)", {(0, 0): FAULT, (10, 2): True}),
    Case("lazy-and", FLAG, "x > 0 && y / x > 1", {(0, 9): False, (2, 4): True, (2, 3): False}),
    Case("lazy-or", FLAG, "x == 0 || y / x > 1", {(0, 9): True, (2, 4): True, (2, 3): False}),
    Case("not", FLAG, "!(x == y)", {(0, 0): False, (1, 0): True}),
    Case("compare-tuples", FLAG, "(x, y) == (1, 2)", {(1, 2): True, (2, 1): False}),
    Case("compare-bools", FLAG, "(x > 1) != (y > 1)", {(0, 2): True, (2, 2): False}),
    Case("folded-mask", NUMBER, "x & !(STEP - 1)", {(19, 0): 16}, "const STEP: usize = 4;"),
    Case("folded-mask-of-shift", NUMBER, "x & ((1 << 2) - 1)", {(19, 0): 3}),
    # Methods of integers
    Case("min", NUMBER, "x.min(y)", {(1, 2): 1, (MAX, 0): 0, (3, 3): 3}),
    Case("max", NUMBER, "x.max(y)", {(1, 2): 2, (MAX, 0): MAX, (3, 3): 3}),
    Case("cmp-min", NUMBER, "std::cmp::min(x, y)", {(1, 2): 1, (5, 2): 2}),
    Case("path-method", NUMBER, "usize::max(x, y)", {(1, 2): 2, (5, 2): 5}),
    Case("clamp", NUMBER, "x.clamp(3, y)", {(1, 5): 3, (9, 5): 5, (4, 5): 4, (4, 2): FAULT}),
    Case("abs_diff", NUMBER, "x.abs_diff(y)", {(1, 5): 4, (5, 1): 4, (MAX, 0): MAX}),
    Case("saturating_sub", NUMBER, "x.saturating_sub(y)", {(1, 5): 0, (5, 1): 4}),
    Case("saturating_add", NUMBER, "x.saturating_add(y)", {(1, 5): 6, (MAX, 1): MAX}),
    Case("saturating_mul", NUMBER, "x.saturating_mul(y)", {(2, 5): 10, (2**63, 3): MAX}),
    Case("checked_add", OPTION, "x.checked_add(y)", {(1, 5): 6, (MAX, 1): None}),
    Case("checked_sub", OPTION, "x.checked_sub(y)", {(5, 5): 0, (4, 5): None}),
    Case("checked_mul", OPTION, "x.checked_mul(y)", {(2, 5): 10, (2**63, 2): None}),
    Case("checked_div", OPTION, "x.checked_div(y)", {(11, 5): 2, (1, 0): None}),
    Case("checked_rem", OPTION, "x.checked_rem(y)", {(11, 5): 1, (1, 0): None}),
    Case(
        "wrapping_add", NUMBER, "x.wrapping_add(y)", {(1, 5): 6, (MAX, 2): 1, (MAX, MAX): MAX - 1}
    ),
    Case("wrapping_sub", NUMBER, "x.wrapping_sub(y)", {(6, 5): 1, (0, 1): MAX, (0, MAX): 1}),
    Case(
        "wrapping_mul", NUMBER, "x.wrapping_mul(y)", {(6, 5): 30, (MAX, 2): MAX - 1, (2**63, 2): 0}
    ),
    Case(
        "overflowing_add",
        "(usize, bool)",
        "x.overflowing_add(y)",
        {(1, 2): (3, False), (MAX, 1): (0, True)},
    ),
    Case("div_ceil", NUMBER, "x.div_ceil(y)", {(0, 5): 0, (5, 5): 1, (6, 5): 2, (1, 0): FAULT}),
    Case(
        "next_multiple_of",
        NUMBER,
        "x.next_multiple_of(y)",
        {(0, 5): 0, (5, 5): 5, (6, 5): 10, (1, 0): FAULT, (MAX, 2): FAULT, (MAX, MAX): MAX},
    ),
    Case(
        "checked_next_multiple_of",
        OPTION,
        "x.checked_next_multiple_of(y)",
        {(6, 5): 10, (1, 0): None, (MAX, 2): None},
    ),
    Case(
        "is_multiple_of",
        FLAG,
        "x.is_multiple_of(y)",
        {(6, 3): True, (6, 4): False, (0, 0): True, (6, 0): False},
    ),
    Case(
        "is_power_of_two",
        FLAG,
        "x.is_power_of_two()",
        {(0, 0): False, (1, 0): True, (6, 0): False, (2**63, 0): True, (MAX, 0): False},
    ),
    Case("pow", NUMBER, "x.pow(3)", {(2, 0): 8, (0, 0): 0, (2**22, 0): FAULT}),
    Case("pow-0", NUMBER, "x.pow(0)", {(0, 0): 1, (9, 0): 1}),
    Case("euclid", NUMBER, "x.div_euclid(y) + x.rem_euclid(y)", {(7, 2): 4, (7, 0): FAULT}),
    # Options
    Case("filter", OPTION, "Some(x).filter(|v| *v > y)", {(2, 1): 2, (1, 1): None}),
    Case("map", OPTION, "x.checked_sub(y).map(|v| v + 1)", {(2, 1): 2, (0, 1): None}),
    Case("map_or", NUMBER, "x.checked_sub(y).map_or(9, |v| v * 2)", {(3, 1): 4, (0, 1): 9}),
    Case("map_or-eager", NUMBER, "Some(x).map_or(1 / y, |v| v)", {(3, 1): 3, (3, 0): FAULT}),
    Case(
        "map_or_else", NUMBER, "x.checked_sub(y).map_or_else(|| y, |v| v)", {(3, 1): 2, (0, 7): 7}
    ),
    Case(
        "and_then",
        OPTION,
        "x.checked_sub(y).and_then(|v| 9usize.checked_div(v))",
        {(3, 0): 3, (1, 1): None, (0, 1): None},
    ),
    Case("and", OPTION, "x.checked_sub(y).and(Some(5))", {(1, 1): 5, (0, 1): None}),
    Case("or", OPTION, "x.checked_sub(y).or(Some(5))", {(1, 1): 0, (0, 1): 5}),
    Case(
        "or_else",
        OPTION,
        "x.checked_sub(y).or_else(|| y.checked_sub(5))",
        {(1, 1): 0, (0, 7): 2, (0, 1): None},
    ),
    Case(
        "xor",
        OPTION,
        "x.checked_sub(5).xor(y.checked_sub(5))",
        {(6, 0): 1, (0, 7): 2, (6, 6): None, (0, 0): None},
    ),
    Case(
        "zip",
        "Option<(usize, usize)>",
        "x.checked_sub(1).zip(y.checked_sub(1))",
        {(1, 2): (0, 1), (0, 2): None, (2, 0): None},
    ),
    Case("unwrap_or", NUMBER, "x.checked_sub(1).unwrap_or(y)", {(1, 7): 0, (0, 7): 7}),
    Case("unwrap_or-eager", NUMBER, "Some(x).unwrap_or(1 / y)", {(1, 7): 1, (0, 0): FAULT}),
    Case(
        "unwrap_or_else",
        NUMBER,
        "x.checked_sub(1).unwrap_or_else(|| 1 / y)",
        {(1, 0): 0, (0, 0): FAULT},
    ),
    Case(
        "unwrap_or_default", NUMBER, "x.checked_sub(y).unwrap_or_default()", {(3, 1): 2, (0, 1): 0}
    ),
    Case("unwrap", NUMBER, "x.checked_sub(y).unwrap()", {(3, 1): 2, (0, 1): FAULT}),
    Case("expect", NUMBER, 'x.checked_sub(y).expect("more")', {(3, 1): 2, (0, 1): FAULT}),
    Case("is_some", FLAG, "x.checked_sub(y).is_some()", {(3, 1): True, (0, 1): False}),
    Case("is_none", FLAG, "x.checked_sub(y).is_none()", {(3, 1): False, (0, 1): True}),
    Case(
        "is_some_and",
        FLAG,
        "x.checked_sub(y).is_some_and(|v| v > 1)",
        {(3, 1): True, (2, 1): False, (0, 1): False},
    ),
    Case(
        "is_none_or",
        FLAG,
        "x.checked_sub(y).is_none_or(|v| v > 1)",
        {(3, 1): True, (2, 1): False, (0, 1): True},
    ),
    Case("copied", OPTION, "x.checked_sub(y).as_ref().copied()", {(3, 1): 2, (0, 1): None}),
    Case("cloned", OPTION, "x.checked_sub(y).as_ref().cloned()", {(3, 1): 2, (0, 1): None}),
    Case(
        "option-equality",
        FLAG,
        "x.checked_sub(y) == Some(2)",
        {(3, 1): True, (4, 1): False, (0, 1): False},
    ),
    Case("none-equality", FLAG, "None == x.checked_sub(y)", {(3, 1): False, (0, 1): True}),
    Case("then", OPTION, "(y > 0).then(|| x / y)", {(7, 2): 3, (7, 0): None}),
    Case("then_some", OPTION, "(y > 0).then_some(x / y)", {(7, 2): 3, (7, 0): FAULT}),
    Case(
        "function-by-name",
        OPTION,
        "x.checked_sub(y).map(twice)",
        {(3, 1): 4},
        "fn twice(v: usize) -> usize { v * 2 }",
    ),
    Case("some-by-name", OPTION, "x.checked_sub(y).and_then(Some)", {(3, 1): 2, (0, 1): None}),
    # Bindings and control
    Case(
        "shadowing",
        NUMBER,
        "let x = x + 1; let x = x * 2; { let x = 100; let _ = x; } x + y",
        {(1, 1): 5},
    ),
    Case(
        "mut",
        NUMBER,
        "let mut v = x; v += y; v *= 3; v -= 1; v /= 2; v %= 5; v",
        {(1, 2): 4, (0, 0): FAULT},
    ),
    Case(
        "compound-bits",
        NUMBER,
        "let mut v = x; v &= !1; v |= 4; v ^= 1; v <<= 2; v >>= 1; v",
        {(3, 0): 14},
    ),
    Case(
        "assign-in-branch", NUMBER, "let mut v = x; if y > 1 { v = y; } v", {(5, 0): 5, (5, 2): 2}
    ),
    Case(
        "late-let", NUMBER, "let v; if y > 1 { v = y } else { v = x + 1 } v", {(5, 0): 6, (5, 2): 2}
    ),
    Case("block-value", NUMBER, "let v = { let w = x + 1; w * 2 }; v + y", {(1, 1): 5}),
    Case(
        "else-if",
        NUMBER,
        "if x > 9 { 1 } else if y > 9 { 2 } else { 3 }",
        {(10, 0): 1, (0, 10): 2, (0, 0): 3},
    ),
    Case(
        "if-let",
        NUMBER,
        "if let Some(v) = x.checked_sub(y) { v } else { 99 }",
        {(3, 1): 2, (0, 1): 99},
    ),
    Case(
        "let-chain",
        NUMBER,
        "if let Some(v) = x.checked_sub(y) && v > 1 && let Some(w) = v.checked_sub(3) { w }"
        " else { 99 }",
        {(9, 1): 5, (3, 1): 99, (2, 1): 99, (0, 1): 99},
    ),
    Case(
        "let-else",
        NUMBER,
        "let Some(v) = x.checked_sub(y) else { return 99 }; v",
        {(3, 1): 2, (0, 1): 99},
    ),
    Case("early-return", NUMBER, "if x > y { return x - y; } y - x", {(3, 1): 2, (1, 3): 2}),
    Case(
        "return-in-branch",
        NUMBER,
        "let v = if x > y { x } else { return 7 }; v - y",
        {(3, 1): 2, (1, 3): 7},
    ),
    Case(
        "return-in-operand",
        NUMBER,
        "1 + match x { 0 => return 7, v => v }",
        {(0, 0): 7, (2, 0): 3, (MAX, 0): FAULT},
    ),
    Case(
        "return-as-argument",
        NUMBER,
        "if x > y { x } else { x.min(return 7) }",
        {(1, 0): 1, (0, 0): 7},
    ),
    Case(
        "question-mark",
        OPTION,
        "let v = x.checked_sub(y)?; v.checked_sub(1)",
        {(3, 1): 1, (1, 1): None, (0, 1): None},
    ),
    Case(
        "helper", NUMBER, "half(x) + half(y)", {(5, 6): 5}, "fn half(v: usize) -> usize { v / 2 }"
    ),
    Case(
        "const",
        NUMBER,
        "x + STEP",
        {(1, 0): 9},
        "const HALF: usize = 4; const STEP: usize = HALF * 2;",
    ),
    Case("local-const", NUMBER, "const STEP: usize = 4; x / STEP", {(9, 0): 2}),
    Case("static", NUMBER, "x + STEP", {(1, 0): 5}, "static STEP: usize = 4;"),
    Case("panic", NUMBER, 'if x > y { panic!("{x}") } else { x }', {(0, 0): 0, (1, 0): FAULT}),
    Case(
        "unreachable", NUMBER, "match x { 0 => y, _ => unreachable!() }", {(0, 3): 3, (1, 0): FAULT}
    ),
    Case("assert", NUMBER, 'assert!(x > y, "{x}"); x', {(1, 0): 1, (0, 0): FAULT}),
    Case(
        "assert_eq", NUMBER, "assert_eq!(x, y + 1); x", {(1, 0): 1, (0, 0): FAULT, (0, MAX): FAULT}
    ),
    Case("assert_ne", NUMBER, "assert_ne!(x, y); x", {(1, 0): 1, (0, 0): FAULT}),
    Case("debug_assert", NUMBER, "debug_assert!(x > y); x", {(1, 0): 1, (0, 0): FAULT}),
    Case(
        "matches",
        FLAG,
        "matches!(x.checked_sub(y), Some(1..=3) | None)",
        {(2, 1): True, (9, 1): False, (0, 1): True},
    ),
    Case("matches-guard", FLAG, "matches!(x, v if v > y)", {(2, 1): True, (1, 1): False}),
    # Patterns
    Case(
        "match-integers",
        NUMBER,
        "match x { 0 => 10, 1 | 2 => 20, 3..=5 => 30, 6..9 => 40, _ => 50 }",
        {(0, 0): 10, (2, 0): 20, (5, 0): 30, (8, 0): 40, (9, 0): 50},
    ),
    Case("match-open-ranges", NUMBER, "match x { ..=2 => 1, 3.. => 2 }", {(2, 0): 1, (3, 0): 2}),
    Case(
        "match-binding",
        NUMBER,
        "match x { v @ 1..=3 => v * 2, v if v > y => v, _ => 0 }",
        {(2, 0): 4, (9, 1): 9, (9, 10): 0},
    ),
    Case(
        "match-options",
        NUMBER,
        "match x.checked_sub(1) { Some(0) => 1, Some(v) if v > y => v, Some(_) => 3, None => 4 }",
        {(1, 0): 1, (9, 1): 8, (3, 9): 3, (0, 0): 4},
    ),
    Case(
        "match-tuples",
        NUMBER,
        "match (x, y > 1) { (0, _) => 1, (v, true) => v, (_, false) => 9 }",
        {(0, 0): 1, (4, 2): 4, (4, 0): 9},
    ),
    Case("match-bools", NUMBER, "match x > y { true => 1, false => 2 }", {(1, 0): 1, (0, 0): 2}),
    Case(
        "match-constants",
        NUMBER,
        "match x { STEP => 1, usize::MAX => 2, _ => 3 }",
        {(4, 0): 1, (MAX, 0): 2, (5, 0): 3},
        "const STEP: usize = 4;",
    ),
    Case(
        "or-pattern-binding",
        NUMBER,
        "match (x, y) { (0, v) | (v, 0) => v, (a, b) => a + b }",
        {(0, 5): 5, (6, 0): 6, (1, 2): 3},
    ),
    Case(
        "tuple-rest",
        NUMBER,
        "let (first, .., last) = (x, 1, 2, y); first * 10 + last",
        {(1, 2): 12},
    ),
    Case("tuple-fields", NUMBER, "let t = ((x, 1), y); t.0.0 + t.0.1 + t.1", {(2, 3): 6}),
    Case("swap", NUMBER, "let (x, y) = (y, x); x * 10 + y", {(1, 2): 21}),
    Case(
        "struct",
        NUMBER,
        "let p = P { at: x, end: y }; let P { end, at: a } = p; a * 10 + end + p.at",
        {(1, 2): 13},
        "#[derive(Clone, Copy)] struct P { at: usize, end: usize }",
    ),
    Case(
        "method",
        NUMBER,
        "P { at: x }.past(y)",
        {(1, 2): 3},
        "struct P { at: usize } impl P { fn past(&self, by: usize) -> usize { self.at + by } }",
    ),
    Case(
        "associated",
        NUMBER,
        "P::of(x).at + P::STEP",
        {(1, 0): 6},
        "struct P { at: usize } impl P { const STEP: usize = 4;"
        " fn of(at: usize) -> Self { Self { at: at + 1 } } }",
    ),
    Case(
        "tuple-struct",
        NUMBER,
        "let P(a, b) = P(x, y); a * 10 + b",
        {(1, 2): 12},
        "struct P(usize, usize);",
    ),
    Case(
        "references",
        NUMBER,
        "let r = &x; *r + twice(&y)",
        {(1, 2): 5},
        "fn twice(v: &usize) -> usize { *v * 2 }",
    ),
    Case("type-alias", NUMBER, "let t: Tokens = x; t", {(4, 0): 4}, "type Tokens = usize;"),
    # Closures
    Case("closure", NUMBER, "let half = |v: usize| v / 2; half(x) + half(y)", {(5, 6): 5}),
    Case(
        "closure-captures", NUMBER, "let more = |v| v + y; let y = 100; more(x) + y", {(1, 2): 103}
    ),
    Case(
        "closure-returns",
        NUMBER,
        "let cut = |v: usize| { if v > 9 { return 9; } v }; cut(x) + cut(y)",
        {(5, 60): 14},
    ),
    Case(
        "closure-question-mark",
        OPTION,
        "let g = |v: usize| -> Option<usize> { let w = v.checked_sub(1)?; Some(w * 2) };"
        " g(x).or(Some(y))",
        {(3, 0): 4, (0, 7): 7},
    ),
    Case(
        "closure-mutates",
        NUMBER,
        "let mut n = x; let mut add = |v: usize| n += v; add(y); add(1); n",
        {(1, 2): 4},
    ),
    # Ranges
    Case(
        "range",
        FLAG,
        "(2..5).contains(&x)",
        {(1, 0): False, (2, 0): True, (4, 0): True, (5, 0): False},
    ),
    Case(
        "range-inclusive",
        FLAG,
        "(2..=y).contains(&x)",
        {(5, 5): True, (6, 5): False, (1, 5): False, (3, 0): False},
    ),
    Case("range-from", FLAG, "(y..).contains(&x)", {(5, 5): True, (4, 5): False}),
    Case("range-to", FLAG, "let r = ..y; r.contains(&x)", {(4, 5): True, (5, 5): False}),
    Case("range-empty", FLAG, "(x..y).is_empty()", {(4, 5): False, (5, 5): True, (6, 5): True}),
    Case("range-len", NUMBER, "(x..y).len()", {(4, 7): 3, (5, 5): 0, (6, 5): 0}),
    # Modules
    Case(
        "module",
        NUMBER,
        "m::f(x) + n::f(y)",
        {(1, 2): 6},
        "mod m { pub fn f(v: usize) -> usize { v * 2 } }"
        " mod n { pub fn f(v: usize) -> usize { v + super::STEP } } const STEP: usize = 2;",
    ),
    Case(
        "use",
        NUMBER,
        "g(x) + m::inner::g(y)",
        {(1, 2): 3},
        "use self::m::inner::g; mod m { const ONE: usize = 1;"
        " pub mod inner { pub fn g(v: usize) -> usize { v + super::ONE - 1 } } }",
    ),
    # Order of evaluation, scopes and widths
    Case("local-fn", NUMBER, "fn g(v: usize) -> usize { v * 2 } g(x)", {(1, 2): 2}),
    Case(
        "shadow-fn",
        NUMBER,
        "let g = |v: usize| v * 3; g(x)",
        {(1, 2): 3},
        "fn g(v:usize)->usize{v*2}",
    ),
    Case(
        "shadow-in-arm", NUMBER, "let x = match y { 0 => x, x => x + 1 }; x", {(5, 0): 5, (5, 3): 4}
    ),
    Case(
        "closure-before-assignment",
        NUMBER,
        "let mut n = x; let f = |v: usize| v + n; let r = f(1); n += y; r * 10 + n",
        {(1, 2): 23},
    ),
    Case("order", NUMBER, "let mut n = x; let r = n + { n += 1; n }; r * 10 + n", {(1, 2): 32}),
    Case("compound-order", NUMBER, "let mut n = x; n += { n = 10; y }; n", {(1, 2): 12}),
    Case(
        "tuple-order",
        NUMBER,
        "let mut n = x; let t = (n, { n += 1; n }, n); t.0 * 100 + t.1 * 10 + t.2",
        {(1, 2): 122},
    ),
    Case(
        "nested-closure-return",
        NUMBER,
        "let f = |a: usize| { let g = |b: usize| { if b > 3 { return 1; } 2 }; g(a) * 10 }; f(x)",
        {(5, 0): 10, (1, 0): 20},
    ),
    Case(
        "if-let-else-shadow",
        NUMBER,
        "if let Some(x) = y.checked_sub(3) { x } else { x }",
        {(9, 1): 9, (9, 5): 2},
    ),
    Case(
        "let-else-shadow",
        NUMBER,
        "let Some(x) = x.checked_sub(y) else { return x + 100 }; x",
        {(5, 3): 2, (1, 3): 101},
    ),
    Case(
        "guard-binding-stays-in-its-arm",
        NUMBER,
        "match x { y if y > 5 => y, _ => y }",
        {(9, 1): 9, (1, 9): 9},
    ),
    Case("u8-wrap", "u8", "(x % 256 == 1) as u8 * 200u8 + 100", {(0, 0): 100, (1, 0): FAULT}),
    Case("u32-shift", "u32", "((x > 0) as u32) << 31 << 1", {(1, 0): 0}),
    Case("u8-complement", "u8", "!((x > 0) as u8)", {(1, 0): 254}),
    Case("mask-of-a-width", NUMBER, "x & u8::MAX as usize", {(300, 0): 44}),
    Case("range-backwards", FLAG, "(5..2).contains(&x)", {(3, 0): False}),
    Case(
        "bool-match-tuple",
        NUMBER,
        "match (x > 1, y > 1) { (true, true) => 1, (true, false) | (false, true) => 2,"
        " (false, false) => 3 }",
        {(2, 2): 1, (2, 0): 2, (0, 0): 3},
    ),
    Case(
        "then-returns",
        OPTION,
        "(x > y).then(|| { if x > 5 { return 5; } x })",
        {(9, 1): 5, (3, 1): 3, (0, 0): None},
    ),
    Case(
        "question-mark-on-map",
        OPTION,
        "let v = Some(x).map(|v| v.checked_sub(y).unwrap_or(7))?; Some(v)",
        {(3, 1): 2, (0, 1): 7},
    ),
    Case(
        "range-bounds",
        NUMBER,
        "let r = x..y; if r.contains(&3) { r.start } else { r.end }",
        {(1, 5): 1, (4, 5): 5},
    ),
    Case(
        "matches-nested",
        FLAG,
        "matches!((x, y), (0, _) | (_, 0))",
        {(0, 3): True, (3, 0): True, (1, 1): False},
    ),
    Case("u64-min", "u64", "u64::min(x as u64, 5) + (y as u64).max(2)", {(9, 0): 7}),
    Case(
        "unit-fn",
        NUMBER,
        "check(x); x",
        {(1, 0): 1, (0, 0): FAULT},
        "fn check(v: usize) { assert!(v > 0); }",
    ),
    Case(
        "nested-option-match",
        NUMBER,
        "match (x.checked_sub(1), y.checked_sub(1)) { (Some(a), Some(b)) if a > b => a - b,"
        " (Some(a), None) => a, (None, _) => 50, _ => 60 }",
        {(5, 2): 3, (5, 0): 4, (0, 0): 50, (2, 5): 60},
    ),
    Case(
        "saturating-u8",
        "u8",
        "250u8.saturating_add((x > 0) as u8 * 10)",
        {(1, 0): 255, (0, 0): 250},
    ),
    Case(
        "field-assignment",
        NUMBER,
        "let mut s = S { a: x, t: (0, 1) }; s.t.1 += y; s.a = s.a + s.t.1; s.a * 10 + s.t.0",
        {(2, 3): 60},
        "struct S { a: usize, t: (usize, usize) }",
    ),
    Case(
        "tuple-assignment",
        NUMBER,
        "let (mut a, mut b) = (x, y); (a, b) = (b, a + b); a * 100 + b",
        {(2, 3): 305},
    ),
    Case("bound-mask", NUMBER, "let m = 3; let s = 1; (x & !m) + (y >> s)", {(7, 5): 6}),
    Case(
        "bound-number-of-a-type", "u32", "let k = 4; 30_u32 / k * k + (x > 0) as u32", {(1, 0): 29}
    ),
    Case("matches-open-range", FLAG, "matches!(x, 1..)", {(0, 0): False, (1, 0): True}),
    Case("parenthesized-pattern", NUMBER, "match x { v @ (1 | 3) => v, _ => y }", {(3, 0): 3}),
    Case("range-to-inclusive", FLAG, "(..=y).contains(&x)", {(5, 5): True, (6, 5): False}),
    Case(
        "guard-of-alternatives",
        NUMBER,
        "match (x, y) { (v, _) | (_, v) if v > 5 => v, _ => 0 }",
        {(9, 1): 9, (1, 9): 9, (1, 1): 0},
    ),
    Case(
        "move-closure",
        NUMBER,
        "let mut n = x; let r = Some(y).map(move |v| { n += v; n }); n + r.unwrap_or(0)",
        {(1, 2): 4},
    ),
    Case(
        "own-clone",
        NUMBER,
        "P { a: x }.clone().a",
        {(1, 2): 9},
        "struct P { a: usize } impl Clone for P { fn clone(&self) -> P { P { a: 9 } } }",
    ),
]


def read(case: Case) -> Function:
    source = RustSource(case.source.encode(), "planner.rs", None, {})
    (found,) = (entry for entry in source.find("f") if entry.qualified_name == "f")
    function = read_function(source, found)
    assert isinstance(function, Function)
    return function


def require(case: Case) -> None:
    function = read(case)
    symbolic = SymbolicCall(function, {})
    for (x, y), expected in case.answers.items():
        given = {"x": x, "y": y}
        assert concrete_answer(function, given) == expected, f"on ints: {given}"
        assert symbolic.answer(given) == expected, f"as formulas: {given}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_evaluators_give_the_known_values(case: Case) -> None:
    require(case)


def test_the_known_values_are_those_of_the_compiler(tmp_path: Path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    modules, lines, expected = [], [], []
    for index, case in enumerate(CASES):
        modules.append(f"mod case_{index} {{\n{case.source}}}")
        for (x, y), answer in case.answers.items():
            call = f"std::panic::catch_unwind(|| case_{index}::f({x}, {y}))"
            lines.append(f'    println!("{{:?}}", {call}.ok());')
            shown = "None" if answer == FAULT else f"Some({shown_in_rust(case.result, answer)})"
            expected.append(f"{case.name} {x} {y}: {shown}")
    body = "\n".join(["    std::panic::set_hook(Box::new(|_| {}));", *lines])
    main = tmp_path / "main.rs"
    main.write_text("\n".join([*modules, f"fn main() {{\n{body}\n}}"]))
    allowed = ["-A", "warnings", "-A", "arithmetic_overflow", "-A", "unconditional_panic"]
    flags = ["--edition=2024", "-C", "overflow-checks=on", *allowed]
    done = subprocess.run(
        ["rustc", *flags, "-o", tmp_path / "main", main],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    names = [line.partition(": ")[0] for line in expected]
    found = [f"{name}: {line}" for name, line in zip(names, ran.stdout.splitlines(), strict=True)]
    assert found == expected


def shown_in_rust(result: str, answer: Any) -> str:
    if answer is None:
        return "None"
    plain = str(answer).lower() if isinstance(answer, bool | int) else None
    if plain is None:
        plain = "(" + ", ".join(str(item).lower() for item in answer) + ")"
    return f"Some({plain})" if result.startswith("Option") else plain
