"""Files that foreign tasks name by address, found by a manifest, by address, by name."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from proctor.errors import SpecError
from proctor.suites.foreign.names import words

MANIFEST = "manifest.json"
MOST_FILES = 200_000
MOST_BYTES = 256 * 2**20
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PACKED = words(".docx .xlsx .pptx .odt .ods .odp .zip .epub .vsix .jar")
_END_BYTES = 4_096
"""How far from its end a file may say that it ends."""
_PAGES = words(".html .htm .xhtml .svg .xml .txt .md .py .js .css")


class AssetFault(SpecError):
    """A file that is there cannot be used; says which and why."""


@dataclass(frozen=True)
class ManifestEntry:
    """What a manifest says of one address."""

    file: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Assets:
    """A folder of files that were fetched before; without one, nothing is found."""

    folder: Path | None = None

    def find(self, url: str, hint: str = "", owner: str = "") -> Path | None:
        """Return the file that an address stands for, None where there is none.

        Raises AssetFault where it is broken.

        `hint` is what the file is called where the address has no name, `owner` the task that it is for.
        """
        if self.folder is None:
            return None
        listed = self.manifest.get(url) or self.manifest.get(unquote(url)) or ManifestEntry()
        found = self._from_manifest(url, listed) or self._nearest(url, hint, owner)
        if found is None:
            return None
        _refuse_part(found, listed.sha256)
        return found

    def find_folder(self, url: str) -> dict[str, Path]:
        """Return the files of the folder that an address stands for, by their paths in it."""
        way = parts_of(url)
        if self.folder is None or not way:
            return {}
        found: dict[tuple[str, ...], dict[str, Path]] = {}
        for file in (each for listed in self._by_name.values() for each in listed):
            parts = self._parts(file)
            if way[-1] in parts[:-1]:
                at = parts.index(way[-1]) + 1
                found.setdefault(parts[:at], {})["/".join(parts[at:])] = file
        ranked = sorted(found, key=lambda place: _steps_in_common(way, place), reverse=True)
        if len(ranked) > 1 and _steps_in_common(way, ranked[0]) == _steps_in_common(way, ranked[1]):
            raise AssetFault(f"several folders are called {way[-1]}; put the right one where its address says")
        return found[ranked[0]] if ranked else {}

    def find_site(self, host: str) -> dict[str, Path]:
        """Return the pages of a copied site by path: a folder of its name, and what the manifest lists."""
        found = {f"/{path}": file for path, file in self.find_folder(host).items()}
        for url, listed in self.manifest.items():
            file = self._from_manifest(url, listed) if host_of(url) == host else None
            if file is not None:
                found["/" + url.partition("://")[2].partition("/")[2].partition("#")[0]] = file
        return found

    def name(self, file: Path) -> str:
        """Return how a file of the folder is called in a task."""
        assert self.folder is not None
        return str(file.relative_to(self.folder))

    @cached_property
    def manifest(self) -> Mapping[str, ManifestEntry]:
        """What the manifest in the folder says, by address."""
        if self.folder is None or not (self.folder / MANIFEST).is_file():
            return {}
        where = self.folder / MANIFEST
        if where.stat().st_size > MOST_BYTES:
            raise SpecError(f"{where} has more than the {MOST_BYTES:,} bytes that a manifest of assets may have")
        try:
            data = json.loads(where.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            raise SpecError(f"{where}: the manifest of assets cannot be read: {error}") from error
        entries = data.items() if isinstance(data, dict) else [(None, each) for each in data]
        found: dict[str, ManifestEntry] = {}
        for place, (url, entry) in enumerate(entries):
            told = {"file": entry} if isinstance(entry, str) else entry
            address = url or (told.get("url") if isinstance(told, dict) else None)
            digest = told.get("sha256") or "" if isinstance(told, dict) else None
            if not isinstance(address, str) or not isinstance(digest, str) or not (not digest or _DIGEST.match(digest)):
                raise SpecError(
                    f"{where}: entry {place + 1} of the manifest of assets is none",
                    remedy='write a list of {"url": "...", "file": "...", "sha256": "..."}, the last two as you like',
                )
            found[address] = ManifestEntry(str(told.get("file") or ""), digest)
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, list[Path]]:
        found: dict[str, list[Path]] = {}
        for file in self._files():
            found.setdefault(file.name, []).append(file)
        return found

    def _files(self) -> Iterator[Path]:
        assert self.folder is not None
        for count, file in enumerate(sorted(self.folder.rglob("*"))):
            if count > MOST_FILES:
                raise SpecError(f"{self.folder} holds more than {MOST_FILES:,} files", remedy="name a smaller folder")
            if file.is_file() and file.resolve().is_relative_to(self.folder.resolve()):
                yield file

    def _from_manifest(self, url: str, listed: ManifestEntry) -> Path | None:
        if not listed.file:
            return None
        assert self.folder is not None
        file = self.folder / listed.file
        if not file.resolve().is_relative_to(self.folder.resolve()):
            raise AssetFault(f"the manifest leads out of {self.folder} for {url}")
        if not file.is_file():
            raise AssetFault(f"the manifest names {listed.file} for {url}, and there is no such file")
        return file

    def _nearest(self, url: str, hint: str, owner: str) -> Path | None:
        """Return the file of the same name whose folders are most like the address, or name the task."""
        way = parts_of(url)
        for name in names_for(url, hint):
            ranked = sorted(
                (
                    ((owner in self._parts(file)[:-1], _steps_in_common(way, self._parts(file))), file)
                    for file in self._by_name.get(name, [])
                ),
                reverse=True,
            )
            if len(ranked) > 1 and ranked[0][0] == ranked[1][0] and _differ(ranked[0][1], ranked[1][1]):
                first, second = (self.name(file) for _, file in ranked[:2])
                raise AssetFault(
                    f"several files are called {name}, such as {first} and {second}; put the right one into a folder "
                    f"named {owner or 'as in the address'}, or name it in {MANIFEST}"
                )
            if ranked:
                return ranked[0][1]
        return None

    def _parts(self, file: Path) -> tuple[str, ...]:
        return PurePosixPath(self.name(file)).parts


def host_of(url: str) -> str:
    """Return the host of an address, in small letters; empty where there is none."""
    try:
        return urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""


def parts_of(url: str) -> tuple[str, ...]:
    """Return the folders and the name in an address, or in a path."""
    path = urlsplit(url).path if "://" in url else url
    return tuple(part for part in PurePosixPath(unquote(path)).parts if part not in ("/", "..", "."))


def names_for(url: str, hint: str = "") -> list[str]:
    """Return what the file of an address may be called, the likeliest first."""
    way = parts_of(url)
    named = [way[-1]] if way and "." in way[-1] else []
    drive = parse_qs(urlsplit(url).query).get("id", []) if "://" in url else []
    hints = [hint.rpartition("/")[2]] if hint else []
    return [name for name in dict.fromkeys((*named, *hints, *drive)) if name]


def _steps_in_common(way: tuple[str, ...], parts: tuple[str, ...]) -> int:
    count = 0
    for one, other in zip(reversed(way), reversed(parts), strict=False):
        if one != other:
            break
        count += 1
    return count


def _differ(one: Path, other: Path) -> bool:
    return digest_of(one) != digest_of(other)


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _refuse_part(file: Path, sha256: str) -> None:
    """Refuse what is not the whole file that was meant, as far as that can be seen."""
    if sha256 and digest_of(file) != sha256:
        raise AssetFault(f"{file} is not the file that the manifest means: its SHA-256 is another")
    with file.open("rb") as content:
        head = content.read(512)
        content.seek(max(file.stat().st_size - _END_BYTES, 0))
        end = content.read(_END_BYTES)
    if not head and not sha256:
        raise AssetFault(f"{file} is empty")
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")) and file.suffix.lower() not in _PAGES:
        raise AssetFault(f"{file} is a web page, such as one that says why there is no download")
    if head.startswith(b"%PDF") and b"%%EOF" not in end:
        raise AssetFault(f"{file} is not whole: a PDF file ends with %%EOF")
    if head.startswith(b"\x89PNG") and b"IEND" not in end:
        raise AssetFault(f"{file} is not whole: a PNG picture ends with IEND")
    if head.startswith(b"\xff\xd8\xff") and b"\xff\xd9" not in end:
        raise AssetFault(f"{file} is not whole: a JPEG picture ends with its mark")
    if file.suffix.lower() in _PACKED and not zipfile.is_zipfile(file):
        raise AssetFault(f"{file} is not whole, or no {file.suffix[1:]} file")
