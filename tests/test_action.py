"""The action for GitHub and the hook for pre-commit, run here without the network."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from repositories import git

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
GOOD = (ROOT / "reference" / "rust" / "prefill_plan.rs").read_text()
LONGER = GOOD.replace("return proposed;", "return proposed + 1;")
ANY_LENGTH = GOOD.replace("length => length / WY4 * WY4", "length => length")
COMMAND = "from prefill_gate.main import run; run()"


class Job:
    """A job on a pull request that runs the action's own steps, but those of other actions."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.workspace = folder / "work"
        self.temporary = folder / "temporary"
        self.summary = folder / "summary.md"
        self.comments = folder / "comments.md"
        self.told = ""
        for made in (self.workspace, self.temporary / "prefill-gate" / "bin", folder / "bin"):
            made.mkdir(parents=True, exist_ok=True)
        self._make(self.temporary / "prefill-gate" / "bin" / "prefill-gate", f'{_python()} "$@"')
        self._make(folder / "bin" / "gh", f'echo "$@" >> {self.comments}')
        self._path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self._outputs: dict[str, dict[str, str]] = {}
        self._values = {
            "runner.temp": str(self.temporary),
            "runner.os": "Linux",
            "runner.arch": "X64",
            "github.action_path": str(ROOT),
            "github.token": "secret",
            "github.event_name": "pull_request",
            "github.event.pull_request.number": "7",
            "github.event.pull_request.base.sha": "HEAD",
        }
        for name, said in ACTION["inputs"].items():
            self._values[f"inputs.{name}"] = inputs.get(name, self._filled(said["default"]))

    def _make(self, path: Path, line: str) -> None:
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: self._value(found[1]), text)

    def _value(self, name: str) -> str:
        found = re.fullmatch(r"steps\.(\w+)\.outputs\.([\w-]+)", name)
        if found is not None:
            return self._outputs.get(found[1], {}).get(found[2], "")
        return self._values[name]

    def _is_met(self, condition: str) -> bool:
        parts = [part.split(" == ") for part in condition.split(" && ")]
        return all(self._value(name) == wanted.strip("'") for name, wanted in parts)

    def place(self, source: Path) -> None:
        """Put the action elsewhere."""
        self._values["github.action_path"] = str(source)

    def key(self) -> str:
        """Return what the environment is kept under."""
        (cache,) = [step for step in ACTION["runs"]["steps"] if step["id"] == "cache"]
        return self._filled(cache["with"]["key"])

    def run(self) -> int:
        """Run the steps in order until one fails; return the exit code of the last one."""
        code = 0
        for step in ACTION["runs"]["steps"]:
            if code == 0 and "run" in step and self._is_met_or_unasked(step):
                code = self._run(step)
        return code

    def _is_met_or_unasked(self, step: Mapping[str, Any]) -> bool:
        return "if" not in step or self._is_met(step["if"])

    def _run(self, step: Mapping[str, Any]) -> int:
        outputs = self.temporary / "outputs"
        outputs.write_text("")
        environment = {name: self._filled(text) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env=os.environ
            | {"PATH": self._path, "GITHUB_OUTPUT": str(outputs)}
            | {"GITHUB_STEP_SUMMARY": str(self.summary)}
            | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.told += done.stdout + done.stderr
        lines = [line.partition("=") for line in outputs.read_text().splitlines()]
        self._outputs[step["id"]] = {name: value for name, _, value in lines}
        return done.returncode


def _python() -> str:
    return f"exec {sys.executable} -c '{COMMAND}'"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return made(tmp_path)


def made(folder: Path, **inputs: str) -> Job:
    """Return a job on a repository with a planner that holds in its one commit."""
    job = Job(folder, **inputs)
    if not (job.workspace / ".git").exists():
        (job.workspace / "planner.rs").write_text(GOOD)
        (job.workspace / "prefill-gate.toml").write_text('[planner]\nsource = "planner.rs"\n')
        git(job.workspace, "init", "--quiet")
        git(job.workspace, "add", ".")
        git(job.workspace, "commit", "--quiet", "--message", "first")
    return job


def test_a_clean_edit_passes(job: Job) -> None:
    (job.workspace / "planner.rs").write_text(GOOD + "// a remark\n")
    assert job.run() == 0
    assert "planner.rs: holds" in job.told
    assert "prefill-gate check: holds" in job.summary.read_text()


def test_a_bad_edit_fails_at_its_line(job: Job) -> None:
    (job.workspace / "planner.rs").write_text(LONGER)
    line = LONGER[: LONGER.index("return proposed + 1")].count("\n") + 1
    assert job.run() == 1
    assert f"::error file=planner.rs,line={line},endLine={line},title=chunk-length::" in job.told
    assert (job.temporary / "prefill-gate.sarif").exists()


def test_a_change_of_policy_fails_until_it_is_waived(job: Job, tmp_path: Path) -> None:
    (job.workspace / "planner.rs").write_text(ANY_LENGTH)
    assert job.run() == 1
    with (job.workspace / "prefill-gate.toml").open("a") as config:
        config.write('[properties]\nchunk-wy4 = { level = "off", reason = "any length is fine" }\n')
    again = made(tmp_path)
    assert again.run() == 0
    assert "any length is fine" in again.summary.read_text()


def test_an_unrelated_edit_uploads_and_comments_nothing(tmp_path: Path) -> None:
    job = made(tmp_path, comment="true")
    (job.workspace / "README.md").write_text("words\n")
    assert job.run() == 0
    assert "nothing that is checked has changed since HEAD" in job.told
    assert not job.comments.exists()
    assert not (job.temporary / "prefill-gate.sarif").exists()


def test_the_report_becomes_a_comment(tmp_path: Path) -> None:
    job = made(tmp_path, comment="true")
    (job.workspace / "planner.rs").write_text(LONGER)
    assert job.run() == 1
    assert job.comments.read_text().startswith("pr comment 7 --edit-last")
    assert "From BASE" in (job.temporary / "prefill-gate.md").read_text()


def test_what_cannot_be_read_fails(job: Job) -> None:
    (job.workspace / "planner.rs").write_text("fn plan_chunk_len(")
    assert job.run() == 2
    assert "::error file=planner.rs,line=1" in job.told


def test_another_source_is_not_served_from_the_cache(job: Job, tmp_path: Path) -> None:
    keys = []
    for line in ("", "# a remark\n"):
        source = tmp_path / "source"
        (source / "gate" / "prefill_gate").mkdir(parents=True, exist_ok=True)
        (source / "pyproject.toml").write_text("[project]\n")
        (source / "gate" / "prefill_gate" / "main.py").write_text(line)
        job.place(source)
        assert job.run() == 0
        keys.append(job.key())
    assert keys[0] != keys[1]
    assert "steps" not in keys[0]


def test_an_input_is_no_shell(tmp_path: Path) -> None:
    job = made(tmp_path, planner="$(touch made).rs", config="; touch made")
    assert job.run() == 2
    assert not (job.workspace / "made").exists()


def test_no_step_puts_an_expression_into_its_script() -> None:
    assert [step for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


# pre-commit


class Hook(NamedTuple):
    """A repository whose commits pre-commit checks."""

    folder: Path

    def run(self) -> subprocess.CompletedProcess[str]:
        git(self.folder, "add", ".")
        program = [sys.executable, "-m", "pre_commit", "run", "--color", "never"]
        return subprocess.run(program, cwd=self.folder, capture_output=True, text=True, check=False)


@pytest.fixture
def hook(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hook:
    """Return a repository with the hook, which finds the command here instead of installing it."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    (described,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    local = {"repo": "local", "hooks": [described | {"language": "system"}]}
    (job.workspace / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [local]}))
    installed = tmp_path / "temporary" / "prefill-gate" / "bin"
    monkeypatch.setenv("PATH", f"{installed}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    return Hook(job.workspace)


def test_the_hook_is_described_as_pre_commit_wants_it() -> None:
    manifest = ROOT / ".pre-commit-hooks.yaml"
    program = [sys.executable, "-m", "pre_commit", "validate-manifest", str(manifest)]
    assert subprocess.run(program, check=False).returncode == 0


def test_the_hook_lets_a_clean_commit_pass(hook: Hook) -> None:
    (hook.folder / "planner.rs").write_text(GOOD + "// a remark\n")
    done = hook.run()
    assert done.returncode == 0
    assert "Passed" in done.stdout


def test_the_hook_stops_a_bad_commit(hook: Hook) -> None:
    (hook.folder / "planner.rs").write_text(LONGER)
    done = hook.run()
    assert done.returncode == 1
    assert "refuted: chunk-length" in done.stdout


def test_the_hook_is_not_run_for_other_files(hook: Hook) -> None:
    hook.run()
    git(hook.folder, "commit", "--quiet", "--message", "second")
    (hook.folder / "README.md").write_text("words\n")
    assert "Skipped" in hook.run().stdout
