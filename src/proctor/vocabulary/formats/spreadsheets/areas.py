"""Areas of a sheet that have something in common, put together from rows."""

from __future__ import annotations

from collections import defaultdict

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.spreadsheets.cells import Span

MOST_AREAS = 20_000


class Areas:
    """Rectangles by what they share; those that lie right below one another become one."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._held: dict[str, dict[tuple[int, int], list[Span]]] = defaultdict(lambda: defaultdict(list))
        self._count = 0

    def add(self, key: str, area: Span) -> None:
        """Add a rectangle; raises CannotSee where there are too many."""
        column = self._held[key][area.left, area.right]
        if column and column[-1].bottom == area.top - 1:
            column[-1] = column[-1]._replace(bottom=area.bottom)
            return
        self._count += 1
        if self._count > MOST_AREAS:
            raise CannotSee("refused", f"{self._label} has more areas than are looked at")
        column.append(area)

    def ranges(self) -> dict[str, str]:
        """Return the areas as people write them, by what they share."""
        return {
            key: " ".join(map(str, _side_by_side(sorted(area for column in columns.values() for area in column))))
            for key, columns in self._held.items()
        }


def _side_by_side(areas: list[Span]) -> list[Span]:
    """Return areas with those of the same rows that touch each other as one."""
    joined: dict[tuple[int, int], list[Span]] = defaultdict(list)
    for area in areas:
        row = joined[area.top, area.bottom]
        if row and row[-1].right == area.left - 1:
            row[-1] = row[-1]._replace(right=area.right)
        else:
            row.append(area)
    return sorted(area for row in joined.values() for area in row)
