"""The pages on which people annotate; every name in an address is looked up, never opened."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from proctor.errors import MissingExtra, ProctorError
from proctor.store.versions import Version
from proctor.studio.annotate.agreement import agreement
from proctor.studio.annotate.items import AnnotationItem, is_picture
from proctor.studio.annotate.labels import KINDS, Unusable, checked_label
from proctor.studio.annotate.make_sets import add_picture, add_screen, from_run
from proctor.studio.annotate.pictures import MOST_BYTES, thumb
from proctor.studio.annotate.proposals import Texts, can_read, from_tree
from proctor.studio.annotate.queue import ItemStanding, Labels, Queue, progress, standings
from proctor.studio.annotate.sets import About, AnnotationSet, Sets, new_set, set_folder
from proctor.studio.answers import (
    answer_save,
    body_of,
    in_thread,
    json_answer,
    label_of,
    number_of,
    room_files,
    show,
    text_of,
    too_long,
)
from proctor.studio.record.pages import desk_of
from proctor.studio.studio import Studio
from proctor.web.runs import Runs

HOME = (
    "Annotate",
    "/annotate",
    "Draw boxes on screens, say which action led from one to the next, or whether an attempt did what was asked.",
)
STATIC = Path(__file__).parent / "static"
_T = TypeVar("_T")
PAGE_ITEMS = 200
FOR_GOOD = {"Cache-Control": "private, max-age=31536000, immutable"}
"""A picture is named by its content."""
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "bmp": "image/bmp"}
STATES = ("open", "some", "done", "differs", "decided")


def routes(studio: Studio) -> list[BaseRoute]:
    """Return where everything of this room is found."""
    return _Room(studio).routes()


class _Room:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._sets = Sets(studio.folder)
        self._queues: dict[str, Queue] = {}
        self._texts: dict[str, Texts] = {}
        self._lock = threading.Lock()

    def routes(self) -> list[BaseRoute]:
        one, item = "/annotate-data/{set}", "/annotate-data/{set}/items/{item}"
        return [
            Route("/annotate", show(STATIC / "sets.html")),
            Route("/annotate/{set}", show(STATIC / "set.html")),
            Route("/annotate/{set}/items/{item}", show(STATIC / "item.html")),
            Route("/annotate-data", self.sets),
            Route("/annotate-data", self.new, methods=["POST"]),
            Route(one, self.set),
            Route(one + "/agreement", self.agreement),
            Route(one + "/next", self.next),
            Route(item, self.item),
            Route(item, self.save, methods=["POST"]),
            Route(item + "/proposals", self.proposals),
            Route(one + "/pictures", self.upload, methods=["POST"]),
            Route(one + "/screens", self.screen, methods=["POST"]),
            Route(one + "/pictures/{name}", self.picture),
            Route(one + "/thumbs/{name}", self.thumb),
            room_files("/annotate-files", STATIC),
        ]

    def sets(self, request: Request) -> Response:
        """Return all sets with their progress, and the runs that new ones can be made from."""
        listed = [{"name": each.name, **_about(each), **progress(each)} for each in self._sets.each()]
        runs = [{"id": run.id, "name": run.name} for run in self._runs().list_runs()]
        return json_answer({"sets": listed, "runs": runs, "person": self._studio.person(request)})

    async def new(self, request: Request) -> Response:
        """Make a set, empty or from a run that the studio looks at."""
        data = await body_of(request)
        kind, annotators = data.get("kind", "ground"), data.get("annotators", 1)
        if kind not in KINDS or not isinstance(annotators, int) or isinstance(annotators, bool):
            raise HTTPException(400, "Say which kind of set, and for how many annotators.")
        name, chosen = text_of(data, "name", 200).strip(), text_of(data, "run", 300)

        def make() -> int:
            folder = set_folder(self._studio.folder, name)
            if not chosen:
                if kind != "ground":
                    raise HTTPException(400, "Transitions and attempts come from a run: choose one.")
                with new_set(folder, About(kind=kind, annotators=annotators, source="pictures that were added")):
                    return 0
            run = self._runs().find(chosen)
            if run is None:
                raise HTTPException(404, "There is no such run here.")
            return from_run(folder, run.paths.root, kind=kind, annotators=annotators).items

        return json_answer({"name": name, "items": await in_thread(make)})

    def set(self, request: Request) -> Response:
        opened = self._set(request)
        start, wanted = number_of(request, "from"), request.query_params.get("state", "")
        labels, person = opened.labels(), self._studio.person(request)
        known = standings(opened, labels)
        chosen = [each for each in known if wanted not in STATES or each.state == wanted]
        listed = [_row(each, labels, person) for each in chosen[start : start + PAGE_ITEMS]]
        answer = {"name": opened.name, **_about(opened), **progress(opened, known), "person": person}
        return json_answer({**answer, "total": len(chosen), "from": start, "listed": listed})

    def agreement(self, request: Request) -> Response:
        opened = self._set(request)
        labels = opened.labels()
        done = {item.id: opened.done_labels(labels, item.id) for item in opened.items()}
        return json_answer(agreement(opened.about.kind, done))

    def next(self, request: Request) -> Response:
        """Return the next item for whoever asks, or the next that somebody has to decide."""
        opened, after = self._set(request), request.query_params.get("after", "")
        if "decide" in request.query_params:
            found = self._next_difference(opened, after)
        else:
            item = self._queue(opened).next(self._studio.person(request), after)
            found = item.id if item else None
        return json_answer({"item": found})

    def _next_difference(self, opened: AnnotationSet, after: str) -> str | None:
        known = standings(opened, opened.labels())
        start = next((place for place, each in enumerate(known) if each.item.id == after), -1) + 1
        turned = [*known[start:], *known[:start]]
        return next((each.item.id for each in turned if each.state == "differs" and each.item.id != after), None)

    def item(self, request: Request) -> Response:
        """Return an item with what the asking person saved of it, or with all labels to decide on."""
        opened, item = self._item(request)
        person, deciding = self._studio.person(request), "decide" in request.query_params
        log = opened.decisions if deciding else opened.log(person)
        ids = [each.id for each in opened.items()]
        place = ids.index(item.id)
        shown = {name: getattr(item, name) for name in ("id", "name", "size", "pictures", "instruction", "actions")}
        answer: dict[str, object] = {
            "set": {"name": opened.name, **_about(opened)},
            "item": shown,
            "place": place,
            "count": len(ids),
            "before": ids[place - 1] if place else None,
            "after": ids[place + 1] if place + 1 < len(ids) else None,
            "person": person,
            "ocr": can_read(),
            **_version(log.find(item.id)),
        }
        if deciding:
            labels = opened.labels()
            answer["others"] = [
                {"by": who, "label": label} for who, label in opened.done_labels(labels, item.id).items()
            ]
        return json_answer(answer)

    async def save(self, request: Request) -> Response:
        """Save a label; refuses with what is newer where the page had not seen it."""
        opened, item = await run_in_threadpool(self._item, request)
        data = await body_of(request)
        seen, label = label_of(data, "label")
        try:
            kept = checked_label(opened.about.kind, item, opened.about.options, label)
        except Unusable as error:
            raise HTTPException(400, f"This is not a valid label: {error}.") from error
        person = self._studio.person(request)
        log = opened.decisions if "decide" in request.query_params else opened.log(person)
        save, follows = text_of(data, "save", 100), text_of(data, "follows", 100)
        return await answer_save(lambda: log.save(item.id, seen, kept, by=person, save=save, follows=follows), _version)

    def proposals(self, request: Request) -> Response:
        """Return boxes to take: from the tree, or read from the picture, which may take seconds."""
        opened, item = self._item(request)
        if request.query_params.get("by") != "ocr":
            return json_answer({"proposals": from_tree(opened, item)})
        with self._lock:
            texts = self._texts.setdefault(opened.name, Texts(opened))
        try:
            return json_answer({"proposals": texts.of(item)})
        except MissingExtra as error:
            raise HTTPException(501, f"{error.message}: {error.remedy}") from error
        except ProctorError as error:
            raise HTTPException(404, error.message) from error

    async def upload(self, request: Request) -> Response:
        """Take one picture in; what is larger than a screenshot can be is not kept."""
        opened = await run_in_threadpool(self._set, request)
        if not request.headers.get("content-type", "").startswith("image/"):
            raise HTTPException(415, "Send a picture.")
        said = request.headers.get("content-length", "0")
        if not said.isdecimal() or int(said) > MOST_BYTES:
            raise too_long(f"A picture has at most {MOST_BYTES >> 20} MB.")
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > MOST_BYTES:
                raise too_long(f"A picture has at most {MOST_BYTES >> 20} MB.")
        name = request.query_params.get("name", "")[:200]
        return json_answer({"new": await in_thread(lambda: add_picture(opened, bytes(data), name))})

    async def screen(self, request: Request) -> Response:
        """Take in the screen of a live desktop as it is now, with the elements of its tree."""
        opened = await run_in_threadpool(self._set, request)
        desk = desk_of(self._studio, text_of(await body_of(request), "desk", 100), request)

        def keep() -> dict[str, object]:
            glanced, now = desk.glance(), time.strftime("%Y-%m-%d %H:%M:%S")
            made = add_screen(opened, glanced.image, glanced.tree, name=f"{desk.title}, {now}", group=desk.task.id)
            return {"item": made, "address": f"/annotate/{quote(opened.name)}/items/{made}"}

        return json_answer(await in_thread(keep))

    def picture(self, request: Request) -> Response:
        opened, name = self._set(request), request.path_params["name"]
        path = opened.picture(name)
        if not is_picture(name) or not path.is_file() or path.is_symlink():
            raise HTTPException(404, "This set has no such picture.")
        return FileResponse(path, media_type=MEDIA[name.rpartition(".")[2]], headers=FOR_GOOD)

    def thumb(self, request: Request) -> Response:
        opened, name = self._set(request), request.path_params["name"]
        path = opened.picture(name)
        if not is_picture(name) or path.is_symlink():
            raise HTTPException(404, "This set has no such picture.")
        try:
            return FileResponse(thumb(path, opened.folder / "thumbs"), media_type="image/jpeg", headers=FOR_GOOD)
        except ProctorError as error:
            raise HTTPException(404, error.message) from error

    def _runs(self) -> Runs:
        return Runs([folder for folder in self._studio.all_runs if folder.is_dir()])

    def _queue(self, opened: AnnotationSet) -> Queue:
        with self._lock:
            return self._queues.setdefault(opened.name, Queue(opened))

    def _set(self, request: Request) -> AnnotationSet:
        found = self._sets.find(request.path_params["set"])
        if found is None:
            raise HTTPException(404, "There is no such set here.")
        return found

    def _item(self, request: Request) -> tuple[AnnotationSet, AnnotationItem]:
        opened = self._set(request)
        item = opened.item(request.path_params["item"])
        if item is None:
            raise HTTPException(404, "This set has no such item.")
        return opened, item


def _row(each: ItemStanding, labels: Labels, person: str) -> dict[str, object]:
    mine = labels.get(each.item.id, {}).get(person)
    return {
        "id": each.item.id,
        "name": each.item.name or "without a name",
        "thumb": each.item.pictures[0],
        "state": each.state,
        "done": len(each.done),
        "mine": "" if mine is None else "done" if mine.data.get("done") is True else "begun",
    }


def _about(opened: AnnotationSet) -> dict[str, object]:
    return {name: getattr(opened.about, name) for name in ("kind", "annotators", "options", "source")}


def _version(found: Version | None) -> dict[str, object]:
    if found is None:
        return {"version": 0, "label": None, "by": ""}
    return {"version": found.number, "label": found.data, "by": found.by}
