"""How pictures go to each provider: how large, in which format, and how many at a time."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import dataclass, replace
from typing import Literal

from PIL import Image

from proctor.errors import SpecError
from proctor.models.model import Model, Picture
from proctor.models.vendors import VENDORS
from proctor.observations.encode import png, webp
from proctor.records import Told

Format = Literal["auto", "png", "jpeg", "webp"]
SIZES = "auto | full | WIDTHxHEIGHT"

_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})", re.ASCII)
_JPEG_QUALITY = 90
_MEDIA = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


@dataclass(frozen=True, slots=True)
class Sending:
    """What a provider is sent."""

    fit: tuple[int, int] | None
    """Largest picture, its proportions kept; None for the size of the desktop."""
    form: Literal["png", "jpeg", "webp"] = "png"
    pictures: int = 4
    """Most pictures in one request, the newest."""

    def picture(self, image: Image.Image) -> Picture:
        """Return an image as it is sent; its size is the caller's affair."""
        return Picture(encode(image, self.form), _MEDIA[self.form])

    def tool_pictures(self, told: Told) -> tuple[Picture, ...]:
        """Return the pictures that a tool answered with, no larger than a screen is sent."""
        return tuple(map(self._fit, told.pictures))

    def _fit(self, url: str) -> Picture:
        image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])), formats=("PNG",)).convert("RGB")
        if self.fit is not None:
            image.thumbnail(self.fit)
        return self.picture(image)


OWN_SERVER = Sending(None)
"""For models of no known vendor: the whole picture, three past turns and the present one."""


def sending_for(
    model: str | Model, base_url: str | None, *, size: str = "auto", form: Format = "auto", pictures: int | None = None
) -> Sending:
    """Return how pictures go to a model; raises SpecError for a size or a number that makes no sense.

    Args:
        model: The model or its name.
        base_url: A server of one's own: what suits a provider's models need not suit those.
        size: `auto` for what suits the provider, `full` for that of the desktop, or the largest as `1280x800`.
        form: `auto` for what suits the provider, or one of the formats.
        pictures: Most pictures in one request; what suits the provider when None.
    """
    name = model if isinstance(model, str) else model.name
    elsewhere = base_url or getattr(model, "base_url", None)
    found = OWN_SERVER if elsewhere else _usual_for(name.partition("/")[0])
    if size != "auto":
        found = replace(found, fit=_largest(size))
    if form != "auto":
        found = replace(found, form=form)
    if pictures is not None:
        if pictures < 1:
            raise SpecError(f"pictures={pictures}", remedy="give 1 or more; observe=tree shows none at all")
        found = replace(found, pictures=pictures)
    return found


def _usual_for(vendor: str) -> Sending:
    """Return what suits a vendor's own models; PNG, because lossy formats blur small letters."""
    if not VENDORS.knows(vendor):
        return OWN_SERVER
    tool = VENDORS.get(vendor)
    return Sending(tool.fit, pictures=tool.pictures)


def encode(image: Image.Image, form: Literal["png", "jpeg", "webp"]) -> bytes:
    """Return an image in a format."""
    if form == "png":
        return png(image)
    if form == "webp":
        return webp(image)
    sink = io.BytesIO()
    image.convert("RGB").save(sink, "JPEG", quality=_JPEG_QUALITY)
    return sink.getvalue()


def _largest(size: str) -> tuple[int, int] | None:
    if size == "full":
        return None
    if not (found := _SIZE.fullmatch(size)):
        raise SpecError(f"picture_size={size!r}", remedy=f"write {SIZES}, such as 1280x800")
    return int(found[1]), int(found[2])
