"""An MCP client as the examined agent: the record, the ways to end, limits, strangers, clients that vanish."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from proctor.actions.action import Done, Press
from proctor.agents import open_agent
from proctor.agents.agent import Driver, Over, Turn
from proctor.agents.external.caller import MOST_LOOKS, Caller
from proctor.agents.external.door import Door, TooLate
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.interop.mcp.exam_desk import WORDS, ExamDesk
from proctor.observations.observation import Want
from proctor.tasks.shelves import make
from proctor.testing.agent import DriverContract
from tests.interop.mcp_clients import Client, MCPError, ends, examined, pictures, texts, work
from tests.prove.machines import shopping
from tests.runner.jobs import FAKE, job


def steps(folder: Path) -> list[dict[str, Any]]:
    (lines,) = folder.rglob("steps.jsonl")
    return [json.loads(line) for line in lines.read_text().splitlines()]


def test_a_client_that_does_the_task_passes(tmp_path: Path) -> None:
    result, last = examined(job(tmp_path, "mcp"), ends)
    assert (result.stop, result.score, result.steps) == ("done", 1.0, 3)
    assert texts(last) == "It is over." and not last.is_error
    kinds = [step.get("action", {}).get("type") for step in steps(tmp_path)]
    assert kinds == ["press", "type", "press", "done", None]
    assert json.loads(steps(tmp_path)[0]["reply"]) == {"tool": "press_key", "arguments": {"key": "ctrl+End"}}


def test_what_the_client_is_told(tmp_path: Path) -> None:
    async def script(client: Client) -> str:
        assert client.instructions and "Add eggs to the list" in client.instructions
        prompt = await client.get_prompt("task")
        assert prompt.messages[0].content.text == "Add eggs to the list and save it."  # type: ignore[union-attr]
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"task", "done", "give_up", "ask_user", "screenshot", "zoom"} <= names
        assert not names & {"launch_app", "run_command", "file_read"}
        said = texts(await client.call_tool("task", {}))
        await client.call_tool("give_up", {"reason": "no"})
        return said

    result, said = examined(job(tmp_path, "mcp", rules=Rules(backend=FAKE.backend, steps=7)), script)
    assert "Add eggs to the list" in said and "7 actions" in said and "1280 pixels wide" in said
    assert (result.stop, result.score) == ("gave_up", 0.0)


def test_an_answer_is_the_last_word(tmp_path: Path) -> None:
    result, _ = examined(job(tmp_path, "mcp"), lambda client: ends(client, answer="eggs"))
    assert result.stop == "answered"


def test_looking_takes_no_step_and_is_recorded(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        assert pictures(await client.call_tool("screenshot", {}))
        assert '1 menu "File" ' in texts(await client.call_tool("get_accessibility_tree", {}))
        assert "Mousepad" in texts(await client.call_tool("list_windows", {}))
        assert "not been moved" in texts(await client.call_tool("cursor_position", {}))
        await client.call_tool("mouse_move", {"x": 5, "y": 6})
        assert json.loads(texts(await client.call_tool("cursor_position", {}))) == {"x": 5, "y": 6}
        assert pictures(await client.call_tool("zoom", {"x1": 0, "y1": 0, "x2": 9, "y2": 9}))
        return await ends(client)

    result, _ = examined(job(tmp_path, "mcp"), script)
    assert (result.score, result.steps, result.turns) == (1.0, 4, 11)
    assert '"get_accessibility_tree"' in steps(tmp_path)[1]["reply"]
    assert steps(tmp_path)[2]["saw"]["tree"]


def test_looking_without_end_is_refused_and_then_ends_it(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        answers = [await client.call_tool("cursor_position", {}) for _ in range(MOST_LOOKS + 5)]
        assert not answers[MOST_LOOKS - 1].is_error
        assert "take an action" in texts(answers[MOST_LOOKS])
        return answers[-1]

    result, last = examined(job(tmp_path, "mcp"), script)
    assert result.stop == "agent_error"
    assert texts(last) == "It is over."


def test_what_is_not_understood_is_told_recorded_and_counted(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        wrong = await client.call_tool("left_click", {"x": "abc", "y": 1})
        assert wrong.is_error and "whole number" in texts(wrong)
        outside = await client.call_tool("left_click", {"x": 5000, "y": 1})
        assert outside.is_error
        unknown_key = await client.call_tool("press_key", {"key": "nonesuch"})
        assert unknown_key.is_error
        return await ends(client)

    result, _ = examined(job(tmp_path, "mcp"), script)
    assert (result.score, result.parse_errors, result.steps) == (1.0, 3, 3)
    assert "whole number" in steps(tmp_path)[0]["problem"]


def test_a_tool_that_there_is_not_is_a_protocol_error_and_recorded(tmp_path: Path) -> None:
    async def script(client: Client) -> str:
        try:
            await client.call_tool("left_clik", {"x": 1})
        except MCPError as error:
            await ends(client)
            return error.message
        raise AssertionError("it was answered")

    result, said = examined(job(tmp_path, "mcp"), script)
    assert "did you mean 'left_click'" in said
    assert (result.score, result.parse_errors) == (1.0, 1)


def test_feedback_is_told_and_the_client_goes_on(tmp_path: Path) -> None:
    async def script(client: Client) -> str:
        said = texts(await client.call_tool("done", {}))
        await ends(client)
        return said

    result, said = examined(job(tmp_path, "mcp", rules=Rules(backend=FAKE.backend, feedback=1)), script)
    assert result.score == 1.0
    assert said and said != "It is over."


def test_an_examination_that_cannot_be_held_is_told(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        return await client.call_tool("done", {})

    broken = shopping(setup=(make.launch(["nonesuch"]),))
    result, last = examined(job(tmp_path, "mcp", task=broken), script)
    assert (result.stop, result.cause) == ("void", "setup")
    assert last.is_error and "was not carried out" in texts(last)


def test_the_step_limit_ends_it_and_the_client_is_told(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        first = await client.call_tool("type_text", {"text": "x"})
        last = await client.call_tool("type_text", {"text": "y"})
        late = await client.call_tool("type_text", {"text": "z"})
        return first, last, late

    rules = Rules(backend=FAKE.backend, steps=2)
    result, (first, last, late) = examined(job(tmp_path, "mcp", rules=rules), script)
    assert (result.stop, result.steps) == ("step_limit", 2)
    assert not first.is_error and texts(last) == "It is over."
    assert late.is_error and "was not carried out" in texts(late)


def test_the_time_limit_ends_it_while_the_client_thinks(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        await client.call_tool("screenshot", {})
        await anyio.to_thread.run_sync(over.wait)
        return await client.call_tool("screenshot", {})

    over = threading.Event()
    door_over = Door.over

    def noted(self: Door, words: str) -> None:
        door_over(self, words)
        over.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Door, "over", noted)
        result, late = examined(job(tmp_path, "mcp", rules=Rules(backend=FAKE.backend, seconds=0.5)), script)
    assert result.stop == "time_limit"
    assert late.is_error


def test_the_user_answers(tmp_path: Path) -> None:
    async def script(client: Client) -> str:
        said = texts(await client.call_tool("ask_user", {"question": "How many eggs?"}))
        await ends(client)
        return said

    result, said = examined(job(tmp_path, "mcp"), script)
    assert result.asked == 1 and said


def test_simultaneous_calls_follow_one_another(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        async with anyio.create_task_group() as group:
            for letter in "abcd":
                group.start_soon(client.call_tool, "type_text", {"text": letter})
        return await client.call_tool("done", {})

    result, _ = examined(job(tmp_path, "mcp"), script)
    assert result.steps == 4
    assert sorted(step["action"]["text"] for step in steps(tmp_path)[:4]) == ["a", "b", "c", "d"]


def test_a_client_that_leaves_without_a_word_is_judged_as_it_left_things(tmp_path: Path) -> None:
    result, _ = examined(job(tmp_path, "mcp"), work)
    assert (result.stop, result.score, result.steps) == ("agent_error", 1.0, 3)
    assert "without done or give_up" in result.error


def test_code_is_run_only_where_it_is_granted(tmp_path: Path) -> None:
    async def script(client: Client) -> set[str]:
        names = {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("give_up", {"reason": "enough"})
        return names

    # The fake computer runs no code, so not even a grant brings it in.
    _, names = examined(job(tmp_path, "mcp"), script, grants=["see", "input", "run_command"])
    assert "run_command" not in names


class TestCaller(DriverContract):
    def new_driver(self) -> Driver:
        door = Door()
        for turn in (Turn(look=Want()), Turn(actions=(Press(keys="ctrl+s"),)), Turn(actions=(Done(),))):
            door.submit(turn)
        return Caller(door=door)


def test_one_examination_is_for_one_connection() -> None:
    door = Door()
    door.over("It is over.")
    desk = ExamDesk(door, [])

    async def calls() -> list[str]:
        return [(await desk.call(WORDS[0], {}, who)).text for who in ("first", "second", "first")]

    first, second, again = anyio.run(calls)
    assert "It is over" in first and "It is over" in again
    assert "another connection" in second


def test_a_run_has_no_door_and_says_what_to_do() -> None:
    with pytest.raises(SpecError) as refused:
        open_agent("mcp")
    assert "proctor serve exam" in refused.value.remedy


def test_a_call_that_was_given_up_is_skipped_and_late_ones_are_told() -> None:
    door = Door()
    given_up, wanted, waiting = (door.submit(Turn(reply=name)) for name in ("one", "two", "three"))
    assert given_up.cancel()
    turn, answer = door.next()
    assert turn.reply == "two" and answer is wanted
    door.over("Over.")
    assert type(wanted.exception()) is Over
    assert type(waiting.exception()) is TooLate
    assert type(door.submit(Turn()).exception()) is TooLate
    assert type(door.opened.exception()) is TooLate
