"""The pages on which people work on a live desktop, to show something or to try a task."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from proctor.actions.action import Answer, AskUser, Done, Fail, SignalAction
from proctor.plain_text import printable
from proctor.store.addresses import episode_id, run_id
from proctor.studio.answers import body_of, json_answer, number_of, page, room_files, show, text_of
from proctor.studio.record.desk import Desk, Kind
from proctor.studio.record.desks import Desks, recover
from proctor.studio.record.hand import FinalWord, Left
from proctor.studio.screen_relay import carry
from proctor.studio.studio import Studio
from proctor.tasks.free import FREE

HOME = ("Record and try", "/record", "Do a task on a live desktop: as a demonstration, or timed, as a human baseline.")
STATIC = Path(__file__).parent / "static"
MOST_TEXT = 10_000
KINDS: dict[str, Kind] = {"record": "record", "validate": "validate"}

_open: dict[int, Desks] = {}
"""The desks of each studio of this process, by its identity."""


def routes(studio: Studio) -> list[BaseRoute]:
    """Return where everything of this room is found; what was left unfinished is made whole first."""
    if studio.demonstrations.is_dir():
        recover(studio.demonstrations.iterdir())
    desks = _open[id(studio)] = Desks(studio)
    return _Room(studio, desks).routes()


def desks_of(studio: Studio) -> Desks:
    """Return the desks of a studio; raises HTTPException where this room is not open."""
    if found := _open.get(id(studio)):
        return found
    raise HTTPException(503, "No desktops can be opened here now.")


def desk_of(studio: Studio, number: str, request: HTTPConnection) -> Desk:
    """Return the desk of an id; raises HTTPException where there is none, or it is somebody else's."""
    desk = desks_of(studio).find(number)
    if desk is None:
        raise HTTPException(404, "There is no such desk. The studio may have been restarted.")
    if not may_use(studio, desk, request):
        raise HTTPException(403, "This desk belongs to someone else.")
    return desk


def may_use(studio: Studio, desk: Desk, request: HTTPConnection) -> bool:
    """Tell whether a desk is the browser's, or of the person whose name it gives."""
    return desk.visitor == request.scope["studio_visitor"] or desk.person == studio.person(request)


def close(studio: Studio) -> None:
    """End every desk."""
    if desks := _open.pop(id(studio), None):
        desks.close()


