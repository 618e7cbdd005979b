"""Deciding the properties of one role of a planner file, as its configuration asks for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prefill_proofs.prover import ContradictionError, Verdict, prove
from prefill_proofs.refusals import SourceError
from prefill_proofs.role_config import RoleConfig
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.vacuity import silenced, silencer
from prefill_spec.properties import Property

UNHEARD = "not known whether what the configuration assumes leaves it a call; it may take more time"
"""Why a property is undecided that holds of every call that there is, if there is one."""


class Decided(NamedTuple):
    """A verdict, and what it is of: all calls, or those outside the region that is excepted.

    A waiver is needless where the property holds in its region, too.
    """

    subject: SourceSubject
    verdict: Verdict
    region: str | None = None
    is_needless: bool = False


@dataclass
class Decisions:
    """What was decided of a role, by property id, and what cannot be: nothing is left to prove."""

    by_id: dict[str, Decided] = field(default_factory=dict)
    errors: list[SourceError] = field(default_factory=list)


def decide_role(
    subject: SourceSubject, wanted: Sequence[Property], said: RoleConfig, timeout: float
) -> Decisions:
    """Decide properties of a role, each in ``timeout`` seconds.

    A property that is excepted in a region is asked of all calls first, and where it fails there,
    of those outside the region.
    """
    try:
        verdicts = prove(subject, wanted, timeout=timeout)
    except ContradictionError:
        place = said.place_of(next(iter(said.assume), ""))
        message = "contradict each other: no call is left to prove anything of"
        return Decisions(errors=[SourceError(place, f"assumptions of {subject.role}", message)])
    except SourceError as error:
        return Decisions(errors=[error])
    found = Decisions()
    whole: list[Property] = []
    for verdict in verdicts:
        entry, region = verdict.property, subject.regions.get(verdict.property.id)
        if region is None or verdict.verdict == "proved":
            is_needless = region is not None
            found.by_id[entry.id] = Decided(subject, verdict, is_needless=is_needless)
            whole += [entry] if verdict.verdict == "proved" else []
            continue
        outside = subject.outside(entry.id)
        try:
            (again,) = prove(outside, [entry], timeout=timeout)
        except ContradictionError:
            found.errors.append(_emptied(said, region.name, entry))
            continue
        found.by_id[entry.id] = Decided(outside, again, region.name)
        if again.verdict == "proved":
            _remove(found, outside, [entry], said, timeout)
    _remove(found, subject, whole, said, timeout)
    return found


def _remove(
    found: Decisions,
    subject: SourceSubject,
    proved: Sequence[Property],
    said: RoleConfig,
    timeout: float,
) -> None:
    """Take out what was proved of nothing: the configuration leaves no call to speak of.

    Where that is not known, neither is it known that anything was proved.
    """
    silence = silenced(subject, proved, timeout)
    for entry in silence.unknown:
        was = found.by_id[entry.id]
        verdict = was.verdict._replace(verdict="inconclusive", reason=UNHEARD)
        found.by_id[entry.id] = was._replace(verdict=verdict, is_needless=False)
    for entry in silence.silent:
        del found.by_id[entry.id]
        found.errors.append(_emptied(said, silencer(subject, entry), entry))


def _emptied(said: RoleConfig, text: str, entry: Property) -> SourceError:
    waiver = f'{entry.id} = {{ level = "off", reason = "why" }}'
    message = f"leave {entry.id} nothing to say; mend them, or waive it: {waiver}"
    return SourceError(said.place_of(text), f"assumptions of {entry.role}", message)


def needless_waivers(decisions: Sequence[Decided]) -> Iterator[str]:
    """Yield a warning for each excepted region in which the property holds as well."""
    for found in decisions:
        if found.is_needless:
            entry = found.verdict.property
            region = found.subject.regions[entry.id].name
            where = f"{found.subject.function}: {entry.id} holds where {region}, too"
            yield f"{where}; its except waives nothing, remove it"
