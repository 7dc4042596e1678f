"""An agent of Harbor's for tests, which runs the commands that it is given."""

from __future__ import annotations

from typing import Any

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment


class ShellAgent(BaseAgent):
    """Runs commands one after the other, some of its own as root before."""

    def __init__(self, *args: Any, commands: str = "", **kwargs: Any) -> None:
        self._commands = commands.split(" ;; ")
        super().__init__(*args, **kwargs)

    @staticmethod
    def name() -> str:
        return "shell"

    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        assert (await environment.exec("id -u", user="root")).stdout == "0\n"

    async def run(self, instruction: str, environment: BaseEnvironment, context: Any) -> None:
        for number, command in enumerate(self._commands):
            ran = await environment.exec(command)
            (self.logs_dir / f"{number}.txt").write_text(f"{ran.return_code}\n{ran.stdout}{ran.stderr}")
        (self.logs_dir / "final_answer.txt").write_text("DONE")
