"""The OpenEnv server as OpenEnv itself sees it, and as clients meet it that do not behave."""

from __future__ import annotations

import base64
import io
import json
import os
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from proctor.cli.main import cli
from proctor.store.run import RunRecord
from proctor.store.verify import verify

PROJECT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("PROCTOR_OPENENV_PYTHON") or PROJECT / ".venv-openenv" / "bin" / "python")

pytestmark = pytest.mark.skipif(
    not PYTHON.exists(),
    reason="OpenEnv is not installed apart: make venv-openenv, or name a Python that has it in PROCTOR_OPENENV_PYTHON",
)

connect = pytest.importorskip("websockets.sync.client").connect
ConnectionClosed = pytest.importorskip("websockets.exceptions").ConnectionClosed


@contextmanager
def server(*options: str, computer: str = "tests.interop.rooms:Fragile,size=400x320") -> Iterator[str]:
    """Serve, and end the server by SIGTERM."""
    command = [str(PYTHON), "-m", "proctor", "serve", "openenv", "--suite", "examples/tasks", "--port", "0"]
    command += ["--computer", computer, *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, process.communicate(timeout=120)
        yield line.rpartition(" ")[2].strip()
        process.terminate()
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server("--sessions", "2", "--steps", "20") as address:
        yield address


class Client:
    """A client that speaks the wire format itself."""

    def __init__(self, address: str, **headers: str) -> None:
        self._opened = connect(
            address.replace("http", "ws") + "/ws", max_size=None, additional_headers=headers, open_timeout=60
        )
        self.socket = self._opened.__enter__()

    def raw(self, text: str) -> dict[str, Any]:
        self.socket.send(text)
        answer: dict[str, Any] = json.loads(self.socket.recv(timeout=100))
        return answer

    def reset(self, **data: Any) -> dict[str, Any]:
        return self.raw(json.dumps({"type": "reset", "data": data}))

    def step(self, kind: str, **fields: Any) -> dict[str, Any]:
        return self.raw(json.dumps({"type": "step", "data": {"type": kind, **fields}}))

    def vanish(self) -> None:
        self.socket.socket.shutdown(socket.SHUT_RDWR)
        self.socket.socket.close()


@contextmanager
def client(address: str) -> Iterator[Client]:
    one = Client(address)
    try:
        yield one
    finally:
        one.socket.close()


def post(address: str, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    request = urllib.request.Request(
        address + path, json.dumps(body).encode(), {"content-type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=100) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def code(answer: dict[str, Any]) -> str:
    assert answer["type"] == "error", answer
    return str(answer["data"]["code"])


def openenv(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(PYTHON), "-c", "import sys; from openenv.cli.__main__ import main; sys.exit(main())", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)


def test_openenv_finds_nothing_to_complain_about(address: str) -> None:
    done = openenv("validate", "--url", address, "--json", "--timeout", "60")
    report = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert report["passed"] and report["summary"]["failed_criteria"] == []
    assert report["mode"] == "simulation" and report["summary"]["total_count"] >= 6


def test_the_package_passes_the_static_checks_and_serves_the_same(tmp_path: Path) -> None:
    own = str(PROJECT / "examples" / "tasks")
    command = [
        str(PYTHON),
        "-m",
        "proctor",
        "serve",
        "openenv",
        "--suite",
        own,
        "--computer",
        "fake",
        "--write",
        "desks",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=100, cwd=tmp_path)
    done = openenv("validate", str(tmp_path / "desks"), "--level", "static", "--skip-build", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["verdict"] == "pass", done.stdout
    look = "import server.app, models, client; print(server.app.app.title, client.DesktopEnv.__name__)"
    made = subprocess.run(
        [str(PYTHON), "-c", look], check=True, capture_output=True, text=True, timeout=100, cwd=tmp_path / "desks"
    )
    assert "DesktopEnv" in made.stdout


CLIENT = """
import asyncio, sys
from openenv.core import GenericEnvClient
from proctor.interop.openenv.client import DesktopEnv
from proctor.interop.openenv.models import DesktopAction
with DesktopEnv(base_url=sys.argv[1]).sync() as env:
    seen = env.reset(split="test", index=0)
    assert seen.observation.instruction.startswith("Add eggs"), seen.observation.instruction
    for action in ({"type": "press", "keys": "ctrl+End"}, {"type": "type", "text": "eggs"},
                   {"type": "press", "keys": "ctrl+s"}, {"type": "done"}):
        seen = env.step(DesktopAction(**action))
    assert env.state().task == "tasks/buy-eggs-v1"
    print("typed", seen.reward, seen.done, seen.metadata["score"])
with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
    env.reset(seed=0)
    print("generic", env.step({"type": "fail"}).reward)
"""


def test_openenvs_own_clients_hold_an_episode(address: str) -> None:
    command = [str(PYTHON), "-c", CLIENT, address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    assert "typed 1.0 True 1.0" in done.stdout and "generic 0.0" in done.stdout


def test_pictures_are_png_and_never_numbers(address: str) -> None:
    with client(address) as one:
        seen = one.reset(index=0)["data"]["observation"]
        picture = Image.open(io.BytesIO(base64.b64decode(seen["screenshot"])))
        assert (picture.format, list(picture.size)) == ("PNG", seen["size"])


def test_the_same_seed_gives_the_same_episode(address: str) -> None:
    with client(address) as one, client(address) as other:
        seen = [each.reset(split="train", seed=7)["data"]["observation"] for each in (one, other)]
        assert seen[0]["instruction"] == seen[1]["instruction"]
        assert seen[0]["screenshot"] == seen[1]["screenshot"]
        assert one.reset(split="train", seed=8)["data"]["observation"]["instruction"] != seen[0]["instruction"]


def test_the_task_api(address: str) -> None:
    with urllib.request.urlopen(address + "/list_environments", timeout=60) as answer:
        (name,) = json.load(answer)
    assert post(address, f"/{name}/num_tasks", {"split": "train"}) == (200, {"num_tasks": 100})
    task = post(address, f"/{name}/task", {"split": "test", "index": 1})[1]["task"]
    assert task["id"] == "tasks/thank-the-host-v1" and task["instruction"]
    assert [
        each["index"] for each in post(address, f"/{name}/task_range", {"split": "train", "start": 98})[1]["tasks"]
    ] == [98, 99]
    for wrong in ({"split": "nope", "index": 0}, {"split": "test", "index": 2}, {"split": "test", "index": -1}):
        assert post(address, f"/{name}/task", wrong)[0] == 400


def test_calls_out_of_order_are_errors_and_the_session_goes_on(address: str) -> None:
    with client(address) as one:
        assert code(one.step("done")) == "EXECUTION_ERROR"
        one.reset(index=0)
        assert one.step("done")["data"]["done"]
        assert code(one.step("done")) == "EXECUTION_ERROR"
        assert one.reset(index=0)["type"] == "observation"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"kind": "type", "text": "x" * 10_000_000}, "VALIDATION_ERROR"),
        ({"kind": "click", "colour": ["y" * 10_000_000]}, "VALIDATION_ERROR"),
        ({"kind": "click", "x": "here", "y": 1}, "VALIDATION_ERROR"),
        ({"kind": "click", "x": float("nan"), "y": 1}, "VALIDATION_ERROR"),
        ({"kind": "scroll", "dy": 10**400}, "VALIDATION_ERROR"),
        ({"kind": ["click"]}, "EXECUTION_ERROR"),
        ({"kind": "type", "text": "\ud800", "colour": "\udfff"}, "VALIDATION_ERROR"),
    ],
)
def test_what_cannot_be_read_is_refused_shortly_and_the_session_goes_on(
    address: str, fields: dict[str, Any], kind: str
) -> None:
    with client(address) as one:
        one.reset(index=0)
        answer = one.step(**fields)
        assert code(answer) == kind
        assert len(json.dumps(answer)) < 500_000
        assert one.step("press", keys="ctrl+End")["data"]["done"] is False


@pytest.mark.parametrize(
    "fields",
    [{"kind": "fly"}, {"kind": "click", "x": 1}, {"kind": "run_code", "code": "1"}, {"kind": "press", "keys": "hum"}],
)
def test_what_cannot_be_done_is_told_to_the_agent_and_takes_no_step(address: str, fields: dict[str, Any]) -> None:
    with client(address) as one:
        one.reset(index=0)
        seen = one.step(**fields)["data"]
        assert seen["observation"]["told"] and seen["observation"]["steps_left"] == 20
        assert (seen["reward"], seen["done"]) == (0.0, False)


@pytest.mark.parametrize(
    "words", [{"index": 99}, {"index": "1"}, {"seed": -1}, {"colour": 1}, {"episode_id": 7}, {"split": []}]
)
def test_wrong_words_of_a_reset_are_errors(address: str, words: dict[str, Any]) -> None:
    with client(address) as one:
        assert code(one.reset(**words)) == "EXECUTION_ERROR"
        assert one.reset(index=0)["type"] == "observation"


def test_what_is_no_message_is_an_error(address: str) -> None:
    with client(address) as one:
        assert code(one.raw("no json")) == "INVALID_JSON"
        assert code(one.raw('{"type": "dance"}')) == "UNKNOWN_TYPE"
        assert code(one.raw('{"type": "step", "data": 7}')) == "VALIDATION_ERROR"
        for other in ("[]", "3", "null", '"x"', "", "[" * 200_000):
            assert code(one.raw(other)) == "UNKNOWN_TYPE"
        assert one.reset(index=0)["type"] == "observation"


def test_a_void_is_an_error_and_never_a_reward(address: str) -> None:
    with client(address) as one:
        one.reset(index=0)
        answer = one.step("type", text="operator")
        assert code(answer) == "EXECUTION_ERROR" and answer["data"]["message"].startswith("void: ")
        assert "reward" not in answer["data"]
        assert code(one.step("done")) == "EXECUTION_ERROR"
        assert one.reset(index=0)["type"] == "observation"


def test_two_actions_at_once_are_taken_one_after_the_other(address: str) -> None:
    with client(address) as one:
        one.reset(index=0)
        for text in ("a", "b"):
            one.socket.send(json.dumps({"type": "step", "data": {"type": "type", "text": text}}))
        left = [json.loads(one.socket.recv(timeout=60))["data"]["observation"]["steps_left"] for _ in range(2)]
        assert left == [19, 18]


def seated(address: str) -> Client:
    """Return a client with an episode; the place of one that has just left may be about to come back."""
    for _ in range(1000):
        one = Client(address)
        try:
            if one.reset(index=0)["type"] == "observation":
                return one
        except ConnectionClosed:
            continue
        one.socket.close()
    raise AssertionError("no place came back")


def test_places_come_back_when_clients_vanish_in_the_middle_of_an_action(address: str) -> None:
    for _ in range(3):
        gone = [seated(address), seated(address)]
        extra = Client(address)
        assert code(json.loads(extra.socket.recv(timeout=60))) == "CAPACITY_REACHED"
        for one in gone:
            one.socket.send(json.dumps({"type": "step", "data": {"type": "type", "text": "x" * 5000}}))
            one.vanish()


def test_plain_requests_are_answered_and_leave_no_computer_open(address: str) -> None:
    for _ in range(5):
        status, seen = post(address, "/reset", {"seed": 1})
        assert status == 200 and seen["observation"]["screenshot"]
    assert post(address, "/step", {"action": {"type": "done"}})[0] == 409
    assert post(address, "/step", {"action": {"type": "click", "colour": 1}})[0] == 422
    assert post(address, "/reset", {"index": 99})[0] == 409


def schema_of(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}/schema", timeout=60) as answer:
        found: dict[str, Any] = json.loads(answer.read())["action"]
    return found


def test_the_schema_lists_what_is_allowed_and_nothing_else(address: str) -> None:
    allowed = Client(address).reset(index=0)["data"]["observation"]["actions"]
    form = schema_of(address)
    assert form["properties"]["type"]["enum"] == allowed
    assert "run_code" not in allowed and not {"code", "language", "timeout_sec"} & set(form["properties"])
    assert {"x", "y", "element", "text", "keys"} <= set(form["properties"])
    with server("--action", "press", "--action", "type") as narrow:
        form = schema_of(narrow)
    assert form["properties"]["type"]["enum"] == ["press", "type", "done", "fail", "answer", "ask_user"]
    assert not {"x", "y", "element", "button", "path", "seconds"} & set(form["properties"])
    assert "For type, answer." in form["properties"]["text"]["description"]


def test_other_names_and_other_sites_are_refused(address: str) -> None:
    assert post(address, "/reset", {}, host="example.org")[0] == 421
    assert post(address, "/reset", {}, origin="http://example.org")[0] == 403
    with pytest.raises(Exception, match="403"):
        Client(address, Origin="http://example.org")


def test_a_port_in_use_is_named(address: str) -> None:
    port = address.rpartition(":")[2]
    command = [str(PYTHON), "-m", "proctor", "serve", "openenv", "--computer", "fake", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=PROJECT)
    assert done.returncode == 1 and "cannot listen" in done.stderr


def test_a_server_that_is_ended_leaves_a_sealed_run_and_resume_says_what_it_is(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with server("--out", str(run), "--label", "trainer") as address:
        one = Client(address)
        one.reset(index=0)
        one.step("press", keys="ctrl+End")
    one.socket.close()
    assert verify(run) == []
    record = RunRecord.open(run)
    (result,) = record.results()
    assert record.sealed
    assert (result.key.agent, result.stop, result.cause, result.steps) == ("trainer", "void", "client", 1)
    said = CliRunner().invoke(cli, ["runs", "resume", str(run)])
    assert "was held by a door that somebody else stepped through" in f"{said.output}{said.exception}"
    assert said.exit_code != 0
