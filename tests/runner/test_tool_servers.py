"""Tool servers: how they are named, what of them is refused, and that no misbehaviour is more than a tool's error."""

from __future__ import annotations

import base64
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.actions.action import CallTool
from proctor.errors import AgentError, HostError, SpecError
from proctor.exam.rules import Rules
from proctor.exam.tools.pictures import BEGINNING, LARGEST, MOST_PICTURES, read_picture
from proctor.exam.tools.server import ToolServer, read_servers
from proctor.exam.tools.toolbox import Toolbox, try_servers
from proctor.records import Tool

pytest.importorskip("mcp")

from proctor.exam.tools.connection import ToolConnection

PROGRAM = str(Path(__file__).with_name("tool_server.py"))
COMMAND = (sys.executable, PROGRAM)


def connect(server: ToolServer) -> ToolConnection:
    return ToolConnection(server, start_sec=20.0, call_sec=1.0)


def notes(**more: object) -> ToolServer:
    return ToolServer(name="notes", command=COMMAND, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def shared() -> Iterator[Toolbox]:
    with Toolbox([notes(env=(("WHO", "Ada"),))], opening=connect) as box:
        yield box


def use(box: Toolbox, tool: str, **arguments: object) -> tuple[str, str, bool]:
    result = box.use(CallTool(tool=f"notes__{tool}", arguments=arguments)).result
    assert result is not None
    return result.output, result.error, result.timed_out


# What they are called


def test_a_configuration_file_as_clients_have_it(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    entries = {
        "files": {"command": "npx", "args": ["-y", "server"], "env": {"ROOT": "/data", "API_KEY": "${MY_KEY}"}},
        "web": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${MY_KEY}"}},
        "off": {"command": "no", "disabled": True},
    }
    path.write_text(json.dumps({"mcpServers": entries}))
    files, web, more = read_servers([str(path), "more=python 'a b.py' --x"])
    assert files.command == ("npx", "-y", "server")
    assert dict(files.env) == {"ROOT": "/data", "API_KEY": "${MY_KEY}"}
    assert (web.url, web.command) == ("http://127.0.0.1:9/mcp", ())
    assert more.command == ("python", "a b.py", "--x")
    for server in (files, web, more):
        assert ToolServer.from_json(json.loads(json.dumps(server.to_json()))) == server
    rules = Rules(tool_servers=(files, web))
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({}, "needs a command or a url"),
        ({"command": "x", "url": "http://a/b"}, "not both"),
        ({"command": "x", "args": "y"}, "args is not a list"),
        ({"command": 3}, "command is not a text"),
        ({"command": "x", "env": {"A": 1}}, "env is not an object of texts"),
        ({"command": "x", "type": "sse"}, "'sse' is not supported"),
        ({"command": "x", "comand": "y"}, "unknown field 'comand'"),
        ({"command": "x", "env": {"API_KEY": "abc"}}, "looks like a key"),
        ({"command": "x", "args": ["--key", "sk-0123456789abcdef"]}, "looks like a key"),
        ({"url": "ftp://a"}, "not a base URL"),
        ({"url": "http://a/b", "headers": {"Authorization": "Bearer 0123456789"}}, "looks like a key"),
        (3, "is not an object"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, entry: object, why: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"one": entry}}))
    with pytest.raises(SpecError, match=why):
        read_servers([str(path)])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nowhere.json", "cannot be read"),
        ("a b=echo", "cannot be read"),
        ("a__b=echo", "no name for a server"),
        ("a=", "needs a command"),
        ("a='", "check the quotes"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_named(text: str, why: str) -> None:
    with pytest.raises(SpecError, match=why):
        read_servers([text])


def test_a_file_that_is_none_and_a_name_that_is_there_twice(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("{")
    (tmp_path / "b").write_text("[]")
    for name, why in (("a", "not JSON"), ("b", "names no servers")):
        with pytest.raises(SpecError, match=why):
            read_servers([str(tmp_path / name)])
    with pytest.raises(SpecError, match="two tool servers"):
        read_servers(["a=x", "a=y"])


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    server = notes(env=(("WHO", "${NOT_SET_HERE}"),))
    monkeypatch.delenv("NOT_SET_HERE", raising=False)
    with pytest.raises(SpecError, match="NOT_SET_HERE, which is not set"):
        server.environment()
    monkeypatch.setenv("NOT_SET_HERE", "Grace")
    assert server.environment() == {"WHO": "Grace"}


# What they do


def test_tools_are_offered_under_names_that_providers_take(shared: Toolbox) -> None:
    first = shared.offers[0]
    assert first == Tool(
        name="notes__add", description="Note a text.", server="notes 1.2",
        schema={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    )  # fmt: skip
    assert shared.offers[1].name == "notes__dir_list_all"
    assert use(shared, "dir_list_all", text="x")[0] == "noted x for Ada"


def test_a_tool_answers_and_one_that_misbehaves_is_an_error_in_words(shared: Toolbox) -> None:
    assert use(shared, "add", text="eggs") == ("noted eggs for Ada", "", False)
    assert use(shared, "wrong") == ("no such note", "the tool reported an error", False)
    assert "image of 3 bytes" in use(shared, "shown")[0]
    for tool, why in (("large", "more than 8 MB"), ("endless", "more than 8 MB"), ("odd", "the tool failed")):
        text, error, _ = use(shared, tool)
        assert why in text and error
    text, _, timed_out = use(shared, "silent")
    assert timed_out and "did not answer within 1 s" in text
    assert use(shared, "add", text="after all that")[0] == "noted after all that for Ada"


def test_pictures_are_handed_over_and_named(shared: Toolbox) -> None:
    result = shared.use(CallTool(tool="notes__drawn")).result
    assert result is not None
    assert result.output == "Here it is:\n[picture 1, 4x3]"
    (url,) = result.pictures
    image = Image.open(io.BytesIO(base64.b64decode(url.removeprefix(BEGINNING))))
    assert (image.format, image.size, image.getpixel((0, 0))) == ("PNG", (4, 3), (255, 0, 0))
    many = shared.use(CallTool(tool="notes__drawn", arguments={"text": "6"})).result
    assert many is not None and len(many.pictures) == MOST_PICTURES
    assert many.output.count("it is not shown here") == 6 - MOST_PICTURES


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1"])
def test_pictures_of_every_form_are_made_png_or_refused(form: str, mode: str) -> None:
    sink = io.BytesIO()
    image = Image.new("RGB", (3000, 20), "blue").convert(mode)
    (image.convert("RGB") if form == "JPEG" else image).save(sink, form)
    found = read_picture(base64.b64encode(sink.getvalue()).decode())
    if form == "BMP":
        assert found is None
    else:
        assert found is not None and found[1] == (3000, 20)
        made = Image.open(io.BytesIO(base64.b64decode(found[0].removeprefix(BEGINNING))))
        assert (made.format, made.mode, made.width) == ("PNG", "RGB", LARGEST[0])


@given(st.one_of(st.text(), st.binary().map(lambda data: base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode())))
def test_whatever_is_no_picture_is_none(data: str) -> None:
    assert read_picture(data) is None


def test_a_picture_beyond_all_measure_is_not_read() -> None:
    sink = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(sink, "PNG")
    assert read_picture(base64.b64encode(sink.getvalue()).decode()) is None


def test_a_tool_that_is_not_there_is_the_agents_mistake(shared: Toolbox) -> None:
    with pytest.raises(AgentError, match="did you mean 'notes__add'"):
        shared.use(CallTool(tool="notes__ad"))


def test_a_server_that_dies_stays_dead_and_leaves_nothing_behind() -> None:
    with Toolbox([notes()], opening=connect) as box:
        assert "its server has ended" in use(box, "dies")[0]
        assert "none of its tools" in use(box, "add", text="x")[0]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("/nonexistent/server",), "No such file"),
        (("sh", "-c", "echo broken >&2; exit 3"), "it said:\nbroken"),
        (("cat",), "did not start"),
        ((*COMMAND, "--sleeps"), "did not answer in time"),
    ],
)
def test_a_server_that_does_not_start(command: tuple[str, ...], why: str) -> None:
    with pytest.raises(HostError, match=why):
        ToolConnection(ToolServer(name="x", command=command), start_sec=0.5)


