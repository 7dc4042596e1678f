"""What the pages of every room use: reading what a page sends, and answering with JSON and files."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount

from proctor.errors import HostError, ProctorError
from proctor.plain_text import printable
from proctor.store.bounds import load_json
from proctor.store.versions import OutOfDate, Version
from proctor.web.replay.routes import FOR_NOW, PageFiles

MOST_BYTES = 1 << 20
"""Of what a page sends."""
T = TypeVar("T")


async def body_of(request: Request) -> dict[str, object]:
    """Return the JSON object that a page sent; refuses what is too long, or none, without keeping it."""
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > MOST_BYTES:
        raise too_long(f"That is more than {MOST_BYTES} bytes.")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Send JSON.")
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise too_long(f"That is more than {MOST_BYTES} bytes.")
    try:
        found = load_json(bytes(data))
    except ValueError as error:
        raise HTTPException(400, f"This is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise HTTPException(400, "Send a JSON object.")
    return found


def too_long(words: str) -> HTTPException:
    """Return what refuses more than is taken; the connection ends, so that the rest is not even read."""
    return HTTPException(413, words, headers={"Connection": "close"})


def text_of(data: dict[str, object], name: str, most: int = 10_000) -> str:
    """Return a text that a page sent, empty when it sent none; refuses what is no text or too long."""
    value = data.get(name, "")
    if not isinstance(value, str):
        raise HTTPException(400, f"{name} is not a text.")
    if len(value) > most:
        raise HTTPException(400, f"{name} is longer than {most} characters.")
    return value


def int_of(data: dict[str, object], name: str, otherwise: str, within: tuple[int, int] | None = None) -> int:
    """Return a whole number that a page sent; refuses what is none, or not within bounds."""
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not (within is None or within[0] <= value <= within[1]):
        raise HTTPException(400, otherwise)
    return value


def json_answer(data: object, status: int = 200) -> Response:
    """Return plain data; escapes keep what no encoding has, such as half a character."""
    return Response(json.dumps(data, separators=(",", ":")), status_code=status, media_type="application/json")


PROBLEM = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Proctor studio</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/replay-files/theme.css">
<link rel="stylesheet" href="/studio-files/base.css"></head>
<body><main class="s-main"><h1>{title}</h1><p>{detail}</p><p><a href="/">First page of the studio</a></p></main>
</body></html>
"""


def answer_problem(request: Request, error: Exception) -> Response:
    """Answer with why something was refused: as a page if one was asked for, else as data."""
    assert isinstance(error, HTTPException)
    if "text/html" in request.headers.get("accept", ""):
        title = "There is no such page" if error.status_code == 404 else "This cannot be shown"
        page = PROBLEM.format(title=title, detail=html.escape(printable(str(error.detail))))
        answer: Response = HTMLResponse(page, error.status_code)
    else:
        answer = json_answer({"problem": error.detail}, error.status_code)
    answer.headers.update(error.headers or {})
    return answer


def label_of(data: dict[str, object], what: str) -> tuple[int, dict[str, object]]:
    """Return the version that a page had seen and what it saves in its place; refuses anything else."""
    seen, label = data.get("version"), data.get("label")
    if not isinstance(seen, int) or isinstance(seen, bool) or seen < 0 or not isinstance(label, dict):
        raise HTTPException(400, f"Send the version that you saw, and a {what}.")
    return seen, label


async def answer_save(work: Callable[[], Version], told: Callable[[Version], dict[str, object]]) -> Response:
    """Answer with the number of what was saved, or with what is newer than the page had seen."""
    try:
        return json_answer({"version": (await in_thread(work)).number})
    except OutOfDate as error:
        problem = "This was saved in the meantime, perhaps in another tab."
        return json_answer({"problem": problem, **told(error.current)}, 409)


def number_of(request: Request, name: str, otherwise: int = 0) -> int:
    """Return a whole number of an address."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


async def in_thread(work: Callable[[], T]) -> T:
    """Do work on the disk in a thread; what it refuses is told, what others saved is for the page."""
    try:
        return await run_in_threadpool(work)
    except OutOfDate:
        raise
    except ProctorError as error:
        raise problem_of(error) from error


def problem_of(error: ProctorError, status: int = 400) -> HTTPException:
    """Return what a page is told of an error: its words and what to do."""
    status = 507 if isinstance(error, HostError) else status
    return HTTPException(status, f"{error.message}: {error.remedy}" if error.remedy else error.message)


def page(path: Path, status: int = 200) -> Response:
    """Return a page as it lies in a folder `static`."""
    return FileResponse(path, status_code=status, headers=FOR_NOW)


def show(path: Path) -> Callable[[Request], Response]:
    """Return what answers with a page, which asks for the rest by itself."""
    return lambda _: page(path)


def room_files(address: str, folder: Path) -> Mount:
    """Return where the scripts and styles of a room are found."""
    return Mount(address, PageFiles(directory=folder))
