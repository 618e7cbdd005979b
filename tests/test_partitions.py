"""Trees sort every signature into exactly one region, and as few regions as it takes."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from prefill_proofs.partitions import (
    MIXED,
    Seen,
    Signature,
    gaps,
    is_within,
    regions,
    shortest_tree,
    whole,
)

SIZES = (2, 3, 2)
SIGNATURES = list(product(*map(range, SIZES)))

seen = st.dictionaries(
    st.sampled_from(SIGNATURES),
    st.builds(Seen, st.sampled_from(["nowhere", "everywhere", MIXED]), st.integers(1, 9)),
    min_size=1,
)


@given(seen)
def test_every_signature_is_in_one_region_or_gap(table: dict[Signature, Seen]) -> None:
    tree = shortest_tree(table, SIZES)
    found = list(regions(tree, whole(SIZES)))
    missing = list(gaps(tree, whole(SIZES)))
    for signature in SIGNATURES:
        inside = [label for region, label in found if is_within(signature, region)]
        outside = [region for region in missing if is_within(signature, region)]
        assert len(inside) + len(outside) == 1
        if signature in table:
            assert inside[0] in (table[signature].label, MIXED)


def sorted_by(rule) -> dict[Signature, Seen]:
    return {signature: Seen(rule(signature), 1) for signature in SIGNATURES}


def test_an_axis_that_does_not_matter_is_left_out() -> None:
    table = sorted_by(lambda signature: "everywhere" if signature[1] == 2 else "nowhere")
    found = dict(regions(shortest_tree(table, SIZES), whole(SIZES)))
    assert found == {
        (frozenset({0, 1}), frozenset({0, 1}), frozenset({0, 1})): "nowhere",
        (frozenset({0, 1}), frozenset({2}), frozenset({0, 1})): "everywhere",
    }


def test_siblings_that_come_to_the_same_are_one() -> None:
    table = sorted_by(
        lambda signature: "everywhere" if signature[1] < 2 and signature[2] else "nowhere"
    )
    assert len(list(regions(shortest_tree(table, SIZES), whole(SIZES)))) == 3


def test_what_is_alike_is_one_region() -> None:
    table = sorted_by(lambda _signature: "nowhere")
    assert list(regions(shortest_tree(table, SIZES), whole(SIZES))) == [(whole(SIZES), "nowhere")]


def test_a_rare_signature_is_not_worth_a_region_of_its_own() -> None:
    table = sorted_by(lambda _signature: MIXED)
    table[0, 0, 0] = Seen("nowhere", 1)
    table = {signature: entry._replace(weight=100) for signature, entry in table.items()}
    table[0, 0, 0] = Seen("nowhere", 1)
    assert list(regions(shortest_tree(table, SIZES), whole(SIZES))) == [(whole(SIZES), MIXED)]
