"""MCP clients on real desktops: a task of the tour done through tools alone, and a computer with a shell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from proctor.store.walk import open_run
from tests.interop.mcp_clients import Client, pictures, speak, started, texts


def element(outline: str, name: str) -> dict[str, int]:
    """Return the element whose name begins so, by its id."""
    found = re.search(rf'^\W*(\d+)\b.* "{re.escape(name)}\b', outline, re.MULTILINE)
    assert found, outline
    return {"element": int(found[1])}


@pytest.mark.slow
@pytest.mark.sandbox("starter")
def test_a_task_of_the_tour_is_done_through_tools(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        style = re.search(r"to the (\S+) style", client.instructions or "")
        assert style
        assert pictures(await client.call_tool("screenshot", {}))
        outline = texts(await client.call_tool("get_accessibility_tree", {}))
        clicked = await client.call_tool("left_click", element(outline, style[1]))
        assert not clicked.is_error, texts(clicked)
        return await client.call_tool("done", {})

    command = ["serve", "exam", "switch-the-style", "--suite", "tour", "--tell", "--out", "run"]
    done = speak(started(command, tmp_path), script, patience=100)
    assert "Score: 1; passed" in texts(done)
    (episode,) = open_run(tmp_path / "run").episodes()
    assert (episode.result.stop, episode.result.steps, episode.result.clean) == ("done", 1, True)


@pytest.mark.slow
@pytest.mark.sandbox("starter")
def test_a_desktop_with_a_shell_that_was_granted(tmp_path: Path) -> None:
    async def script(client: Client) -> Any:
        await client.call_tool("computer_launch_app", {"app": "mousepad"})
        await client.call_tool("computer_type", {"text": "naïve <b>"})
        ran = await client.call_tool("computer_run_command", {"command": "echo $((6*7)) | tee answer.txt"})
        assert json.loads(texts(ran)) == {"stdout": "42\n", "stderr": "", "returncode": 0}
        read = await client.call_tool("computer_file_read", {"path": "answer.txt"})
        assert json.loads(texts(read)) == {"content": "42\n"}
        return await client.call_tool("computer_get_accessibility_tree", {})

    granted = "see,input,computer_run_command,computer_file_read"
    command = ["serve", "mcp", "--names", "cua", "--computer", "sandbox,look=light", "--grant", granted]
    assert "naïve <b>" in texts(speak(started(command, tmp_path), script, patience=100))
