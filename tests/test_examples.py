"""Planner changes of public engines: what broke before each, and what is left after it.

The verdicts are found here without the prover: a planner is imported and called on all small
inputs, its configuration's expressions are evaluated as Python, and the rules are run on ints.
"""

import importlib.util
import inspect
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from command_line import Shell
from prefill_gate.config import Config, find_config
from prefill_proofs.subjects import is_scheduled
from prefill_spec.calls import CALLS, OPTIONAL_ANSWERS, OPTIONAL_FIELDS, Call, parameters
from prefill_spec.properties import Outcome
from prefill_spec.public_changes import PUBLIC_CHANGES, PublicChange
from prefill_spec.table import every_property_of
from prefill_spec.vocabulary import option_of

EXAMPLES = Path(__file__).parents[1] / "examples"

EITHER = (False, True)
VLLM = {
    "request.num_computed_tokens": range(11),
    "num_new_tokens": (*range(11), 12),
    "self.cache_config.block_size": (1, 3, 4, 8),
    "self.cache_config.uses_draft_model": (False,),
    "request.num_prompt_tokens": (*range(13), 24),
}
WITHOUT_OUTPUT = VLLM | {"request.num_tokens": "request.num_prompt_tokens"}
LIMITED = WITHOUT_OUTPUT | {
    "self.scheduler_config.max_step_tokens": (2, 12),
    "self.scheduler_config.long_prefill_threshold": (0, 3),
}
PAGES = {
    "request.first_token": range(10),
    "request.unscheduled_tokens": range(10),
    "request.promotion_token": range(10),
    "budget": range(8),
    "page_size": (1, 3, 4),
}

GRIDS: dict[str, dict[str, Any]] = {
    "vllm_30877": VLLM
    | {"self.cache_config.uses_draft_model": EITHER, "request.num_output_tokens": (0, 1)},
    "vllm_33706": VLLM | {"request.num_tokens": (*range(13), 24)},
    "vllm_40757": VLLM | {"request.num_tokens": (*range(13), 24)},
    "vllm_50000": LIMITED,
    "vllm_51113": LIMITED
    | {
        "self.cache_config.block_size": (3, 4),
        "self.cache_config.uses_draft_model": EITHER,
        "self.cache_config.hash_block_size": (1, 2),
        "self.cache_config.caches_partial_blocks": EITHER,
    },
    "vllm_50409": WITHOUT_OUTPUT,
    "vllm_54076": {
        "request.num_computed_tokens": range(11),
        "request.num_prompt_tokens": range(13),
        "num_new_tokens": range(11),
        "self.groups.state_block": (1, 3, 4),
        "self.groups.full_attention_block": (1, 2, 5),
        "self.groups.sliding_window_block": (2, 4),
    },
    "sglang_30882": {
        "req.prefix_len": range(9),
        "req.extend_len": range(9),
        "req.prompt_len": range(12),
        "chunk_size": (1, 2, 3),
    },
    "sglang_39115": {
        "req.prefix_len": range(9),
        "req.extend_len": range(9),
        "req.prompt_len": range(12),
        "self.cache.snapshot_grid": (1, 2, 4),
        "self.chunk_size": (1, 2, 3),
    },
    "trt_16427": {
        "request.position": range(10),
        "request.prompt_len": range(10),
        "unit": (1, 3, 4),
        "request.first_point": (0, 2, 4),
        "request.second_point": (0, 3, 8),
        "request.third_point": (0, 5, 11),
    },
    "megatron_5952": {
        "request.finished_tokens": range(10),
        "request.remaining_tokens": range(10),
        "budget": range(10),
        "block_size": (1, 3, 4),
        "skipped": (0,),
    },
    "tokenspeed_804": PAGES,
    "tokenspeed_1173": PAGES,
    "atom_1771": {
        "seq.num_computed": range(11),
        "seq.num_tokens": range(16),
        "tokens_left": range(11),
        "batch_has_work": EITHER,
        "self.block_size": (1, 2, 3, 4, 6),
        "self.smallest_step": (1, 4),
    },
    "metrale_plan": {
        "offset": range(13),
        "total": range(14),
        "proposed": range(14),
        "block_size": (0, 1, 3, 4),
        "split": (None, 4, 5, 8),
    },
    "metrale_min_tail": {
        "total": range(40),
        "block_size": range(7),
        "min_tail": range(14),
    },
}
"""Small values for each input of an example, or the input that it is the same as."""


