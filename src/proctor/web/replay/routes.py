"""The replay over HTTP: one static page, and the record of an episode as JSON and pictures."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from proctor.web.episodes import ListedEpisode
from proctor.web.replay.episode import ReplayedEpisode
from proctor.web.runs import ListedRun, Runs
from proctor.web.summary import last_tries, outcome

STATIC = Path(__file__).parent / "static"
KEPT_OPEN = 32
MEDIA = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "webp": "image/webp",
    "json": "application/json",
    "mp4": "video/mp4",
    "webm": "video/webm",
}
_ORDER = ("task", "agent", "seed", "paraphrase", "sample")
FOR_GOOD = {"Cache-Control": "private, max-age=31536000, immutable"}
"""A picture is never written twice, and its address changes when the folder is filled again."""
FOR_NOW = {"Cache-Control": "no-cache"}
"""Asked for again each time: a newer Proctor shows its newer pages."""


class Replay:
    """Answers for the episodes of the given runs; browsers name them by id, files as a step does."""

    def __init__(self, runs: Runs, screen: Callable[[Path], str]) -> None:
        """Serve these runs; `screen` says of an episode's folder `yes`, or why it cannot be watched now."""
        self._runs = runs
        self._screen = screen
        self._opened: OrderedDict[Path, ReplayedEpisode] = OrderedDict()

    def routes(self) -> list[BaseRoute]:
        """Return where everything is found."""
        record = "/data/{run}/{episode}"
        return [
            Route("/replay/{run}/{episode}", self.page),
            Route(record, self.index),
            Route(record + "/steps", self.steps),
            Route(record + "/steps/{number:int}", self.step),
            Route(record + "/calls/{number:int}", self.call),
            Route(record + "/verdict", lambda request: _json(self._episode(request)[1].verdict())),
            Route(record + "/changes", lambda request: _json(self._episode(request)[1].changes())),
            Route(record + "/said", self.output),
            Route(record + "/{name}", self.file),
            Mount("/replay-files", PageFiles(directory=STATIC)),
        ]

    def page(self, request: Request) -> Response:
        """Return the page; the answer to what it asks for is under way before its code runs."""
        try:
            run, episode = self._episode(request)
        except HTTPException:
            return FileResponse(STATIC / "missing.html", status_code=404, headers=FOR_NOW)
        soon = f"</data/{run.id}/{episode.entry.id}>; rel=preload; as=fetch; crossorigin"
        return FileResponse(STATIC / "replay.html", headers={**FOR_NOW, "Link": soon})

    def index(self, request: Request) -> Response:
        """Return all a page needs before its first picture."""
        run, episode = self._episode(request)
        steps = episode.steps()
        live = _live(run, episode)
        watch = self._screen(episode.entry.folder) if live else ""
        about = {"run": {"id": run.id, "name": run.name}, "live": live, "screen": watch, **_neighbours(run, episode)}
        return _json({**about, **episode.index(), "steps": steps})

    def steps(self, request: Request) -> Response:
        """Return the steps that were added after a number."""
        run, episode = self._episode(request)
        after = request.query_params.get("after", "0")
        live = _live(run, episode)  # first, so that a page that is told no has every step
        return _json({"live": live, "steps": episode.steps(int(after) if after.isdecimal() else 0)})

    def step(self, request: Request) -> Response:
        """Return one step whole."""
        return _json(self._episode(request)[1].step(request.path_params["number"]))

    def call(self, request: Request) -> Response:
        """Return what a model was sent and answered."""
        raw = "raw" in request.query_params
        return _json(self._episode(request)[1].call(request.path_params["number"], raw=raw))

    def output(self, request: Request) -> Response:
        """Return what the agent printed."""
        text = self._episode(request)[1].output()
        return _json(None if text is None else {"text": text})

    def file(self, request: Request) -> Response:
        """Return a picture, a tree or the video."""
        name = request.path_params["name"]
        path = self._episode(request)[1].file(name)
        if path is None:
            raise HTTPException(404, "This episode has no such file.")
        # Trees lie compressed on disk and travel so.
        packed = {"Content-Encoding": "gzip"} if name.endswith(".gz") else {}
        media = MEDIA[name.removesuffix(".gz").rpartition(".")[2]]
        return FileResponse(path, media_type=media, headers={**FOR_GOOD, **packed})

    def _episode(self, request: Request) -> tuple[ListedRun, ReplayedEpisode]:
        run, entry = episode_of(self._runs, request)
        known = self._opened.get(entry.folder)
        if known is None or known.entry != entry:
            known = self._opened[entry.folder] = ReplayedEpisode(entry)
            if len(self._opened) > KEPT_OPEN:
                self._opened.popitem(last=False)
        return run, known


def episode_of(runs: Runs, request: Request) -> tuple[ListedRun, ListedEpisode]:
    """Return what a request names; raises HTTPException where there is none."""
    if found := runs.find_episode(request.path_params["run"], request.path_params["episode"]):
        return found
    raise HTTPException(404, "There is no such episode here.")


class PageFiles(StaticFiles):
    """Scripts and styles of pages, which the browser asks for again each time."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return a file."""
        answer = super().file_response(*args, **options)
        answer.headers.update(FOR_NOW)
        return answer


def _neighbours(run: ListedRun, episode: ReplayedEpisode) -> dict[str, object]:
    """Return which episodes stand before and after this one, in the order of the grid."""
    here = episode.entry
    every = {entry.id: entry for entry in last_tries([*run.episodes.ended_episodes(), *run.episodes.under_way()])}
    every[here.id] = here
    known = [entry for entry in every.values() if entry.result is None or entry.result.folder]
    known.sort(key=lambda entry: (*(getattr(entry.key, name) for name in _ORDER), entry.retry))
    at = known.index(here) if here in known else 0
    found: dict[str, object] = {"place": at + 1, "episodes": len(known)}
    for name, place in (("previous", at - 1), ("following", at + 1)):
        if 0 <= place < len(known):
            entry = known[place]
            found[name] = {"id": entry.id, "task": entry.key.task, "agent": entry.key.agent, "outcome": outcome(entry)}
    return found


def _live(run: ListedRun, episode: ReplayedEpisode) -> bool:
    return not episode.over and run.state == "running"


def _json(data: Any) -> Response:
    if data is None:
        raise HTTPException(404, "This part of the record is missing or damaged.")
    # Escapes keep what no encoding has: a text of an agent may hold half a character.
    return Response(json.dumps(data, separators=(",", ":")), media_type="application/json")
