"""Plain data with its long texts, its messages and its pictures taken out, each kept once.

And put together again.

A history is sent again with every request. So what is long and what is an item of a list is kept once as a *part*,
under the beginning of its SHA-256, and stands as `{"$part": hash}` wherever it occurs. A picture stands as
`{"$picture": name of a file, "sha256": ..., "as": what stood before its base64}`. Data that happens to look like one of
these is wrapped: `{"$data": {...}}`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Mapping

from proctor.errors import RecordError
from proctor.store.files import plain_json

LOG = "model.jsonl"
MAX_LOG = 256 * 1024 * 1024
"""Bytes of a log; what comes after is not kept, and a last line says so."""
PICTURE = re.compile(r"[0-9]{4,9}(\.marks)?\.png|(sent|tool)-[0-9a-f]{20}\.(png|jpg|webp)", re.ASCII)
"""Files that a message may name."""
LONG = 256
"""Bytes; what is shorter is cheaper to repeat than to refer to."""
MAX_DEPTH = 60
MAX_EXPANDED = 64 * 1024 * 1024
"""Characters that a request or an answer may have when it is put together; pictures are not counted."""
TOO_DEEP = "[... too deep ...]"

_HASH_CHARS = 20
_TINY = 64
"""Characters; no picture is shorter."""
_URL = re.compile(r"data:image/[a-z]{2,5};base64,")
_MAGIC = {"iVBORw0KGgo": "png", "/9j/": "jpg", "UklGR": "webp"}
"""How the base64 of a picture begins, and how its file is named."""

KeepPicture = Callable[[bytes, str], str]
"""Keeps a picture's bytes under an ending and returns the name of its file."""


class Packer:
    """Takes data apart; remembers which parts it has handed out before."""

    def __init__(self, keep_part: Callable[[str, object], None], keep_picture: KeepPicture) -> None:
        """Begin with nothing; `keep_part` is called once for each part, with its hash and packed value."""
        self._keep_part = keep_part
        self._keep_picture = keep_picture
        self._parts: set[str] = set()
        self._pictures: dict[bytes, dict[str, str]] = {}

    def pack(self, value: object, hide: Callable[[str], str], depth: int = 0) -> object:
        """Return data with references in place of what is kept once; `hide` takes secrets out of texts."""
        if depth > MAX_DEPTH:
            return TOO_DEEP
        if isinstance(value, str):
            return self._text(value, hide)
        if isinstance(value, Mapping):
            packed = {hide(str(name)): self.pack(held, hide, depth + 1) for name, held in value.items()}
            return {"$data": packed} if any(name.startswith("$") for name in packed) else packed
        if isinstance(value, list | tuple):
            return [self._part(self.pack(item, hide, depth + 1)) for item in value]
        return value if value is None or isinstance(value, bool | int | float) else hide(str(value))

    def _text(self, text: str, hide: Callable[[str], str]) -> object:
        return self._picture(text) or self._part(hide(text))

    def _part(self, packed: object) -> object:
        if isinstance(packed, dict) and packed.keys() & {"$part", "$picture"}:
            return packed
        data = plain_json(packed)
        if len(data) < LONG:
            return packed
        name = _name(data)
        if name not in self._parts:
            self._keep_part(name, packed)
            self._parts.add(name)
        return {"$part": name}

    def _picture(self, text: str) -> dict[str, str] | None:
        if len(text) < _TINY:
            return None
        url = _URL.match(text)
        start = url.end() if url else 0
        ending = next((kind for magic, kind in _MAGIC.items() if text.startswith(magic, start)), None)
        if ending is None:
            return None
        known = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        if known not in self._pictures:
            try:
                data = base64.b64decode(text[start:], validate=True)
            except (binascii.Error, ValueError):
                return None
            if base64.b64encode(data).decode("ascii") != text[start:]:
                return None
            name = self._keep_picture(data, ending)
            digest = hashlib.sha256(data).hexdigest()
            self._pictures[known] = {"$picture": name, "sha256": digest, "as": text[:start]}
        return self._pictures[known]


class PackedParts:
    """What was taken out, by hash; puts data together again and trusts nothing of it."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {}

    def add(self, name: object, value: object, *, clipped: bool = False) -> None:
        """Take a part; raises RecordError when it does not match its name; one that was cut cannot be."""
        if not isinstance(name, str) or (_name(plain_json(value)) != name and not clipped):
            raise RecordError(
                f"the part {str(name)[:40]!r} is not what was recorded", remedy="see `proctor runs verify`"
            )
        self._values[name] = value

    def unpack(self, value: object, picture: Callable[[dict[str, object]], object]) -> object:
        """Return data as it was; `picture` says what to put in the place of one.

        Raises RecordError for what refers to nothing, and for what is larger than it seems.
        """
        return _Unpacking(self._values, picture).unpack(value, 0)


class _Unpacking:
    """One piece of data being put together, within bounds."""

    def __init__(self, values: Mapping[str, object], picture: Callable[[dict[str, object]], object]) -> None:
        self._values = values
        self._picture = picture
        self._room = MAX_EXPANDED

    def unpack(self, value: object, depth: int) -> object:
        self._room -= len(value) + 8 if isinstance(value, str | list | dict) else 8
        if self._room < 0 or depth > 3 * MAX_DEPTH:
            raise RecordError(f"a record of a model's messages unfolds to more than {MAX_EXPANDED} characters")
        if isinstance(value, list):
            return [self.unpack(item, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        if "$part" in value:
            if (name := value["$part"]) not in self._values:
                raise RecordError(f"a record of a model's messages lacks the part {str(name)[:40]!r}")
            return self.unpack(self._values[name], depth + 1)
        if "$picture" in value:
            return self._picture(value)
        plain = value["$data"] if isinstance(value.get("$data"), dict) else value
        return {name: self.unpack(held, depth + 1) for name, held in plain.items()}


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_HASH_CHARS]
