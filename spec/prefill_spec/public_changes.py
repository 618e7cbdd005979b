"""Planner changes of public engines: what broke before each, and what is left after it.

``examples`` has each of them before and after, in our own words and code. The tests evaluate the
rules on their small calls, and prove them, and find what stands here.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PublicChange:
    """A planner change, with the ids of the properties refuted ``before`` and ``after`` it.

    ``broke`` says what went wrong before, ``holes`` what the change leaves, and ``source`` is its
    address. The folder in ``examples`` has its id as a name.
    """

    id: str
    source: str
    broke: str
    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    holes: str = ""

    @property
    def mended(self) -> tuple[str, ...]:
        """The ids of the properties that the change mends."""
        return tuple(name for name in self.before if name not in self.after)


PUBLIC_CHANGES: tuple[PublicChange, ...] = (
    PublicChange(
        id="vllm_30877",
        source="https://github.com/vllm-project/vllm/pull/30877",
        broke="A chunk ended wherever the budget did: state from inside a block, which nothing can "
        "store.",
        before=("chunk-split-stop", "chunk-grid", "chunk-block-end", "chunk-stop"),
        after=("chunk-length", "chunk-grid", "chunk-block-end"),
        holes="A proposal below one block gives 0, and with a draft model the block before the end "
        "is cut anywhere.",
    ),
    PublicChange(
        id="vllm_33706",
        source="https://github.com/vllm-project/vllm/pull/33706",
        broke="A preempted request that had output already was computed again in chunks off the "
        "grid.",
        before=("chunk-length", "chunk-split-stop", "chunk-grid", "chunk-block-end", "chunk-stop"),
        after=("chunk-length",),
        holes="A proposal below one block still gives 0.",
    ),
    PublicChange(
        id="vllm_40757",
        source="https://github.com/vllm-project/vllm/pull/40757",
        broke="A proposal below one block gave 0, and the same proposal came again for ever.",
        before=("chunk-length", "chunk-grid", "chunk-block-end"),
        after=("chunk-grid", "chunk-block-end"),
        holes="It floors the length, not the end: a request that is off the grid once stays off "
        "it.",
    ),
    PublicChange(
        id="vllm_50000",
        source="https://github.com/vllm-project/vllm/pull/50000",
        broke="Blocks larger than any step's tokens were waited for, in vain.",
        before=("chunk-progress", "chunk-aligned"),
        after=("chunk-aligned",),
        holes="Past the last whole block a chunk that is not the last ends anywhere.",
    ),
    PublicChange(
        id="vllm_51113",
        source="https://github.com/vllm-project/vllm/pull/51113",
        broke="With a draft model the last block was cut anywhere, and its state was found under "
        "the block's key.",
        before=("chunk-grid", "chunk-block-end", "chunk-aligned"),
    ),
    PublicChange(
        id="vllm_50409",
        source="https://github.com/vllm-project/vllm/pull/50409",
        broke="A prompt of whole blocks left its only state at its end, which no lookup reaches.",
        before=("chunk-stop", "chunk-aligned"),
        after=("chunk-aligned",),
        holes="Past the last whole block a chunk that is not the last ends anywhere.",
    ),
    PublicChange(
        id="vllm_54076",
        source="https://github.com/vllm-project/vllm/pull/54076",
        broke="Chunks ended on the smallest block of all groups, where the group of the states "
        "keeps none.",
        before=(
            "chunk-split-stop",
            "chunk-grid",
            "chunk-block-end",
            "chunk-stop",
            "chunk-rest",
            "chunk-aligned",
        ),
    ),
    PublicChange(
        id="sglang_30882",
        source="https://github.com/sgl-project/sglang/pull/30882",
        broke="The state of a prompt of whole chunks was kept at its end, which no lookup reaches.",
        before=("depth-reachable",),
        after=("depth-past-prefix", "depth-grid"),
        holes="A prompt that ends one chunk past its prefix keeps the prefix again, or token 0.",
    ),
    PublicChange(
        id="sglang_39115",
        source="https://github.com/sgl-project/sglang/pull/39115",
        broke="The depth was counted in grid steps from the prefix, so that no lookup on the grid "
        "found it.",
        before=("depth-grid", "depth-reachable", "depth-existence"),
        after=("depth-reachable", "depth-existence"),
        holes="By itself the rule may keep the end of the prompt, and keeps nothing where the "
        "kernel's chunks miss the grid.",
    ),
    PublicChange(
        id="trt_16427",
        source="https://github.com/NVIDIA/TensorRT-LLM/pull/16427",
        broke="A forced chunk was one unit long from anywhere, and ran over the points of the "
        "snapshots.",
        before=("chunk-stop",),
    ),
    PublicChange(
        id="megatron_5952",
        source="https://github.com/NVIDIA/Megatron-LM/pull/5952",
        broke="A partial chunk ended inside a block, where no state is kept.",
        before=("chunk-grid", "chunk-block-end"),
    ),
    PublicChange(
        id="tokenspeed_804",
        source="https://github.com/lightseekorg/tokenspeed/pull/804",
        broke="A chunk ended wherever the budget did, and ran over the promotion point.",
        before=("chunk-split-stop", "chunk-grid", "chunk-block-end", "chunk-stop", "chunk-aligned"),
    ),
    PublicChange(
        id="tokenspeed_1173",
        source="https://github.com/lightseekorg/tokenspeed/pull/1173",
        broke="The rest of a request went in one piece past its last page, and left no state "
        "there.",
        before=("chunk-stop",),
    ),
    PublicChange(
        id="atom_1771",
        source="https://github.com/ROCm/ATOM/pull/1771",
        broke="The end of a batch was filled with a sliver of a prompt, which left it off the "
        "grid.",
        before=("chunk-grid", "chunk-block-end", "chunk-aligned"),
    ),
    PublicChange(
        id="metrale_plan",
        source=""
        "https://github.com/Metrale/metrale-inference/blob/main/crates/model-engine/src/prefill_plan.rs",
        broke="Only the last chunk was split, and a middle one ran over the split point.",
        before=("chunk-split-stop", "chunk-grid", "chunk-block-end", "chunk-wy4"),
    ),
    PublicChange(
        id="metrale_min_tail",
        source=""
        "https://github.com/Metrale/metrale-inference/blob/main/crates/model-engine/src/prefill_plan.rs",
        broke="The last pass had a few rows only, and its answer was wrong.",
        before=("split-existence", "split-tail"),
    ),
)
"""The changes, in the order of the README."""