def test_nobody_at_an_address_is_refused_before_the_run() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/mcp"
        with pytest.raises(SpecError, match="did not start"):
            try_servers([ToolServer(name="x", url=url)])


def test_a_server_over_http(tmp_path: Path) -> None:
    program = (
        "import socket, sys, uvicorn\n"
        "from mcp.server import MCPServer\n"
        "server = MCPServer('web')\n"
        "@server.tool()\n"
        "def large() -> str:\n    return 'x' * 10_000_000\n"
        "@server.tool()\n"
        "def greet(name: str) -> str:\n    return f'hello {name}'\n"
        "listener = socket.create_server(('127.0.0.1', 0))\n"
        "print(listener.getsockname()[1], flush=True)\n"
        "app = server.streamable_http_app(json_response=True)\n"
        "uvicorn.Server(uvicorn.Config(app, log_level='error')).run(sockets=[listener])\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=tmp_path)
    try:
        assert running.stdout is not None
        server = ToolServer(name="web", url=f"http://127.0.0.1:{int(running.stdout.readline())}/mcp")
        with Toolbox([server], opening=lambda one: ToolConnection(one, call_sec=10.0)) as box:
            said = [
                box.use(CallTool(tool=f"web__{tool}", arguments=arguments)).result
                for tool, arguments in (("greet", {"name": "Ada"}), ("large", {}), ("greet", {"name": "Eve"}))
            ]
        assert [one and one.output for one in (said[0], said[2])] == ["hello Ada", "hello Eve"]
        assert said[1] is not None and said[1].error
    finally:
        running.kill()
        running.wait()
        running.stdout and running.stdout.close()


def test_no_program_is_left() -> None:
    """Each was ended with its block, however it left."""
    left = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1] if words else ""
        except OSError:
            continue
        if PROGRAM.encode() in words and parent == str(os.getpid()) and b"--sleeps" in words:
            left.append(words)
    assert left == []
