"""Whatever a file does to the program that reads it: the harness gets a value or a fault, and nothing leaks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import HostError, MissingExtra
from proctor.tasks.findings import CannotSee
from proctor.tasks.reader import client, confine
from proctor.tasks.reader.client import ask, facts, parsed, warm
from proctor.tasks.reader.process import Reader
from proctor.vocabulary.desktop.parse import gvariant
from proctor.vocabulary.formats.text.parse import decode
from tests.tasks import misbehaving


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    one = Reader(misbehaving.PROGRAM)
    yield one
    one.stop()


def told(reader: Reader, name: str, *given: Any) -> Any:
    return ask(reader, f"{misbehaving.NAME}:{name}", "a.odt", given)


def fault(reader: Reader, name: str, *given: Any) -> tuple[str, str]:
    with pytest.raises(CannotSee) as caught:
        told(reader, name, *given)
    return caught.value.fault.kind, caught.value.fault.why


def open_files(process: Any) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


class TestValues:
    def test_bytes_and_plain_data_go_in_and_plain_data_comes_out(self, reader: Reader) -> None:
        assert told(reader, "echo", b"", "x", [1, {"a": None}]) == [0, "x", [1, {"a": None}]]
        assert told(reader, "echo", bytes(60 * 2**20), "é\udcff") == [60 * 2**20, "é\ufffd"]

    def test_what_a_format_says_cannot_be_seen_is_said(self) -> None:
        assert parsed("a", decode, b"abc", "a") == "abc"
        with pytest.raises(CannotSee, match="a is not a text in UTF-8: invalid start byte at byte 0"):
            parsed("a", decode, b"\xff", "a")

    def test_parts_of_libraries_that_are_needed_late_are_loaded(self, reader: Reader) -> None:
        assert told(reader, "late") == "wave"
        assert told(reader, "never") == "nothing"

    def test_halves_of_characters_are_replaced(self, reader: Reader) -> None:
        assert told(reader, "odd", "half") == "a\ufffdb\ufffd"

    @pytest.mark.parametrize("name", ["nan", "inf", "deep", "set", "bytes", "number", "huge", "long", "many"])
    def test_what_no_record_can_hold_is_a_fault(self, reader: Reader, name: str) -> None:
        assert fault(reader, "odd", name)[0] in ("refused", "unreadable")


class TestFaults:
    @pytest.mark.parametrize(
        ("name", "kind", "words"),
        [
            ("crash", "unreadable", "a.odt crashes the program that reads it (Segmentation fault)"),
            ("abort", "unreadable", "crashes the program"),
            ("eat", "refused", "a.odt takes more than 288 MiB of memory to read"),
            ("eat_in_small_bites", "refused", "of memory to read"),
            ("loop", "refused", "a.odt takes more "),
            ("wait", "refused", "a.odt takes more time to read than there is"),
            ("leave", "unreadable", "a.odt cannot be read"),
            ("quit", "unreadable", "a.odt cannot be read"),
            ("interrupt", "unreadable", "a.odt cannot be read"),
        ],
    )
    def test_the_harness_goes_on(self, reader: Reader, name: str, kind: str, words: str) -> None:
        found, why = fault(reader, name)
        assert found == kind and words in why
        assert told(reader, "echo", b"abc") == [3]

    def test_an_answer_without_end_is_cut_off(self, reader: Reader) -> None:
        assert fault(reader, "endless")[0] in ("unreadable", "refused")
        assert told(reader, "echo", b"abc") == [3]

    @pytest.mark.parametrize("name", ["ValueError", "KeyError", "RecursionError"])
    def test_any_exception_is_a_fault_on_one_line(self, reader: Reader, name: str) -> None:
        kind, why = fault(reader, "raise_it", name)
        assert kind == "unreadable" and why.startswith(f"a.odt cannot be read: {name}: ") and "\n" not in why

    @pytest.mark.parametrize(
        "answer",
        [
            "", "x", "\x01\0\0\0\0\0\0\0", "\x02\0\0\0\0\0\0\0{}", "\x03\0\0\0\0\0\0\0[1]",
            '\x1f\0\0\0\0\0\0\0{"fault": "absent", "why": ["x"]', '\x11\0\0\0\0\0\0\0{"missing": "ai"}',
            '\x15\0\0\0\0\0\0\0{"missing": "office"}', '\x0e\0\0\0\0\0\0\0{"lacks": "a"}',
            '\x21\0\0\0\0\0\0\0{"lacks": ["antigravity", "a..b"]}',
            "\xff\xff\xff\xff\xff\xff\xff\x7fx", "\xe8\x03\0\0\0\0\0\0",
        ],
    )  # fmt: skip
    def test_a_child_that_was_taken_over_is_not_believed(self, reader: Reader, answer: str) -> None:
        assert fault(reader, "garbage", answer)[0] in ("absent", "unreadable", "refused")


class TestCage:
    def test_nothing_is_possible(self, reader: Reader) -> None:
        found = told(reader, "attempts")
        assert found.pop("thread") == "worked", "decoders need threads"
        assert [name for name, said in found.items() if said == "worked"] == []
        assert facts() == {"filtered": True, "user": confine.NOBODY if os.geteuid() == 0 else os.getuid()}

    def test_it_has_nothing_of_the_harness(self, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "canary")
        fresh = Reader(misbehaving.PROGRAM)
        found = told(fresh, "environment")
        fresh.stop()
        assert set(found["environ"]) <= {"LANG", "LC_CTYPE", "OPENBLAS_NUM_THREADS"} and found["flags"] == 1

    def test_filters_are_there_for_both_machines(self) -> None:
        for machine in ("x86_64", "aarch64"):
            program = confine.filter_program(machine)
            assert len(program) % 8 == 0 and 30 < len(program) // 8 < 100
        assert confine.filter_program("vax") == b""


class TestProcess:
    def test_a_reader_that_died_is_started_again(self, reader: Reader) -> None:
        told(reader, "echo", b"")
        first = reader.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert told(reader, "echo", b"ab") == [2]
        assert reader.pid not in (None, first)

    def test_a_reader_that_cannot_be_started_is_the_hosts_trouble(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(HostError, match="could not be started"):
            told(Reader(), "echo", b"")

    def test_a_program_that_is_no_reader_is_the_hosts_trouble_and_no_hang(self) -> None:
        one = Reader("pass  # {} {}")
        with pytest.raises(HostError, match="is not running"):
            told(one, "echo", b"x" * 2**20)
        one.stop()

    def test_many_threads_share_it(self, reader: Reader) -> None:
        found: list[Any] = []
        threads = [
            threading.Thread(target=lambda n=n: found.append((n, told(reader, "echo", bytes(n * 1000)))))
            for n in range(12)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(found) == [(n, [n * 1000]) for n in range(12)]

    def test_nothing_is_left_behind(self, reader: Reader) -> None:
        told(reader, "echo", b"")
        gc.collect()
        before = open_files("self"), open_files(reader.pid)
        for number in range(60):
            if number % 3:
                told(reader, "echo", bytes(number))
            else:
                fault(reader, ("crash", "leave", "eat")[number % 9 // 3])
        # What other tests have left may go meanwhile; nothing is added.
        assert open_files("self") <= before[0]
        assert open_files(reader.pid) <= before[1]
        children = Path(f"/proc/{reader.pid}/task/{reader.pid}/children")
        assert not children.exists() or children.read_text() == ""

    def test_a_fork_of_the_harness_has_a_reader_of_its_own(self) -> None:
        assert parsed("a", gvariant, "'x'") == "x"
        ours = client.READER.pid
        read_end, write_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                said = parsed("a", gvariant, "'y'")
                os.write(write_end, f"{said} {client.READER.pid != ours}".encode())
                client.READER.stop()
            finally:
                os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end) as told_by_child:
            assert told_by_child.read() == "y True"
        os.waitpid(pid, 0)
        assert client.READER.pid == ours and parsed("a", gvariant, "'z'") == "z"

    def test_it_ends_with_the_harness(self) -> None:
        code = (
            "import os, signal; from proctor.tasks.reader import client; client.warm(); "
            "print(client.facts() and client.READER.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        pid = int(done.stdout)
        deadline = time.monotonic() + 90
        while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
            assert time.monotonic() < deadline
            threading.Event().wait(0.05)

    def test_warming_does_not_wait(self) -> None:
        warm(["proctor.vocabulary.formats.archives.parse", "proctor.vocabulary.formats.no_such.reading", "os"])
        assert parsed("a", gvariant, "true") is True


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_is_installed", lambda library: False)
    with pytest.raises(MissingExtra, match="optional dependency"):
        client._value("a", {"missing": "office"})
    monkeypatch.setattr(client, "_is_installed", lambda library: True)
    with pytest.raises(CannotSee):
        client._value("a", {"missing": "office"})
