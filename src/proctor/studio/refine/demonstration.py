"""A demonstration that a page works on: its recording, its versions, and their addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from proctor.errors import ProctorError, RecordError
from proctor.store.addresses import episode_id, run_id
from proctor.store.read import RecordedEpisode
from proctor.store.versions import OutOfDate
from proctor.studio.answers import json_answer, problem_of
from proctor.studio.refine.log import Refinements, Versions
from proctor.studio.refine.material import Material
from proctor.web.episodes import ListedEpisode
from proctor.web.runs import ListedRun

EDITED = "This was edited in the meantime, perhaps in another tab. It has been reloaded."


@dataclass(frozen=True)
class OpenDemonstration:
    """A demonstration as one request sees it."""

    run: ListedRun
    entry: ListedEpisode
    material: Material
    log: Refinements
    versions: Versions
    own: bool
    """Whether it was made in this studio, and may be performed here."""

    @property
    def address(self) -> str:
        """Where its data are found, below whatever a room begins with."""
        return f"{self.run.id}/{self.entry.id}"

    def again(self) -> OpenDemonstration:
        """Return it as it is now."""
        return open_demonstration(self.run, self.entry, self.own)

    def pictures(self, of: str) -> str:
        """Return where the pictures of a recording are found."""
        if not of:
            return f"/data/{self.address}"
        episode: RecordedEpisode = self.material.at(of).episode
        root = self.material.home / of.partition("/")[0]
        return f"/data/{run_id(root)}/{episode_id(root, episode.folder)}"


def open_demonstration(run: ListedRun, entry: ListedEpisode, own: bool) -> OpenDemonstration:
    """Open a demonstration; raises RecordError where it cannot be read."""
    material = Material(entry.folder)
    log = Refinements(entry.folder, len(material.demonstration.lines))
    return OpenDemonstration(run, entry, material, log, log.read(), own)


async def answer(work: Callable[[], dict[str, object]]) -> Response:
    """Answer with what comes of work on the disk; what goes wrong is said in words."""
    try:
        return json_answer(await run_in_threadpool(work))
    except OutOfDate as error:
        raise HTTPException(409, EDITED) from error
    except ProctorError as error:
        raise problem_of(error, 409 if isinstance(error, RecordError) else 400) from error
