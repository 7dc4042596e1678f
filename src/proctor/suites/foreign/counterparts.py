"""Which expected files stand for which results: a proof puts the ones in the place of the others."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import hint_of
from proctor.suites.foreign.translation import Translation, fill_in, guest_path


def counterparts_of(comparisons: Iterable[ForeignComparison], into: Translation) -> dict[str, str]:
    """Return the expected file of each result that is a file, the first of several."""
    found: dict[str, str] = {}
    for each in comparisons:
        if each.result.get("type") != "vm_file" or each.expected.get("type") != "cloud_file":
            continue
        pairs = zip(_list(each.result.get("path")), _list(each.expected.get("path")), strict=False)
        for place, (path, url) in enumerate(pairs):
            where = guest_path(fill_in(path))
            if where not in found:
                found[where] = into.asset(url, hint_of(each.expected, place))
    return found


def _list(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, str)]
