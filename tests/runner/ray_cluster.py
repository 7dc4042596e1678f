"""A Ray cluster of several nodes on this machine, which nobody else can reach, for tests."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from proctor.errors import ImageError
from proctor.runner.workers.cluster import ALONE
from tests.prove.machines import AnyFake

# Ray reads this when it is first imported, by whichever test that is.
os.environ.update(ALONE)

SPOILT = "PROCTOR_TEST_SPOILT"
SPOILT_BACKEND = "tests.runner.ray_cluster:PerhapsSpoilt"
NODE_GB = 0.6
"""Room for one computer of the image `starter`."""
PATIENCE_SEC = 60.0
_SETTINGS = {"include_dashboard": False, "object_store_memory": 80 * 2**20, "node_ip_address": "127.0.0.1"}
_IMPATIENT = {"health_check_period_ms": 500, "health_check_failure_threshold": 2}
"""Otherwise a lost node is given up after a quarter of a minute."""


class PerhapsSpoilt(AnyFake):
    """A fake computer whose image is missing on nodes that were started so."""

    def __init__(self, **options: Any) -> None:
        if os.environ.get(SPOILT):
            raise ImageError("there is no image 'starter'", remedy="proctor images build starter")
        super().__init__(**options)


def _is_of_ray(pid: int) -> bool:
    try:
        return b"ray" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False


class SmallCluster:
    """A head that holds no episodes, and nodes that hold one each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "_system_config": _IMPATIENT}
        self._cluster = Cluster(initialize_head=True, head_node_args={**_SETTINGS, **head})
        self.nodes: list[Any] = []

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self, *, wait: bool = True, **variables: str) -> Any:
        """Start a node with these variables in its environment."""
        room = {"num_cpus": 1, "memory": int(NODE_GB * 2**30)}
        node = self._cluster.add_node(wait=wait, **_SETTINGS, **room, env_vars=variables)
        self.nodes.append(node)
        return node

    def wait(self) -> None:
        """Wait until every node has joined."""
        self._cluster.wait_for_nodes()

    def kill(self, node: Any, *, politely: bool = False) -> None:
        """Take a node away as a loss of power would, or so that it can say goodbye."""
        self.nodes.remove(node)
        self._cluster.remove_node(node, allow_graceful=politely)

    def close(self) -> None:
        """End it, and see that nothing of it is left."""
        # Other tests of this process may have children too, such as the tracker of Python's own worker processes.
        processes = [os.pidfd_open(pid) for pid in descendants(os.getpid()) if _is_of_ray(pid)]
        assert processes
        self._cluster.shutdown()
        left = [process for process in processes if not ended(process)]
        for process in processes:
            os.close(process)
        assert not left, f"{len(left)} processes of the cluster are left"


def ended(process: int) -> bool:
    """Wait for the end of a process by its descriptor."""
    return bool(select.select([process], [], [], PATIENCE_SEC)[0])


def descendants(pid: int) -> list[int]:
    """Return all processes below one that are still alive."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(stat.parent.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def reachable(pids: list[int]) -> set[str]:
    """Return the addresses other than the loopback on which processes listen, as the kernel writes them."""
    sockets = set()
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(FileNotFoundError):
                sockets.add(str(link.readlink()))
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            _, local, _, state, *rest = line.split()
            if state == "0A" and f"socket:[{rest[5]}]" in sockets:
                found.add(local.partition(":")[0])
    # 127.0.0.1 as such, as an address of IPv6, and its own ::1.
    return found - {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


class Gate:
    """The other end of the named pipe that the agent `tests.runner.jobs:Waiting` reads."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.agent = f"tests.runner.jobs:Waiting,pipe={path}"
        self._path = path
        self._end = -1

    def wait(self) -> None:
        """Wait until an agent is at the gate."""
        self._end = os.open(self._path, os.O_WRONLY)

    def open(self) -> None:
        """Let it go on."""
        os.write(self._end, b"x")
        self.leave()

    def leave(self) -> None:
        os.close(self._end)
        self._end = -1

    def fileno(self) -> int:
        return self._end


def deserted(*gates: Gate) -> Gate:
    """Wait until the agent at one of the gates has died, and return that gate."""
    poll = select.poll()
    for gate in gates:
        poll.register(gate, 0)
    found = poll.poll(PATIENCE_SEC * 1000)
    assert found, "every agent is still there"
    (gate,) = (gate for gate in gates if gate.fileno() == found[0][0])
    gate.leave()
    return gate


@contextmanager
def small_cluster(nodes: int) -> Iterator[SmallCluster]:
    """Start a cluster that ends with the block."""
    cluster = SmallCluster()
    try:
        for _ in range(nodes):
            cluster.add(wait=False)
        cluster.wait()
        assert reachable(descendants(os.getpid())) == set()
        yield cluster
    finally:
        cluster.close()
