"""The sandbox provider `proctor`: a desktop for each sample."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any, Literal, TypeVar, overload

import anyio
import anyio.to_thread
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    sandboxenv,
)
from pydantic import BaseModel

from proctor.errors import ComputerLost, HostError, SpecError
from proctor.interop import guest_commands
from proctor.interop.inspect import computer_tool
from proctor.interop.inspect.config import ProctorConfig
from proctor.interop.inspect.origin import code_of_agent, is_written_by_agent
from proctor.interop.loan import Loan

NAME = "proctor"
Given = TypeVar("Given")


@sandboxenv(name=NAME)
class ProctorSandbox(SandboxEnvironment):
    """One desktop; everything that is done on it is done by one thread."""

    def __init__(self, loan: Loan) -> None:
        super().__init__()
        self.loan = loan

    async def do(self, work: Callable[[], Given]) -> Given:
        """Have something done in the computer's thread; a sample that is cancelled does not wait for it."""
        future = self.loan.submit(work)
        return await anyio.to_thread.run_sync(future.result, abandon_on_cancel=True)

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command; what the `computer()` tool asks for is answered from outside."""
        given = input.encode() if isinstance(input, str) else input or b""
        code = code_of_agent(cmd, given)

        def run() -> ExecResult[str]:
            if computer_tool.is_call(cmd):
                said = computer_tool.answer(self.loan.computer, cmd, self.loan.perform)
                return ExecResult(True, 0, said, "")
            ran = self.loan.run(cmd, code=code, input=given, cwd=cwd, env=env, user=user, timeout_sec=timeout)
            return ExecResult(ran.code == 0, ran.code, _end_of(ran.stdout), _end_of(ran.stderr))

        # Nothing is tried again after a timeout: a command that has done half of its work would do it twice.
        try:
            return await self.do(run)
        except guest_commands.TooMuchOutput as error:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR, None) from error
        except (ComputerLost, HostError, SpecError) as error:
            raise SandboxUnavailableError(str(error)) from error

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file as the computer's user; one that a tool of the agent writes is a step."""
        data = contents.encode() if isinstance(contents, str) else contents
        by_agent = is_written_by_agent(file)
        await self.do(lambda: self.loan.write_file(file, data, by_agent=by_agent))

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Read a file that the computer's user may read."""
        if file == computer_tool.TOOL:
            return computer_tool.SOURCE if text else computer_tool.SOURCE.encode()
        most = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        try:
            data = await self.do(lambda: guest_commands.read(self.loan.computer, file, most=most))
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None) from error
            raise
        return data.decode() if text else data

    @classmethod
    def default_concurrency(cls) -> int | None:
        """Return how many desktops to have at once: two for each processor."""
        return 2 * (os.cpu_count() or 1)

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        """Return a configuration that was written down."""
        return ProctorConfig(**config)

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Start a desktop for a sample."""
        sandbox = cls(_config(config).lend())
        try:
            await sandbox.do(sandbox.loan.open)
        except BaseException:
            sandbox.loan.leave()
            raise
        return {"default": sandbox}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """Close the desktop of a sample, however it ended."""
        closing = [environment.as_type(cls).loan.leave() for environment in environments.values()]
        with anyio.CancelScope(shield=True):
            for future in closing:
                await anyio.to_thread.run_sync(future.result)


def _config(given: SandboxEnvironmentConfigType | None) -> ProctorConfig:
    if given is None:
        return ProctorConfig()
    if isinstance(given, ProctorConfig):
        return given
    raise SpecError(f"sandbox {NAME!r} reads no file {given!r}", remedy="give a ProctorConfig, or nothing")


def _end_of(text: str, most: int = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE) -> str:
    """Return the end of an output that is longer than is kept."""
    data = text.encode()
    return text if len(data) <= most else data[-most:].decode(errors="replace")
