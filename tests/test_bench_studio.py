"""The figures of the studio: what is measured without a desktop, and the viewer that presses keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection, serve

from benchmarks import studio as bench
from benchmarks.studio_viewer import Viewer

SIZE = (40, 30)
FORMAT = bytes(16)
NAME = b"desk"


def _screen(connection: ServerConnection) -> None:
    """Speak as a display does that draws one rectangle for each key, whole and torn into pieces."""
    connection.send(b"RFB 003.008\n")
    assert connection.recv() == b"RFB 003.008\n"
    connection.send(b"\x01\x01")
    assert connection.recv() == b"\x01"
    connection.send(bytes(4))
    connection.recv()
    width, height = (side.to_bytes(2) for side in SIZE)
    connection.send(width + height + FORMAT + len(NAME).to_bytes(4) + NAME)
    for message in connection:
        assert isinstance(message, bytes)
        if message[0] == 4 and message[1]:
            update = bytes([0, 0, 0, 1]) + bytes(4) + (2).to_bytes(2) + (3).to_bytes(2) + bytes(4) + bytes(2 * 3 * 4)
            connection.send(update[:7])
            connection.send(update[7:])
        if message[0] == 5:
            connection.send(bytes([2]))


@pytest.fixture
def display() -> Iterator[str]:
    with serve(_screen, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host, port = server.socket.getsockname()[:2]
        yield f"ws://{host}:{port}/"
        server.shutdown()


def test_a_key_is_timed_until_something_changed(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.studio_viewer.QUIET_SEC", 0.01)
    with Viewer(display, "http://127.0.0.1", "a=b") as viewer:
        assert viewer.size == SIZE
        assert 0 < viewer.key_to_change(ord("a")) < 10
        viewer.click(1, 1)
        viewer.drag((1, 1), 0.05)
        viewer.rest()


def test_a_set_of_annotated_pictures_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PICTURES", 5)
    bench._annotated(tmp_path / "studio")
    with bench._studio(tmp_path / "studio") as served:
        bench._open_set(served)
        assert served.ask("/annotate-data/bench")["total"] == 5
        assert served.busy(0.05) >= 0


def test_the_size_of_a_recording_is_scaled(tmp_path: Path) -> None:
    run = tmp_path / "demonstrations" / "run"
    run.mkdir(parents=True)
    (run / "run.json").write_bytes(b"x" * 500_000)
    (run / "video.mp4").write_bytes(b"x" * 500_000)
    figure = bench._size(tmp_path)
    assert figure.value == pytest.approx(600, rel=0.01)
    assert figure.reached is False
