"""Where a key stands in a TOML file."""

import pytest

from prefill_gate.toml_lines import Keys, TomlLines

CONTENT = '''\
contract = 1  # "contract" = 2

[planner.roles.chunk_len]
function = "next"
assume = [
    "a > 0",  # planner.source = 1
    "b > 0",
]
[properties]
tail-end.level = "off"
chunk-wy4 = { level = "off", reason = """
[planner.roles.tail_end]
source = 'no key'
"so"""" }
"chunk-last" = { level = "warn" }
  [ planner . externs ]
"kit::f" = "kit.rs"
deep = [
  ["a"],
]
'kit::g' = "kit.rs"
'''

ARRAY = """\
[[planner]]
source = "a.rs"
[planner.roles.chunk_len]
function = "f"
[[planner]]
source = "b.rs"
roles.chunk_len = { function = "g", offset = "done" }
[planner.properties.tail-end]
level = "off"
"""


@pytest.mark.parametrize(
    ("keys", "text", "line"),
    [
        (("contract",), "", 1),
        (("planner",), "", 3),
        (("planner", "roles", "chunk_len"), "", 3),
        (("planner", "roles", "chunk_len", "function"), "", 4),
        (("planner", "roles", "chunk_len", "assume"), "", 5),
        (("planner", "roles", "chunk_len", "assume"), "b > 0", 7),
        (("planner", "roles", "chunk_len", "assume"), "c > 0", 5),
        (("properties", "tail-end"), "", 10),
        (("properties", "chunk-wy4", "reason"), "", 11),
        (("properties", "chunk-last", "level"), "", 15),
        (("planner", "externs"), "", 16),
        (("planner", "externs", "kit::f"), "", 17),
        (("planner", "externs", "kit::g"), "", 21),
        (("planner", "source"), "", 1),
        (("nowhere",), "", 1),
    ],
)
def test_the_line_of_a_key_or_of_what_is_in_its_value(keys: Keys, text: str, line: int) -> None:
    assert TomlLines(CONTENT).line_of(keys, text) == line


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("planner", 0), 1),
        (("planner", 0, "source"), 2),
        (("planner", 0, "roles", "chunk_len", "function"), 4),
        (("planner", 1), 5),
        (("planner", 1, "source"), 6),
        (("planner", 1, "roles", "chunk_len", "offset"), 7),
        (("planner", 1, "properties", "tail-end", "level"), 9),
        (("planner", 1, "name"), 5),
    ],
)
def test_the_tables_of_an_array_are_told_apart(keys: Keys, line: int) -> None:
    assert TomlLines(ARRAY).line_of(keys) == line
