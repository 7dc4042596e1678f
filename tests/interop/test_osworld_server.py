"""OSWorld's guest server in front of a computer: a client written after its `PythonController`, and hostile ones."""

from __future__ import annotations

import http.client
import io
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import HostError, SpecError
from proctor.interop.osworld.server import MOST_BYTES, GuestServer

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PREFIX = "import pyautogui; import time; pyautogui.FAILSAFE = False; "


class Client:
    """Asks as OSWorld's controllers do."""

    def __init__(self, server: GuestServer) -> None:
        self.port = int(server.address.rpartition(":")[2])

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def post(self, path: str, /, **fields: Any) -> tuple[int, Any]:
        status, data = self.ask("POST", path, json.dumps(fields), JSON)
        try:
            return status, json.loads(data)
        except ValueError:
            return status, data.decode()

    def python(self, code: str) -> tuple[int, Any]:
        return self.post("/execute", command=["python", "-c", PREFIX + code], shell=False)

    def upload(self, path: str, data: bytes, mark: str = "xXx") -> tuple[int, bytes]:
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="file_path"\r\n\r\n{path}\r\n'.encode(),
            f'--{mark}\r\nContent-Disposition: form-data; name="file_data"; filename="a"\r\n\r\n'.encode(),
            data,
            f"\r\n--{mark}--\r\n".encode(),
        ]
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        return self.ask("POST", "/setup/upload", b"".join(parts), kind)


def serving(open_one: Any = FakeComputer) -> Iterator[GuestServer]:
    with GuestServer(open_one, port=0) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[GuestServer]:
    yield from serving()


@pytest.fixture
def client(server: GuestServer) -> Client:
    made = Client(server)
    assert made.post("/proctor/reset")[0] == 200
    return made


def test_what_is_seen(client: Client) -> None:
    status, picture = client.ask("GET", "/screenshot")
    assert status == 200 and Image.open(io.BytesIO(picture)).format == "PNG"
    assert json.loads(client.ask("GET", "/accessibility")[1])["AT"].startswith("<desktop-frame")
    assert json.loads(client.ask("GET", "/terminal")[1]) == {"output": None, "status": "success"}
    assert client.ask("GET", "/platform") == (200, b"Linux")
    width, height = Image.open(io.BytesIO(picture)).size
    assert client.post("/screen_size") == (200, {"width": width, "height": height})


def test_gestures_are_made_from_outside(client: Client) -> None:
    assert client.python("pyautogui.moveTo(100, 120, 0.7, pyautogui.easeInQuad)")[1]["returncode"] == 0
    assert json.loads(client.ask("GET", "/cursor_position")[1]) == [100, 120]
    client.upload("/home/user/list.txt", b"milk\n")
    assert client.post("/setup/launch", command=["mousepad", "list.txt"])[0] == 200
    client.python("pyautogui.hotkey('ctrl', 'end')")
    client.python("pyautogui.typewrite('eggs', interval=0.05)")
    client.python("pyautogui.hotkey('ctrl', 's')")
    assert client.ask("POST", "/file", "file_path=%2Fhome%2Fuser%2Flist.txt", FORM) == (200, b"milk\neggs")


def test_files(client: Client) -> None:
    data = bytes(range(256)) * 40 + b"\r\n--xX\r\n\r\n"
    assert client.upload("/home/user/a/b.bin", data) == (200, b"File Uploaded")
    assert client.ask("POST", "/file", "file_path=~/a/b.bin", FORM) == (200, data)
    tree = client.post("/list_directory", path="/home/user/a")[1]["directory_tree"]
    assert tree == {"type": "directory", "name": "a", "children": [{"type": "file", "name": "b.bin"}]}
    assert client.ask("POST", "/file", "file_path=/home/user/none", FORM)[0] == 404
    assert client.post("/desktop_path")[0] == 404


def test_nothing_of_the_host_is_given(client: Client) -> None:
    for path in (__file__, "/proc/self/environ", "../../../../etc/hostname", f"/home/user/../..{__file__}"):
        assert client.ask("POST", "/file", f"file_path={path}", FORM)[0] == 404
    assert client.post("/setup/open_file", path=__file__)[0] == 404
    assert client.post("/list_directory", path=str(__file__).rpartition("/")[0])[0] in (404, 500)


def test_commands(client: Client) -> None:
    client.upload("/home/user/list.txt", b"milk\n")
    for command in (["cat", "~/list.txt"], "cat ~/list.txt", "cat 'list.txt'"):
        assert client.post("/execute", command=command)[1]["output"] == "milk\n"
    assert client.post("/setup/execute", command=["cat", "none"])[1]["returncode"] != 0


def test_windows(client: Client) -> None:
    client.upload("/home/user/list.txt", b"milk\n")
    client.post("/setup/launch", command="mousepad list.txt")
    assert client.ask("POST", "/window_size", "app_class_name=mousepad", FORM)[0] == 200
    assert client.ask("POST", "/window_size", "app_class_name=gimp", FORM)[0] == 404
    status, said = client.post("/setup/activate_window", window_name="GIMP")
    assert status == 404 and "'GIMP'" in said["message"] and "list.txt" in said["message"]


def test_a_fresh_computer(client: Client) -> None:
    client.upload("/home/user/list.txt", b"milk\n")
    assert client.post("/proctor/reset") == (200, {"status": "success"})
    assert client.ask("POST", "/file", "file_path=list.txt", FORM)[0] == 404


def test_a_computer_that_cannot_be_filmed_says_so(client: Client) -> None:
    assert "live view" in client.post("/start_recording")[1]["message"]
    assert client.post("/end_recording") == (
        400,
        {"status": "error", "message": "No recording in progress to stop."},
    )


