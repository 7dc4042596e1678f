"""Two states of one thing as a tree of differences, each of which can be taken back by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from proctor.tasks.inside.align import ItemPair, align, content, in_order
from proctor.tasks.inside.grid import Axis, address_of, is_grid, shift_between, without_references
from proctor.tasks.inside.runs import Rewritten, looks_kept

LABELS = ("name", "title", "subject", "summary", "path", "address", "key", "text", "url", "uid", "id")
"""Fields by which a person calls an item, the clearest first."""
MOST_LABEL = 60

Kind = Literal["added", "removed", "changed", "moved"]
Undone = Collection[int]
"""Differences that are taken back, by their numbers."""

State = Any
"""One state of a thing: plain data, or ABSENT."""
ABSENT: State = type("Absent", (), {"__repr__": lambda _: "ABSENT"})()
"""Stands for what is not there."""
CONTENT = ("kind", "value", "formula", "shown", "text", "runs", "lines", "legible", "unseen")
"""Fields that tell one thing in several ways, so that they differ together."""
RUNS = "runs"
"""That of them which has the looks of words, too."""
SIZE = ("width_mm", "height_mm", "orientation")
"""Others that do."""
STYLE = "style"
"""Where an item has another one, whatever else it looks like follows from that."""
DIGEST = "digest"
"""Where an item has another one, whatever else is told of it is measured on the same."""
DERIVED = ("balances", "derived", "noise", "unread")
"""Fields that are worked out from the others, or change by themselves."""
GUESTS = ("attendees", "reminders", "alarms", "attachments", "cc", "bcc", "tags", "categories")
"""Lists of a new item, of which each member may be there without being asked for."""
ORDERLESS = "uid"
"""Items that have one are kept in no order."""


class ItemName(str):
    """What an item of a list is called, where a place has names of fields otherwise."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PartChange:
    """One part that is not as it was."""

    number: int
    place: tuple[str, ...]
    """The way to it: names of fields and items."""
    kind: Kind
    before: object = ABSENT
    after: object = ABSENT
    passage: int = -1
    """Of lines: which differ together, as no line that stayed stands between them."""


@dataclass
class Merge:
    """Two states of one thing."""

    root: MergeNode
    differences: list[PartChange]

    def without(self, undone: Undone) -> State:
        """Return the later state with some differences taken back; with all of them, the earlier one."""
        return self.root.without(undone)


def merge(before: object, after: object) -> Merge:
    """Return two states as one tree of differences."""
    maker = _Maker()
    return Merge(maker.merge(before, after, ()), maker.differences)


class MergeNode(Protocol):
    """A part of both states."""

    def without(self, undone: Undone) -> State:
        """Return it with some differences taken back; ABSENT where it is then not there."""
        ...


@dataclass(frozen=True, slots=True)
class _Same:
    value: object

    def without(self, undone: Undone) -> State:
        return self.value


@dataclass(frozen=True, slots=True)
class _Either:
    """What is taken back as a whole."""

    number: int
    before: object
    after: object

    def without(self, undone: Undone) -> State:
        return self.before if self.number in undone else self.after


@dataclass(frozen=True, slots=True)
class _New:
    """An item that was not there, with members of its own that can be left out."""

    number: int
    item: MergeNode

    def without(self, undone: Undone) -> State:
        return ABSENT if self.number in undone else self.item.without(undone)


@dataclass(frozen=True, slots=True)
class _Fields:
    fields: Mapping[str, MergeNode]

    def without(self, undone: Undone) -> State:
        values = ((name, node.without(undone)) for name, node in self.fields.items())
        return {name: value for name, value in values if value is not ABSENT}


@dataclass(frozen=True, slots=True)
class _Together:
    """Fields of an item in groups, each of which differs as a whole."""

    groups: Sequence[MergeNode]

    def without(self, undone: Undone) -> State:
        return {name: value for group in self.groups for name, value in group.without(undone).items()}


