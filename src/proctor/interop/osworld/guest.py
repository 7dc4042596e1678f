"""What OSWorld's guests answer, asked of any computer: commands, the screen, files, windows."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Sequence
from functools import partial

from proctor.actions.action import Action
from proctor.computers.computer import Computer, Window
from proctor.computers.entries import FileInfo
from proctor.errors import AgentError, ComputerError, NotReady
from proctor.home import HOME
from proctor.interop import guest_commands
from proctor.interop.agent_commands import code_that_writes
from proctor.interop.guest_commands import Ran
from proctor.interop.osworld.gestures import gestures_of, without_prefix
from proctor.observations.encode import png
from proctor.observations.xml import to_xml
from proctor.suites.foreign.osworld_setup import HALVES
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.desktop.probes import BACKDROP
from proctor.vocabulary.desktop.setup.windows import arrange, close_window, focus_window

COMMAND_SEC = 120.0
"""How long a command may take, as there."""
SCRIPT_SEC = 30.0
SIGN_SEC = 5.0
"""How long a command may take that only looks whether another one has done its work."""
MOST_FILE = 256 << 20
MOST_ENTRIES, MOST_DEPTH = 20_000, 40
"""Of a listed folder."""
FETCH = """
import shutil, sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as source, open(sys.argv[2], "wb") as target:
    shutil.copyfileobj(source, target)
"""
"""Fetches inside, where there may be a network; nothing is ever fetched by the host."""

_WALLPAPER = ("-c", "xfce4-desktop", "-p", f"{BACKDROP}/last-image")
Command = str | Sequence[str]
Said = dict[str, object]
"""An answer, in OSWorld's words."""
Do = Callable[[str, Callable[[], Ran]], Ran]
_WMCTRL = {"focus": "a", "close": "c", "arrange": "r"}
_SCRIPT_FILE = """
file=$(mktemp) && cat >"$file" || exit 1
bash "$file" </dev/null 2>&1
code=$?
rm -f "$file"
exit $code
"""
"""Runs what it is given on standard input, which a shell inside may read and not open again by its name."""


