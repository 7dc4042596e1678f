"""The server of live control, beside its run, on loopback, behind the studio's entrance."""

from __future__ import annotations

import threading
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from proctor.runner.job import Job
from proctor.runner.workers.local import HereWorkers
from proctor.studio.answers import answer_problem
from proctor.studio.control.control import Control
from proctor.studio.control.pages import ControlPages
from proctor.studio.entrance import Entrance
from proctor.web.guard import PageGuard
from proctor.web.listen import listen

HOST = "127.0.0.1"
LAST_LOOK_SEC = 2.0
"""How long the page may still ask how it ended."""


def make_app(control: Control, entrance: Entrance) -> PageGuard:
    """Return the application."""
    app = Starlette(routes=ControlPages(control).routes(), exception_handlers={HTTPException: answer_problem})
    return PageGuard(entrance.before(app), host=HOST)


class ControlledWorkers(HereWorkers):
    """Holds one episode at a time in this process, each action confirmed in a page."""

    def __init__(self, port: int, ready: Callable[[str], None]) -> None:
        """Open the page; `ready` hears an address for one browser, and another when one was used."""
        self.control = Control()
        super().__init__(along=(self.control,))
        listener = listen(HOST, port)
        root = f"http://{HOST}:{listener.getsockname()[1]}"
        entrance = Entrance(used=lambda: ready(f"{root}{entrance.invite()}"))
        config = uvicorn.Config(
            make_app(self.control, entrance),
            log_level="warning",
            access_log=False,
            server_header=False,
            ws_max_size=1 << 20,
            ws_per_message_deflate=False,  # what comes from a screen is packed already
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), name="control", daemon=True)
        self._thread.start()
        ready(f"{root}{entrance.invite()}")

    def give(self, job: Job) -> None:
        """Take the episode that `finished` will hold."""
        self.control.expect(job)
        super().give(job)

    def close(self) -> None:
        """Tell the page that it is over, and end the server."""
        self.control.finish()
        self._server.should_exit = True
        self._thread.join(LAST_LOOK_SEC)
