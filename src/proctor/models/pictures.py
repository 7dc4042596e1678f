"""Pictures as each provider wants them in a request."""

from __future__ import annotations

import base64

from proctor.models.model import Picture


def data_url(picture: Picture) -> str:
    """Return a picture as a URL that holds it, for OpenAI."""
    return f"data:{picture.media};base64,{_base64(picture)}"


def image_block(picture: Picture) -> dict[str, object]:
    """Return a picture as a content block, for Anthropic."""
    return {"type": "image", "source": {"type": "base64", "media_type": picture.media, "data": _base64(picture)}}


def inline_data(picture: Picture) -> dict[str, object]:
    """Return a picture as a part of a content or of a function's response, for Gemini."""
    return {"inlineData": {"mimeType": picture.media, "data": _base64(picture)}}


def _base64(picture: Picture) -> str:
    return base64.b64encode(picture.data).decode("ascii")