@dataclass(frozen=True, slots=True)
class _Member:
    """An item of a list, with its place in both states."""

    node: MergeNode
    pair: ItemPair
    moved: int | None = None
    """The difference that it stands elsewhere."""


@dataclass(frozen=True, slots=True)
class _Members:
    members: Sequence[_Member]

    def without(self, undone: Undone) -> State:
        values = {id(each): each.node.without(undone) for each in self.members}
        there = [each for each in self.members if values[id(each)] is not ABSENT]
        back = [each for each in there if each.pair.after is None or each.moved in undone]
        stays = {id(each) for each in there} - {id(each) for each in back}
        line = sorted((each for each in there if id(each) in stays), key=lambda each: each.pair.after or 0)
        for each in sorted(back, key=lambda each: each.pair.before or 0):
            # Whatever stood before it and is there still.
            ahead = [at for at, other in enumerate(line) if _stood_before(other, each)]
            line.insert(ahead[-1] + 1 if ahead else 0, each)
        return [values[id(each)] for each in line]


@dataclass(frozen=True, slots=True)
class _Lines:
    members: _Members

    def without(self, undone: Undone) -> State:
        return "".join(self.members.without(undone))


@dataclass(frozen=True, slots=True)
class _Follows:
    """What a program works out from the rest: as it was only where all is as it was."""

    before: object
    after: object
    every: Sequence[PartChange]

    def without(self, undone: Undone) -> State:
        return self.before if self.every and all(each.number in undone for each in self.every) else self.after


@dataclass(frozen=True, slots=True)
class _Grid:
    """Cells by address, whose lines stand elsewhere."""

    axis: Axis
    members: _Members

    def without(self, undone: Undone) -> State:
        lines = enumerate(self.members.without(undone))
        return {address_of(self.axis, at, name): cell for at, line in lines for name, cell in line.items()}


def _stood_before(one: _Member, other: _Member) -> bool:
    return one.pair.before is not None and other.pair.before is not None and one.pair.before < other.pair.before


_States = Sequence[State]
_MakeNode = Callable[[State, State, ItemPair], tuple[MergeNode, tuple[str, ...]]]
"""Makes the node of one item of a list, and says where it stands."""


