"""A visitor of a studio, as a browser is one, without a browser."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from proctor.studio.app import make_app
from proctor.studio.entrance import Entrance
from proctor.studio.studio import Studio

ROOT = "http://localhost:8430"


class Visitor(TestClient):
    """A browser that came in by an invitation; its posts say where they come from, as a browser's do."""

    def __init__(
        self, studio: Studio, entrance: Entrance | None = None, *, app: Any = None, enter: bool = True
    ) -> None:
        self.entrance = entrance or Entrance()
        super().__init__(app or make_app(studio, self.entrance), base_url=ROOT, headers={"Origin": ROOT})
        if enter:
            answer = self.get(self.entrance.invite())
            assert answer.status_code == 200, answer.text

    def tell(self, path: str, data: dict[str, Any]) -> Any:
        """Post JSON and return the answer's JSON."""
        answer = self.post(path, json=data)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def websocket_connect(self, url: str, *given: Any, **options: Any) -> Any:
        """Open a websocket at a path of the studio."""
        return super().websocket_connect(ROOT.replace("http", "ws") + url, *given, **options)
