"""What was read the last time, for a reader who knows where nothing was drawn since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from proctor.computers.channels.atspi.nodes import AtspiApplication, Details, Placed, Ref, TreeItem
from proctor.observations.box import Box
from proctor.observations.tree import Still

SLACK = 4
"""Pixels that lists of GTK give their cells more than they have."""


def _never(_: Box) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Remembered:
    """The last reading, and where it still holds."""

    items: Mapping[Ref, TreeItem] = field(default_factory=dict)
    details: Mapping[Ref, Details] = field(default_factory=dict)
    """As applications told them."""
    places: Mapping[Ref, Box] = field(default_factory=dict)
    """Where things are drawn, which is not where every application says."""
    children: Mapping[Ref, list[Ref]] = field(default_factory=dict)
    still: Still = _never
    _found: dict[Ref, bool] = field(default_factory=dict)
    """Of what it was asked already, whether it is still."""
    _inside: dict[Ref, bool] = field(default_factory=dict)
    """Of what it was asked already, whether it lies within what holds it."""

    @staticmethod
    def of(
        placed: Iterable[Placed], details: Mapping[Ref, Details], shifted: Mapping[Ref, Details], still: Still
    ) -> Remembered:
        """Remember a reading, as good as what is said of the screen."""
        items = {entry.item.ref: entry.item for entry in placed}
        children: dict[Ref, list[Ref]] = {}
        for ref, item in items.items():
            children.setdefault(item.parent, []).append(ref)
        places = {ref: known.box for ref, known in shifted.items() if known.box is not None}
        return Remembered(items, details, places, children, still)

    def unchanged(self, item: TreeItem) -> bool:
        """Tell whether an object says of itself what it said, and nothing was drawn where it is."""
        known = self.items.get(item.ref)
        return known is not None and known == item and self._is_still(item.ref)

    def nowhere(self, item: TreeItem) -> bool:
        """Tell whether an object says what it said when it was nowhere on the screen."""
        return self.still is not _never and item.ref not in self.places and self.items.get(item.ref) == item

    def confirm(self, refs: Iterable[Ref]) -> None:
        """Take it from somebody who knows that these objects have not changed."""
        self._found.update(dict.fromkeys(refs, True))

    def alike(self, item: TreeItem) -> TreeItem | None:
        """Return what is known of an object of which only role and states were asked, if nothing of it changed."""
        known = self.items.get(item.ref)
        if known is None or (known.role, known.states) != (item.role, item.states) or not self._is_still(item.ref):
            return None
        return known._replace(parent=item.parent, place=item.place)

    def restore_below(self, item: TreeItem, application: AtspiApplication) -> list[Ref]:
        """Add to an application all that was below an object; returns what that was."""
        found, waiting = [], list(self.children.get(item.ref, ()))
        while waiting:
            ref = waiting.pop()
            application.items.setdefault(ref, self.items[ref])
            found.append(ref)
            waiting += self.children.get(ref, ())
        return found

    def _is_still(self, ref: Ref) -> bool:
        if ref not in self._found:
            place, item = self.places.get(ref), self.items.get(ref)
            # What lies nowhere, as parts of a cell that are not in use do, is as still as what it belongs to.
            self._found[ref] = (
                self._is_inside(ref) and self.still(place)
                if place
                else item is not None and self._is_still(item.parent)
            )
        return self._found[ref]

    def _is_inside(self, ref: Ref) -> bool:
        """Tell whether an object lies within all that hold it; else it may be drawn in part or nowhere."""
        if ref not in self._inside:
            above = self.items[ref].parent
            around = self.places.get(above)
            self._inside[ref] = around is None or (self.places[ref].within(around, SLACK) and self._is_inside(above))
        return self._inside[ref]


NOTHING = Remembered()
