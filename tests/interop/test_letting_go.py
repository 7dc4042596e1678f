"""What nobody uses any more is closed, and never by the collector itself."""

from __future__ import annotations

import subprocess
import sys
import threading

from proctor.interop.release import close_when_gone


class Owner:
    """Something that holds a computer."""


def test_it_is_closed_by_another_thread_than_the_one_that_lets_go() -> None:
    closed = threading.Event()
    by: list[threading.Thread] = []
    lock = threading.Lock()

    def close() -> None:
        with lock:  # as a thread pool has one, which whoever lets go may hold
            by.append(threading.current_thread())
        closed.set()

    owner = Owner()
    close_when_gone(owner, close)
    with lock:
        del owner
    assert closed.wait(60)
    assert by != [threading.current_thread()]


def test_what_is_left_is_closed_when_the_interpreter_ends() -> None:
    code = (
        "from proctor.interop.release import close_when_gone\n"
        "class Owner: pass\n"
        "owner = Owner()\n"
        "close_when_gone(owner, lambda: print('closed'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout == "closed\n", done.stderr
