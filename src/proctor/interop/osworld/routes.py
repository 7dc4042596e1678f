"""The routes of OSWorld's guest server, answered from outside of the computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from proctor.errors import AgentError
from proctor.interop.osworld.film import Film
from proctor.interop.osworld.form_data import Fields
from proctor.interop.osworld.guest import COMMAND_SEC, SCRIPT_SEC, Command, OSWorldGuest

LONGEST_SEC = 3600.0
VERIFY_SEC = 10.0
"""How long what a command leads to is waited for."""


@dataclass(frozen=True)
class Response:
    """What a request is answered with."""

    body: bytes
    kind: str = "application/json"
    status: int = 200

    @classmethod
    def plain(cls, text: str) -> Response:
        """Return a text."""
        return cls(text.encode(), "text/html; charset=utf-8")

    @classmethod
    def data(cls, data: object, status: int = 200) -> Response:
        """Return plain data as JSON."""
        return cls(json.dumps(data).encode(), status=status)


class Routes:
    """What is asked of one guest, by method and path; called one at a time."""

    def __init__(self, guest: OSWorldGuest, film: Callable[[], Film], fresh: Callable[[], None]) -> None:
        """Make them; `film` begins a video, `fresh` puts a fresh computer in the place of this one."""
        self._guest, self._begin_film, self._fresh = guest, film, fresh
        self._film: Film | None = None
        see: Mapping[str, Callable[[Fields], Response]] = {
            "/screenshot": lambda _: Response(self._guest.screenshot(), "image/png"),
            "/accessibility": lambda _: Response.data({"AT": self._guest.accessibility()}),
            "/terminal": lambda _: Response.data({"output": self._guest.terminal(), "status": "success"}),
            "/platform": lambda _: Response.plain("Linux"),
            "/cursor_position": lambda _: Response.data(self._guest.cursor_position()),
        }
        ask: Mapping[str, Callable[[Fields], Response]] = {
            "/execute": self._execute,
            "/setup/execute": self._execute,
            "/execute_with_verification": self._execute_and_verify,
            "/setup/execute_with_verification": self._execute_and_verify,
            "/setup/launch": self._launch,
            "/run_python": self._run_python,
            "/run_bash_script": self._run_bash,
            "/screen_size": lambda _: Response.data(self._guest.screen_size()),
            "/window_size": self._window_size,
            "/desktop_path": self._desktop_path,
            "/list_directory": self._list_directory,
            "/wallpaper": self._wallpaper,
            "/file": self._file,
            "/setup/upload": self._upload,
            "/setup/download_file": self._download,
            "/setup/open_file": self._open_file,
            "/setup/change_wallpaper": self._change_wallpaper,
            "/setup/split_screen": self._split_screen,
            "/setup/activate_window": self._activate_window,
            "/setup/close_window": self._close_window,
            "/start_recording": self._start_recording,
            "/end_recording": self._end_recording,
            "/proctor/reset": self._reset,
        }
        self.all = {**{("GET", path): work for path, work in see.items()}}
        self.all |= {("POST", path): work for path, work in ask.items()}

    def close(self) -> None:
        """Throw a video away that nobody has asked for."""
        film, self._film = self._film, None
        if film is not None:
            film.end()

    # -- commands -------------------------------------------------------------------------------------------------

    def _execute(self, fields: Fields) -> Response:
        return Response.data(
            self._guest.execute(_command(fields), shell=true_of(fields, "shell"), timeout_sec=COMMAND_SEC)
        )

    def _execute_and_verify(self, fields: Fields) -> Response:
        ran = self._guest.execute(_command(fields), shell=true_of(fields, "shell"), timeout_sec=COMMAND_SEC)
        sought = fields.get("verification") or {}
        if not isinstance(sought, dict):
            raise AgentError("`verification` is no object", remedy='such as {"window_exists": "Calc"}')
        most = seconds_of(fields, "max_wait_time", VERIFY_SEC)
        missing = self._guest.await_signs(
            window=str(sought.get("window_exists") or ""),
            command=str(sought.get("command_success") or ""),
            timeout_sec=most,
        )
        if missing:
            said = {**ran, "status": "verification_failed", "message": missing, "verification": "failed"}
            return Response.data(said, 500)
        return Response.data({**ran, "verification": "passed"})

    def _launch(self, fields: Fields) -> Response:
        command = _command(fields)
        self._guest.launch(command, shell=true_of(fields, "shell"))
        return Response.plain(f"{command if isinstance(command, str) else ' '.join(command)} launched successfully")

    def _run_python(self, fields: Fields) -> Response:
        seconds = seconds_of(fields, "timeout", SCRIPT_SEC)
        return Response.data(self._guest.run_python(text_of(fields, "code"), timeout_sec=seconds))

    def _run_bash(self, fields: Fields) -> Response:
        folder = text_of(fields, "working_dir") if fields.get("working_dir") is not None else None
        seconds = seconds_of(fields, "timeout", SCRIPT_SEC)
        return Response.data(self._guest.run_bash(text_of(fields, "script"), timeout_sec=seconds, cwd=folder))

    # -- files and windows ----------------------------------------------------------------------------------------

    def _file(self, fields: Fields) -> Response:
        return Response(self._guest.file(text_of(fields, "file_path")), "application/octet-stream")

    def _wallpaper(self, _fields: Fields) -> Response:
        picture = self._guest.wallpaper()
        return Response(picture, "image/png") if picture else _not_found("the desktop shows no wallpaper")

    def _window_size(self, fields: Fields) -> Response:
        name = text_of(fields, "app_class_name")
        size = self._guest.window_size(name)
        return Response.data(size) if size else _not_found(f"no window of {name[:200]!r} is open")

    def _desktop_path(self, _fields: Fields) -> Response:
        path = self._guest.desktop_path()
        return Response.data({"desktop_path": path}) if path else _not_found("there is no folder for the desktop")

    def _list_directory(self, fields: Fields) -> Response:
        return Response.data({"directory_tree": self._guest.directory(text_of(fields, "path"))})

    def _upload(self, fields: Fields) -> Response:
        data = fields.get("file_data")
        if not isinstance(data, bytes):
            raise AgentError("there is no file in `file_data`", remedy="send it as a file of a multipart form")
        self._guest.upload(text_of(fields, "file_path"), data)
        return Response.plain("File Uploaded")

    def _download(self, fields: Fields) -> Response:
        self._guest.fetch(text_of(fields, "url"), text_of(fields, "path"))
        return Response.plain("File downloaded successfully")

    def _open_file(self, fields: Fields) -> Response:
        self._guest.open_file(text_of(fields, "path"))
        return Response.plain("File opened successfully")

    def _activate_window(self, fields: Fields) -> Response:
        how = {name: true_of(fields, name) for name in ("strict", "by_class")}
        self._guest.activate_window(text_of(fields, "window_name"), **how)
        return Response.plain("Window activated successfully")

    def _close_window(self, fields: Fields) -> Response:
        how = {name: true_of(fields, name) for name in ("strict", "by_class")}
        self._guest.close_window(text_of(fields, "window_name"), **how)
        return Response.plain("Window closed successfully.")

    def _change_wallpaper(self, fields: Fields) -> Response:
        self._guest.change_wallpaper(text_of(fields, "path"))
        return Response.plain("Wallpaper changed successfully")

    def _split_screen(self, fields: Fields) -> Response:
        self._guest.split_screen(text_of(fields, "window_name1"), text_of(fields, "window_name2"))
        return Response.plain("Windows arranged successfully")

    # -- the whole computer ---------------------------------------------------------------------------------------

    def _start_recording(self, _fields: Fields) -> Response:
        if self._film is not None:
            return Response.data({"status": "error", "message": "Recording is already in progress."}, 400)
        self._film = self._begin_film()
        return Response.data({"status": "success", "message": "Started recording successfully."})

    def _end_recording(self, _fields: Fields) -> Response:
        film, self._film = self._film, None
        if film is None:
            return Response.data({"status": "error", "message": "No recording in progress to stop."}, 400)
        return Response(film.end(), "video/mp4")

    def _reset(self, _fields: Fields) -> Response:
        self.close()
        self._fresh()
        return Response.data({"status": "success"})


def text_of(fields: Fields, name: str) -> str:
    """Return a text that a request must have."""
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise AgentError(f"the request has no text {name!r}", remedy=f"give {name!r}")
    return value


def true_of(fields: Fields, name: str) -> bool:
    """Tell whether something is asked for; texts such as "true" are taken for what they mean."""
    value = fields.get(name, False)
    return value.strip().lower() not in ("", "false", "0", "no") if isinstance(value, str) else bool(value)


def seconds_of(fields: Fields, name: str, otherwise: float) -> float:
    """Return a number of seconds; raises AgentError for what is none."""
    value = fields.get(name)
    if value is None:
        return otherwise
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= LONGEST_SEC:
        return float(value)
    raise AgentError(f"{name!r} is {str(value)[:80]!r}", remedy=f"give seconds above 0 and at most {LONGEST_SEC:g}")


def _command(fields: Fields) -> Command:
    command = fields.get("command")
    if isinstance(command, str | list):
        return command
    raise AgentError("the request has no `command`", remedy="give a text or a list of texts")


def _not_found(what: str) -> Response:
    return Response.data({"status": "error", "message": what}, 404)