class OSWorldGuest:
    """A computer as OSWorld's harness knows it.

    Errors are Python's own where a file is meant, AgentError where something was asked for that cannot be, and
    ComputerError where the computer did not take it.
    """

    def __init__(
        self,
        computer: Callable[[], Computer],
        *,
        perform: Callable[[Action], object] | None = None,
        do: Do | None = None,
    ) -> None:
        """Make it.

        Args:
            computer: Returns the computer that is meant now.
            perform: Carries out an action; the computer itself where nothing is examined.
            do: Does what a command does, and notes the command where something is examined.
        """
        self._computer = computer
        self._perform = perform or (lambda action: computer().perform(action))
        self._noting = do is not None
        self._do: Do = do or (lambda _code, work: work())

    # -- commands -------------------------------------------------------------------------------------------------

    def execute(self, command: Command, *, shell: bool = False, timeout_sec: float = COMMAND_SEC) -> Said:
        """Run a command; gestures of PyAutoGUI are made from outside, as any agent's."""
        computer, argv = self._computer(), words_of(command, shell, self._home)
        gestures = gestures_of(argv, computer.size)
        if gestures is not None:
            for action in gestures:
                self._perform(action)
            return {"status": "success", "output": "", "error": "", "returncode": 0}
        ran = self._run(without_prefix(argv), timeout_sec=timeout_sec)
        return {"status": "success", "output": ran.stdout, "error": ran.stderr, "returncode": ran.code}

    def run_gesturing(self, program: str) -> Said:
        """Run a program of Python that may move pointer and keys besides what else it does."""
        return self.execute(["python3", "-c", program])

    def await_signs(self, *, window: str, command: str, timeout_sec: float) -> str:
        """Wait for a window, and for a line of the shell to succeed; return what did not happen in time."""
        computer = self._computer()

        def what_lacks() -> str:
            if window and self._window(window) is None:
                return f"no window is called {window[:200]!r}"
            if command and guest_commands.run(computer, ["/bin/bash", "-c", command], timeout_sec=SIGN_SEC).code:
                return f"{command[:200]!r} fails"
            return ""

        try:
            computer.wait_for(lambda _: not what_lacks(), timeout_sec=timeout_sec)
        except NotReady:
            return f"after {timeout_sec:g} seconds, {what_lacks() or 'it had not happened yet'}"
        return ""

    def launch(self, command: Command, *, shell: bool = False) -> None:
        """Start a program, and do not wait for it."""
        self._start(words_of(command, shell, self._home))

    def run_python(self, code: str, *, timeout_sec: float = SCRIPT_SEC) -> Said:
        """Run a program of Python, as a file of it would be."""
        ran = self._script(["python3", "-"], code, timeout_sec)
        return {
            "status": "success" if ran.code == 0 else "error",
            "message": ran.stdout + ran.stderr,
            "need_more": False,
            "output": ran.stdout,
            "error": ran.stderr,
            "return_code": ran.code,
        }

    def run_bash(self, script: str, *, timeout_sec: float = SCRIPT_SEC, cwd: str | None = None) -> Said:
        """Run a script of the shell; what it says to standard error is among its output."""
        words = ["sh", "-c", _SCRIPT_FILE]
        ran = self._script(words, script, timeout_sec, cwd)
        status = "success" if ran.code == 0 else "error"
        return {"status": status, "output": ran.stdout + ran.stderr, "error": "", "returncode": ran.code}

    def _script(self, argv: Sequence[str], script: str, timeout_sec: float, cwd: str | None = None) -> Ran:
        data = _text(script, "a script").encode()
        try:
            return self._run(argv, code=script, input=data, timeout_sec=timeout_sec, cwd=cwd)
        except TimeoutError:
            return Ran(-1, "", f"Script execution timed out after {timeout_sec:g} seconds")

    def _run(
        self,
        argv: Sequence[str],
        *,
        code: str = "",
        input: bytes = b"",
        timeout_sec: float = COMMAND_SEC,
        cwd: str | None = None,
    ) -> Ran:
        computer = self._computer()
        return self._do(
            code or shlex.join(argv),
            lambda: guest_commands.run(computer, argv, input=input, timeout_sec=timeout_sec, cwd=cwd),
        )

    def _start(self, argv: Sequence[str]) -> None:
        def start() -> Ran:
            self._computer().launch(list(argv), wait=False)
            return Ran(0, "", "")

        self._do(f"{shlex.join(argv)} &", start)

    # -- what is to be seen ---------------------------------------------------------------------------------------

    def screenshot(self) -> bytes:
        """Return the screen with the pointer, as PNG."""
        return png(self._computer().screenshot())

    def accessibility(self) -> str:
        """Return the tree as XML in OSWorld's shape."""
        return to_xml(self._computer().tree())

    def terminal(self) -> str | None:
        """Return the text of the frontmost terminal; None where there is none."""
        return self._computer().terminal()

    def screen_size(self) -> dict[str, int]:
        """Return the size of the desktop."""
        width, height = self._computer().size
        return {"width": width, "height": height}

    def window_size(self, app_class: str) -> dict[str, int] | None:
        """Return the size of an application's frontmost window; None where it has none."""
        found = self._window(app_class, by_class=True)
        return {"width": found.box.width, "height": found.box.height} if found else None

    def cursor_position(self) -> list[int]:
        """Return the place of the pointer."""
        return list(self._computer().pointer_position())

    def wallpaper(self) -> bytes | None:
        """Return the picture that is set as wallpaper; None where there is none."""
        ran = guest_commands.run(self._computer(), ["xfconf-query", *_WALLPAPER])
        path = ran.stdout.strip()
        return self.file(path) if ran.code == 0 and path else None

    # -- files ----------------------------------------------------------------------------------------------------

    def file(self, path: str) -> bytes:
        """Return a file that the agent's user may read; raises as `open` would."""
        return guest_commands.read(self._computer(), self.path(path), most=MOST_FILE)

    def change_wallpaper(self, path: str) -> None:
        """Set a picture as wallpaper; raises FileNotFoundError where there is none."""
        whole = self.path(path)
        self._computer().file_info(whole)
        ran = self._run(["xfconf-query", *_WALLPAPER, "--create", "-t", "string", "-s", whole])
        if ran.code:
            raise ComputerError(f"the wallpaper was not changed: {ran.stderr.strip()[:300]}")

    def upload(self, path: str, data: bytes) -> None:
        """Write a file as the agent's user."""
        whole = self.path(path)
        # Only an exam notes it, and only there are the words that write the same worth making.
        code = code_that_writes(whole, data) if self._noting else ""
        self._do(code, lambda: self._write(whole, data))

    def fetch(self, url: str, path: str) -> None:
        """Have the computer fetch a file for itself; raises ComputerError where it cannot."""
        ran = self._run(["python3", "-c", FETCH, _text(url, "an address"), self.path(path)])
        if ran.code:
            said = ran.stderr.strip().rpartition("\n")[2][:300]
            raise ComputerError(f"the computer could not fetch {url[:200]!r}: {said}", remedy="upload the file instead")

    def directory(self, path: str) -> Said:
        """Return a folder with all that is in it, nested; raises OSError for what is no folder."""
        left = [MOST_ENTRIES]
        whole = self.path(path).rstrip("/") or "/"
        return {"type": "directory", "name": posixpath.basename(whole) or "/", "children": self._list(whole, 0, left)}

    def desktop_path(self) -> str | None:
        """Return where the files of the desktop lie; None where there is no such folder."""
        path = f"{self._home}/Desktop"
        try:
            return path if self._computer().file_info(path).kind == "folder" else None
        except OSError:
            return None

    def path(self, path: str) -> str:
        """Return a whole path; a relative one, and `~`, begin at the user's home."""
        text = _text(path, "a path")
        if "\0" in text:
            raise AgentError("a path holds a zero character", remedy="name a file of the computer")
        for home in ("~", "$HOME", "${HOME}"):
            if text == home or text.startswith(f"{home}/"):
                text = self._home + text.removeprefix(home)
        return posixpath.normpath(posixpath.join(self._home, text))

    def _list(self, folder: str, depth: int, left: list[int]) -> list[Said]:
        found = []
        for entry in self._computer().list_files(folder):
            left[0] -= 1
            if left[0] < 0 or depth > MOST_DEPTH:
                raise AgentError(f"a folder may hold {MOST_ENTRIES} files, {MOST_DEPTH} deep; {folder} has more")
            found.append(self._entry(entry, depth, left))
        return found

    def _entry(self, entry: FileInfo, depth: int, left: list[int]) -> Said:
        name = posixpath.basename(entry.path)
        if entry.kind != "folder":
            return {"type": "file", "name": name}
        try:
            children = self._list(entry.path, depth + 1, left)
        except PermissionError:
            children = []
        return {"type": "directory", "name": name, "children": children}

    def _write(self, path: str, data: bytes) -> Ran:
        self._computer().write_file(path, data)
        return Ran(0, "", "")

    @property
    def _home(self) -> str:
        return self._computer().home

    # -- windows --------------------------------------------------------------------------------------------------

    def open_file(self, path: str) -> None:
        """Open a file as a double click would."""
        whole = self.path(path)
        self._computer().file_info(whole)
        self._start(["xdg-open", whole])

    def activate_window(self, name: str, *, strict: bool = False, by_class: bool = False) -> None:
        """Bring a window to the front; raises FileNotFoundError where there is none by this name."""
        self._on_window(name, strict, by_class, "focus", focus_window)

    def close_window(self, name: str, *, strict: bool = False, by_class: bool = False) -> None:
        """Close a window politely; raises FileNotFoundError where there is none by this name."""
        self._on_window(name, strict, by_class, "close", close_window)

    def split_screen(self, left: str, right: str) -> None:
        """Put two windows side by side; raises FileNotFoundError where one is missing."""
        for name, at in zip((left, right), HALVES, strict=True):
            place = partial(arrange, x=at["x"], y=at["y"], width=at["width"], height=at["height"])
            self._on_window(name, strict=False, by_class=False, verb="arrange", change=place)

    def _on_window(
        self, name: str, strict: bool, by_class: bool, verb: str, change: Callable[[SetupContext, str], None]
    ) -> None:
        window = self._window(_text(name, "the name of a window"), strict=strict, by_class=by_class)
        if window is None:
            titles = ", ".join(repr(each.title[:80]) for each in self._computer().windows()[-10:]) or "none"
            raise FileNotFoundError(f"no window is called {name[:200]!r}; there are: {titles}")

        def work() -> Ran:
            change(SetupContext(self._computer()), f"/^{re.escape(window.title)}$/")
            return Ran(0, "", "")

        self._do(f"wmctrl -{_WMCTRL[verb]} {shlex.quote(window.title)}", work)

    def _window(self, name: str, *, strict: bool = False, by_class: bool = False) -> Window | None:
        """Return the frontmost window of a title or class, a part of it where not strict."""
        sought = name.lower()
        for window in reversed(self._computer().windows()):
            if by_class:
                # Classes are asked for as `instance.Class`.
                if window.app.lower() in (sought, *sought.split(".")):
                    return window
            elif window.title == name or (not strict and sought in window.title.lower()):
                return window
        return None


def words_of(command: object, shell: bool, home: str = HOME) -> list[str]:
    """Return a command as words; raises AgentError for what is none."""
    if isinstance(command, str) and command.strip():
        if shell:
            return ["/bin/bash", "-c", command]
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise AgentError(f"the command {command[:200]!r} cannot be read: {error}") from error
    elif isinstance(command, Sequence) and command and all(isinstance(word, str) for word in command):
        words = list(command)
        if shell:
            return ["/bin/bash", "-c", words[0] if len(words) == 1 else shlex.join(words)]
    else:
        raise AgentError("a command is a text or a list of texts", remedy='such as ["ls", "-l"]')
    if any("\0" in word for word in words):
        raise AgentError("a command holds a zero character")
    return [home + word[1:] if word.startswith("~/") else word for word in words]


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise AgentError(f"{what} is a text, not {type(value).__name__ if value != '' else 'an empty one'}")
    return value
