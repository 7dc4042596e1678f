"""The server of the pages: lists by NiceGUI, the replay as plain files, and a guard before both."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from nicegui import ui

from proctor.web.guard import PageGuard
from proctor.web.listen import host_text, listen
from proctor.web.live import Live, can_watch
from proctor.web.replay.routes import Replay
from proctor.web.report_page import REPORT_POLICY, REPORTS, report_routes
from proctor.web.run_page import add_run_page
from proctor.web.runs import Runs
from proctor.web.runs_page import add_runs_page

FRAMEWORK_PATHS = ("/run/", "/_nicegui")
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#3b6fd4"/>'
    '<circle cx="8" cy="8" r="4.2" fill="none" stroke="#fff" stroke-width="1.6"/><circle cx="8" cy="8" r="1.4" '
    'fill="#fff"/></svg>'
)


def make_app(runs: Runs, host: str = "127.0.0.1") -> PageGuard:
    """Return the application; once in a process, since NiceGUI keeps its pages in one place."""
    routes = [*Replay(runs, can_watch).routes(), *Live(runs).routes(), *report_routes(runs)]
    app = FastAPI(routes=routes, docs_url=None, redoc_url=None, openapi_url=None)
    add_runs_page(runs)
    add_run_page(runs)
    ui.run_with(app, title="Proctor", favicon=ICON, dark=None, tailwind=False, show_welcome_message=False)
    return PageGuard(app, host=host, framework_paths=FRAMEWORK_PATHS, policies={REPORTS: REPORT_POLICY})


def serve(folders: Sequence[Path], *, host: str, port: int, ready: Callable[[str], None], browse: bool) -> None:
    """Serve runs, or folders of runs, until interrupted; port 0 is any free one."""
    runs = Runs(folders)
    listener = listen(host, port)
    listed = runs.list_runs()
    path = f"/run/{listed[0].id}" if len(listed) == 1 else "/"
    address = f"http://{host_text(host)}:{listener.getsockname()[1]}{path}"
    config = uvicorn.Config(make_app(runs, host), log_level="warning", access_log=False, server_header=False)
    ready(address)
    if browse:
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listener])
