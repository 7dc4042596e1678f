"""What is measured from outside is really seen: secrets in any form, memory, processes, changed settings."""

from __future__ import annotations

import base64
import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import PIL.Image
import PIL.PngImagePlugin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile import measure

SECRET = "canary-0123456789abcdef01234567"


def picture() -> bytes:
    out, info = io.BytesIO(), PIL.PngImagePlugin.PngInfo()
    info.add_text("comment", f"it is {SECRET}", zip=True)
    PIL.Image.new("RGB", (2, 2)).save(out, "PNG", pnginfo=info)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        SECRET.encode(),
        b"x" * 5 + SECRET.encode(),
        SECRET.encode().hex().encode(),
        SECRET.encode("utf-16-le"),
        gzip.compress(f"..{SECRET}..".encode()),
        picture(),
    ],
    ids=["plain", "inside", "hex", "utf-16", "gzip", "text of a picture"],
)
def test_a_secret_is_found(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(content)
    (tmp_path / "other").write_bytes(b"nothing")
    assert measure.leaks(tmp_path, SECRET) == ["deep/file"]


@given(before=st.binary(max_size=20), after=st.binary(max_size=20))
def test_a_secret_is_found_wherever_it_stands_in_base64(before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + SECRET.encode() + after)
    assert any(form in text for form in measure.forms(SECRET))


def test_a_secret_in_a_name_is_found(tmp_path: Path) -> None:
    (tmp_path / SECRET).write_bytes(b"")
    assert measure.leaks(tmp_path, SECRET) == [SECRET]


def test_what_is_no_secret_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"canary-" + gzip.compress(b"x") + picture().replace(b"zTXt", b"zzzz"))
    assert measure.leaks(tmp_path, SECRET) == []


def test_a_changed_setting_is_named() -> None:
    before = measure.host_state()
    assert measure.differences(before, measure.host_state()) == []
    assert measure.differences(before, {**before, "kernel/core_pattern": "|/bin/evil"}) == ["kernel/core_pattern"]


@pytest.mark.skipif(os.geteuid() != 0, reason="control groups need root")
def test_memory_and_processes_of_a_group_are_counted() -> None:
    group = measure.Group(f"hostile-test-{os.getpid()}", 1000)
    code = "kept = bytearray(200 << 20)\nprint('up', flush=True)\ninput()"
    try:
        with measure.Sampler(group) as sampler, subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=group.join
        ) as child:  # fmt: skip
            assert child.stdout
            child.stdout.readline()
            assert group.processes() == [child.pid]
            assert 190 < group.used_mb() < 400
            seen = len(sampler.samples)
            while len(sampler.samples) < seen + 3:  # it looks all the time
                sampler.join(0.05)
            child.communicate(b"\n")
        highest = sampler.between(0, float("inf"))
        assert highest.lost_mb > 190
        assert highest.harness_mb > 190
        assert group.processes() == []
    finally:
        group.close()
    assert not group.folder.exists()
