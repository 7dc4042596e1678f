"""OSWorld's guest server in front of a real desktop, asked as OSWorld's controllers ask, Chrome's debugger included."""

from __future__ import annotations

import http.client
import io
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from PIL import Image

from proctor.computers import open_computer
from proctor.interop.osworld.forward import PortForward
from proctor.interop.osworld.server import GuestServer
from tests.interop.test_osworld_server import FORM, Client

LOCAL = "file:///home/user/page.html"
LISTED = f"""from urllib.request import urlopen; assert b"{LOCAL}" in urlopen("http://127.0.0.1:9222/json").read()"""


class Controller(Client):
    """What OSWorld's `PythonController` and `SetupController` send, written after the documented routes."""

    def run_python_script(self, code: str) -> dict[str, Any]:
        return self.post("/run_python", code=code)[1]

    def run_bash_script(self, script: str) -> dict[str, Any]:
        return self.post("/run_bash_script", script=script, timeout=30, working_dir=None)[1]

    def launch(self, *command: str) -> None:
        assert self.post("/setup/launch", command=list(command), shell=False)[0] == 200

    def wait_until(self, line: str) -> None:
        """Wait inside until a command succeeds."""
        done = self.run_bash_script(f"for _ in $(seq 300); do {line} && exit 0; sleep 0.1; done; exit 1")
        assert done["returncode"] == 0, (line, done)

    def get_file(self, path: str) -> bytes | None:
        status, data = self.ask("POST", "/file", f"file_path={path}", FORM)
        return data if status == 200 else None

    def tabs(self, port: int) -> list[dict[str, Any]]:
        """Return the tabs that the browser's debugger lists, asked from this machine."""
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
            line.request("GET", "/json")
            return json.loads(line.getresponse().read())


@pytest.fixture(scope="module")
def server() -> Iterator[GuestServer]:
    desktop = partial(open_computer, "sandbox", image="full", size=(1920, 1080), network="loopback")
    with GuestServer(desktop, port=0, theirs=True) as made:
        thread = threading.Thread(target=made.serve)
        thread.start()
        try:
            yield made
        finally:
            made.stop()
            thread.join()


@pytest.fixture
def controller(server: GuestServer) -> Controller:
    return Controller(server)


@pytest.mark.sandbox("full")
@pytest.mark.slow
class TestARealDesktop:
    def test_it_is_seen_and_operated(self, controller: Controller) -> None:
        assert Image.open(io.BytesIO(controller.ask("GET", "/screenshot")[1])).size == (1920, 1080)
        assert controller.post("/screen_size")[1] == {"width": 1920, "height": 1080}
        assert controller.post("/desktop_path")[1] == {"desktop_path": "/home/user/Desktop"}
        controller.python("pyautogui.moveTo(321, 234)")
        assert json.loads(controller.ask("GET", "/cursor_position")[1]) == [321, 234]
        assert controller.run_python_script("print(6 * 7)")["output"] == "42\n"
        assert controller.run_bash_script("id -un")["output"] == "user\n"
        failed = controller.run_python_script("1 / 0")
        assert failed["status"] == "error" and "ZeroDivisionError" in failed["error"]

    def test_files_go_in_and_come_out(self, controller: Controller) -> None:
        controller.upload("/home/user/Desktop/a b.txt", b"one\n")
        assert controller.get_file("/home/user/Desktop/a b.txt") == b"one\n"
        assert controller.get_file("/etc/shadow") is None
        tree = controller.post("/list_directory", path="/home/user/Desktop")[1]["directory_tree"]
        assert {"type": "file", "name": "a b.txt"} in tree["children"]

    def test_chrome_is_driven_by_its_debugger(self, server: GuestServer, controller: Controller) -> None:
        controller.upload("/home/user/page.html", b"<title>Ours</title><h1>Ours</h1>")
        controller.launch("google-chrome", "--remote-debugging-port=1337", LOCAL)
        controller.launch("socat", "tcp-listen:9222,fork", "tcp:localhost:1337")
        controller.wait_until(f"python3 -c '{LISTED}'")
        forward = PortForward("127.0.0.1", 0, lambda _: server.dial(9222))
        try:
            assert [tab["url"] for tab in controller.tabs(forward.port) if tab["type"] == "page"] == [LOCAL]
        finally:
            forward.close()
        assert "Ours" in json.loads(controller.ask("GET", "/accessibility")[1])["AT"]

    def test_windows_are_found_arranged_and_closed(self, controller: Controller) -> None:
        controller.upload("/home/user/list.txt", b"milk\n")
        controller.post("/setup/open_file", path="/home/user/list.txt")
        controller.wait_until("wmctrl -l | grep -q list.txt")
        controller.launch("google-chrome", LOCAL)
        controller.wait_until("wmctrl -l | grep -q Ours")
        status, said = controller.post("/setup/split_screen", window_name1="list.txt", window_name2="Ours")
        assert status == 200, said
        left = controller.post("/window_size", app_class_name="mousepad")[1]
        right = controller.post("/window_size", app_class_name="chromium")[1]
        assert abs(left["width"] - 960) <= 20 and abs(right["width"] - 960) <= 20
        assert controller.post("/setup/activate_window", window_name="list.txt", strict=False)[0] == 200
        assert controller.post("/setup/close_window", window_name="list.txt", strict=False)[0] == 200
        assert controller.post("/setup/split_screen", window_name1="list.txt", window_name2="Ours")[0] == 404

    def test_a_wallpaper_is_set_and_fetched(self, controller: Controller) -> None:
        held = io.BytesIO()
        Image.new("RGB", (64, 48), "teal").save(held, "PNG")
        assert controller.post("/setup/change_wallpaper", path="/home/user/teal.png")[0] == 404
        controller.upload("/home/user/teal.png", held.getvalue())
        assert controller.post("/setup/change_wallpaper", path="/home/user/teal.png")[0] == 200
        assert controller.ask("POST", "/wallpaper") == (200, held.getvalue())
