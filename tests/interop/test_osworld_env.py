"""`DesktopEnv`: OSWorld's run loops and agents, unchanged, on a computer of ours."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.actions.action import Action
from proctor.computers.settle import Pause
from proctor.computers.values import Performed
from proctor.errors import EpisodeVoid, SpecError, UnknownName
from proctor.interop.osworld import DesktopEnv, task_configs
from proctor.observations.xml import from_xml
from proctor.store.read import RecordedEpisode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.testing.doors import CUT, DoorComputer, infeasible, shopping_task

EGGS = "pyautogui.hotkey('ctrl', 'end')\npyautogui.typewrite('eggs', interval=0.05)\npyautogui.hotkey('ctrl', 's')"


@pytest.fixture
def env() -> Any:
    with DesktopEnv(computer=DoorComputer) as made:
        yield made


class TypesEggs:
    """An agent as OSWorld has them."""

    def reset(self, _logger: Any = None, vm_ip: str | None = None, **_rest: Any) -> None:
        self.turns = 0

    def predict(self, instruction: str, obs: dict[str, Any]) -> tuple[str, list[Any]]:
        assert instruction == obs["instruction"]
        self.turns += 1
        return "I write.", [EGGS] if self.turns == 1 else ["DONE"]


def run_single_example(
    agent: Any, env: DesktopEnv, example: dict[str, Any], max_steps: int, instruction: str, folder: Path
) -> float:
    """A loop as OSWorld's runners have it, written after its description."""
    env.reset(task_config=example)
    agent.reset(None, vm_ip=env.vm_ip)
    obs = env._get_obs()
    env.controller.start_recording()
    done, number = False, 0
    while not done and number < max_steps:
        response, actions = agent.predict(instruction, obs)
        for action in actions:
            obs, reward, done, info = env.step(action, 0.0)
            (folder / f"step_{number + 1}.png").write_bytes(obs["screenshot"])
            line = {"step_num": number + 1, "action": action, "response": response, "reward": reward, "done": done}
            with (folder / "traj.jsonl").open("a") as file:
                file.write(json.dumps(line | {"info": info, "screenshot_file": f"step_{number + 1}.png"}) + "\n")
            if done:
                break
        number += 1
    result = env.evaluate()
    (folder / "result.txt").write_text(f"{result}\n")
    env.controller.end_recording(folder / "recording.mp4")
    return result


def test_a_run_loop_and_an_agent_of_osworld(tmp_path: Path) -> None:
    env = DesktopEnv(
        path_to_vm="vm/Ubuntu.vmx", action_space="pyautogui", provider_name="docker", region=None, snapshot_name="s",
        screen_size=(1920, 1080), headless=True, os_type="Ubuntu", require_a11y_tree=True, enable_proxy=False,
        client_password="password", computer=DoorComputer, out=tmp_path / "run",
    )  # fmt: skip
    example: Any = shopping_task()
    assert run_single_example(TypesEggs(), env, example, 15, example.instruction, tmp_path) == 1.0
    env.close()
    lines = [json.loads(line) for line in (tmp_path / "traj.jsonl").read_text().splitlines()]
    assert [line["done"] for line in lines] == [False, True] and lines[1]["info"]["done"] is True
    assert verify(tmp_path / "run") == []
    (result,) = RunRecord.open(tmp_path / "run").results()
    assert (result.key.agent, result.score, result.stop, result.clean) == ("osworld", 1.0, "done", True)
    assert EGGS in [step.reply for step in RecordedEpisode(tmp_path / "run" / result.folder).steps()]


def test_what_is_observed(env: DesktopEnv) -> None:
    obs = env.reset(shopping_task())
    assert set(obs) == {"screenshot", "accessibility_tree", "terminal", "instruction"}
    assert Image.open(io.BytesIO(obs["screenshot"])).size == (1280, 720)
    assert any(node.text == "milk\n" for node in from_xml(obs["accessibility_tree"]).nodes)
    assert obs["terminal"] is None and obs["instruction"] == env.instruction
    assert env.render() == env.controller.get_screenshot()
    assert env.vm_screen_size == {"width": 1280, "height": 720}
    assert env.vm_platform == "Linux"


def test_what_is_not_required_is_not_observed() -> None:
    with DesktopEnv(computer=DoorComputer, require_a11y_tree=False, require_terminal=True) as env:
        obs = env.reset(shopping_task())
        assert obs["accessibility_tree"] is None and obs["screenshot"]


