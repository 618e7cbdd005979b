"""Expressions of the configuration: what faults is no stop, and what is misspelt is said."""

from pathlib import Path

from command_line import Shell

SOURCE = """\
def plan_chunk_len(offset, total, proposed, block_size):
    last = total - total % block_size
    return last - offset if offset < last < offset + proposed else proposed
"""


def verdict(shell: Shell, folder: Path, config: str) -> dict[str, str]:
    (folder / "planner.py").write_text(SOURCE)
    (folder / "prefill-gate.toml").write_text(config)
    result = shell.run("check", str(folder / "planner.py"), "--format", "json")
    return {
        row["id"]: row["verdict"]
        for row in result.json()["properties"]
        if row["role"] == "chunk_len"
    }


def test_a_fault_is_not_hidden_by_the_same_one_in_the_split_point(
    shell: Shell, tmp_path: Path
) -> None:
    split = '[planner.roles.chunk_len]\nsplit = "total - total % block_size"\n'
    assert verdict(shell, tmp_path, "")["no-fault"] == "refuted"
    rows = verdict(shell, tmp_path, split)
    assert rows["no-fault"] == "refuted"
    assert rows["chunk-split-stop"] == "proved"


def test_a_split_point_below_0_is_none(shell: Shell, tmp_path: Path) -> None:
    split = '[planner.roles.chunk_len]\nsplit = "total // 16 * 16 - 32"\n'
    rows = verdict(shell, tmp_path, split + 'assume = ["block_size == 16"]\n')
    assert rows["no-fault"] == "proved"
    assert rows["chunk-split-stop"] == "refuted"


def test_an_input_of_the_configuration_alone_is_said_with_the_nearest(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "planner.py").write_text(
        "def plan_chunk_len(offset, request, proposed, block_size):\n"
        "    return min(proposed, request.num_tokens)\n"
    )
    config = '[planner.roles.chunk_len]\ntotal = "request.num_token"\n'
    (tmp_path / "prefill-gate.toml").write_text(config)
    report = shell.run("check", str(tmp_path / "planner.py"), "--format", "json").json()
    said = "request.num_token is read by the configuration alone"
    assert f"{said}; did you mean request.num_tokens?" in report["assumptions"]
