"""The policy that a command line means: a name, or a planner file."""

from difflib import get_close_matches

from prefill_gate.errors import UsageError
from prefill_reference.policies import POLICIES, Policy


def policy_named(name: str) -> Policy:
    """Return a policy by name, or raise ``UsageError`` when there is none."""
    if name not in POLICIES:
        close = get_close_matches(name, POLICIES, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(POLICIES)}"
        raise UsageError(f"there is no policy {name!r}; {hint}")
    return POLICIES[name]


def load_policy(path: str) -> Policy:
    """Return the policy of a planner file, or raise ``UsageError`` when it cannot be read."""
    raise UsageError(f"{path}: planner files cannot be run; name a policy instead")


def policy_or_planner(text: str) -> Policy:
    """Return the policy that a name or a planner file means: a file has a suffix or a folder."""
    is_file = "/" in text or text.endswith((".rs", ".py"))
    return load_policy(text) if is_file else policy_named(text)
