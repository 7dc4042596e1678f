"""Harbor's environment, driven as a trial drives it by the words of xdotool, keeps the contract of doors."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Any

from harbor.models.task.config import EnvironmentConfig
from harbor.models.trial.paths import TrialPaths

from proctor.actions.action import Action, Click, Move, Press, Type
from proctor.computers.values import CommandResult
from proctor.errors import EpisodeVoid
from proctor.interop.harbor import ProctorEnvironment
from proctor.interop.harbor.desktop_commands import SIZE
from proctor.interop.harbor.folders import write_folders
from proctor.interop.harbor.reward import FINAL_ANSWER, rewards
from proctor.interop.house import house_run
from proctor.records import Result
from proctor.testing.doors import LATE, DoorComputer, DoorContract, DoorEnding
from tests.interop.elsewhere.borrow import acts_and_words, suite_of
from tests.interop.elsewhere.running import only_result


class ShellComputer(DoorComputer):
    """A computer whose root has a shell, in which Harbor makes folders for its logs."""

    def run(self, argv: Any, **how: Any) -> CommandResult:
        return (
            CommandResult(code=0, stdout="", stderr="")
            if argv[0] == "sh" and how.get("root")
            else super().run(argv, **how)
        )


class TestHarbor(DoorContract):
    """One trial each."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        with suite_of(ending):
            asyncio.run(_trial(ending, tmp_path))
        run = house_run(str(tmp_path / "run"), "harbor")
        assert run is not None
        run.close()
        return only_result(tmp_path / "run")


async def _trial(ending: DoorEnding, tmp_path: Path) -> None:
    write_folders("test", [ending.task], tmp_path / "tasks")
    (folder,) = (tmp_path / "tasks").iterdir()
    paths = TrialPaths(tmp_path / "trial")
    paths.mkdir()
    environment = ProctorEnvironment(
        folder / "environment",
        "doors",
        "doors__1__env",
        paths,
        EnvironmentConfig(),
        computer=f"{__name__}:ShellComputer",
        out=str(tmp_path / "run"),
    )
    await environment.start(force_build=False)
    try:
        actions, words = acts_and_words(ending)
        for action in actions:
            try:
                await environment.exec(in_words_of_xdotool(action))
            except Exception as error:
                assert ending.expected["stop"] in ("void", "broke_the_computer"), error
        if words is not None:
            (paths.agent_dir / FINAL_ANSWER).write_text(words)
        try:
            result = await environment.judge()
        except EpisodeVoid:
            assert ending.expected["stop"] == "void"
            return
        assert rewards(result)["reward"] == result.score
        if LATE in ending.script:
            (paths.agent_dir / FINAL_ANSWER).write_text("IMPOSSIBLE: late")
            assert await environment.judge() is result
    finally:
        await environment.stop(delete=True)


def in_words_of_xdotool(action: Action) -> str:
    match action:
        case Press(keys=keys):
            words = ["key", keys]
        case Type(text=text):
            words = ["type", "--", text]
        case Click():
            words = ["click", "1"]
        case Move(x=x, y=y):
            words = ["mousemove", f"{x * SIZE[0] / 1280:g}", f"{y * SIZE[1] / 720:g}"]
        case _:
            raise AssertionError(action)
    return f"DISPLAY=:1 {shlex.join(['xdotool', *words])}"
