"""What people said of an attempt in the studio, as critic data has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proctor.errors import RecordError
from proctor.store.reviews import Review, read_reviews, reviews_of
from proctor.store.walk import WalkedEpisode

_DEPTH = 4
"""Folders between that of an episode and its run."""


@dataclass
class Reviewed:
    """Looks the reviews of episodes up; each run is read once."""

    _runs: dict[Path, dict[str, list[Review]]] = field(default_factory=dict)

    def of(self, episode: WalkedEpisode, steps: Sequence[int | None]) -> list[dict[str, object]]:
        """Return what was said of an episode whose sample has these steps as its actions."""
        if not episode.result.folder:
            return []
        run = episode.folder.parents[_DEPTH]
        if run not in self._runs:
            try:
                self._runs[run] = read_reviews(run)
            except RecordError:
                # What is no run, such as a recording that was never finished, has no reviews either.
                self._runs[run] = {}
        return [_plain(review, steps) for review in reviews_of(self._runs[run], episode.result)]


def _plain(review: Review, steps: Sequence[int | None]) -> dict[str, object]:
    first = review.first_wrong
    places = (at for at, step in enumerate(steps) if first is not None and step is not None and step >= first)
    return {
        "by": review.by,
        "success": review.success,
        "first_wrong_action": next(places, None),
        "failures": list(review.failures),
        "comment": review.comment,
    }