def module_of(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_of(expression: str) -> CodeType:
    return compile(f"({expression})", expression, "eval")


class Planner:
    """One role of an example's planner, called as Python."""

    def __init__(self, path: Path, config: Config) -> None:
        ((self.role, given),) = config.planner.roles.items()
        self.module = module_of(path)
        name = given.function or CALLS[self.role].usual_name
        classes = [value for value in vars(self.module).values() if isinstance(value, type)]
        self.owner = next((owner for owner in classes if hasattr(owner, name)), None)
        self.function = getattr(self.owner or self.module, name)
        self.names = list(inspect.signature(self.function).parameters)
        by_name = {
            field: field if field in self.names else "None" for field in parameters(self.role)
        }
        self.fields = {field: code_of(text) for field, text in (by_name | {**given.fields}).items()}
        self.stops = [code_of(text) for text in given.stops]
        self.assume = [code_of(text) for text in given.assume]

    def arguments(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of the function from its dotted inputs."""
        found: dict[str, Any] = {}
        if self.owner is not None:
            found["self"] = self.owner()
        for name, value in inputs.items():
            first, *rest = name.split(".")
            if not rest:
                found[first] = value
                continue
            holder = found.setdefault(first, SimpleNamespace())
            for part in rest[:-1]:
                if not hasattr(holder, part):
                    setattr(holder, part, SimpleNamespace())
                holder = getattr(holder, part)
            setattr(holder, rest[-1], value)
        return found

    def call(self, arguments: dict[str, Any]) -> Call | None:
        """Return the call that the arguments make, ``None`` where it is none of the domain."""

        def value(code: Any) -> Any:
            return eval(code, vars(self.module), arguments)

        try:
            if not all(value(code) for code in self.assume):
                return None
            fields = {name: value(code) for name, code in self.fields.items()}
            stops = tuple(option_of(value(code)) for code in self.stops)
        except ZeroDivisionError:
            return None
        for name in OPTIONAL_FIELDS & fields.keys():
            fields[name] = option_of(fields[name])
        if stops:
            fields["stops"] = stops
        call = CALLS[self.role](**fields)
        return call if is_scheduled(call) is True else None

    def outcome(self, arguments: dict[str, Any]) -> Outcome:
        """Return what the function does; an exception is a fault."""
        try:
            answer = self.function(**{name: arguments[name] for name in self.names})
        except (ArithmeticError, TypeError, ValueError):
            return Outcome(True, None)
        return Outcome(False, option_of(answer) if self.role in OPTIONAL_ANSWERS else answer)

    def outcomes(self, grid: dict[str, Any]) -> Iterator[tuple[Call, Outcome]]:
        """Yield every scheduled call of some inputs, with what came of it."""
        free = {name: values for name, values in grid.items() if not isinstance(values, str)}
        same = {name: values for name, values in grid.items() if isinstance(values, str)}
        for values in product(*free.values()):
            inputs = dict(zip(free, values, strict=True))
            inputs |= {name: inputs[other] for name, other in same.items()}
            arguments = self.arguments(inputs)
            call = self.call(arguments)
            if call is not None:
                yield call, self.outcome(arguments)


@cache
def found_in(name: str, side: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the properties that speak of a planner's small calls, and those that it breaks."""
    folder = EXAMPLES / name
    config = find_config(str(folder / "prefill-gate.toml"), folder / f"{side}.py")
    planner = Planner(folder / f"{side}.py", config)
    asked = [
        entry
        for entry in every_property_of(planner.role)
        if entry.id in config.ids and config.level_of(entry.id) != "off"
    ]
    spoken, refuted = set(), set()
    for call, outcome in planner.outcomes(GRIDS[name]):
        for entry in asked:
            claim = entry.claim(call, outcome)
            if claim.when is True:
                spoken.add(entry.id)
                if claim.then is False:
                    refuted.add(entry.id)
    return frozenset(spoken), frozenset(refuted)


each_example = pytest.mark.parametrize("example", PUBLIC_CHANGES, ids=lambda example: example.id)
each_side = pytest.mark.parametrize("side", ["before", "after"])


def each_example_but(*slow: str) -> pytest.MarkDecorator:
    """Run a test with each example, with the slow ones only where much is asked for."""
    return pytest.mark.parametrize(
        "example",
        [
            pytest.param(
                example,
                id=example.id,
                marks=[pytest.mark.many] * example.id.startswith(slow),
            )
            for example in PUBLIC_CHANGES
        ],
    )


def test_every_example_is_in_the_table() -> None:
    folders = sorted(path.parent.name for path in EXAMPLES.glob("*/before.py"))
    assert sorted(example.id for example in PUBLIC_CHANGES) == folders == sorted(GRIDS)


@each_example
@each_side
def test_the_rules_refute_on_small_numbers_what_the_table_says(
    example: PublicChange, side: str
) -> None:
    _, refuted = found_in(example.id, side)
    assert refuted == {*getattr(example, side)}


@each_example
def test_a_change_mends_something_and_names_what_it_leaves(example: PublicChange) -> None:
    mended = {*example.mended}
    spoken, _ = found_in(example.id, "after")
    assert mended
    assert mended <= spoken
    assert bool(example.after) == bool(example.holes)
    assert example.source.startswith("https://github.com/")


@each_example_but("tokenspeed_1173")
@each_side
def test_the_gate_finds_what_small_numbers_show(
    shell: Shell, example: PublicChange, side: str
) -> None:
    path = EXAMPLES / example.id / f"{side}.py"
    result = shell.run("check", str(path), "--format", "json")
    rows = result.json()["properties"]
    refuted = {row["id"] for row in rows if row["verdict"] == "refuted"}
    denied = {row["id"] for row in rows if row["level"] == "deny"}
    assert refuted == {*getattr(example, side)}
    assert result.code == bool(refuted & denied)
    assert "inconclusive" not in {row["verdict"] for row in rows}


@each_example_but("tokenspeed", "vllm")
def test_what_a_change_is_can_be_shown(shell: Shell, example: PublicChange) -> None:
    before, after = (str(EXAMPLES / example.id / f"{side}.py") for side in ("before", "after"))
    result = shell.run("diff", before, after, "--format", "json")
    assert result.code in (0, 3)
    assert result.json()["verdict"] == "differs"