def test_computer_13() -> None:
    with DesktopEnv(computer=DoorComputer, action_space="computer_13") as env:
        env.reset(shopping_task())
        env.step({"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "end"]}})
        env.step({"action_type": "TYPING", "text": "eggs"})
        env.step({"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "s"]}})
        _, _, done, info = env.step("DONE")
        assert done and info["done"] and env.evaluate() == 1.0
        assert env.action_history[-1] == "DONE" and len(env.action_history) == 4


@pytest.mark.parametrize("last", ["FAIL", {"action_type": "FAIL"}])
def test_giving_up(env: DesktopEnv, last: object) -> None:
    env.reset(infeasible())
    _, _, done, info = env.step(last)
    assert done and info["fail"] and env.evaluate() == 1.0
    env.reset(shopping_task())
    env.step(last)
    assert env.evaluate() == 0.0


def test_a_loop_that_runs_out_of_its_steps_is_evaluated_as_it_stands(env: DesktopEnv) -> None:
    env.reset(shopping_task())
    env.step(EGGS)
    assert env.evaluate() == env.evaluate() == 1.0
    assert env.result and env.result.stop == "step_limit"


def test_steps_may_be_limited_here_too() -> None:
    with DesktopEnv(computer=DoorComputer, max_steps=2) as env:
        env.reset(shopping_task())
        _, _, done, info = env.step(EGGS)
        assert done and info["stop"] == "step_limit"
        assert env.evaluate() == 0.0


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("pyautogui.click(", "never closed"),
        ("I would click the button.", "invalid syntax"),
        ("pyautogui.click(99999, 2)", "99999"),
        ("", "no action"),
        (7, "not int"),
        (None, "not NoneType"),
        ({"x": 1}, "no action"),
    ],
)
def test_an_action_that_cannot_be_is_explained_and_changes_nothing(env: DesktopEnv, action: object, said: str) -> None:
    before = env.reset(shopping_task())
    obs, reward, done, info = env.step(action)
    assert said in info["agent_error"] and not done and reward == 0
    assert obs["screenshot"] == before["screenshot"]
    json.dumps(info)


def test_the_pause_is_what_the_caller_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[object] = []

    class Slow(DoorComputer):
        def perform(self, action: Action) -> Performed:
            waited.append(self.settling)
            return super().perform(action)

    with DesktopEnv(computer=Slow) as env:
        env.reset(shopping_task())
        env.step("pyautogui.press('a'); pyautogui.press('b')", 2)
        env.step("pyautogui.press('c')", 0)
        env.step("pyautogui.press('d')")
        assert waited == [Pause(0.1), Pause(2.0), Pause(0.0), "quick"]
        assert all(isinstance(each, Pause) for each in waited[:3])
        assert env.computer.settling == "quick", "judgement waits as it always does"
        for wrong in (-1, "2", float("nan"), 1e9, True):
            with pytest.raises(SpecError, match="pause"):
                env.step("pyautogui.press('a')", wrong)  # type: ignore[arg-type]


def test_what_is_void_is_no_score(env: DesktopEnv) -> None:
    env.reset(shopping_task())
    env.step("pyautogui.press('a')")
    with pytest.raises(EpisodeVoid):
        env.step(f"pyautogui.write({CUT!r})")
    with pytest.raises(EpisodeVoid):
        env.evaluate()
    env.reset(shopping_task())
    env.step(EGGS)
    assert env.evaluate() == 1.0


def test_an_episode_that_nobody_evaluates_is_void(tmp_path: Path) -> None:
    with DesktopEnv(computer=DoorComputer, out=tmp_path / "run") as env:
        env.reset(shopping_task())
        env.reset(shopping_task())
        env.step("FAIL")
        assert env.evaluate() == 0.0
    assert [result.stop for result in RunRecord.open(tmp_path / "run").results()] == ["void", "gave_up"]


def test_a_plain_desktop_is_not_evaluated(env: DesktopEnv) -> None:
    with pytest.raises(SpecError, match="no episode"):
        env.evaluate()
    with pytest.raises(SpecError, match="call reset"):
        env.step("DONE")
    env.reset()
    env.step("pyautogui.press('a')")
    with pytest.raises(SpecError, match="nothing was asked"):
        env.evaluate()


def test_tasks_of_ours_are_dictionaries_too() -> None:
    found = task_configs("tour", ["sign-the-letter"], seeds=(0, 3))
    assert [config["proctor"]["seed"] for config in found] == [0, 3]
    assert found[0]["instruction"] != found[1]["instruction"]
    json.dumps(found)
    with DesktopEnv(computer="fake", suite="tour", screen_size=(1280, 720)) as env:
        assert env.reset(found[1])["instruction"] == found[1]["instruction"]
        assert env.task_id == found[1]["id"]
        assert env.reset("sign-the-letter", seed=3)["instruction"] == found[1]["instruction"]
        assert env.reset({"id": "sign-the-letter"})["instruction"] == found[0]["instruction"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (7, "not int"),
        ([], "not list"),
        ({}, "nothing"),
        ({"instruction": "Do it."}, "instruction"),
        ({"proctor": {}}, "names none"),
        ({"proctor": {"task": "sign-the-letter", "suite": "tour", "seed": "1"}}, "whole number"),
        ("sign-the-leter", "did you mean"),
        ({"proctor": {"task": "sign-the-letter", "suite": "tuor"}}, "did you mean"),
    ],
)
def test_what_is_no_task_is_refused_by_name(config: object, said: str) -> None:
    with DesktopEnv(computer=DoorComputer, suite="tour") as env, pytest.raises(SpecError, match=said):
        env.reset(config)


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="computer_13"):
        DesktopEnv(action_space="computer_12")
    with pytest.raises(SpecError, match="Windows"):
        DesktopEnv(os_type="Windows")


