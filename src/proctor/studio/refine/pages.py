"""The pages on which people refine demonstrations: edit steps, compare versions, do parts again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from proctor.errors import ProctorError
from proctor.store.addresses import episode_id, run_id
from proctor.store.run import RunRecord
from proctor.studio.answers import body_of, int_of, json_answer, number_of, problem_of, room_files, show, text_of
from proctor.studio.record.pages import desks_of
from proctor.studio.refine.compare import compare
from proctor.studio.refine.demonstration import EDITED, OpenDemonstration, answer, open_demonstration
from proctor.studio.refine.edits import apply
from proctor.studio.refine.key_pages import KeyPages
from proctor.studio.refine.page_data import about_again, shown_steps, version_data
from proctor.studio.refine.redo import desk_for, places_done_again, splice, written_place
from proctor.studio.refine.write import find_judge, write_out
from proctor.studio.studio import Studio
from proctor.web.episodes import ListedEpisode
from proctor.web.replay.routes import episode_of
from proctor.web.runs import ListedRun, Runs

HOME = (
    "Refine",
    "/refine",
    "Edit demonstrations without overwriting them, redo parts, and turn them into answer keys.",
)
STATIC = Path(__file__).parent / "static"
PAGE_EPISODES = 200


def routes(studio: Studio) -> list[BaseRoute]:
    """Return where everything of this room is found."""
    return _Room(studio).routes()


def close(studio: Studio) -> None:
    """Let proofs that are under way end after the computer they are at."""
    KeyPages.stop_all(studio)


class _Room:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._runs = Runs([folder for folder in studio.all_runs if folder.is_dir()])
        self._keys = KeyPages(studio, self.open_demonstration)

    def routes(self) -> list[BaseRoute]:
        one = "/refine-data/{run}/{episode}"
        posts: dict[str, Callable[[OpenDemonstration, int, dict[str, object], str], int]] = {
            "edit": _edit, "undo": _undo, "redo": _redo, "restore": _restore, "splice": _splice,
        }  # fmt: skip
        return [
            Route("/refine", show(STATIC / "list.html")),
            Route("/refine/{run}/{episode}", show(STATIC / "episode.html")),
            Route("/refine/{run}/{episode}/diff", show(STATIC / "diff.html")),
            Route("/refine/{run}/{episode}/key", show(STATIC / "key.html")),
            Route("/refine-data", self.list_all),
            Route(one, self.episode),
            Route(one + "/elements", self.elements),
            Route(one + "/diff", self.diff),
            Route(one + "/again", self.again),
            Route(one + "/again", self.sit_down, methods=["POST"]),
            Route(one + "/write", self.write, methods=["POST"]),
            *(Route(f"{one}/{name}", self._saver(save), methods=["POST"]) for name, save in posts.items()),
            *self._keys.routes(one),
            room_files("/refine-files", STATIC),
        ]

    async def list_all(self, request: Request) -> Response:
        """Return a page of the demonstrations that have all the words that are looked for."""
        words = request.query_params.get("search", "").lower().split()
        own, start = request.query_params.get("own") == "1", number_of(request, "from")
        rows = await run_in_threadpool(self._rows)
        found = [row for row in rows if (row["own"] or not own) and has_words(row, words)]
        answer = {"episodes": found[start : start + PAGE_EPISODES], "from": start, "found": len(found)}
        return json_answer({**answer, "total": len(rows), "any_own": any(row["own"] for row in rows)})

    async def episode(self, request: Request) -> Response:
        opened = await self.open_demonstration(request)
        return await answer(lambda: version_data(opened, number_of(request, "version", opened.versions.number)))

    async def elements(self, request: Request) -> Response:
        opened = await self.open_demonstration(request)
        wanted = request.query_params.get("step", "")

        def find() -> dict[str, object]:
            state = opened.versions.state(number_of(request, "version", opened.versions.number))
            step = next((step for step in state if step.id == wanted), None)
            if step is None:
                raise HTTPException(404, "This version does not have this step.")
            return {"elements": opened.material.elements(step)}

        return await answer(find)

    async def diff(self, request: Request) -> Response:
        opened = await self.open_demonstration(request)
        versions = opened.versions
        numbers = number_of(request, "a", 0), number_of(request, "b", versions.number)

        def compare_versions() -> dict[str, object]:
            one, other = (versions.state(number) for number in numbers)
            rows = [asdict(row) for row in compare(one, other)]
            sides = {"left": shown_steps(opened, one), "right": shown_steps(opened, other)}
            return {**version_data(opened, versions.number, steps=False), "numbers": numbers, "rows": rows, **sides}

        return await answer(compare_versions)

    async def again(self, request: Request) -> Response:
        """Return what was done again from a demonstration, and whose verdict a version has."""
        opened = await self.open_demonstration(request)
        return await answer(lambda: about_again(opened, number_of(request, "version", opened.versions.number)))

    async def sit_down(self, request: Request) -> Response:
        """Open a desk on which a demonstration is done again from a step on."""
        opened, data = await self.open_demonstration(request), await body_of(request)
        self.own(opened)
        keep = int_of(data, "keep", "Say how many steps are repeated.")
        if data.get("version") != opened.versions.number:
            raise HTTPException(409, "This demonstration was edited in the meantime. Reload the page.")
        person, back = self._studio.person(request), request.url.path.replace("-data", "", 1).removesuffix("/again")

        def seat() -> dict[str, object]:
            desk, computer = desk_for(
                self._studio,
                opened.material,
                opened.log,
                opened.versions,
                keep,
                person=person,
                visitor=request.scope["studio_visitor"],
                back=back,
                only_judge=data.get("only_judge") is True,
            )
            desks_of(self._studio).seat(desk, computer)
            return {"id": desk.id, "address": f"/record/desk/{desk.id}"}

        return await answer(seat)

    async def write(self, request: Request) -> Response:
        opened, data = await self.open_demonstration(request), await body_of(request)
        number = int_of(data, "number", "Say which version.")

        def write_version() -> dict[str, object]:
            out, places = written_place(self._studio, opened.material, number), places_done_again(opened.material)
            if out.exists() and next(RunRecord.open(out).results()).void:
                # It was performed since: then there is more to say.
                known = find_judge(opened.material, opened.versions.state(number), places)
                out = out.with_name(f"{out.name}-judged") if known else out
            there = out.exists()
            if not there:
                write_out(opened.material, opened.versions, number, out, sums=opened.log.sums, tried=places)
            result = next(RunRecord.open(out).results())
            replay = f"/replay/{run_id(out)}/{episode_id(out, out / result.folder)}"
            outcome = result.outcome
            return {"path": str(out), "replay": replay, "outcome": outcome, "why": result.error, "there": there}

        return await answer(write_version)

    def _saver(
        self, save: Callable[[OpenDemonstration, int, dict[str, object], str], int]
    ) -> Callable[[Request], object]:
        """Return what answers to a post that saves a version, with the version that there is then."""

        async def save_one(request: Request) -> Response:
            opened, data = await self.open_demonstration(request), await body_of(request)
            seen = int_of(data, "version", "Say which version was seen.")
            person = self._studio.person(request)

            def save_version() -> dict[str, object]:
                save(opened, seen, data, person)
                fresh = opened.again()
                return version_data(fresh, fresh.versions.number)

            return await answer(save_version)

        return save_one

    async def open_demonstration(self, request: Request) -> OpenDemonstration:
        run, entry = await run_in_threadpool(self._find, request)
        try:
            return await run_in_threadpool(open_demonstration, run, entry, self.is_own(entry.folder))
        except ProctorError as error:
            raise problem_of(error, 409) from error

    def is_own(self, folder: Path) -> bool:
        """Tell whether a demonstration was made here; no other is performed."""
        return self._studio.demonstrations.resolve() in folder.resolve().parents

    def own(self, opened: OpenDemonstration) -> None:
        if not opened.own:
            raise HTTPException(403, "Only demonstrations of this studio are performed here; see `proctor runs fork`.")

    def _find(self, request: Request) -> tuple[ListedRun, ListedEpisode]:
        run, entry = episode_of(self._runs, request)
        if entry.result is None:
            raise HTTPException(409, "This episode has not ended yet.")
        return run, entry

    def _rows(self) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = []
        for run in self._runs.list_runs():
            run.episodes.refresh()
            for entry in run.episodes.ended_episodes():
                if entry.result is not None:
                    rows.append(self._row(run, entry))
        return rows

    def _row(self, run: ListedRun, entry: ListedEpisode) -> dict[str, object]:
        result = entry.result
        assert result is not None
        return {
            "address": f"/refine/{run.id}/{entry.id}",
            "run": run.name,
            "task": entry.key.task,
            "agent": entry.key.agent,
            "outcome": result.outcome,
            "steps": result.steps,
            "own": self.is_own(entry.folder),
            "edited": (run.paths.root / "versions.jsonl").is_file(),
            "assisted": result.assisted,
        }


def has_words(row: dict[str, object], words: list[str]) -> bool:
    """Tell whether a row names a task, an agent or a run with all these words."""
    text = f"{row['task']} {row['agent']} {row['run']}".lower()
    return all(word in text for word in words)


def _edit(opened: OpenDemonstration, seen: int, data: dict[str, object], person: str) -> int:
    edit = data.get("edit")
    if not isinstance(edit, dict):
        raise HTTPException(400, "Send an edit.")
    if seen != opened.versions.number:
        raise HTTPException(409, EDITED)
    made = apply(opened.versions.now, edit, opened.material.step)
    return opened.log.save(seen, made, edit, by=person, save=text_of(data, "save", 100))


def _undo(opened: OpenDemonstration, seen: int, data: dict[str, object], person: str) -> int:
    return opened.log.undo(seen, by=person, save=text_of(data, "save", 100))


def _redo(opened: OpenDemonstration, seen: int, data: dict[str, object], person: str) -> int:
    return opened.log.redo(seen, by=person, save=text_of(data, "save", 100))


def _restore(opened: OpenDemonstration, seen: int, data: dict[str, object], person: str) -> int:
    number = int_of(data, "number", "Say which version to go back to.")
    return opened.log.restore(seen, number, by=person, save=text_of(data, "save", 100))


def _splice(opened: OpenDemonstration, seen: int, data: dict[str, object], person: str) -> int:
    folder = opened.material.at(text_of(data, "of", 500)).episode.folder
    return splice(opened.material, opened.log, folder, person=person, seen=seen)
