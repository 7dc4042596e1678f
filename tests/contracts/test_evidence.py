"""Probes of several kinds keep the promises about evidence."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.errors import CheckError
from proctor.tasks.call import Call
from proctor.tasks.examine import look_back
from proctor.tasks.shelves import see
from proctor.testing import EvidenceContract


class OnAFake(EvidenceContract):
    def new_computer(self) -> Computer:
        return FakeComputer()


class TestText(OnAFake):
    def probe(self) -> Call:
        return see.text("notes.txt")

    def prepare(self, computer: Computer) -> None:
        computer.write_file("notes.txt", "naïve\n".encode())

    def spoil(self, computer: Computer) -> None:
        computer.write_file("notes.txt", b"\xff\xfe\x00")


class TestJson(OnAFake):
    def probe(self) -> Call:
        return see.json("data.json")

    def prepare(self, computer: Computer) -> None:
        computer.write_file("data.json", b'{"a": [1, 2.5, null], "b": "\xc3\xa9"}')

    def spoil(self, computer: Computer) -> None:
        computer.write_file("data.json", b'{"a": NaN' + b"[" * 2000)


class TestPicture(OnAFake):
    def probe(self) -> Call:
        return see.picture("a.png")

    def prepare(self, computer: Computer) -> None:
        held = io.BytesIO()
        Image.new("RGB", (8, 4), "red").save(held, "PNG")
        computer.write_file("a.png", held.getvalue())

    def spoil(self, computer: Computer) -> None:
        computer.write_file("a.png", b"\x89PNG nothing")


class TestWindows(OnAFake):
    def probe(self) -> Call:
        return see.windows()

    def prepare(self, computer: Computer) -> None:
        computer.launch(["mousepad", "notes.txt"])


def test_the_record_of_another_probe_does_not_do() -> None:
    with pytest.raises(CheckError, match="holds nothing"):
        look_back({})(see.text("notes.txt"))
