"""`ProctorEnvironment`: a desktop with one of our tasks on it, for `harbor run -e`.

The answer key and the checks never enter the computer. Harbor runs `/solution/solve.sh` for its oracle and
`/tests/test.sh` to judge; once it has itself put these files there, their commands are answered from outside: the key
is performed as ordinary actions, the checks look at the computer, and the reward is written on the host. So are the
commands with which Harbor's agent `computer-1` operates a desktop (`desktop_commands.py`).
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import shlex
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

from proctor.actions.action import AskUser, SignalAction
from proctor.agents.native.words import last_words
from proctor.errors import EpisodeVoid
from proctor.interop import guest_commands
from proctor.interop.desk import Desk, Judgement
from proctor.interop.harbor.desktop_commands import SCRATCH, Display
from proctor.interop.harbor.folders import SOLVE, TEST, read_spec
from proctor.suites import load_suite
from proctor.tasks.perform import perform
from proctor.tasks.probe_context import Ending

LOGS = ("/logs/agent", "/logs/verifier", "/logs/artifacts")
SOLUTION, TESTS, VERIFIER = "/solution", "/tests", "/logs/verifier"
FINAL_ANSWER = "final_answer.txt"
"""Where Harbor's agents leave their last words."""
ORACLE_LOG = "/logs/agent/oracle.txt"
"""What Harbor's oracle fetches as the output of the script that it ran."""
KEY_DONE = "The answer key was performed from outside."
Given = TypeVar("Given")