@dataclass
class _Maker:
    """Makes nodes, and lists every difference under its number."""

    differences: list[PartChange] = field(default_factory=list)

    def merge(self, before: State, after: State, place: tuple[str, ...]) -> MergeNode:
        """Return one node for both states of what lies at a place."""
        if before is not ABSENT and after is not ABSENT and _is_equal(before, after):
            return _Same(after)
        if place and place[-1] in DERIVED:
            return _Follows(before, after, self.differences)
        if isinstance(before, dict) and isinstance(after, dict):
            grid = all(is_grid(each) or not each for each in (before, after))
            return self._grid(before, after, place) if grid else self._item(before, after, place)
        if isinstance(before, list) and isinstance(after, list):
            return self._members(before, after, place)
        if isinstance(before, str) and isinstance(after, str) and "\n" in before.strip() + after.strip():
            return _Lines(self._lines(before.splitlines(True), after.splitlines(True), place))
        if before is ABSENT and isinstance(after, dict) and any(after.get(name) for name in GUESTS):
            return self._new(after, place)
        return self._either(before, after, place)

    def _new(self, item: dict[str, State], place: tuple[str, ...]) -> _New:
        number = self._note(place, "added", ABSENT, item)
        fields: dict[str, MergeNode] = {}
        for name, value in item.items():
            guests = name in GUESTS and isinstance(value, list)
            fields[name] = self._members([], value, (*place, name)) if guests else _Same(value)
        return _New(number, _Fields(fields))

    def _note(self, place: tuple[str, ...], kind: Kind, before: object, after: object) -> int:
        number = len(self.differences)
        self.differences.append(PartChange(number, place, kind, before, after))
        return number

    def _either(self, before: State, after: State, place: tuple[str, ...]) -> _Either:
        kind: Kind = "added" if before is ABSENT else "removed" if after is ABSENT else "changed"
        return _Either(self._note(place, kind, before, after), before, after)

    def _item(self, before: dict[str, State], after: dict[str, State], place: tuple[str, ...]) -> MergeNode:
        names = [*before, *(name for name in after if name not in before)]
        rest, groups = names, []
        for group in _groups(before, after, names):
            if sum(not _is_equal(before.get(name, ABSENT), after.get(name, ABSENT)) for name in group) > 1:
                rest = [name for name in rest if name not in group]
                one, two = ({name: state[name] for name in group if name in state} for state in (before, after))
                groups.append(self._rewritten(one, two, place))
        fields = {name: self.merge(before.get(name, ABSENT), after.get(name, ABSENT), (*place, name)) for name in rest}
        return _Together([_Fields(fields), *groups]) if groups else _Fields(fields)

    def _rewritten(self, before: dict[str, State], after: dict[str, State], place: tuple[str, ...]) -> MergeNode:
        words = self._either(before, after, place)
        restyled = before.get(STYLE) != after.get(STYLE)
        kept = None if restyled else looks_kept(before.get(RUNS), after.get(RUNS))
        if kept is None:
            return words
        look = self._note((*place, "look"), "changed", before[RUNS], after[RUNS])
        return Rewritten(words.number, look, before, after, {**after, RUNS: kept})

    def _members(self, before: list[State], after: list[State], place: tuple[str, ...]) -> _Members:
        def node(one: State, two: State, pair: ItemPair) -> tuple[MergeNode, tuple[str, ...]]:
            way = (*place, _name_of(two if one is ABSENT else one, pair))
            return self.merge(one, two, way), way

        return self._list(before, after, align(before, after), node)

    def _lines(self, before: list[str], after: list[str], place: tuple[str, ...]) -> _Members:
        """Return one node for both states of some lines; blanks that nobody sees are no difference."""

        def node(one: State, two: State, pair: ItemPair) -> tuple[MergeNode, tuple[str, ...]]:
            way = (*place, ItemName(f"line {_number(pair)}"))
            seen = [_line_as_seen(line) if line is not ABSENT else "" for line in (one, two)]
            return (_Same(two) if seen[0] == seen[1] else self._either(one, two, way)), way

        pairs = align([_line_as_seen(line) for line in before], [_line_as_seen(line) for line in after])
        first = len(self.differences)
        made = self._list(before, after, pairs, node)
        self._tell_passages(made, first)
        return made

    def _tell_passages(self, made: _Members, first: int) -> None:
        """Note which of the differences from one on stand together."""
        stayed = [each.pair for each in made.members if isinstance(each.node, _Same)]
        known = [
            sorted(at for pair in stayed if (at := getattr(pair, side)) is not None) for side in ("before", "after")
        ]
        for each in made.members:
            if isinstance(each.node, _Either) and each.node.number >= first:
                before, after = each.pair.before, each.pair.after
                passage = bisect_left(known[0], before) if before is not None else bisect_left(known[1], after or 0)
                self.differences[each.node.number] = replace(self.differences[each.node.number], passage=passage)

    def _list(
        self, before: Sequence[State], after: Sequence[State], pairs: Sequence[ItemPair], make: _MakeNode
    ) -> _Members:
        ordered = before and not all(isinstance(each, dict) and ORDERLESS in each for each in (*before, *after))
        both = sorted((pair for pair in pairs if None not in (pair.before, pair.after)), key=_place_after)
        kept = {both[at] for at in in_order([pair.before or 0 for pair in both])}
        members = []
        for pair in sorted(pairs, key=_place_after):
            one = before[pair.before] if pair.before is not None else ABSENT
            two = after[pair.after] if pair.after is not None else ABSENT
            node, way = make(one, two, pair)
            stays = pair in kept or one is ABSENT or two is ABSENT or not ordered
            moved = None if stays else self._note(way, "moved", pair.before, pair.after)
            members.append(_Member(node, pair, moved))
        return _Members(members)

    def _grid(self, before: dict[str, State], after: dict[str, State], place: tuple[str, ...]) -> MergeNode:
        shift = shift_between(before, after)
        if shift is None:
            addresses = [*before, *(address for address in after if address not in before)]
            pairs = ((each, before.get(each, ABSENT), after.get(each, ABSENT)) for each in addresses)
            return _Fields({each: self._cell(one, two, (*place, ItemName(each))) for each, one, two in pairs})

        def node(one: State, two: State, pair: ItemPair) -> tuple[MergeNode, tuple[str, ...]]:
            way = (*place, ItemName(f"{shift.axis} {_number(pair)}"))
            if one is ABSENT or two is ABSENT:
                # An empty line says nothing, and has its place all the same.
                return self._either(one, two, way), way
            cells = {}
            for name in [*one, *(name for name in two if name not in one)]:
                spot = (*place, ItemName(address_of(shift.axis, pair.after or 0, name)))
                cells[name] = self._cell(one.get(name, ABSENT), two.get(name, ABSENT), spot, shifted=True)
            return _Fields(cells), way

        return _Grid(shift.axis, self._list(shift.before, shift.after, shift.pairs, node))

    def _cell(self, before: State, after: State, place: tuple[str, ...], *, shifted: bool = False) -> MergeNode:
        if before is ABSENT or after is ABSENT or not _is_same_formula(before, after, shifted=shifted):
            return self.merge(before, after, place)
        rest = [{name: value for name, value in cell.items() if name not in CONTENT} for cell in (before, after)]
        told = [{name: value for name, value in cell.items() if name in CONTENT} for cell in (before, after)]
        looks = self.merge(rest[0], rest[1], place)
        return _Together([looks, _Follows(told[0], told[1], self.differences)])


