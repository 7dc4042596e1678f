"""The network policy: nothing, services inside, or the places on a list and no others."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.sandbox_machine.network import MOST_TARGETS, parse
from proctor.errors import SpecError

real = pytest.mark.sandbox
BIG = 8 << 20

# Sends so many bytes, says that it is done, reads what comes back; prints both sums.
EXCHANGE = """
import hashlib, os, socket
with socket.create_connection(({host!r}, {port}), 10) as s:
    s.settimeout(30)
    data = os.urandom({size})
    s.sendall(data)
    s.shutdown(socket.SHUT_WR)
    got = b"".join(iter(lambda: s.recv(1 << 16), b""))
print(hashlib.sha256(data).hexdigest(), hashlib.sha256(got).hexdigest(), len(got))
"""


@contextlib.contextmanager
def service() -> Iterator[tuple[int, list[str]]]:
    """A service on this host's loopback: reads to the end, then answers as much; yields its port and what it saw."""
    seen: list[str] = []

    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the end of the test closes it
            while True:
                connection, _ = listener.accept()
                with connection:
                    data = b"".join(iter(partial(connection.recv, 1 << 16), b""))
                    answer = os.urandom(len(data))
                    sums = [hashlib.sha256(each).hexdigest() for each in (data, answer)]
                    seen.append(f"{sums[0]} {sums[1]} {len(answer)}")
                    connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield listener.getsockname()[1], seen
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def python(computer: SandboxComputer, code: str) -> str:
    done = computer.execute(code, timeout_sec=60)
    return done.output.strip().rpartition("\n")[2]


def connects(computer: SandboxComputer, host: str, port: int) -> str:
    return python(computer, f"import socket\nsocket.create_connection(({host!r}, {port}), 5)\nprint('connected')")


def relays() -> set[int]:
    """Return the relays that this process started and that still run."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            command = (folder / "cmdline").read_bytes().split(b"\0")
            if any(part.endswith(b"/relay.py") for part in command) and str(os.getpid()).encode() in command:
                found.add(int(folder.name))
    return found


@real
def test_off_means_not_even_loopback() -> None:
    with service() as (port, seen), SandboxComputer(look="light", size=(800, 600)) as computer:
        assert "unreachable" in connects(computer, "127.0.0.1", port)
        assert "unreachable" in connects(computer, "192.0.2.1", 80)
        assert computer.run(["cat", "/proc/net/dev"]).stdout.count(":") == 1
        assert "rror" in python(computer, "import socket\nsocket.getaddrinfo('example.org', 80)")
        assert computer.facts()["network"] == {"kind": "off", "targets": []}
        assert seen == []


@real
def test_loopback_is_for_services_inside() -> None:
    with service() as (port, seen), SandboxComputer(look="light", size=(800, 600), network="loopback") as computer:
        serve = "import socket, threading\nkept = socket.create_server(('127.0.0.1', 0))\n"
        serve += "threading.Thread(target=lambda: kept.accept()[0].sendall(b'inside'), daemon=True).start()\n"
        inside = int(python(computer, f"{serve}print(kept.getsockname()[1])"))
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", inside), 2)
        ask = f"import socket\nprint(socket.create_connection(('localhost', {inside}), 5).recv(9).decode())"
        answer = computer.run(["python3", "-c", ask])
        assert answer.stdout.strip() == "inside"
        assert "refused" in connects(computer, "127.0.0.1", port)
        assert "unreachable" in connects(computer, "192.0.2.1", 80)
        assert seen == []


@real
def test_the_list_and_nothing_else() -> None:
    name = "allowed.localhost"
    with service() as (port, seen), service() as (other, unseen):
        policy = [f"localhost:{port}", f"{name}:{port}"]
        with SandboxComputer(look="light", size=(800, 600), network=policy) as computer:
            assert computer.facts()["network"] == {"kind": "allow", "targets": policy}
            assert len(relays()) == 1
            for host in ("localhost", "127.0.0.1"):
                told = python(computer, EXCHANGE.format(host=host, port=port, size=BIG))
                assert told == seen[-1]
                assert told.endswith(str(BIG))
            assert python(computer, f"import socket\nprint(socket.gethostbyname({name!r}))").startswith("127.77.")
            assert connects(computer, name, port) == "connected"
            for host, wrong in (("localhost", other), (name, other), ("127.0.0.1", other)):
                assert "refused" in connects(computer, host, wrong)
            assert "unreachable" in connects(computer, "192.0.2.1", port)
            assert "rror" in python(computer, "import socket\nsocket.getaddrinfo('example.org', 80)")
        assert relays() == set()
        assert unseen == []


@real
def test_many_connections_at_once() -> None:
    with service() as (port, seen):
        with SandboxComputer(look="light", size=(800, 600), network=[f"localhost:{port}"]) as computer:
            code = f"""
