"""`ProctorEnvironment`: a desktop with one of our tasks on it, for `harbor run -e`.

The answer key and the checks never enter the computer. Harbor runs `/solution/solve.sh` for its oracle and
`/tests/test.sh` to judge; once it has itself put these files there, their commands are answered from outside: the key
is performed as ordinary actions, the checks look at the computer, and the reward is written on the host. So are the
commands with which Harbor's agent `computer-1` operates a desktop (`desktop_commands.py`).
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

from proctor.actions.action import SignalAction
from proctor.interop.guest_commands import ROOT, Ran
from proctor.interop.harbor.desktop_commands import SCRATCH, Display
from proctor.interop.harbor.folders import SOLVE, TEST, read_spec
from proctor.interop.harbor.reward import read_last_words, write_rewards
from proctor.interop.harbor.transfer import fetch_file, fetch_folder, put_file, put_folder, run_as_root
from proctor.interop.house import lend
from proctor.interop.loan import Loan
from proctor.records import Result

HOUSE = "harbor"
LOGS = ("/logs/agent", "/logs/verifier", "/logs/artifacts")
SOLUTION, TESTS, VERIFIER = "/solution", "/tests", "/logs/verifier"
ORACLE_LOG = "/logs/agent/oracle.txt"
"""What Harbor's oracle fetches as the output of the script that it ran."""
KEY_DONE = "The answer key was performed from outside."
Given = TypeVar("Given")


class ProctorEnvironment(BaseEnvironment):
    """One desktop for one trial; everything on it is done by one thread.

    Options (`--ek`): `computer`, the backend; `look`, such as `light`; `steps`, after so many actions and commands the
    task ends; `out`, a new folder in which all trials are recorded as a run of Proctor's, and `agent`, what it calls
    whoever acts.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        names = ("computer", "look", "steps", "out", "agent")
        self._asked = {name: str(kwargs.pop(name)) for name in names if name in kwargs}
        self._loan: Loan | None = None
        self._put: set[str] = set()
        self._signal: SignalAction | None = None
        self._judged: Result | None = None
        self._display = Display()
        super().__init__(*args, **kwargs)

    @staticmethod
    def type() -> str:
        """Return the name of this kind of environment."""
        return "proctor"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        """Say what tasks may ask for: to be without a network, and no more."""
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        read_spec(self.environment_dir)

    @property
    def loan(self) -> Loan:
        """The computer with its exam; raises RuntimeError before the start."""
        if self._loan is None:
            raise RuntimeError("the environment was not started")
        return self._loan

    async def start(self, force_build: bool) -> None:
        """Start the desktop and begin the exam of the task."""
        suite, task, seed = read_spec(self.environment_dir)
        asked = dict(self._asked)
        look, steps = asked.pop("look", ""), asked.pop("steps", "")
        options, most = {"look": look} if look else {}, int(steps) if steps else None
        self._loan = lend(HOUSE, suite, task, seed, options=options, steps=most, **asked)
        self._loan.others |= {"/logs", *SCRATCH}
        await self._do(self._loan.open)
        made = await self._root(f"mkdir -p {' '.join(LOGS)} && chmod 777 /logs {' '.join(LOGS)}")
        if made.code:
            raise RuntimeError(f"the log folders could not be created: {made.stderr}")
        await self._do(self._loan.begin)

    async def stop(self, delete: bool) -> None:
        """Close the desktop, once nothing is under way."""
        if self._loan is not None:
            await asyncio.wrap_future(self._loan.leave())
            self._loan = None

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """Run a command in a shell, as the computer's user where no other is named."""
        if self._is_of(command, TESTS, TEST):
            await self.judge()
            return ExecResult(stdout="", stderr="", return_code=0)
        if self._is_of(command, SOLUTION, SOLVE):
            self._signal = await self._do(self.loan.perform_key)
            await self._root(f"echo {shlex.quote(KEY_DONE)} > {ORACLE_LOG}")
            return ExecResult(stdout=KEY_DONE, stderr="", return_code=0)
        chosen = user if user is not None else self.default_user
        named = None if chosen is None else str(chosen)
        ran = await self._do(self._run, command, cwd, self._merge_env(env) or None, timeout_sec, named)
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.code)

    def _run(
        self, command: str, cwd: str | None, env: dict[str, str] | None, timeout_sec: int | None, user: str | None
    ) -> Ran:
        answered = self._display.answer(self.loan.computer, command, self.loan.perform)
        if answered is not None:
            return answered
        # What root does, and what comes once Harbor has put its scripts there, is Harbor's own.
        code = "" if user in ROOT or self._put & {TESTS, SOLUTION} else command
        words = ["/bin/bash", "-c", command]
        return self.loan.run(words, code=code, cwd=cwd, env=env, user=user, timeout_sec=timeout_sec)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Put a file of the host into the computer, as its root."""
        await self._do(put_file, self.loan.computer, Path(source_path), Path(target_path))
        self.loan.others.add(target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Put a folder of the host into the computer, as its root."""
        await self._do(put_folder, self.loan.computer, Path(source_dir), target_dir)
        self._put.add(target_dir.rstrip("/"))
        self.loan.others.add(target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Fetch a file; raises FileNotFoundError where there is none."""
        await self._do(fetch_file, self.loan.computer, source_path, Path(target_path))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Fetch a folder; that of the verifier comes with the reward that the checks gave."""
        target = Path(target_dir)
        await self._do(fetch_folder, self.loan.computer, source_dir, target)
        if source_dir.rstrip("/") == VERIFIER and self._judged is not None:
            write_rewards(target, self.loan.exam, self._judged)

    async def judge(self) -> Result:
        """Let the checks judge, once; raises EpisodeVoid where nothing can be said: no reward then."""
        signal = self._signal or read_last_words(self.trial_paths.agent_dir)
        self._judged = await self._do(self.loan.end, signal)
        return self._judged

    def _is_of(self, command: str, folder: str, script: str) -> bool:
        """Tell whether a command runs a script that Harbor has put there, and not merely names it."""
        return folder in self._put and f"{folder}/{script}" in command and not command.startswith("chmod ")

    async def _root(self, words: str) -> Ran:
        return await self._do(run_as_root, self.loan.computer, ["sh", "-c", words])

    async def _do(self, work: Callable[..., Given], *about: object) -> Given:
        return await asyncio.wrap_future(self.loan.submit(lambda: work(*about)))
