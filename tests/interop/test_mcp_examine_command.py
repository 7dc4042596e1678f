"""`proctor serve exam` as MCP clients start it or call it: records that are whole whatever a client does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from proctor.cli.main import main
from proctor.records import Result
from proctor.store.walk import open_run
from tests.interop.mcp_clients import PATIENCE_SEC, Client, ends, speak, started, texts, work
from tests.prove.machines import shopping


@pytest.fixture
def task(tmp_path: Path) -> Path:
    file = tmp_path / "tasks" / "shopping.json"
    file.parent.mkdir()
    file.write_text(shopping().text)
    return file


def command(task: Path, *more: str) -> list[str]:
    run = task.parent.parent / "run"
    return ["serve", "exam", str(task), "--computer", "fake", "--out", str(run), *more]


def held(task: Path) -> Result:
    (episode,) = open_run(task.parent.parent / "run").episodes()
    return episode.result


def test_the_command_examines_judges_and_refuses_what_comes_later(task: Path) -> None:
    async def script(client: Client) -> tuple[Any, Any, Any]:
        done = await ends(client)
        return done, await client.call_tool("screenshot", {}), await client.call_tool("task", {})

    done, late, again = speak(started(command(task, "--tell", "--label", "tester"), task.parent), script)
    assert "Score: 1; passed" in texts(done) and not done.is_error
    assert late.is_error and "over" in texts(late)
    assert again.is_error and "One server holds one examination" in texts(again)
    result = held(task)
    assert (result.key.agent, result.score, result.stop) == ("mcp,client=tester", 1.0, "done")


@pytest.mark.parametrize("how", ["closes", "kills", "does not listen"])
def test_a_client_that_vanishes_leaves_a_whole_record(task: Path, how: str) -> None:
    """It may even kill the process group of its server: the record is finished by a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "proctor", *command(task)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    info = {"name": "gone", "version": "1"}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "type_text", "arguments": {"text": "x"}}},
    ]  # fmt: skip
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
    while how != "does not listen" and b'"id":2' not in process.stdout.readline():
        pass
    if how == "kills":
        os.killpg(process.pid, 9)
    if how == "does not listen":
        process.stdout.close()
    process.stdin.close()
    # Standard error ends when the last process that holds it does.
    process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    process.wait(PATIENCE_SEC)
    result = held(task)
    assert (result.stop, result.score) == ("agent_error", 0.0)
    assert result.steps == 1 or how == "does not listen"
    assert "without done or give_up" in result.error


