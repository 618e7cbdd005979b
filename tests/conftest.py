import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from command_line import Shell

# Whatever terminal runs the tests, text is laid out for one width.
os.environ["COLUMNS"] = "110"
# A check appends to the summary of the job that it runs in: not to that of the tests.
os.environ.pop("GITHUB_STEP_SUMMARY", None)

settings.register_profile(
    "suite",
    deadline=None,
    derandomize="CI" in os.environ,
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shared",
        type=Path,
        default=Path(__file__).parents[2] / "shared",
        metavar="DIR",
        help="a folder with public planner data; tests that need it are skipped without it",
    )
    parser.addoption(
        "--explore-tokens",
        type=int,
        default=48,
        metavar="N",
        help="explore every run of every prompt up to N tokens (default 48; the time grows as N^4)",
    )
    parser.addoption(
        "--many",
        action="store_true",
        help="run what takes long, too: 100,000 inputs beside each compiled Rust planner, all "
        "small ones, 20,000 statements about planners over small words",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what takes long and resembles other tests, unless much is asked for."""
    if config.getoption("--many"):
        return
    for item in items:
        if item.get_closest_marker("many"):
            item.add_marker(pytest.mark.skip(reason="takes long; run with --many"))


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.config.getoption("--shared")
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}; name one with --shared DIR")
    return folder


@pytest.fixture(scope="session")
def explore_tokens(request: pytest.FixtureRequest) -> int:
    tokens: int = request.config.getoption("--explore-tokens")
    return tokens


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)
