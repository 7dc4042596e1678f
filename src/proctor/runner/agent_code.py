"""Which code an agent is made of, as a digest: two runs with the same name may have had different agents."""

from __future__ import annotations

import hashlib
import inspect
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path

from proctor.agents import find
from proctor.agents.spec import AgentSpec


def code_of(spec: AgentSpec) -> str:
    """Return the SHA-256 of the file that an agent's class is in, or of the program that is run.

    Empty where there is no such file: a server, or a program that is not on the path. Raises SpecError when there is no
    such agent. What it imports besides is not looked at.
    """
    factory, whole = find(spec)
    if whole.name == "http":
        return ""
    if whole.name == "cmd":
        return _programs(whole.options["command"])
    if whole.name == "osworld":
        factory, _ = find(AgentSpec(whole.options["agent"]))
    try:
        file = inspect.getsourcefile(factory)
    except TypeError:
        return ""
    return _digest([Path(file)]) if file else ""


def _programs(command: str) -> str:
    """Return the digest of every word of a command that is a file: the program, and a script that it is given."""
    words = shlex.split(command)
    found = [Path(place) for word in words for place in (shutil.which(word), word) if place and Path(place).is_file()]
    return _digest(dict.fromkeys(path.resolve() for path in found))


def _digest(files: Iterable[Path]) -> str:
    digests = []
    for file in files:
        with file.open("rb") as content:
            digests.append(hashlib.file_digest(content, "sha256").digest())
    return hashlib.sha256(b"".join(digests)).hexdigest() if digests else ""
