"""Office files changed by Python, without an office program: ways to do tasks and to cheat."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand
from proctor.tasks.task import Way

_TEXT = "application/vnd.oasis.opendocument.text"
_SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "text", "manifest")
)


def in_package(name: str, path: str, change: str, *, part: str = "content.xml", to: str = "") -> Way:
    """Return a way that changes one part of an office file as `repack_by_code` does."""
    return Way(name=name, moves=(repack_by_code(path, change, part=part, to=to),))


def words_only(name: str, path: str, lines: Sequence[str]) -> Way:
    """Return a cheat that replaces a text document by one with nothing but these paragraphs."""
    return Way(name=name, moves=(plain_document(path, lines),))


def repack_by_code(path: str, change: str, *, part: str = "content.xml", to: str = "") -> Call:
    """Take an office file apart by Python and pack it again, under another name if one is given.

    `change` is an expression of Python that makes the new content of one part from its old one, `text`.
    """
    return hand.run_code(
        "import re, zipfile\n"
        f"with zipfile.ZipFile({path!r}) as package:\n"
        "    parts = {info: package.read(info) for info in package.infolist()}\n"
        f"with zipfile.ZipFile({to or path!r}, 'w', zipfile.ZIP_DEFLATED) as package:\n"
        "    for info, data in parts.items():\n"
        f"        if info.filename == {part!r}:\n"
        "            text = data.decode()\n"
        f"            data = ({change}).encode()\n"
        "        package.writestr(info, data)\n",
        "python",
    )


def plain_document(path: str, lines: Sequence[str]) -> Call:
    """Write a text document by Python that has nothing but these paragraphs."""
    said = "".join(f"<text:p>{escape(line)}</text:p>" for line in lines)
    return package_made(path, _TEXT, f"<office:text>{said}</office:text>", _SPACES)


def package_made(path: str, kind: str, body: str, spaces: str) -> Call:
    """Write an OpenDocument file by Python: its media type, its body, and the namespaces used there."""
    content = (
        f'<office:document-content {spaces} office:version="1.3"><office:body>{body}</office:body>'
        "</office:document-content>"
    )
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{part}" manifest:media-type="{media}"/>'
        for part, media in (("/", kind), ("content.xml", "text/xml"))
    )
    manifest = f'<manifest:manifest {spaces} manifest:version="1.3">{listed}</manifest:manifest>'
    parts = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    return hand.run_code(
        f"import zipfile\nwith zipfile.ZipFile({path!r}, 'w') as package:\n"
        f"    for name, data in {parts!r}.items():\n        package.writestr(name, data)\n",
        "python",
    )
