"""Joining a Ray cluster: errors that say what to do instead of minutes of silence, and what its nodes have room for."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Collection, Sequence
from typing import Any

from proctor.errors import HostError, MissingExtra, SpecError
from proctor.runner.capacity import Share

REACH_SEC = 5.0
STOP_SEC = 5.0
"""How long to wait for the end of what was stopped."""
LOOPBACK = "127.0.0.2"
"""Ray replaces 127.0.0.1 by the machine's address on the network, where anybody could give our cluster work."""
OBJECT_STORE = 256 * 2**20
"""Bytes for parcels under way in a cluster of our own; Ray would reserve a third of the memory."""
SETTINGS = {
    # Ray would report its use to its makers.
    "RAY_USAGE_STATS_ENABLED": "0",
    # Twenty attempts of 40 seconds each are not worth waiting for at an address that something else answers.
    "RAY_NUM_REDIS_GET_RETRIES": "1",
}


class Cluster:
    """A connection to a Ray cluster, or a cluster of our own on this machine when the address is empty."""

    def __init__(self, address: str, share: Share) -> None:
        if address:
            _reach(address)
        self.ray = _import_ray()
        self._share = share
        self._ours = not self.ray.is_initialized()
        if self._ours:
            _join(self.ray, address)
        try:
            self._check_room()
        except BaseException:
            self.leave([])
            raise

    def slots(self, avoided: Collection[str] = ()) -> int:
        """Return how many episodes its living nodes can hold at once."""
        return sum(
            self._share.of(resources.get("CPU", 0.0), resources.get("memory", 0.0) / 2**30)
            for node, resources in self._nodes().items()
            if node not in avoided
        )

    def other_than(self, nodes: Collection[str]) -> dict[str, str]:
        """Return the labels by which Ray chooses any node but these."""
        return {"ray.io/node-id": f"!in({','.join(sorted(nodes))})"}

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

    def _nodes(self) -> dict[str, dict[str, float]]:
        return {node["NodeID"]: node["Resources"] for node in self.ray.nodes() if node["Alive"]}

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
    ray = _import_ray()
    return ray.get_runtime_context().get_node_id(), ray.util.get_node_ip_address()


def _import_ray() -> Any:
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise MissingExtra("a run on a Ray cluster", "ray") from None
    return ray


def _reach(address: str) -> None:
    """See that something answers at an address; Ray itself would try for a quarter of an hour."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "/" in host:
        raise SpecError(
            f"{address!r} is no address of a Ray cluster", remedy="give HOST:PORT as `ray start --head` printed it"
        )
    if host in ("localhost", "127.0.0.1", "::1", "[::1]"):
        raise SpecError(
            f"Ray does not know its nodes as {host}", remedy="give the address that `ray start --head` printed"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_SEC).close()
    except (OSError, OverflowError) as error:
        raise HostError(
            f"no Ray cluster answers at {address}: {error}",
            remedy="see that the head runs (`ray start --head --port ...`) and its port can be reached from here",
        ) from error


def _join(ray: Any, address: str) -> None:
    where: dict[str, Any] = {"address": address}
    if not address:
        where = {"address": "local", "_node_ip_address": LOOPBACK, "object_store_memory": OBJECT_STORE}
        where["include_dashboard"] = False
    try:
        # What happens in episodes is in their records; it need not be printed here too.
        ray.init(**where, log_to_driver=False, logging_level=logging.WARNING)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        place = f"join the Ray cluster at {address}" if address else "start Ray on this machine"
        raise HostError(
            f"cannot {place}: {str(error).strip()[:1000]}",
            remedy="this machine must be a node of it (`ray start --address ... --num-cpus 0` suffices), "
            "with the same versions of Ray and Python",
        ) from error