class Served:
    """The command over HTTP, until it ends by itself."""

    def __init__(self, task: Path, *more: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "proctor", *command(task, "--http", "--port", "0", "--json", *more)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stderr
        self.url = self._process.stderr.readline().split()[-1]

    def report(self) -> dict[str, Any]:
        """Wait for its end, and return what it printed."""
        printed, _ = self._process.communicate(timeout=PATIENCE_SEC)
        found: dict[str, Any] = json.loads(printed)
        return found


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_http_it_waits_for_a_client_and_ends_by_itself(task: Path, mode: str) -> None:
    served = Served(task)
    done = speak(served.url, ends, mode)
    assert "is over (done)" in texts(done) and "Score" not in texts(done)
    assert served.report()["run"] == str(task.parent.parent / "run")
    assert (held(task).score, held(task).stop) == (1.0, "done")


def test_over_http_a_second_connection_is_turned_away_and_a_client_that_leaves_is_noticed(task: Path) -> None:
    served = Served(task)

    async def script(client: Client) -> str:
        await client.call_tool("type_text", {"text": "x"})
        async with Client(served.url, mode="legacy") as stranger:
            refused = await stranger.call_tool("done", {})
            assert refused.is_error
            said = texts(refused)
        assert not (await client.call_tool("screenshot", {})).is_error
        return said

    assert "another connection" in speak(served.url, script, "legacy")
    served.report()
    assert (held(task).stop, held(task).steps) == ("agent_error", 1)


def test_a_client_that_falls_silent_over_http_counts_as_gone(task: Path) -> None:
    served = Served(task, "--patience", "4")
    speak(served.url, work, "auto")
    served.report()
    assert held(task).stop == "agent_error"
    assert "sent nothing" in held(task).error


def test_what_cannot_be_examined_is_said_before_anything_starts(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*arguments: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["serve", "exam", *arguments, "--http", "--port", "0", "--computer", "fake"])
        assert ended.value.code in (1, 2)
        printed = capsys.readouterr()
        assert not printed.out
        return printed.err

    assert "nonesuch" in said("nonesuch")
    assert "computer_run_command" in said(str(task), "--names", "cua", "--grant", "computer_run_comand")
    assert "cannot be used while an agent is evaluated" in said(str(task), "--grant", "see,file_read")


def test_what_is_wrong_is_said_by_the_process_in_between_too(task: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "proctor", *command(task, "--grant", "nonesuch")],
        capture_output=True, text=True, timeout=PATIENCE_SEC, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "unknown tool to grant" in done.stderr


# A whole suite by one server.


@pytest.fixture
def tasks(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "tasks"
    folder.mkdir()
    for name in ("first", "second", "third"):
        (folder / f"{name}.json").write_text(shopping(id=f"mine/{name}-v1").text)
    return sorted(folder.iterdir())


def suite_command(tasks: list[Path], *more: str) -> list[str]:
    run = tasks[0].parent.parent / "run"
    return ["serve", "exam", *(str(task) for task in tasks), "--computer", "fake", "--out", str(run), *more]


def results(tasks: list[Path]) -> dict[str, tuple[str, float]]:
    record = open_run(tasks[0].parent.parent / "run")
    return {episode.result.key.task: (episode.result.stop, episode.result.score) for episode in record.episodes()}


def test_one_server_examines_on_many_tasks_in_the_order_that_the_client_likes(tasks: list[Path]) -> None:
    async def script(client: Client) -> list[str]:
        assert "3 tasks" in (client.instructions or "")
        early = await client.call_tool("screenshot", {})
        assert early.is_error and "next_task" in texts(early)
        chosen = await client.call_tool("choose_task", {"task": "second"})
        assert "mine/second-v1" in texts(chosen) and "Add eggs" in texts(chosen)
        midst = await client.call_tool("next_task", {})
        assert midst.is_error and "mine/second-v1 is still running" in texts(midst)
        states = [json.loads(texts(await client.call_tool("list_tasks", {})))]
        last = await ends(client)
        assert "2 of 3 tasks are left; call next_task" in texts(last)
        again = await client.call_tool("choose_task", {"task": "mine/second-v1"})
        assert again.is_error and "has already been chosen" in texts(again)
        unknown = await client.call_tool("choose_task", {"task": "fourth"})
        assert unknown.is_error and "list_tasks names them" in texts(unknown)
        assert "mine/first-v1" in texts(await client.call_tool("next_task", {}))
        await client.call_tool("give_up", {"reason": "no"})
        assert "mine/third-v1" in texts(await client.call_tool("next_task", {}))
        assert "No task is left" in texts(await ends(client))
        none = await client.call_tool("next_task", {})
        assert none.is_error and "no task is left" in texts(none)
        states.append(json.loads(texts(await client.call_tool("list_tasks", {}))))
        return [" ".join(task["state"] for task in state) for state in states]

    states = speak(started(suite_command(tasks, "--label", "tester"), tasks[0].parent), script)
    assert states == ["waiting running waiting", "finished finished finished"]
    assert results(tasks) == {
        "mine/first-v1": ("gave_up", 0.0), "mine/second-v1": ("done", 1.0), "mine/third-v1": ("done", 1.0)
    }  # fmt: skip


def test_a_client_that_leaves_in_the_middle_of_a_suite_leaves_what_was_held(tasks: list[Path]) -> None:
    async def script(client: Client) -> None:
        await client.call_tool("next_task", {})
        await ends(client)
        await client.call_tool("next_task", {})

    process = subprocess.Popen(
        [sys.executable, "-m", "proctor", *suite_command(tasks, "--http", "--port", "0")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    speak(process.stderr.readline().split()[-1], script, "legacy")
    _, said = process.communicate(timeout=PATIENCE_SEC)
    assert process.returncode == 3 and "the client left when 1 task" in said
    assert "runs resume" not in said
    assert results(tasks) == {"mine/first-v1": ("done", 1.0), "mine/second-v1": ("agent_error", 0.0)}


def test_no_task_and_no_suite_is_said_to_be_too_little(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "exam", "--http", "--port", "0", "--computer", "fake"])
    assert "no task is named" in capsys.readouterr().err