class ProctorEnvironment(BaseEnvironment):
    """One desktop for one trial; everything on it is done by one thread.

    Options (`--ek`): `computer`, the backend; `look`, such as `light`.
    """

    def __init__(self, *args: Any, computer: str = "sandbox", look: str = "", **kwargs: Any) -> None:
        self._backend, self._look = computer, look
        self._desk: Desk | None = None
        self._put: set[str] = set()
        self._ending: Ending | None = None
        self._judgement: Judgement | None = None
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
    def desk(self) -> Desk:
        """The desk; raises RuntimeError before the start."""
        if self._desk is None:
            raise RuntimeError("the environment was not started")
        return self._desk

    async def start(self, force_build: bool) -> None:
        """Start the desktop and prepare it for the task."""
        spec = read_spec(self.environment_dir)
        suite = load_suite(spec["suite"])
        task = suite.task(spec["task"], int(spec.get("seed") or 0))
        options = {"look": self._look} if self._look else {}
        self._desk = Desk(task, computer=self._backend, options=options, assets=suite.assets)
        self._desk.others |= {"/logs", *SCRATCH}
        await self._do(self._desk.open)
        made = await self._root(["sh", "-c", f"mkdir -p {' '.join(LOGS)} && chmod 777 /logs {' '.join(LOGS)}"])
        if made.code:
            raise RuntimeError(f"the folders of logs could not be made: {made.stderr}")
        await self._do(self._desk.prepare)

    async def stop(self, delete: bool) -> None:
        """Close the desktop, once nothing is under way."""
        if self._desk is not None:
            await asyncio.wrap_future(self._desk.leave())
            self._desk = None

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
            await self.judged()
            return ExecResult(stdout="", stderr="", return_code=0)
        if self._is_of(command, SOLUTION, SOLVE):
            self._ending = await self._do(self._perform_the_key)
            await self._root(["sh", "-c", f"echo {shlex.quote(KEY_DONE)} > {ORACLE_LOG}"])
            return ExecResult(stdout=KEY_DONE, stderr="", return_code=0)
        answered = await self._do(lambda: self._display.answer(self.desk.computer, command, self.desk.perform))
        if answered is not None:
            return ExecResult(stdout=answered.stdout, stderr=answered.stderr, return_code=answered.code)
        chosen = user if user is not None else self.default_user
        ran = await self._do(
            lambda: guest_commands.run(
                self.desk.computer,
                ["/bin/bash", "-c", command],
                cwd=cwd,
                env=self._merge_env(env) or None,
                user=None if chosen is None else str(chosen),
                timeout_sec=timeout_sec,
            )
        )
        self.desk.acted = True
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Put a file of the host into the computer, as its root."""
        source, target = Path(source_path), Path(target_path)
        await self._unpack(_packed([(source, target.name)]), str(target.parent))
        self.desk.others.add(str(target))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Put a folder of the host into the computer, as its root."""
        source = Path(source_dir)
        files = [(path, str(path.relative_to(source))) for path in sorted(source.rglob("*"))]
        await self._unpack(_packed(files), target_dir)
        self._put.add(target_dir.rstrip("/"))
        self.desk.others.add(target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Fetch a file; raises FileNotFoundError where there is none."""
        packed = await self._fetch(str(Path(source_path).parent), Path(source_path).name)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            member = next((each for each in archive.getmembers() if each.isfile()), None)
            inner = archive.extractfile(member) if member else None
            if inner is None:
                raise FileNotFoundError(source_path)
            Path(target_path).parent.mkdir(parents=True, exist_ok=True)
            Path(target_path).write_bytes(inner.read())

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Fetch a folder; that of the verifier comes with the reward that the checks gave."""
        packed = await self._fetch(source_dir, ".")
        target = Path(target_dir)
        target.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(target, filter="data")
        if source_dir.rstrip("/") == VERIFIER and self._judgement is not None:
            # Whatever lies there inside, this is the reward.
            for name in ("reward.txt", "reward.json"):
                (target / name).unlink(missing_ok=True)
            (target / "reward.json").write_text(json.dumps(rewards(self._judgement)), encoding="utf-8")
            (target / "proctor.json").write_text(json.dumps(self._judgement.to_json()), encoding="utf-8")

    async def judged(self) -> Judgement:
        """Let the checks judge, once; raises EpisodeVoid where nothing can be said, so that no reward is given."""
        if self._judgement is None:
            ending = self._ending or Ending(signal=self._last_words())
            self._judgement = await self._do(lambda: self.desk.judge(ending))
        return self._judgement

    def _last_words(self) -> SignalAction | None:
        path = self.trial_paths.agent_dir / FINAL_ANSWER
        if not path.is_file():
            return None
        said = last_words(path.read_text(encoding="utf-8", errors="replace"))
        return said if isinstance(said, SignalAction) and not isinstance(said, AskUser) else None

    def _perform_the_key(self) -> Ending:
        task = self.desk.task
        if task is None or not task.solution:
            raise EpisodeVoid("the task has no answer key", remedy="choose another task for the oracle")
        self.desk.acted = True
        return perform(task, task.solution, self.desk.computer)

    def _is_of(self, command: str, folder: str, script: str) -> bool:
        """Tell whether a command runs a script that Harbor has put there, and not merely names it."""
        return folder in self._put and f"{folder}/{script}" in command and not command.startswith("chmod ")

    async def _unpack(self, packed: bytes, target: str) -> None:
        words = ["sh", "-c", f"mkdir -p {shlex.quote(target)} && tar -xf - -C {shlex.quote(target)}"]
        done = await self._root(words, packed)
        if done.code:
            raise RuntimeError(f"nothing could be put into {target}: {done.stderr.strip()}")

    async def _fetch(self, folder: str, name: str) -> bytes:
        words = f"tar -cf - -C {shlex.quote(folder)} -- {shlex.quote(name)} | base64 -w0"
        done = await self._root(["sh", "-c", f"test -e {shlex.quote(f'{folder}/{name}')} && {words}"])
        if done.code:
            raise FileNotFoundError(f"{folder}/{name}: {done.stderr.strip()}")
        return base64.b64decode(done.stdout)

    async def _root(self, argv: list[str], input: bytes = b"") -> guest_commands.Ran:
        return await self._do(lambda: guest_commands.run(self.desk.computer, argv, input=input, user="root", cwd="/"))

    async def _do(self, work: Callable[[], Given]) -> Given:
        return await asyncio.wrap_future(self.desk.submit(work))


def rewards(judgement: Judgement) -> dict[str, float]:
    """Return a judgement as Harbor's numbers; `reward` is the score."""
    return {"reward": judgement.score, "clean": float(judgement.clean)}


def _packed(files: list[tuple[Path, str]]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for path, name in files:
            archive.add(path, name, recursive=False, filter=_nobodys)
    return data.getvalue()


def _nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
