"""Joining a Ray cluster: errors that say what to do instead of minutes of silence, and what its nodes have room for."""

from __future__ import annotations

import logging
import os
import socket
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from proctor.errors import HostError, MissingExtra, SpecError
from proctor.interpreters import own_modules_only
from proctor.runner.capacity import Share
from proctor.runner.workers.worker import WorkersGone

REACH_SEC = 5.0
STOP_SEC = 5.0
"""How long to wait for the end of what was stopped."""
STRIKES = 3
"""So many episodes in a row spoilt by one node, and it is given no more: it would spoil them all, faster than others
hold them."""
LOCAL = ("localhost", "127.0.0.1", "::1")
OBJECT_STORE = 256 * 2**20
"""Bytes for parcels under way in a cluster of our own; Ray would reserve a third of the memory."""
SETTINGS = {
    # Ray would report its use to its makers.
    "RAY_USAGE_STATS_ENABLED": "0",
    # Twenty attempts of 40 seconds each are not worth waiting for at an address that something else answers.
    "RAY_NUM_REDIS_GET_RETRIES": "1",
}
ALONE = {
    # By this, whatever its name says, Ray listens on the loopback only: whoever reaches its ports can run code.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
}


log = logging.getLogger(__name__)


class Cluster:
    """A connection to a Ray cluster, or a cluster of our own on this machine when the address is empty."""

    def __init__(self, address: str, share: Share) -> None:
        self.ray = _import_ray(SETTINGS if address else SETTINGS | ALONE)
        if address:
            _reach(self.ray, address)
        self._share = share
        self._strikes: Counter[str] = Counter()
        self._ours = not self.ray.is_initialized()
        if self._ours:
            _join(self.ray, address)
        try:
            self._node = self._node_of_ours()
            self._check_room()
        except BaseException:
            self.leave([])
            raise

    def check(self) -> None:
        """See that the node of this machine is there, by which everything is given out and heard.

        Raises WorkersGone where it is not; Ray itself takes a quarter of a minute to notice.
        """
        try:
            socket.create_connection(self._node, timeout=REACH_SEC).close()
        except OSError as error:
            raise WorkersGone(
                f"the Ray node of this machine no longer answers at {self._node[0]}:{self._node[1]}: {error}",
                remedy="start Ray again, and continue with `proctor runs resume`",
            ) from error

    def slots(self) -> int:
        """Return how many episodes its living nodes can hold at once."""
        rooms = self._rooms()
        avoided = self._avoided(rooms)
        return sum(room for node, room in rooms.items() if node not in avoided)

    def elsewhere(self) -> dict[str, Any]:
        """Return the options of a task that keep it away from nodes that spoil episodes."""
        if not (avoided := self._avoided(self._rooms()) if self._strikes else set()):
            return {}
        return {"label_selector": {"ray.io/node-id": f"!in({','.join(sorted(avoided))})"}}

    def pleased(self, node: str) -> None:
        """Take note of an episode that a node held as it should."""
        self._strikes.pop(node, None)

    def spoilt(self, node: str, why: str) -> None:
        """Take note of an episode that a node spoilt."""
        self._strikes[node] += 1
        if self._strikes[node] == STRIKES:
            log.warning("%d episodes in a row were lost to a node, which is no longer used: %s", STRIKES, why)

    def stop(self, streams: Sequence[Any]) -> None:
        """Kill the processes of tasks, and with them their computers."""
        for stream in streams:
            self.ray.cancel(stream, force=True)

    def leave(self, streams: Sequence[Any]) -> None:
        """Stop tasks and go; a cluster of our own ends, another one goes on."""
        try:
            self.stop(streams)
            if streams:
                self.ray.wait(list(streams), num_returns=len(streams), timeout=STOP_SEC)
        finally:
            if self._ours:
                self.ray.shutdown()

    def _node_of_ours(self) -> tuple[str, int]:
        """Return where the node of this machine listens."""
        here = self.ray.get_runtime_context().get_node_id()
        (node,) = (node for node in self.ray.nodes() if node["NodeID"] == here)
        return str(node["NodeManagerAddress"]), int(node["NodeManagerPort"])

    def _rooms(self) -> dict[str, int]:
        """Return how many episodes each living node can hold."""
        found = {}
        for node in self.ray.nodes():
            has = node["Resources"] if node["Alive"] else {}
            found[node["NodeID"]] = self._share.of(has.get("CPU", 0.0), has.get("memory", 0.0) / 2**30)
        return found

    def _avoided(self, rooms: Mapping[str, int]) -> set[str]:
        """Return the nodes that are given nothing; none when no other would be left."""
        bad = {node for node, strikes in self._strikes.items() if strikes >= STRIKES}
        return bad if any(room for node, room in rooms.items() if node not in bad) else set()

    def _check_room(self) -> None:
        if self.slots():
            return
        share = self._share
        raise HostError(
            f"no node of the Ray cluster has room for an episode: {share.cores:g} processors, {share.gigabytes:g} GB",
            remedy="start nodes with `ray start --address ... --num-cpus N --memory BYTES`; see `ray status`",
        )


def node_here() -> tuple[str, str]:
    """Return the identity and the address of the node that this task runs on."""
    ray = _import_ray({})
    return ray.get_runtime_context().get_node_id(), ray.util.get_node_ip_address()


def _import_ray(settings: Mapping[str, str]) -> Any:
    """Import Ray, which reads its settings at that time."""
    for name, value in settings.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise MissingExtra("a run on a Ray cluster", "ray") from None
    return ray


def _reach(ray: Any, address: str) -> None:
    """See that something answers at an address; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "/" in host:
        raise SpecError(
            f"{address!r} is not an address of a Ray cluster", remedy="give HOST:PORT as `ray start --head` printed it"
        )
    # Ray takes the names of this machine for its address on the network.
    host = ray.util.get_node_ip_address() if host in LOCAL else host.strip("[]")
    try:
        socket.create_connection((host, int(port)), timeout=REACH_SEC).close()
    except (OSError, OverflowError) as error:
        raise HostError(
            f"no Ray cluster answers at {host}:{port}: {error}",
            remedy="check that its head node runs (`ray start --head --port ...`) and its port can be reached",
        ) from error


@contextmanager
def _nowhere() -> Iterator[None]:
    """Work in the root folder for a while.

    Ray has its workers import from the folder it is started in, before all others: any file there that is named like
    a module of Python would be run. What an agent needs from there a job names.
    """
    here = Path.cwd()
    os.chdir("/")
    try:
        with own_modules_only():
            yield
    finally:
        os.chdir(here)


def _join(ray: Any, address: str) -> None:
    where: dict[str, Any] = {"address": address}
    if not address:
        where = {"address": "local", "object_store_memory": OBJECT_STORE, "include_dashboard": False}
    try:
        # What happens in episodes is in their records; it need not be printed here too.
        with _nowhere():
            ray.init(**where, log_to_driver=False, logging_level=logging.WARNING)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        place = f"join the Ray cluster at {address}" if address else "start Ray on this machine"
        raise HostError(
            f"cannot {place}: {str(error).strip()[:1000]}",
            remedy="this machine must be a node of it (`ray start --address ... --num-cpus 0` suffices), "
            "with the same versions of Ray and Python, and its token if it asks for one",
        ) from error
