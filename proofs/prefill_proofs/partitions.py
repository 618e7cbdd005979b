"""The shortest way to sort labelled calls by their cells.

A *signature* says in which cell of each axis a call is. A *region* allows some cells of each axis.
A tree splits the whole into regions, one axis at a time; siblings that come to the same are one
region. A region of mixed labels is short, and says little of its signatures that are not mixed. The
tree with the best of both is found by going through all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Signature: TypeAlias = tuple[int, ...]
Region: TypeAlias = tuple[frozenset[int], ...]


MIXED = "sometimes"
"""The label of a region, or of a signature, that has calls of both kinds."""

LINE_WORTH = 0.03
"""A further region has to tell this share of all calls apart."""


class Seen(NamedTuple):
    """What is known of a signature: its label, and how many calls it stands for."""

    label: str
    weight: int


class Leaf(NamedTuple):
    """A region with one label."""

    label: str


class Split(NamedTuple):
    """Groups of cells of one axis, each with what becomes of it."""

    axis: int
    groups: tuple[tuple[frozenset[int], Tree], ...]


Tree: TypeAlias = Leaf | Split


def whole(sizes: Sequence[int]) -> Region:
    """Return the region of every call, for axes of some numbers of cells."""
    return tuple(frozenset(range(size)) for size in sizes)


def is_within(signature: Signature, region: Region) -> bool:
    """Return whether a call of a signature is in a region."""
    return all(cell in allowed for cell, allowed in zip(signature, region, strict=True))


def restricted(region: Region, axis: int, cells: frozenset[int]) -> Region:
    """Return a region with the cells of one axis replaced."""
    return (*region[:axis], cells, *region[axis + 1 :])


def shortest_tree(seen: Mapping[Signature, Seen], sizes: Sequence[int]) -> Tree:
    """Return the tree with the fewest regions, and with the fewest conditions among those."""
    return _Builder(seen, sizes).build((1 << len(seen)) - 1)[1]


def regions(tree: Tree, region: Region) -> Iterator[tuple[Region, str]]:
    """Yield the regions of a tree that splits ``region``, each with its label."""
    if isinstance(tree, Leaf):
        yield region, tree.label
        return
    for cells, below in tree.groups:
        yield from regions(below, restricted(region, tree.axis, cells))


def gaps(tree: Tree, region: Region) -> Iterator[Region]:
    """Yield the regions that a tree says nothing of: no signature is in them."""
    if isinstance(tree, Leaf):
        return
    seen = frozenset[int]().union(*(cells for cells, _ in tree.groups))
    for cell in sorted(region[tree.axis] - seen):
        yield restricted(region, tree.axis, frozenset({cell}))
    for cells, below in tree.groups:
        yield from gaps(below, restricted(region, tree.axis, cells))


Cost: TypeAlias = tuple[float, int]
"""The regions of a tree and what they leave mixed up, then its conditions."""


class _Builder:
    """Builds trees over sets of signatures, each set a number with a bit for each."""

    def __init__(self, seen: Mapping[Signature, Seen], sizes: Sequence[int]) -> None:
        self.labels: dict[str, int] = {}
        self.weights = [entry.weight for entry in seen.values()]
        self.line = LINE_WORTH * sum(self.weights)
        self.cells = [[0] * size for size in sizes]
        for index, (signature, entry) in enumerate(seen.items()):
            bit = 1 << index
            self.labels[entry.label] = self.labels.get(entry.label, 0) | bit
            for cells, cell in zip(self.cells, signature, strict=True):
                cells[cell] |= bit
        self.found: dict[int, tuple[Cost, int, Tree]] = {}

    def build(self, members: int) -> tuple[int, Tree]:
        """Return the best tree, and its number of regions."""
        _, count, tree = self._best(members)
        return count, tree

    def _best(self, members: int) -> tuple[Cost, int, Tree]:
        if members not in self.found:
            self.found[members] = self._build(members)
        return self.found[members]

    def _build(self, members: int) -> tuple[Cost, int, Tree]:
        for label, holders in self.labels.items():
            if members & ~holders == 0:
                return (1, 0), 1, Leaf(label)
        plain = members & ~self.labels.get(MIXED, 0)
        best: tuple[Cost, int, Tree] = (1 + self._weight(plain) / self.line, 0), 1, Leaf(MIXED)
        if best[0][0] <= 2:
            # Any other tree has two regions or more.
            return best
        for axis, cells in enumerate(self.cells):
            parts = [(cell, members & holders) for cell, holders in enumerate(cells)]
            parts = [(cell, part) for cell, part in parts if part]
            if len(parts) < 2:
                continue
            groups: dict[Tree, frozenset[int]] = {}
            count = conditions = 0
            worth = 0.0
            for cell, part in parts:
                (below_worth, below_conditions), below_count, below = self._best(part)
                if below not in groups:
                    worth += below_worth
                    count += below_count
                    conditions += below_conditions + below_count
                elif below_worth > below_count:
                    worth += below_worth - below_count
                groups[below] = groups.get(below, frozenset()) | {cell}
                if worth > best[0][0]:
                    break
            else:
                if len(groups) == 1:
                    continue
                if (worth, conditions) < best[0]:
                    split = tuple((allowed, tree) for tree, allowed in groups.items())
                    best = (worth, conditions), count, Split(axis, split)
        return best

    def _weight(self, members: int) -> int:
        total = 0
        while members:
            lowest = members & -members
            total += self.weights[lowest.bit_length() - 1]
            members ^= lowest
        return total