class _Room:
    """Answers for the desks of one studio."""

    def __init__(self, studio: Studio, desks: Desks) -> None:
        self._studio, self._desks = studio, desks

    def routes(self) -> list[BaseRoute]:
        desk = "/record/desks/{desk}"
        return [
            Route("/record", show(STATIC / "room.html")),
            Route("/record/desk/{desk}", self.page),
            Route("/record/desks", self.list_all),
            Route("/record/desks", self.sit_down, methods=["POST"]),
            Route(desk, self.status),
            Route(desk + "/pause", self.pause, methods=["POST"]),
            Route(desk + "/thought", self.think, methods=["POST"]),
            Route(desk + "/ask", self.ask, methods=["POST"]),
            Route(desk + "/end", self.end, methods=["POST"]),
            WebSocketRoute(desk + "/screen", self.screen),
            room_files("/record-files", STATIC),
        ]

    def page(self, request: Request) -> Response:
        desk = self._desks.find(request.path_params["desk"])
        if desk is None or not self._may_use(desk, request):
            return page(STATIC / "missing.html", 404)
        return page(STATIC / "desk.html")

    def list_all(self, request: Request) -> Response:
        return json_answer({"desks": [self._about(desk, request) for desk in self._desks.list_all()]})

    async def sit_down(self, request: Request) -> Response:
        """Give a person a desktop; it is prepared meanwhile."""
        data = await body_of(request)
        kind = KINDS.get(text_of(data, "kind") or "record")
        seed = data.get("seed", 0)
        if kind is None:
            raise HTTPException(400, "kind is record or validate.")
        if type(seed) is not int or not 0 <= seed < 1 << 31:
            raise HTTPException(400, "seed must be a number, 0 or more.")
        desk = await run_in_threadpool(
            self._desks.open,
            person=self._studio.person(request),
            visitor=request.scope["studio_visitor"],
            task=text_of(data, "task", 200),
            seed=seed,
            kind=kind,
            video=data.get("video") is True,
        )
        return json_answer({"id": desk.id, "address": f"/record/desk/{desk.id}"})

    def status(self, request: Request) -> Response:
        """Return how a desk stands, with the steps after a number."""
        desk, after = self._desk(request), number_of(request, "after")
        return json_answer(
            {
                **self._about(desk, request),
                **{name: getattr(desk, name) for name in ("size", "trouble", "told", "making", "stage")},
                "instruction": printable(self._instruction(desk)),
                "intent": printable(desk.task.intent),
                "seconds": round(desk.watch.seconds, 1),
                "steps": desk.steps[after:],
                "count": len(desk.steps),
                "verdict": desk.verdict(),
                "replay": _replay(desk),
                "back": desk.again.back if desk.again else "",
            }
        )

    async def pause(self, request: Request) -> Response:
        data = await body_of(request)
        desk = self._desk(request)
        desk.pause(data.get("paused") is True)
        return json_answer({"state": desk.state})

    async def think(self, request: Request) -> Response:
        text = text_of(await body_of(request), "text", MOST_TEXT)
        self._desk(request).hand.think(text)
        return json_answer({})

    async def ask(self, request: Request) -> Response:
        question = text_of(await body_of(request), "question", MOST_TEXT).strip()
        desk = self._desk(request)
        if not question or desk.state != "working":
            raise HTTPException(409, "Ask while you work, and write a question.")
        desk.hand.hear(FinalWord(AskUser(question=question)))
        return json_answer({})

    async def end(self, request: Request) -> Response:
        """Take the person's last word: done, given up, an answer, or that they only leave."""
        data = await body_of(request)
        desk = self._desk(request)
        text = text_of(data, "text", MOST_TEXT)
        said = _word(text_of(data, "word"), text)
        if not desk.end(FinalWord(said) if said else Left("the person left"), _ratings(data, text)):
            raise HTTPException(409, "This desk has already ended, or is not ready yet.")
        return json_answer({"state": desk.state})

    async def screen(self, socket: WebSocket) -> None:
        """Carry the screen to the person's browser, and what they do there to the computer."""
        desk = self._desks.find(socket.path_params["desk"])
        if desk is None or not self._may_use(desk, socket):
            await socket.close(1008)
            return
        await carry(desk, socket)

    def _desk(self, request: Request) -> Desk:
        return desk_of(self._studio, request.path_params["desk"], request)

    def _may_use(self, desk: Desk, request: HTTPConnection) -> bool:
        return may_use(self._studio, desk, request)

    def _about(self, desk: Desk, request: HTTPConnection) -> dict[str, object]:
        told = {name: getattr(desk, name) for name in ("id", "title", "person", "kind", "state", "free")}
        return {**told, "address": f"/record/desk/{desk.id}", "yours": self._may_use(desk, request)}

    def _instruction(self, desk: Desk) -> str:
        return (
            "Show whatever you like; it is recorded."
            if desk.task.id == FREE and not desk.making
            else desk.hand.instruction or desk.task.instruction
        )


def _word(word: str, text: str) -> SignalAction | None:
    match word:
        case "done":
            return Done()
        case "fail" if text.strip():
            return Fail(reason=text)
        case "answer" if text.strip():
            return Answer(text=text)
        case "leave":
            return None
        case "fail" | "answer":
            raise HTTPException(400, "Give a reason, or the answer.")
        case _:
            raise HTTPException(400, "word is done, fail, answer or leave.")


def _ratings(data: dict[str, object], text: str) -> dict[str, object]:
    found: dict[str, object] = {"word": data["word"]} | ({"reason": text} if data["word"] == "fail" else {})
    for name in ("clarity", "difficulty"):
        value = data.get(name)
        if value is None:
            continue
        if type(value) is not int or not 1 <= value <= 5:
            raise HTTPException(400, f"{name} is a whole number from 1 to 5.")
        found[name] = value
    for name in ("fault", "goal", "description"):
        if said := text_of(data, name, MOST_TEXT).strip():
            found[name] = said
    return found


def _replay(desk: Desk) -> str:
    if desk.job is None or not desk.ended or not desk.job.folder.is_dir():
        return ""
    root = desk.job.run.resolve()
    return f"/replay/{run_id(root)}/{episode_id(desk.job.run, desk.job.folder)}"
