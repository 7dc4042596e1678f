"""First half of a build: every package a recipe needs is downloaded into the cache, resuming what is there."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.images import folders
from proctor.computers.images.progress import Phase, Progress, Step
from proctor.computers.images.recipe import Recipe
from proctor.computers.images.sources import Source
from proctor.errors import HostError, ImageError

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
class Downloaded:
    """What the second half of a build finds in the cache."""

    archives: Path
    lists: Path
    packages: tuple[str, ...]
    """File names of the packages the image is made of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Apt:
    """An apt with a state of its own, which reads the host's configuration but changes nothing of the host."""

    state: Path
    config: Path
    log: Path
    sources: Sequence[Source]

    def run(self, *arguments: str, phase: Phase, progress: Progress) -> None:
        """Run apt-get to its end, passing its progress on; raises ImageError that names the reason."""
        argv = ["setpriv", "--pdeathsig", "KILL", "apt-get", "-c", str(self.config), "--yes", "--quiet"]
        reading, writing = os.pipe()
        begin = self.log.stat().st_size
        with os.fdopen(reading, "rb") as status, self.log.open("ab") as log:
            try:
                process = subprocess.Popen(
                    [*argv, "-o", f"APT::Status-Fd={writing}", *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    pass_fds=(writing,),
                    env=_environment(),
                    start_new_session=True,
                )
            finally:
                os.close(writing)
            with process:
                try:
                    for line in status:
                        if step := _step(line, phase):
                            progress(step)
                    code = process.wait()
                except BaseException:
                    process.kill()
                    raise
        if code != 0:
            with self.log.open("rb") as log:
                log.seek(begin)
                raise _explain(log.read().decode(errors="replace"), self.sources, self.log)

    def ask(self, *arguments: str) -> str:
        """Return what an apt command that changes nothing prints."""
        tool, *rest = arguments
        done = subprocess.run(
            [tool, "-c", str(self.config), *rest], capture_output=True, text=True, check=False, env=_environment()
        )
        if done.returncode != 0:
            raise _explain(done.stderr, self.sources, self.log)
        return done.stdout


def fetch(
    recipe: Recipe, sources: Sequence[Source], *, log: Path, timeout_sec: float, progress: Progress
) -> Downloaded:
    """Download what the image is made of; what the cache holds already is not downloaded again."""
    _need_apt()
    cache = folders.make(folders.cache_folder())
    archives = folders.make(cache / "archives" / "partial").parent
    with _alone(cache / ".lock", progress):
        apt = _prepare(recipe, sources, cache, archives, log, timeout_sec)
        progress(Step("updating"))
        apt.run("update", phase="updating", progress=progress)
        # In two steps, as the image is installed later: apt's choice between alternatives depends on what is there.
        names = _wanted(apt, "dist-upgrade")
        apt.run("--download-only", "dist-upgrade", phase="downloading", progress=progress)
        _pretend_installed(apt, names)
        if recipe.packages:
            names += _wanted(apt, "install", *recipe.packages)
            apt.run("--download-only", "install", *recipe.packages, phase="downloading", progress=progress)
    return Downloaded(archives=archives, lists=apt.state / "lists", packages=tuple(names))


def _prepare(
    recipe: Recipe, sources: Sequence[Source], cache: Path, archives: Path, log: Path, timeout_sec: float
) -> _Apt:
    lines = "".join(source.line() + "\n" for source in sources)
    key = hashlib.sha256(f"{recipe.suite}\n{lines}".encode()).hexdigest()[:16]
    state = folders.make(cache / "apt" / key)
    folders.make(state / "lists" / "partial")
    (state / "sources.list").write_text(lines)
    (state / "status").write_text("")
    config = state / "apt.conf"
    config.write_text(
        _CONFIG.format(
            state=state,
            archives=archives,
            architecture=_architecture(),
            retries=1,
            timeout=max(1, round(timeout_sec)),
        )
    )
    return _Apt(state=state, config=config, log=log, sources=sources)


def _wanted(apt: _Apt, *command: str) -> list[str]:
    """Return the `name=version` of all that a command would install."""
    plan = apt.ask("apt-get", "--yes", "--quiet", "--simulate", *command)
    return [f"{name}={version}" for name, version in re.findall(r"^Inst (\S+) \((\S+) ", plan, re.MULTILINE)]


def _pretend_installed(apt: _Apt, names: Sequence[str]) -> None:
    """Let apt believe that the packages are installed."""
    shown = apt.ask("apt-cache", "show", "--no-all-versions", *names) if names else ""
    stanzas = [stanza for stanza in shown.strip().split("\n\n") if stanza]
    (apt.state / "status").write_text("".join(f"{stanza}\nStatus: install ok installed\n\n" for stanza in stanzas))


def _step(line: bytes, phase: Phase) -> Step | None:
    """Read one line of apt's status channel: `dlstatus:<number>:<percent>:<text>`."""
    kind, _, rest = line.decode(errors="replace").strip().partition(":")
    percent, _, text = rest.partition(":")[2].partition(":")
    if kind != "dlstatus":
        return None
    try:
        return Step(phase, min(1.0, max(0.0, float(percent) / 100)), text)
    except ValueError:
        return None


@contextmanager
def _alone(path: Path, progress: Progress) -> Iterator[None]:
    """Hold the cache: apt refuses to share its folders."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(Step("waiting", detail="another build is downloading"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def _architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def _need_apt() -> None:
    for tool in ("apt-get", "dpkg", "setpriv"):
        if shutil.which(tool) is None:
            raise HostError(
                f"{tool} is not installed; images are built on Debian, Ubuntu and their kin",
                remedy="build the image on such a host, then `proctor image export` there and "
                "`proctor image import` here",
            )


def _explain(output: str, sources: Sequence[Source], log: Path) -> ImageError:
    """Turn what apt printed into an error that names the thing and the remedy."""
    errors = [line[2:].strip() for line in output.splitlines() if line.startswith("E:")]
    text = "; ".join(dict.fromkeys(errors)) or output.strip()[-500:] or "apt said nothing"
    if missing := re.findall(r"(?:Unable to locate package|Version .* for|Couldn't find .*) '?([\w.+-]+)", text):
        return ImageError(
            f"the package sources have no {', '.join(dict.fromkeys(missing))}: {text}",
            remedy="correct `packages` in the recipe, or name another --source",
        )
    if "free space" in text or "No space left" in output:
        return ImageError(
            f"the disk is full: {text}", remedy=f"free some space, or set PROCTOR_DATA (now {folders.data_folder()})"
        )
    if re.search(r"not signed|NO_PUBKEY|signatures", text):
        return ImageError(
            f"a package source could not be authenticated: {text}",
            remedy="as an administrator: apt-get install debian-archive-keyring, or name another --source",
        )
    if match := re.search(r"Failed to fetch (\S+)\s+(.*)", text):
        address = next((source.public_uri() for source in sources if match[1].startswith(source.uri)), match[1])
        return ImageError(
            f"the package source {address} does not answer as it should: {match[2][:300]}",
            remedy=f"check the network and proxies (apt's own settings are used), or name another source with "
            f"--source URI; see {log}",
        )
    return ImageError(f"downloading packages failed: {text[:1000]}", remedy=f"see {log}")
