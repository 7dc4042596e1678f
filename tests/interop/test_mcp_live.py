"""A computer for any MCP client: tools, their names, grants, bad input, cancelled and simultaneous calls."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from benchmarks.interop_mcp import measure_mcp
from proctor.computers import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.errors import AgentError, CommandLate, SpecError, UnknownName
from proctor.interop.mcp.answers import space_of
from proctor.interop.mcp.arguments import Param, read
from proctor.interop.mcp.families import FAMILIES
from proctor.interop.mcp.live import LiveDesk
from proctor.interop.mcp.server import build
from proctor.interop.mcp.tool import DeskTool, grant_tools
from tests.interop.mcp_clients import Client, pictures, refusal, speak, started, texts

HARBOR = {
    "screenshot", "mouse_move", "left_click", "right_click", "middle_click", "double_click", "triple_click",
    "left_click_drag", "scroll", "cursor_position", "type_text", "press_key", "hold_key", "wait",
}  # fmt: skip
OURS = {"get_accessibility_tree", "zoom", "list_windows", "launch_app", "wait_for_change"}
CUA = {
    "computer_screenshot", "computer_get_screen_size", "computer_get_cursor_position", "computer_get_desktop_state",
    "computer_click", "computer_double_click", "computer_move", "computer_drag", "computer_scroll",
    "computer_mouse_down", "computer_mouse_up", "computer_type", "computer_press_key", "computer_hotkey",
    "computer_key_down", "computer_key_up", "computer_get_accessibility_tree", "computer_launch_app",
}  # fmt: skip


class Desk:
    """A fake computer behind a server, that a test can look at."""

    def __init__(self, names: str = "harbor", grants: list[str] | None = None, **options: Any) -> None:
        self.computer: Computer | None = None
        self.thread = 0
        desk = {name: options.pop(name) for name in ("fit", "picture_after") if name in options}
        self.live = LiveDesk(lambda: self.open(**options), grant_tools(FAMILIES[names](), grants), **desk)
        self.server = build(self.live, instructions="Try it.")

    def open(self, **options: Any) -> Computer:
        self.thread = threading.get_ident()
        self.computer = open_computer("fake", **options)
        return self.computer

    def __enter__(self) -> Desk:
        self.live.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self.live.__exit__(*ended)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk() as found:
        yield found


def call(desk: Desk, name: str, mode: str = "auto", **arguments: Any) -> Any:
    return speak(desk.server, lambda client: client.call_tool(name, arguments), mode)


def names_of(desk: Desk) -> set[str]:
    return {tool.name for tool in speak(desk.server, Client.list_tools).tools}


def actions(desk: Desk) -> list[dict[str, Any]]:
    assert desk.computer
    return [
        {name: value for name, value in done.action.to_json().items() if name != "given"}
        for done in desk.computer.history
    ]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_clients_of_both_revisions_see_and_act(desk: Desk, mode: str) -> None:
    shot = call(desk, "screenshot", mode)
    (picture,) = pictures(shot)
    assert Image.open(io.BytesIO(base64.b64decode(picture))).size == (1280, 720)
    assert texts(call(desk, "left_click", mode, x=12, y=34)) == "Left clicked at (12, 34)"
    assert actions(desk)[-1] == {"type": "click", "x": 12, "y": 34}


def test_the_usual_tools_are_those_of_harbors_cookbook_and_five_more(desk: Desk) -> None:
    assert names_of(desk) == HARBOR | OURS


def test_cuas_names_are_there_by_option() -> None:
    with Desk("cua") as desk:
        assert names_of(desk) == CUA | {"computer_list_windows", "computer_zoom"}


@pytest.mark.parametrize(("names", "prefix"), [("harbor", ""), ("cua", "computer_")])
def test_what_only_reads_is_marked_so_and_never_as_destructive(names: str, prefix: str) -> None:
    with Desk(names, grants=["see", "input", "shell"]) as desk:
        listed = {
            tool.name.removeprefix(prefix): tool.annotations for tool in speak(desk.server, Client.list_tools).tools
        }
    files = {"file_read", "file_exists", "directory_exists", "list_directory", "get_file_size"}
    looks = {"screenshot", "get_accessibility_tree", "zoom", "list_windows"}
    reads = {name for name, hints in listed.items() if hints.read_only_hint}
    assert looks | files <= reads
    assert not reads & {"file_write", "delete_file", "run_command", "left_click", "click", "launch_app"}
    assert all(listed[name].destructive_hint is None for name in reads)
    assert all(listed[name].destructive_hint for name in ("file_write", "delete_file", "run_command"))


@pytest.mark.parametrize("names", list(FAMILIES))
def test_every_schema_says_what_is_needed(names: str) -> None:
    for tool in FAMILIES[names]():
        schema = tool.schema()
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert all(form["description"] for form in schema["properties"].values())


@pytest.mark.parametrize(
    ("name", "arguments", "performed"),
    [
        ("mouse_move", {"x": 1, "y": 2}, [{"type": "move", "x": 1, "y": 2}]),
        ("triple_click", {"x": 1, "y": 2}, [{"type": "click", "x": 1, "y": 2, "count": 3}]),
        ("left_click_drag", {"start_x": 1, "start_y": 2, "end_x": 30, "end_y": 40},
         [{"type": "drag", "path": [[1, 2], [30, 40]]}]),
        ("scroll", {"x": 1, "y": 2, "direction": "up"}, [{"type": "scroll", "x": 1, "y": 2, "dy": -3}]),
        ("scroll", {"x": 1, "y": 2, "direction": "right", "clicks": "2"},
         [{"type": "scroll", "x": 1, "y": 2, "dx": 2}]),
        ("type_text", {"text": "naïve\n"}, [{"type": "type", "text": "naïve\n"}]),
        ("press_key", {"key": "ctrl+s"}, [{"type": "press", "keys": "ctrl+s"}]),
        ("hold_key", {"key": "shift", "duration": 2},
         [{"type": "key_down", "key": "shift"}, {"type": "wait", "seconds": 2}, {"type": "key_up", "key": "shift"}]),
        ("wait", {"seconds": 0.25}, [{"type": "wait", "seconds": 0.25}]),
        ("wait_for_change", {"seconds": 40}, [{"type": "wait_for_change", "seconds": 0}]),
    ],
)  # fmt: skip
def test_what_each_tool_does(desk: Desk, name: str, arguments: dict[str, Any], performed: list[Any]) -> None:
    assert not call(desk, name, **arguments).is_error
    assert actions(desk) == performed


@pytest.mark.parametrize(
    ("name", "arguments", "performed"),
    [
        ("computer_click", {"x": 1, "y": 2, "button": "right"}, [{"type": "click", "x": 1, "y": 2, "button": "right"}]),
        ("computer_scroll", {"x": 1, "y": 2, "scroll_y": 3}, [{"type": "scroll", "x": 1, "y": 2, "dy": 3}]),
        ("computer_scroll", {"x": 1, "y": 2, "scroll_y": -240}, [{"type": "scroll", "x": 1, "y": 2, "dy": -2}]),
        ("computer_mouse_down", {"x": 1, "y": 2}, [{"type": "move", "x": 1, "y": 2}, {"type": "mouse_down"}]),
        ("computer_mouse_up", {}, [{"type": "mouse_up"}]),
        ("computer_hotkey", {"keys": ["ctrl", "shift", "t"]}, [{"type": "press", "keys": "ctrl+shift+t"}]),
        ("computer_key_down", {"key": "ctrl"}, [{"type": "key_down", "key": "ctrl"}]),
    ],
)  # fmt: skip
def test_what_cuas_tools_do(name: str, arguments: dict[str, Any], performed: list[Any]) -> None:
    with Desk("cua") as desk:
        assert not call(desk, name, **arguments).is_error
        assert actions(desk) == performed


def test_windows_tree_pointer_and_zoom(desk: Desk) -> None:
    assert "Mousepad" in texts(call(desk, "launch_app", app="mousepad"))
    (window,) = json.loads(texts(call(desk, "list_windows")))
    assert window["active"] and window["width"] > 100
    assert '1 menu "File" ' in texts(call(desk, "get_accessibility_tree"))
    call(desk, "mouse_move", x=7, y=8)
    assert json.loads(texts(call(desk, "cursor_position"))) == {"x": 7, "y": 8}
    (part,) = pictures(call(desk, "zoom", x1=0, y1=0, x2=64, y2=36))
    assert Image.open(io.BytesIO(base64.b64decode(part))).size == (1280, 720)


def test_coordinates_are_pixels_of_the_picture_that_fits() -> None:
    with Desk(size=(1920, 1080), picture_after=True) as desk:
        clicked = call(desk, "left_click", x=1279, y=719)
        (picture,) = pictures(clicked)
        assert Image.open(io.BytesIO(base64.b64decode(picture))).size == (1280, 720)
        assert actions(desk) == [{"type": "click", "x": 1918.5, "y": 1078.5}]
        outside = call(desk, "left_click", x=1280, y=0)
        assert outside.is_error and "1280x720" in texts(outside) and "1920" not in texts(outside)
        call(desk, "mouse_move", x=100, y=50)
        assert json.loads(texts(call(desk, "cursor_position"))) == {"x": 100, "y": 50}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"x": "abc", "y": 1}, "x is 'abc'; it must be a whole number"),
        ({"x": 1.5, "y": 1}, "x is 1.5; it must be a whole number"),
        ({"x": True, "y": 1}, "x is True"),
        ({"x": [1], "y": 1}, "x is [1]"),
        ({"x": 1}, "no point is given"),
        ({"x": 1, "y": None}, "no point is given"),
        ({"x": 1, "yy": 1}, "did you mean 'y'?"),
        ({"x": -1, "y": 1}, "outside the screenshot"),
        ({"x": "9" * 10_000_000, "y": 1}, "it must be a whole number"),
        ({"x": 10**400, "y": 1}, "it must be a whole number"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_told_and_nothing_is_done(desk: Desk, arguments: dict[str, Any], said: str) -> None:
    result = call(desk, "left_click", **arguments)
    assert result.is_error
    assert said in texts(result)
    assert len(texts(result)) < 500
    assert actions(desk) == []


def test_numbers_written_as_text_are_taken(desk: Desk) -> None:
    assert not call(desk, "left_click", x=" 12 ", y="34.0").is_error
    assert actions(desk) == [{"type": "click", "x": 12, "y": 34}]


def test_ten_megabytes_of_text_are_refused_in_few_words(desk: Desk) -> None:
    result = call(desk, "type_text", text="x" * 10_000_000)
    assert result.is_error
    assert len(texts(result)) < 500
    assert actions(desk) == []


def test_an_unknown_key_names_the_nearest(desk: Desk) -> None:
    result = call(desk, "press_key", key="Retrun")
    assert result.is_error and "return" in texts(result).lower()


def test_an_unknown_tool_is_a_protocol_error_with_the_nearest_name(desk: Desk) -> None:
    assert "did you mean 'left_click'" in refusal(desk.server, "left_clik", x=1, y=1)
    assert "Unknown tool" in refusal(desk.server, "run_command", command="id")


NAMES = st.sampled_from(["x", "y", "text", "key", "direction", "duration", "app", "args", "x1", "z", ""])
VALUES = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=2))
TOOLS = [*FAMILIES["harbor"](), *FAMILIES["cua"]()]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(TOOLS), st.dictionaries(NAMES, VALUES, max_size=4))
def test_whatever_is_sent_is_read_or_refused(tool: DeskTool, sent: dict[str, Any]) -> None:
    try:
        tool.read(sent, space_of((1280, 720), (1280, 800)))
    except AgentError as error:
        assert error.message


@given(st.integers(-(10**6), 10**6))
def test_a_whole_number_is_the_same_however_it_is_written(number: int) -> None:
    params = (Param("n", "integer", "A number."),)
    assert {read(params, {"n": form})["n"] for form in (number, float(number), str(number), f" {number}.0")} == {number}


# Grants.


def test_a_grant_allows_what_it_names_and_nothing_else() -> None:
    with Desk(grants=["see"]) as desk:
        assert names_of(desk) == {"screenshot", "cursor_position", "get_accessibility_tree", "zoom", "list_windows"}
        assert "Unknown tool" in refusal(desk.server, "left_click", x=1, y=1)


def test_commands_and_files_take_a_grant() -> None:
    with Desk(grants=["run_command", "file_read", "file_write", "file_exists", "list_directory"]) as desk:
        assert not call(desk, "file_write", path="notes.txt", content="milk").is_error
        assert json.loads(texts(call(desk, "file_read", path="notes.txt"))) == {"content": "milk"}
        assert json.loads(texts(call(desk, "file_exists", path="none.txt"))) == {"exists": False}
        assert "notes.txt" in json.loads(texts(call(desk, "list_directory", path=".")))["entries"]
        assert call(desk, "file_read", path="none.txt").is_error
        # It has no shell; that is told, and the next call goes on.
        refused = call(desk, "run_command", command="cat notes.txt")
        assert refused.is_error and "'sh' could not be started" in texts(refused)
        assert call(desk, "run_command", command=" ").is_error


def test_a_grant_of_what_there_is_not_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownName) as refused:
        grant_tools(FAMILIES["cua"](), ["computer_run_comand"])
    assert "computer_run_command" in refused.value.remedy
    with pytest.raises(UnknownName):
        grant_tools(FAMILIES["harbor"](), ["computer_run_command"])
    with pytest.raises(SpecError):
        grant_tools(FAMILIES["harbor"](), [])


def test_tools_are_absent_where_the_computer_has_no_part_for_them() -> None:
    with Desk(without=("tree", "windows", "keys"), grants=["see", "input", "shell"]) as desk:
        there = names_of(desk)
    assert not there & {"get_accessibility_tree", "list_windows", "launch_app", "type_text", "press_key", "hold_key"}
    assert {"screenshot", "left_click", "run_command"} <= there


def test_an_application_is_started_without_options(desk: Desk) -> None:
    for words in ({"app": "mousepad", "args": ["-x"]}, {"app": "-c"}, {"app": " "}, {"app": "mousepad", "args": "x"}):
        assert call(desk, "launch_app", **words).is_error


def test_a_program_that_is_not_there_is_told(desk: Desk) -> None:
    result = call(desk, "launch_app", app="nonesuch")
    assert result.is_error and "not installed" in texts(result)


# One computer, one thread.


def test_all_is_done_on_one_thread_and_simultaneous_calls_follow_one_another() -> None:
    with Desk() as desk:
        assert isinstance(desk.computer, FakeComputer)
        seen: list[tuple[str, int]] = []
        perform = desk.computer.perform

        def watched(action: Any) -> Any:
            seen.append(("begins", threading.get_ident()))
            done = perform(action)
            seen.append(("ends", threading.get_ident()))
            return done

        desk.computer.perform = watched  # type: ignore[method-assign]

        async def many(client: Client) -> None:
            async with anyio.create_task_group() as group:
                for number in range(8):
                    group.start_soon(client.call_tool, "left_click", {"x": number, "y": 1})

        speak(desk.server, many)
        assert [what for what, _ in seen] == ["begins", "ends"] * 8
        assert {thread for _, thread in seen} == {desk.thread} != {threading.get_ident()}


def test_a_call_that_is_given_up_before_its_turn_is_not_carried_out() -> None:
    with Desk() as desk:
        assert isinstance(desk.computer, FakeComputer)
        busy, go_on = threading.Event(), threading.Event()
        perform = desk.computer.perform

        def slow(action: Any) -> Any:
            busy.set()
            go_on.wait(60)
            return perform(action)

        desk.computer.perform = slow  # type: ignore[method-assign]

        async def one_after_another(client: Client) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "mouse_move", {"x": 1, "y": 1})
                await anyio.to_thread.run_sync(busy.wait)
                with anyio.move_on_after(0.05):
                    await client.call_tool("left_click", {"x": 2, "y": 2})
                await client.list_tools()  # the cancellation has been read by then
                go_on.set()
            await client.call_tool("mouse_move", {"x": 3, "y": 3})

        speak(desk.server, one_after_another, "legacy")
        assert [(done["type"], done["x"]) for done in actions(desk)] == [("move", 1), ("move", 3)]


def test_a_wait_lets_other_calls_go_before_it_ends() -> None:
    with Desk() as desk:
        assert isinstance(desk.computer, FakeComputer)
        pass_time, began = desk.computer.pass_time, desk.computer.clock()

        def once_clicked(seconds: float) -> None:
            """Time stands still until somebody else has had a turn."""
            if actions(desk):
                pass_time(seconds)

        desk.computer.pass_time = once_clicked  # type: ignore[method-assign]

        async def both(client: Client) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "wait", {"seconds": 28})
                group.start_soon(client.call_tool, "left_click", {"x": 1, "y": 1})

        speak(desk.server, both)
        assert [done["type"] for done in actions(desk)] == ["click", "wait"]
        assert desk.computer.clock() - began == pytest.approx(28, abs=0.5)


def test_waiting_for_a_change_ends_with_what_another_call_brings() -> None:
    with Desk(grants=["input", "launch_app"]) as desk:
        assert desk.computer
        pass_time, began = desk.computer.wait_activity, desk.computer.clock()
        waiting, opened = threading.Event(), threading.Event()

        def once_opened(seconds: float) -> None:
            """Time stands still until somebody has opened something."""
            waiting.set()
            if opened.is_set():
                pass_time(seconds)

        desk.computer.wait_activity = once_opened  # type: ignore[method-assign,assignment]

        async def both(client: Client) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "wait_for_change", {"seconds": 600})
                await anyio.to_thread.run_sync(waiting.wait)
                await client.call_tool("launch_app", {"app": "mousepad"})
                opened.set()

        speak(desk.server, both)
        assert [done["type"] for done in actions(desk)] == ["wait_for_change"]
        assert desk.computer.clock() - began < 60


def test_a_wait_that_is_given_up_ends_and_leaves_the_computer_to_others() -> None:
    with Desk() as desk:
        assert isinstance(desk.computer, FakeComputer)
        waiting = threading.Event()
        desk.computer.pass_time = lambda seconds: waiting.set()  # type: ignore[method-assign]

        async def give_up(client: Client) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "wait", {"seconds": 60})
                await anyio.to_thread.run_sync(waiting.wait)
                group.cancel_scope.cancel()

        speak(desk.server, give_up, "legacy")
        assert not call(desk, "left_click", x=1, y=1).is_error
        assert [done["type"] for done in actions(desk)] == ["click"]


def test_a_command_that_is_late_names_the_argument_of_the_tool() -> None:
    with Desk(grants=["run_command"]) as desk:
        assert isinstance(desk.computer, FakeComputer)

        def late(*_argv: object, **_options: object) -> NoReturn:
            raise CommandLate("command 'sh' did not end", remedy="give it a larger timeout_sec")

        desk.computer.run = late  # type: ignore[method-assign]
        said = texts(call(desk, "run_command", command="sleep 9", timeout=1))
        assert "within 1 s" in said and "`timeout`" in said and "timeout_sec" not in said


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("wait", {"seconds": 61}, "seconds is 61; it must be from 0 to 60"),
        ("hold_key", {"key": "a", "duration": 61}, "duration is 61; it must be from 0 to 60"),
        ("run_command", {"command": "id", "timeout": 0}, "timeout is 0; it must be from 0.1 to 600"),
    ],
)
def test_what_is_out_of_bounds_is_told_by_the_name_that_the_client_knows(
    name: str, arguments: dict[str, Any], said: str
) -> None:
    with Desk(grants=["see", "input", "shell"]) as desk:
        assert said in texts(call(desk, name, **arguments)).replace("\n  remedy:", ";")
        assert actions(desk) == []


def test_a_computer_that_is_lost_is_told_at_every_call(desk: Desk) -> None:
    assert isinstance(desk.computer, FakeComputer)
    desk.computer.fail_next("screenshot")
    assert call(desk, "screenshot").is_error
    assert call(desk, "left_click", x=1, y=1).is_error


# From outside.


def test_a_client_that_starts_the_command_sees_and_acts(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        assert client.instructions and "screenshot" in client.instructions
        await client.call_tool("launch_app", {"app": "mousepad"})
        await client.call_tool("type_text", {"text": "hello"})
        return await client.call_tool("get_accessibility_tree", {})

    transport = started(["serve", "mcp", "--computer", "fake"], tmp_path)
    assert "hello" in texts(speak(transport, script))


def test_what_a_call_adds_is_measured() -> None:
    figures = measure_mcp(10)
    assert [figure.key for figure in figures] == ["mcp_stdio_added_ms", "mcp_http_added_ms"]
    assert all(figure.value is not None and figure.goal == 5 for figure in figures)


def test_without_the_package_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['mcp_types'] = None\n"
        "from proctor.cli.main import main\n"
        "main(['mcp', '--computer', 'fake'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "proctor[mcp]" in done.stderr