# -- env.controller -----------------------------------------------------------------------------------------------


def test_the_controller_looks(env: DesktopEnv, caplog: pytest.LogCaptureFixture) -> None:
    env.reset(shopping_task())
    assert env.controller.get_file("list.txt") == env.controller.get_file("/home/user/list.txt") == b"milk\n"
    assert env.controller.get_file("~/list.txt") == b"milk\n"
    assert env.controller.get_file("nothing.txt") is None and "nothing.txt" in caplog.text
    assert env.controller.get_file("../../etc/shadow") is None
    assert "desktop-frame" in (env.controller.get_accessibility_tree() or "")
    tree = env.controller.get_vm_directory_tree("/home/user")
    assert tree and {"type": "file", "name": "list.txt"} in tree["children"]
    assert env.controller.get_vm_window_size("mousepad")
    assert env.controller.get_vm_window_size("gimp") is None
    env.step("pyautogui.moveTo(30, 40)", 0)
    assert env.controller.get_cursor_position() == {"x": 30, "y": 40}


def test_gestures_by_the_controller_are_steps(env: DesktopEnv) -> None:
    env.reset(shopping_task())
    env.controller.execute_python_command(EGGS)
    assert env.controller.execute_python_command("pyautogui.click(99999, 2)") is None
    assert env.evaluate() == 1.0
    assert env.result and env.result.steps >= 3


def test_commands_by_the_controller_are_steps_and_are_noted(tmp_path: Path) -> None:
    with DesktopEnv(computer=DoorComputer, out=tmp_path / "run") as env:
        env.reset(shopping_task())
        env.controller._guest.execute(["rm", "list.txt"])
        assert env.evaluate() == 0.0
    (result,) = RunRecord.open(tmp_path / "run").results()
    episode = RecordedEpisode(tmp_path / "run" / result.folder)
    assert [step.action["code"] for step in episode.steps() if step.action] == ["rm list.txt"]


def test_nothing_is_run_after_the_end(env: DesktopEnv) -> None:
    env.reset(shopping_task())
    env.step("DONE")
    assert env.controller._guest.execute(["rm", "list.txt"])["returncode"] == 1
    assert env.controller.get_file("list.txt") == b"milk\n"
    assert env.controller.execute_python_command("pyautogui.press('a')") is None


def test_a_failed_script_says_so(env: DesktopEnv) -> None:
    env.reset(shopping_task())
    for said in (env.controller.run_python_script("print(1)"), env.controller.run_bash_script("echo")):
        # A fake computer has neither.
        assert said["status"] == "error"
    assert env.controller.run_bash_script(7)["status"] == "error"  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.sandbox("starter")
def test_scripts_run_inside_a_real_computer() -> None:
    env = DesktopEnv(image="starter", screen_size=(1280, 720))
    try:
        env.reset()
        said = env.controller.run_bash_script("cat; echo hello | tee ~/a.txt\nfalse || exit 3\n")
        assert (said["output"], said["returncode"]) == ("hello\n", 3)  # type: ignore[index]
        assert env.controller.get_file("/home/user/a.txt") == b"hello\n"
        assert env.controller.run_python_script("print(6 * 7)")["output"] == "42\n"  # type: ignore[index]
        assert env.controller.run_bash_script("ls /tmp/tmp.* | wc -l")["output"] == "1\n"  # type: ignore[index]
    finally:
        env.close()
