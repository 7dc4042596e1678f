"""What the SDKs of OpenAI and Anthropic have in common: made by one generator, they fail alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from proctor.models.provider_model import Hosted
from proctor.models.retry import CallFailed, kind_of_status, kind_of_word, retry_after

_LONG = re.compile(r"prompt is too long|maximum context length|context window", re.IGNORECASE)
"""What a request beyond the model's window is told, by those who give it no name."""
QUOTA = "insufficient_quota"
"""An account without money: it comes as a rate limit, and no waiting helps."""


class Stainless(Hosted):
    """A model behind one of these SDKs."""

    _sdk: Any
    """The SDK's module, for its errors."""
    _client_class: Any
    _usual_url: str

    def _connect(self, key: str, timeout: float) -> None:
        url = self.base_url or self._usual_url
        self._client = self._client_class(api_key=key, base_url=url, max_retries=0, timeout=timeout)

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _send(self, payload: dict[str, Any], path: str, headers: dict[str, str]) -> object:
        try:
            # The bare text, not the SDK's own types, so that fields it does not know are neither lost nor refused.
            text = self._client.post(
                path or self._path, cast_to=str, body=self._body(payload), options={"headers": headers}
            )
        except self._sdk.APIStatusError as error:
            failure = self._refusal(error.status_code, error.response.headers, error.body, str(error))
        except self._sdk.APITimeoutError:
            failure = self._failure("timeout", "it did not answer in time")
        except self._sdk.APIConnectionError as error:
            failure = self._failure("connection", f"no connection: {error.__cause__ or error}")
        else:
            return self._whole(text)
        # Raised out here, the failure does not carry the SDK's error along, whose text may hold a key.
        raise failure

    def _body(self, payload: dict[str, object]) -> dict[str, object]:
        return {"model": self._model, **payload, **({"stream": True} if self._stream else {})}

    def _refusal(self, status: int, headers: Mapping[str, str], body: object, text: str) -> CallFailed:
        inner = body.get("error", body) if isinstance(body, dict) else None
        said = inner.get("message") if isinstance(inner, dict) else None
        code = inner.get("code") if isinstance(inner, dict) else None
        kind = kind_of_status(status)
        if kind == "bad_request" and (kind_of_word(code) == "too_large" or _LONG.search(str(said))):
            kind = "too_large"
        return self._failure(
            kind,
            f"HTTP {status}: {said or text}",
            status=status,
            retry_after=retry_after(headers),
            final=code == QUOTA,
        )
