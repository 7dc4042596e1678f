"""The page of live control: what the agent is about to do, and the person's answer."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from proctor.actions.action import Action, from_json
from proctor.errors import AgentError
from proctor.plain_text import printable
from proctor.studio.answers import body_of, json_answer, number_of, room_files, show, text_of
from proctor.studio.control.control import WORDS, Control, Decision, Word
from proctor.studio.home import STATIC as STUDIO_FILES
from proctor.studio.screen_relay import carry
from proctor.web.live import Live
from proctor.web.replay.routes import STATIC as REPLAY_FILES
from proctor.web.runs import Runs

STATIC = Path(__file__).parent / "static"
MOST_TEXT = 10_000


class ControlPages:
    """Answers for one run under control."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def routes(self) -> list[BaseRoute]:
        """Return where everything is found."""
        return [
            Route("/", show(STATIC / "control.html")),
            Route("/control/status", self.status),
            Route("/control/picture/{number:int}", self.picture),
            Route("/control/answer", self.answer, methods=["POST"]),
            Route("/control/take-over", self.take_over, methods=["POST"]),
            Route("/control/hand-back", self.hand_back, methods=["POST"]),
            Route("/control/ask-again", self.ask_again, methods=["POST"]),
            WebSocketRoute("/control/screen", self.screen),
            room_files("/control-files", STATIC),
            room_files("/studio-files", STUDIO_FILES),
            room_files("/replay-files", REPLAY_FILES),
            # Of a run under way nothing but the viewer's own files is handed out here.
            *(route for route in Live(Runs(())).routes() if isinstance(route, Route)),
        ]

    def status(self, request: Request) -> Response:
        """Return how it stands."""
        return json_answer(self._control.status(number_of(request, "after")))

    def picture(self, request: Request) -> Response:
        """Return the screen as the agent was shown it."""
        data = self._control.picture(request.path_params["number"])
        if data is None:
            raise HTTPException(404, "This question is over.")
        return Response(data, media_type="image/png", headers={"Cache-Control": "no-store"})

    async def answer(self, request: Request) -> Response:
        """Take the person's word on a question."""
        data = await body_of(request)
        number, word = data.get("number"), text_of(data, "word")
        if type(number) is not int or word not in WORDS:
            raise HTTPException(400, f"Give the number of the question, and one of these words: {', '.join(WORDS)}.")
        chosen: Word = next(each for each in WORDS if each == word)
        action = _action(data) if chosen == "edit" else None
        reason = printable(text_of(data, "reason", MOST_TEXT).strip())
        if not self._control.answer(number, Decision(chosen, reason, action)):
            raise HTTPException(409, "This was already answered, or the agent has moved on.")
        return json_answer({})

    async def take_over(self, request: Request) -> Response:
        """Take over with the agent's next action."""
        await body_of(request)
        self._control.want_to_take_over()
        return json_answer({})

    async def hand_back(self, request: Request) -> Response:
        """Let the agent go on."""
        await body_of(request)
        if not self._control.hand_back():
            raise HTTPException(409, "The agent is using the desktop.")
        return json_answer({})

    async def ask_again(self, request: Request) -> Response:
        """Ask about each action again."""
        await body_of(request)
        self._control.ask_again()
        return json_answer({})

    async def screen(self, socket: WebSocket) -> None:
        """Carry the screen to the person's browser, and their hand to the computer while they have it."""
        await carry(self._control, socket)


def _action(data: dict[str, object]) -> Action:
    try:
        return from_json(data.get("action"))
    except AgentError as error:
        raise HTTPException(400, printable(str(error))) from error
