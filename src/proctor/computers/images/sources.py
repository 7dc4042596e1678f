"""Package sources: those of a Debian host with the recipe's suite put in, or Debian's public servers elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.errors import HostError, SpecError

PUBLIC = "http://deb.debian.org/debian"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

_ONE_LINE = re.compile(r"^(?P<type>deb(?:-src)?)\s+(?:\[(?P<options>[^\]]*)\]\s*)?(?P<uri>\S+)\s+(?P<rest>\S.*)$")
_ALIASES = ("stable", "oldstable", "oldoldstable", "testing")
_ROLES = ("", "-updates", "-security")


@dataclass(frozen=True, kw_only=True, slots=True)
class PackageSource:
    """One place packages come from."""

    uri: str
    suite: str
    components: tuple[str, ...] = ("main",)
    signed_by: str = ""
    """Path of the keyring, or empty for the host's trusted keys."""
    trusted: bool = False
    """True where the host's administrator waived signatures."""

    def line(self) -> str:
        """Return the source as a line of `sources.list`."""
        options = [f"signed-by={self.signed_by}"] if self.signed_by else []
        options += ["trusted=yes"] if self.trusted else []
        bracket = f"[{' '.join(options)}] " if options else ""
        return f"deb {bracket}{self.uri} {self.suite} {' '.join(self.components)}"

    def public_uri(self) -> str:
        """Return the address without a password it may carry."""
        return re.sub(r"//[^/@]*@", "//", self.uri)


def choose(suite: str, given: Sequence[str] = (), *, root: Path = Path("/")) -> tuple[PackageSource, ...]:
    """Return the sources for a release: those given, else a Debian host's own, else the public.

    `given` are addresses or whole `deb ...` lines; below `root` lies the host's `/etc`.
    """
    if given:
        return tuple(_read_source(text, suite, root) for text in given)
    release = _os_release(root)
    if release.get("ID") == "debian":
        own = debian_sources(host_entries(root), release.get("VERSION_CODENAME", ""), suite)
        if own:
            return own
    return _public(suite, root)


def host_entries(root: Path = Path("/")) -> tuple[PackageSource, ...]:
    """Return every enabled binary source of the host, one per address and suite."""
    etc = root / "etc" / "apt"
    found: list[PackageSource] = []
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if not path.is_file() or path.suffix not in (".list", ".sources"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += parse_deb822(text) if path.suffix == ".sources" else parse_one_line(text)
    return tuple(found)


def parse_one_line(text: str) -> Iterator[PackageSource]:
    """Read the classic format: `deb [options] uri suite component...`."""
    for line in text.splitlines():
        match = _ONE_LINE.match(line.partition("#")[0].strip())
        if not match or match["type"] != "deb":
            continue
        suite, *components = match["rest"].split()
        options = dict(item.partition("=")[::2] for item in (match["options"] or "").split())
        yield PackageSource(
            uri=match["uri"],
            suite=suite,
            components=tuple(components),
            signed_by=options.get("signed-by", ""),
            trusted=options.get("trusted", "").lower() == "yes",
        )


def parse_deb822(text: str) -> Iterator[PackageSource]:
    """Read the stanza format of `.sources` files."""
    for fields in _stanzas(text):
        if fields.get("enabled", "yes").lower() in ("no", "false", "off", "0"):
            continue
        if "deb" not in fields.get("types", "").split():
            continue
        signed_by = fields.get("signed-by", "").strip()
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield PackageSource(
                    uri=uri,
                    suite=suite,
                    components=tuple(fields.get("components", "").split()),
                    # A key written into the stanza itself has no path; the host's trusted keys stand in.
                    signed_by=signed_by if signed_by.startswith("/") and "\n" not in signed_by else "",
                    trusted=fields.get("trusted", "").lower() == "yes",
                )


def debian_sources(entries: Iterable[PackageSource], codename: str, suite: str) -> tuple[PackageSource, ...]:
    """Return a Debian host's entries that are Debian's own, moved to another suite."""
    candidates = [
        (entry, role) for entry in entries if "main" in entry.components and (role := _role(entry.suite, codename)) >= 0
    ]
    recognised = [(entry, role) for entry, role in candidates if _looks_like_debian(entry)]
    moved: list[PackageSource] = []
    for entry, role in recognised or candidates:
        source = replace(entry, suite=suite + _ROLES[role], components=("main",))
        if source not in moved:
            moved.append(source)
    has_base = any(source.suite == suite for source in moved)
    return tuple(moved) if has_base else ()


def _role(suite: str, codename: str) -> int:
    """Return which of `_ROLES` a host's suite plays, or -1 for another one."""
    for base in (codename, *_ALIASES):
        for index, ending in enumerate(_ROLES):
            if base and suite.rstrip("/") == base + ending:
                return index
    return -1


def _looks_like_debian(entry: PackageSource) -> bool:
    if entry.signed_by:
        return "debian-archive" in entry.signed_by
    path = entry.uri.partition("://")[2].partition("/")[2]
    return any(part.startswith("debian") for part in path.split("/"))


def _read_source(text: str, suite: str, root: Path) -> PackageSource:
    if text.startswith("deb"):
        entries = list(parse_one_line(text))
        if len(entries) == 1 and entries[0].components:
            return entries[0]
    elif re.fullmatch(r"[a-z][a-z0-9+.-]*:\S+", text) and not set(text) & set("\"'[]"):
        keyring = root / KEYRING.relative_to("/")
        return PackageSource(uri=text, suite=suite, signed_by=str(keyring) if keyring.is_file() else "")
    raise SpecError(
        f"{text!r} is not a package source", remedy=f"give an address such as {PUBLIC}, or a whole `deb ...` line"
    )


def _public(suite: str, root: Path) -> tuple[PackageSource, ...]:
    keyring = root / KEYRING.relative_to("/")
    if not keyring.is_file():
        raise HostError(
            f"the keys of Debian's archive are not installed ({KEYRING})",
            remedy="as an administrator: apt-get install debian-archive-keyring",
        )
    security = PUBLIC.replace("/debian", "/debian-security")
    return (
        PackageSource(uri=PUBLIC, suite=suite, signed_by=str(keyring)),
        PackageSource(uri=PUBLIC, suite=f"{suite}-updates", signed_by=str(keyring)),
        PackageSource(uri=security, suite=f"{suite}-security", signed_by=str(keyring)),
    )


def _os_release(root: Path) -> dict[str, str]:
    path = root / "etc" / "os-release"
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    pairs = (line.partition("=")[::2] for line in lines if "=" in line)
    return {key: value.strip("\"'") for key, value in pairs}


def _stanzas(text: str) -> Iterator[dict[str, str]]:
    fields: dict[str, str] = {}
    last = ""
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                yield fields
            fields, last = {}, ""
        elif line[0].isspace() and last:
            fields[last] += "\n" + line.strip()
        else:
            last, _, value = line.partition(":")
            last = last.strip().lower()
            fields[last] = value.strip()
