"""The properties of ``snapshot_depth``, for engines that choose a snapshot's depth by itself."""

from prefill_spec.calls import DepthCall
from prefill_spec.properties import Claim, Property, no_fault_of
from prefill_spec.vocabulary import Option, Term, all_of, divides, floor_to, last_block_boundary


def _depth_past_prefix(call: DepthCall, depth: Option[Term]) -> Claim:
    return Claim(depth.present, depth.value > call.prefix)


def _depth_computed(call: DepthCall, depth: Option[Term]) -> Claim:
    return Claim(depth.present, depth.value <= call.prefix + call.length)


def _depth_grid(call: DepthCall, depth: Option[Term]) -> Claim:
    return Claim(
        all_of(depth.present, call.block_size.value > 0),
        all_of(depth.value > 0, divides(call.block_size.value, depth.value)),
    )


def _depth_reachable(call: DepthCall, depth: Option[Term]) -> Claim:
    return Claim(depth.present, depth.value <= call.total - 1)


def _depth_existence(call: DepthCall, depth: Option[Term]) -> Claim:
    block_size = call.block_size.value
    return Claim(
        all_of(
            block_size > 0,
            floor_to(call.prefix + call.length, block_size) > call.prefix,
            last_block_boundary(call.total, block_size) > call.prefix,
        ),
        depth.present,
    )


DEPTH_PROPERTIES: tuple[Property, ...] = (
    no_fault_of("snapshot_depth"),
    Property(
        "depth-past-prefix",
        "snapshot_depth",
        "deny",
        "a snapshot is kept past the restored prefix",
        "At the prefix there is one already, and the second takes the place of one that helps.",
        _depth_past_prefix,
    ),
    Property(
        "depth-computed",
        "snapshot_depth",
        "deny",
        "a snapshot is kept at or before the last token that was computed",
        "State of tokens that nobody has computed is garbage under a valid key.",
        _depth_computed,
    ),
    Property(
        "depth-grid",
        "snapshot_depth",
        "deny",
        "with a positive block size, a snapshot is kept at a positive multiple of it",
        "A depth floored from the prefix instead of from token 0 is on no boundary, and no lookup "
        "ever asks for it (https://github.com/sgl-project/sglang/pull/39115).",
        _depth_grid,
    ),
    Property(
        "depth-reachable",
        "snapshot_depth",
        "deny",
        "a snapshot is kept before the last token of the prompt",
        "The lookup of a byte-identical request stops one token before the end: a prompt that is a "
        "whole number of blocks reused nothing "
        "(https://github.com/sgl-project/sglang/pull/30882).",
        _depth_reachable,
    ),
    Property(
        "depth-existence",
        "snapshot_depth",
        "warn",
        "a snapshot is kept where a block boundary lies past the prefix, at or before the last "
        "computed token, and before the end of the prompt",
        "All that was computed past the prefix is computed again by the next request "
        "(https://github.com/sgl-project/sglang/pull/30882). It only warns, for a kernel that "
        "keeps states in steps of its own may have none at a block boundary.",
        _depth_existence,
    ),
)
"""The properties of the role, in the order of reports."""