@pytest.mark.parametrize(
    ("path", "body", "headers", "said"),
    [
        ("/execute", "{", JSON, "not JSON"),
        ("/execute", "[]", JSON, "not a JSON object"),
        ("/execute", "[" * 100_000, JSON, "not JSON"),
        ("/execute", "{}", JSON, "command"),
        ("/execute", '{"command": 7}', JSON, "command"),
        ("/execute", '{"command": []}', JSON, "command"),
        ("/execute", '{"command": [1]}', JSON, "command"),
        ("/execute", '{"command": "a \'b"}', JSON, "cannot be read"),
        ("/execute", '{"command": ["a\\u0000"]}', JSON, "zero"),
        ("/run_bash_script", '{"script": "x", "timeout": -1}', JSON, "seconds"),
        ("/run_bash_script", '{"script": "x", "timeout": "9"}', JSON, "seconds"),
        ("/run_python", '{"code": 1}', JSON, "code"),
        ("/file", "", FORM, "file_path"),
        ("/file", "file_path=a%00b", FORM, "zero"),
        ("/setup/upload", "abc", {"Content-Type": "multipart/form-data"}, "boundary"),
        ("/setup/upload", "--x\r\nabc", {"Content-Type": "multipart/form-data; boundary=x"}, "cut off"),
        ("/setup/upload", "--x\r\n\r\na\r\n--x--", {"Content-Type": "multipart/form-data; boundary=x"}, "no name"),
        ("/setup/upload", '{"file_path": "a", "file_data": "b"}', JSON, "file_data"),
    ],
)
def test_bad_requests_are_explained(client: Client, path: str, body: str, headers: dict[str, str], said: str) -> None:
    status, answer = client.ask("POST", path, body, headers)
    assert status == 400 and said in json.loads(answer)["message"]


ASKED = """
GET /screenshot /accessibility /terminal /platform /cursor_position
POST /execute /execute_with_verification /run_python /run_bash_script /file /screen_size /window_size /desktop_path
POST /wallpaper /list_directory /start_recording /end_recording
POST /setup/execute /setup/execute_with_verification /setup/launch /setup/upload /setup/download_file
POST /setup/open_file /setup/change_wallpaper /setup/activate_window /setup/close_window /setup/split_screen
"""
"""What OSWorld's controllers call."""


@pytest.mark.parametrize(
    ("method", "path"),
    [(line.split()[0], path) for line in ASKED.strip().splitlines() for path in line.split()[1:]],
)
def test_each_route_that_its_harness_calls_is_there(client: Client, method: str, path: str) -> None:
    status, said = client.ask(method, path, "{}" if method == "POST" else None, JSON if method == "POST" else {})
    assert b"there is no route" not in said and status != 405
    if status != 200 and method == "POST":
        assert set(json.loads(said)) >= {"status", "message"}, "controllers look for both"


def test_a_command_is_waited_for_until_it_shows(client: Client) -> None:
    client.upload("/home/user/list.txt", b"milk\n")
    client.post("/setup/launch", command="mousepad list.txt")
    wanted = {"window_exists": "list.txt"}
    status, said = client.post("/setup/execute_with_verification", command="cat list.txt", verification=wanted)
    assert status == 200 and (said["verification"], said["output"], said["returncode"]) == ("passed", "milk\n", 0)
    status, said = client.post(
        "/execute_with_verification", command=["ls"], verification={"window_exists": "GIMP"}, max_wait_time=1
    )
    assert status == 500 and said["status"] == "verification_failed" and "'GIMP'" in said["message"]
    status, said = client.post("/execute_with_verification", command=["ls"], verification="GIMP")
    assert status == 400 and "verification" in said["message"]


def test_routes_that_there_are_not(client: Client) -> None:
    assert client.ask("GET", "/nothing")[0] == 404
    assert client.ask("GET", "/execute")[0] == 405
    assert client.ask("PUT", "/execute")[0] == 501


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:5000"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_other_names_and_pages_of_others_are_refused(client: Client, headers: dict[str, str], status: int) -> None:
    assert client.ask("POST", "/execute", '{"command": ["ls"]}', {**JSON, **headers})[0] == status


def test_what_is_too_long_is_refused_before_it_is_read(client: Client) -> None:
    assert client.ask("POST", "/execute", None, {"Content-Length": str(MOST_BYTES + 1)})[0] == 413
    assert client.ask("POST", "/execute", None, {"Transfer-Encoding": "chunked"})[0] == 411


def test_it_listens_on_the_loopback_address_only(server: GuestServer) -> None:
    assert server.address.startswith("http://127.0.0.1:")
    with pytest.raises(HostError, match="cannot listen"), GuestServer(FakeComputer, port=Client(server).port):
        pass


def test_a_computer_without_ports_says_so(server: GuestServer) -> None:
    with pytest.raises(SpecError, match="nobody outside reaches the ports"):
        server.dial(9222)


def test_a_port_that_is_taken_ends_the_server_before_it_begins(server: GuestServer) -> None:
    taken = int(server.address.rpartition(":")[2])
    with pytest.raises(HostError, match=str(taken)):
        GuestServer(FakeComputer, port=0, forwards=(taken,))


def test_many_clients_at_once(client: Client) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(client.ask("GET", "/screenshot")[0])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 8


def test_a_computer_that_is_lost_is_an_error_until_the_next_reset() -> None:
    made: list[FakeComputer] = []

    def open_one() -> FakeComputer:
        made.append(FakeComputer())
        return made[-1]

    for server in serving(open_one):
        client = Client(server)
        made[-1].lose("screenshot")
        assert client.ask("GET", "/screenshot")[0] == 500
        assert client.post("/proctor/reset")[0] == 200
        assert client.ask("GET", "/screenshot")[0] == 200
