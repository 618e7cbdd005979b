"""A solver that gives up on every query."""

from typing import Any

import pytest

from prefill_proofs.solver import Decision, Solver


def tire_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(*_: Any, **__: Any) -> Decision:
        return Decision("unknown", 0.0, reason="timeout")

    monkeypatch.setattr(Solver, "decide", decide)