def _groups(before: dict[str, State], after: dict[str, State], names: list[str]) -> Iterator[list[str]]:
    """Yield the fields of an item that tell one thing, and so differ together."""
    if before.get(STYLE) != after.get(STYLE):
        yield names
    elif before.get(DIGEST) != after.get(DIGEST):
        yield [name for name in names if not any(_has_parts(state.get(name)) for state in (before, after))]
    else:
        yield from ([name for name in group if name in names] for group in (CONTENT, SIZE))


def _line_as_seen(line: str) -> str:
    """Return a line without blanks at its end, and with one between words."""
    indent = line[: len(line) - len(line.lstrip())] if line.strip() else ""
    return indent + " ".join(line.split())


def _has_parts(value: object) -> bool:
    """Tell whether a value has parts of its own that may differ."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(each, dict) for each in value))


def _is_equal(one: State, other: State) -> bool:
    """Tell whether two values are the same; true is not one."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return bool(one == other) and content(one) == content(other)


def _is_same_formula(before: State, after: State, *, shifted: bool) -> bool:
    """Tell whether two cells work out the same, so that what they come to is nobody's doing."""
    formulas = [cell.get("formula") for cell in (before, after)]
    if not all(isinstance(formula, str) for formula in formulas):
        return False
    return len(set(map(without_references, formulas) if shifted else formulas)) == 1


def _place_after(pair: ItemPair) -> tuple[bool, int, int]:
    return pair.after is None, pair.after or 0, pair.before or 0


def _number(pair: ItemPair) -> int:
    return (pair.after if pair.after is not None else pair.before or 0) + 1


def _name_of(item: State, pair: ItemPair) -> ItemName:
    """Return how an item is called: by its name where it has one, by its number otherwise."""
    if isinstance(item, dict):
        for name in LABELS:
            if isinstance(item.get(name), str | int) and item[name] != "":
                return ItemName(str(item[name])[:MOST_LABEL])
    return ItemName(item[:MOST_LABEL] if isinstance(item, str) and item.strip() else _number(pair))
