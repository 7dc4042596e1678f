"""The first page: who you are, the rooms, the tasks, and what was made so far."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from proctor.store.account import read_account
from proctor.studio.answers import body_of, json_answer, number_of, room_files, show, text_of
from proctor.studio.entrance import YEAR
from proctor.studio.studio import PERSON, Studio, clean_name, cookie_text
from proctor.web.runs import ListedRun, Runs
from proctor.web.summary import row

STATIC = Path(__file__).parent / "static"
PAGE_EPISODES = 200


class Home:
    """Answers for the first page."""

    def __init__(self, studio: Studio, runs: Runs, rooms: Sequence[tuple[str, str, str]]) -> None:
        self._studio, self._runs, self._rooms = studio, runs, rooms

    def routes(self) -> list[BaseRoute]:
        """Return where everything is found."""
        return [
            Route("/", show(STATIC / "home.html")),
            Route("/run/{run}", self.back),
            Route("/studio/home", self.home),
            Route("/studio/tasks", self.tasks),
            Route("/studio/tried", self.tried),
            Route("/studio/person", self.name, methods=["POST"]),
            Route("/studio/invitation", self.invite, methods=["POST"]),
            room_files("/studio-files", STATIC),
        ]

    def back(self, request: Request) -> Response:
        """Lead from a replay, which names its run, to the list of all of them."""
        return RedirectResponse("/", 303)

    async def home(self, request: Request) -> Response:
        """Return who is asking, the rooms, and what was made."""
        rooms = [{"title": title, "address": address, "sentence": told} for title, address, told in self._rooms]
        made = await run_in_threadpool(self._demonstrations)
        start = number_of(request, "from")
        told = {"person": self._studio.person(request), "rooms": rooms, "count": len(made)}
        return json_answer({**told, "made": made[start : start + PAGE_EPISODES]})

    async def tried(self, request: Request) -> Response:
        """Return who has tried which task against the clock, for whoever chooses the next."""
        made = await run_in_threadpool(self._demonstrations)
        timed = [one for one in made if one["kind"] == "validate" and one["outcome"] != "void"]
        return json_answer({"tried": [{name: one[name] for name in ("task", "person")} for one in timed]})

    def tasks(self, request: Request) -> Response:
        """Return every task that can be done here."""
        return json_answer({"tasks": self._tasks})

    async def name(self, request: Request) -> Response:
        """Keep the name that a visitor gives."""
        name = clean_name(text_of(await body_of(request), "name"))
        if not name:
            raise HTTPException(400, "Give a name.")
        answer = json_answer({"person": name})
        answer.set_cookie(PERSON, cookie_text(name), httponly=True, samesite="strict", max_age=YEAR)
        return answer

    async def invite(self, request: Request) -> Response:
        """Return an address by which one more browser may enter."""
        await body_of(request)
        return json_answer({"path": request.scope["studio_invite"]()})

    @cached_property
    def _tasks(self) -> list[dict[str, object]]:
        return [
            {
                "id": suite.id(template),
                "suite": suite.name,
                "name": template.name,
                "summary": template.summary,
                "level": template.tags.level,
                "apps": list(template.tags.apps),
                "demand": " / ".join((template.tags.domain, template.tags.scenario, template.tags.demand)),
            }
            for suite in self._studio.suites
            for template in suite.templates
        ]

    def _demonstrations(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        for run in self._runs.list_runs():
            if run.paths.root.parent == self._studio.demonstrations.resolve():
                found += _demonstrations(run)
        return found


def _demonstrations(run: ListedRun) -> list[dict[str, object]]:
    run.episodes.refresh()
    entries = [*run.episodes.ended_episodes(), *run.episodes.under_way()]
    made = []
    for entry in entries:
        human = read_account(entry.folder)
        told = {name: human.get(name) for name in ("person", "kind", "working_seconds", "clarity", "difficulty")}
        made.append({**row(entry, run.id), **told, "run": run.name})
    return made
