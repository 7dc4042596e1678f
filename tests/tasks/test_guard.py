"""Archives and XML that would choke the host are refused, and broken ones are unreadable."""

from __future__ import annotations

import io
import zipfile

import pytest

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats import guard


def packed(*parts: tuple[str, bytes], level: int = 9) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return buffer.getvalue()


def kind(data: bytes) -> str:
    with pytest.raises(CannotSee) as caught:
        guard.open_zip(data, "a.odt")
    assert "a.odt" in str(caught.value)
    return caught.value.fault.kind


class TestZip:
    def test_ordinary_archive(self) -> None:
        archive = guard.open_zip(packed(("a.txt", b"hello"), ("b/c.txt", b"")), "a.zip")
        assert archive.namelist() == ["a.txt", "b/c.txt"]
        assert guard.read_entry(archive, "a.txt", "a.zip") == b"hello"

    def test_bombs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert kind(packed(("a", bytes(20 * 2**20)))) == "refused"
        monkeypatch.setattr(guard, "MOST_ENTRIES", 3)
        assert kind(packed(*((f"{number}", b"") for number in range(4)))) == "refused"
        monkeypatch.setattr(guard, "MOST_BYTES", 100)
        assert kind(packed(("a", b"x" * 101))) == "refused"

    def test_many_equal_cells_are_no_bomb(self) -> None:
        guard.open_zip(packed(("sheet.xml", b"<c>0</c>" * 500_000)), "a.xlsx")

    def test_overlapping_entries(self) -> None:
        data = bytearray(packed(("a", b"x" * 1000)))
        start = data.index(b"PK\x01\x02")
        data[start + 20 : start + 24] = (10_000).to_bytes(4, "little")
        assert kind(bytes(data)) == "refused"

    def test_an_entry_larger_than_it_says(self) -> None:
        data = bytearray(packed(("a", bytes(2**20))))
        start = data.index(b"PK\x01\x02")
        data[start + 24 : start + 28] = (10).to_bytes(4, "little")
        archive = guard.open_zip(bytes(data), "a.zip")
        with pytest.raises(CannotSee) as caught:
            guard.read_entry(archive, "a", "a.zip")
        assert caught.value.fault.kind == "unreadable"

    @pytest.mark.parametrize("data", [b"", b"hello", b"PK\x05\x06" + bytes(10)])
    def test_no_archive(self, data: bytes) -> None:
        assert kind(data) == "unreadable"

    def test_damaged_and_missing_parts(self) -> None:
        whole = packed(("a.txt", b"hello hello hello" * 50))
        damaged = whole[:45] + b"\xff\xff\xff\xff" + whole[49:]
        for data, name in ((damaged, "a.txt"), (whole, "b.txt")):
            archive = guard.open_zip(data, "a.zip")
            with pytest.raises(CannotSee) as caught:
                guard.read_entry(archive, name, "a.zip")
            assert caught.value.fault.kind == "unreadable"
