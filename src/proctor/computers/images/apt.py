"""An apt with a state of its own, which heeds the host's proxies and certificates but changes nothing of the host."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from proctor.computers import userns
from proctor.computers.images import folders
from proctor.computers.images.progress import BuildStep, Phase, Progress
from proctor.computers.images.sources import PackageSource
from proctor.errors import ImageError

_CONFIG = """\
Dir::State "{state}";
Dir::State::lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::Cache "{state}";
Dir::Cache::archives "{archives}";
Dir::Etc::sourcelist "{state}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Architecture "{architecture}";
#clear APT::Architectures;
APT::Architectures {{ "{architecture}"; }};
APT::Default-Release "";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
Acquire::Languages "none";
Acquire::GzipIndexes "false";
Acquire::Retries "{retries}";
Acquire::http::Timeout "{timeout}";
Acquire::https::Timeout "{timeout}";
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Archive:
    """A package file that apt would download."""

    file: str
    package: str
    """`name=version`, as apt takes it."""
    size: int


@dataclass
class _Job:
    """One apt-get at work, and how far it is."""

    process: subprocess.Popen[bytes]
    status: IO[bytes]
    share: float
    """Its part of the whole."""
    done: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Apt:
    """Runs apt's programs on a state folder."""

    state: Path
    archives: Path
    log: Path
    sources: Sequence[PackageSource]
    config: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "config", self.state / "apt.conf")

    def configure(self, *, timeout_sec: float) -> None:
        """Write the state folder again; package lists that are there stay."""
        folders.make(self.state / "lists" / "partial")
        folders.make(self.archives / "partial")
        (self.state / "sources.list").write_text("".join(source.line() + "\n" for source in self.sources))
        (self.state / "status").write_text("")
        self.config.write_text(
            _CONFIG.format(
                state=self.state,
                archives=self.archives,
                architecture=_architecture(),
                retries=1,
                timeout=max(1, round(timeout_sec)),
            )
        )

    def run(self, arguments: Sequence[str], *, phase: Phase, progress: Progress) -> None:
        """Run one apt-get to its end."""
        self.run_all([(arguments, 1.0)], phase=phase, progress=progress)

    def run_all(
        self,
        commands: Sequence[tuple[Sequence[str], float]],
        *,
        phase: Phase,
        progress: Progress,
        cwd: Path | None = None,
    ) -> None:
        """Run several apt-get at once, each with its share of the progress; ImageError for failures."""
        begin = self.log.stat().st_size
        jobs: list[_Job] = []
        try:
            for arguments, share in commands:
                jobs.append(self._start(arguments, share, cwd))
            _watch(jobs, phase, progress)
            codes = [job.process.wait() for job in jobs]
        finally:
            for job in jobs:
                job.status.close()
                job.process.kill()
                job.process.wait()
        if any(codes):
            with self.log.open("rb") as log:
                log.seek(begin)
                raise self.explain(log.read().decode(errors="replace"))

    def ask(self, tool: str, *arguments: str) -> str:
        """Return what an apt command that changes nothing prints."""
        done = subprocess.run(
            [tool, "-c", str(self.config), *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=userns.environment(),
        )
        if done.returncode != 0:
            raise self.explain(done.stderr)
        return done.stdout

    def would_install(self, *command: str) -> list[str]:
        """Return the `name=version` of all that a command would install."""
        plan = self.ask("apt-get", "--yes", "--quiet", "--simulate", *command)
        return [f"{name}={version}" for name, version in re.findall(r"^Inst (\S+) \((\S+) ", plan, re.MULTILINE)]

    def missing(self, *command: str) -> list[Archive]:
        """Return what a command would have to download because the cache lacks it."""
        plan = self.ask("apt-get", "--yes", "--quiet=2", "--print-uris", *command)
        found = []
        for file, size in re.findall(r"^'\S+' (\S+\.deb) (\d+)", plan, re.MULTILINE):
            name, version = file.split("_")[:2]
            found.append(Archive(file=file, package=f"{name}={version.replace('%3a', ':')}", size=int(size)))
        return found

    def _start(self, arguments: Sequence[str], share: float, cwd: Path | None) -> _Job:
        argv = ["setpriv", "--pdeathsig", "KILL", "apt-get", "-c", str(self.config), "--yes", "--quiet"]
        reading, writing = os.pipe()
        status = os.fdopen(reading, "rb", buffering=0)
        try:
            with self.log.open("ab") as log:
                process = subprocess.Popen(
                    [*argv, "-o", f"APT::Status-Fd={writing}", *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    pass_fds=(writing,),
                    env=userns.environment(),
                    cwd=cwd,
                    start_new_session=True,
                )
        except BaseException:
            status.close()
            raise
        finally:
            os.close(writing)
        return _Job(process=process, status=status, share=share)

    def explain(self, output: str) -> ImageError:
        """Turn what apt printed into an error that names the thing and the remedy."""
        errors = [line[2:].strip() for line in output.splitlines() if line.startswith("E:")]
        text = "; ".join(dict.fromkeys(errors)) or output.strip()[-500:] or "apt said nothing"
        unknown = re.findall(r"Unable to locate package ([^\s;]+)", text)
        unknown += re.findall(r"Couldn't find any package by \S+ '([^']+)'", text)
        unknown += [f"{name}={version}" for version, name in re.findall(r"Version '(\S+)' for '(\S+)' was not", text)]
        if unknown:
            return ImageError(
                f"the package sources have no {', '.join(dict.fromkeys(unknown))}",
                remedy="correct `packages` in the recipe, or name another --source",
            )
        if "free space" in text or "No space left" in output:
            return ImageError(
                f"the disk is full: {text[:300]}",
                remedy=f"free some space, or set PROCTOR_DATA (now {folders.data_folder()})",
            )
        if re.search(r"not signed|NO_PUBKEY|signatures", text):
            return ImageError(
                f"a package source could not be authenticated: {text[:500]}",
                remedy="as an administrator: apt-get install debian-archive-keyring, or name another --source",
            )
        if match := re.search(r"Failed to fetch (\S+)\s+([^;]*)", text):
            return ImageError(
                f"the package source {self._address(match[1])} does not answer as it should: {match[2].strip()[:300]}",
                remedy="check the network and the proxy settings of apt, or name another source with --source URI; "
                f"details are in {self.log}",
            )
        return ImageError(f"downloading packages failed: {text[:1000]}", remedy=f"see {self.log}")

    def _address(self, uri: str) -> str:
        return next((source.public_uri() for source in self.sources if uri.startswith(source.uri)), uri)


def _watch(jobs: Sequence[_Job], phase: Phase, progress: Progress) -> None:
    """Pass on the progress of all jobs together until the last one closes its status channel."""
    whole = sum(job.share for job in jobs) or 1.0
    with selectors.DefaultSelector() as selector:
        for job in jobs:
            selector.register(job.status, selectors.EVENT_READ, job)
        while selector.get_map():
            for key, _ in selector.select():
                job = key.data
                chunk = job.status.read(65536)
                if not chunk:
                    selector.unregister(job.status)
                    job.done = 1.0
                    continue
                for line in chunk.splitlines():
                    job.done = _percent(line, job.done)
                progress(BuildStep(phase, min(1.0, sum(item.share * item.done for item in jobs) / whole)))


def _percent(line: bytes, before: float) -> float:
    """Read one line of apt's status channel: `dlstatus:<number>:<percent>:<text>`."""
    match = re.match(rb"dlstatus:\d+:([0-9.]+):", line)
    return min(1.0, float(match[1]) / 100) if match and match[1].count(b".") < 2 else before


def _architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