import socket
from concurrent.futures import ThreadPoolExecutor
def one(number):
    with socket.create_connection(("localhost", {port}), 20) as s:
        s.settimeout(20)
        s.sendall(bytes([number]) * 1000)
        s.shutdown(socket.SHUT_WR)
        return len(b"".join(iter(lambda: s.recv(4096), b"")))
with ThreadPoolExecutor(16) as pool:
    print(set(pool.map(one, range(64))))
"""
            assert python(computer, code) == "{1000}"
        assert len(seen) == 64


@real
def test_a_place_that_does_not_answer_looks_closed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with SandboxComputer(look="light", size=(800, 600), network=[f"localhost:{port}"]) as computer:
        code = f"import socket\nprint(socket.create_connection(('localhost', {port}), 5).recv(9))"
        assert python(computer, code) == "b''"


@pytest.mark.parametrize(
    "policy",
    [
        None, 5, "", "on", "example.org", [], {}, [5], [None], ["example.org"], ["example.org:0"],
        ["example.org:65536"], ["example.org:-1"], ["example.org:80 "], ["exa mple.org:80"], ["http://example.org:80"],
        ["-x.org:80"],
        ["x..org:80"],
        ["x.org:８０"], ["*:80"], ["*.org:80"], ["x\n127.0.0.1 y:80"], b"x:80", ["a" * 64 + ":80"],
        [f"x{number}.org:80" for number in range(MOST_TARGETS + 1)],
    ],
)  # fmt: skip
def test_a_policy_that_is_none(policy: object) -> None:
    with pytest.raises(SpecError, match="network"):
        parse(policy)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["10.0.0.1:80", "192.168.1.1:443", "desktop:80", "1.2:3"])
def test_a_place_that_would_lead_elsewhere(place: str) -> None:
    with pytest.raises(SpecError, match="would not lead there") as caught:
        parse([place])
    assert "name" in caught.value.remedy


LABEL = some.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
HOSTS = some.lists(LABEL, min_size=1, max_size=3).map(".".join).filter(lambda host: host != "desktop")


@given(some.lists(some.tuples(HOSTS, some.integers(1, 65535)), min_size=1, max_size=MOST_TARGETS))
def test_each_host_has_an_address_of_its_own(places: list[tuple[str, int]]) -> None:
    network = parse([f"{host}:{port}" for host, port in places])
    assert {(target.host, target.port) for target in network.targets} == set(places)
    by_host = {target.host: target.address for target in network.targets}
    assert len(set(by_host.values())) == len(by_host)
    # Nothing is listened to twice, and every name leads to its address.
    assert len({(target.address, target.port) for target in network.targets}) == len(network.targets)
    table = dict(reversed(line.split()[:2]) for line in network.hosts_file.splitlines())
    assert {host: table[host] for host in by_host if host != "localhost"} == {
        host: address for host, address in by_host.items() if host != "localhost"
    }


def test_the_loopback_address_is_localhost() -> None:
    network = parse(["127.0.0.1:80", "localhost:80", "LOCALHOST:443"])
    assert [(target.host, target.port, target.address) for target in network.targets] == [
        ("localhost", 80, "127.0.0.1"),
        ("localhost", 443, "127.0.0.1"),
    ]
    assert network.hosts_file.count("127.0.0.1") == 1
