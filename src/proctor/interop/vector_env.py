"""Many desktops side by side as one vector environment, whose pictures are shared."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions.action import Action
from proctor.errors import MissingExtra, SpecError
from proctor.interop.gymnasium_desk import Came, GymDesk
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.gymnasium_spaces import Encoded, Seen

try:
    from gymnasium.spaces import Dict
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space, iterate
except (ModuleNotFoundError, ImportError) as error:
    raise MissingExtra("the vector environment", "gym") from error

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Arrived:
    """The desktops that have answered, in the order of `ids`; pictures are those of all."""

    ids: npt.NDArray[np.int64]
    observations: Seen
    rewards: Floats
    terminated: Bools
    truncated: Bools
    valid: Bools
    """False where nothing may be learnt: the step was void, or was a reset."""
    accounts: tuple[dict[str, Any], ...]


class ProctorVectorEnv(VectorEnv[Seen, Encoded, npt.NDArray[Any]]):
    """Desktops side by side, each touched by a thread of its own.

    Observations are references: `observations["screenshot"]` is one array of shape (n, height, width, 3) that every
    step writes again, in shared memory where `shared` is set: a learner in another process reads it with
    `np.memmap(shared_path, np.uint8, "r", shape=...)`. Whoever keeps pictures copies them, or passes `copy=True`.

    After its end a desktop is reset by the next step, which ignores its action. `infos["valid"]` masks such steps and
    void ones, whose reward is NaN: what a broken host did is not to be learnt. `infos["account"]` holds what each
    desktop tells of its step, `infos["score"]` the scores of those that ended.

    `step` waits for the slowest desktop. `send` and `recv` do not: they hand out desktops as they answer, so that a
    reset of one does not hold up the others.

    Args:
        makers: Functions that return one environment each, such as `[partial(ProctorGymEnv, "sandbox")] * 16`.
        copy: Whether each observation is a copy.
        shared: Whether pictures lie in memory that other processes can read.
    """

    def __init__(
        self, makers: Sequence[Callable[[], ProctorGymEnv]], *, copy: bool = False, shared: bool = False
    ) -> None:
        if not makers:
            raise SpecError("a vector environment without desktops", remedy="give one maker or more")
        super().__init__()
        self._copy = copy
        self._memory: Path | None = None
        self.envs = [make() for make in makers]
        self.num_envs = len(self.envs)
        first = self.envs[0]
        for env in self.envs:
            if (env.observation_space, env.action_space) != (first.observation_space, first.action_space):
                raise SpecError("the desktops differ in size or actions", remedy="make them alike")
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(first.observation_space, self.num_envs)
        self.action_space = batch_space(first.action_space, self.num_envs)
        self.metadata = {**first.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode, self.spec = first.render_mode, first.spec
        assert isinstance(first.observation_space, Dict)
        spaces_of = first.observation_space.spaces
        self._pictures = self._make_room(spaces_of["screenshot"].shape, shared)
        self._trees = [""] * self.num_envs if "tree" in spaces_of else None
        desks = zip(self.envs, range(self.num_envs), self._pictures, strict=True)
        self._desks = [GymDesk(env, number, picture) for env, number, picture in desks]
        self._under_way: dict[Future[Came], int] = {}

    @property
    def shared_path(self) -> Path | None:
        """The file in shared memory that holds the pictures, where they are shared."""
        return self._memory

    # -- all together ---------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode on every desktop, or on those of `options["reset_mask"]`."""
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, np.bool_)), np.bool_)
        if options or mask.shape != (self.num_envs,):
            raise SpecError("reset takes no options but reset_mask, one truth for each desktop")
        self._idle("reset")
        seeds = self._seeds(seed)
        chosen = [int(number) for number in np.flatnonzero(mask)]
        for number in chosen:
            self._submit(number, partial(self._desks[number].begin, seeds[number]))
        arrived = self._gather(len(chosen))
        infos: dict[str, Any] = {}
        for number, account in zip(arrived.ids, arrived.accounts, strict=True):
            infos = self._add_info(infos, {"instruction": account.get("instruction", "")}, int(number))
        return arrived.observations, infos

    def step(self, actions: Encoded) -> tuple[Seen, Floats, Bools, Bools, dict[str, Any]]:
        """Take an encoded action on every desktop, and wait for all."""
        return self._step_all(list(iterate(self.action_space, actions)))

    def step_actions(self, actions: Sequence[Action]) -> tuple[Seen, Floats, Bools, Bools, dict[str, Any]]:
        """Take an action of the closed set on every desktop, and wait for all."""
        return self._step_all(list(actions))

    def render(self) -> tuple[Any, ...] | None:
        """Return the screens as they were last seen."""
        return tuple(env.render() for env in self.envs) if self.render_mode else None

    def close_extras(self, **kwargs: Any) -> None:
        """Close every computer, each in its thread, and give the memory back."""
        closing = [desk.close() for desk in self._desks]
        try:
            for each in closing:
                each.result()
        finally:
            if self._memory is not None:
                # Pictures that somebody still looks at stay until they are let go.
                self._memory.unlink(missing_ok=True)

    # -- as they answer -------------------------------------------------------------------------------------------

    def send(self, ids: Sequence[int], actions: Sequence[Encoded | Action]) -> None:
        """Hand actions to some desktops, and do not wait; one that has ended is reset instead."""
        for number, action in zip(ids, actions, strict=True):
            if number in self._under_way.values():
                raise SpecError(f"desktop {number} has not answered yet", remedy="recv() it first")
            self._submit(number, partial(self._desks[number].go_on, action))

    def recv(self, at_least: int = 1) -> Arrived:
        """Wait until so many desktops have answered, and return all that have."""
        if not 0 < at_least <= len(self._under_way):
            raise SpecError(f"{len(self._under_way)} desktops are at work, and {at_least} are waited for")
        return self._gather(at_least)

    # -- how ------------------------------------------------------------------------------------------------------

    def _step_all(self, actions: Sequence[Encoded | Action]) -> tuple[Seen, Floats, Bools, Bools, dict[str, Any]]:
        self._idle("step")
        if len(actions) != self.num_envs:
            raise SpecError(f"{len(actions)} actions for {self.num_envs} desktops")
        self.send(range(self.num_envs), actions)
        arrived = self.recv(self.num_envs)
        accounts = np.full(self.num_envs, None, object)
        infos: dict[str, Any] = {"account": accounts, "_account": np.ones(self.num_envs, np.bool_)}
        for place, account in enumerate(arrived.accounts):
            accounts[place] = account
            told: dict[str, Any] = {"valid": bool(arrived.valid[place]), "void": bool(account.get("void"))}
            if account.get("score") is not None:
                told["score"] = float(account["score"])
            infos = self._add_info(infos, told, place)
        return arrived.observations, arrived.rewards, arrived.terminated, arrived.truncated, infos

    def _gather(self, at_least: int) -> Arrived:
        """Wait for answers, and raise what no mask can hold."""
        done: set[Future[Came]] = set()
        while len(done) < at_least:
            ready, _ = wait([each for each in self._under_way if each not in done], return_when=FIRST_COMPLETED)
            done |= ready
        done |= {each for each in self._under_way if each.done()}
        found = sorted(((self._under_way.pop(each), each) for each in done), key=lambda pair: pair[0])
        came = [each.result() for _, each in found]
        if self._trees is not None:
            for (number, _), each in zip(found, came, strict=True):
                self._trees[number] = each.tree
        return Arrived(
            ids=np.array([number for number, _ in found], np.int64),
            observations=self._observations(),
            rewards=np.array([each.reward for each in came], np.float64),
            terminated=np.array([each.terminated for each in came], np.bool_),
            truncated=np.array([each.truncated for each in came], np.bool_),
            valid=np.array([each.valid for each in came], np.bool_),
            accounts=tuple(each.account for each in came),
        )

    def _observations(self) -> Seen:
        seen: Seen = {"screenshot": self._pictures}
        if self._trees is not None:
            seen["tree"] = tuple(self._trees)
        return deepcopy(seen) if self._copy else seen

    def _submit(self, number: int, work: Callable[[], Came]) -> None:
        if self.closed:
            raise SpecError("this vector environment is closed")
        self._under_way[self._desks[number].submit(work)] = number

    def _idle(self, what: str) -> None:
        if self._under_way:
            raise SpecError(f"{what} was called while desktops are at work", remedy="recv() what was sent first")

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return [seed + number for number in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise SpecError(f"{len(seed)} seeds for {self.num_envs} desktops")
        return list(seed)

    def _make_room(self, shape: tuple[int, ...] | None, shared: bool) -> npt.NDArray[np.uint8]:
        assert shape is not None
        whole = (self.num_envs, *shape)
        if not shared:
            return np.zeros(whole, np.uint8)
        memory = Path("/dev/shm")
        where = memory if memory.is_dir() else None
        with tempfile.NamedTemporaryFile(prefix="proctor-screens-", dir=where, delete=False) as file:
            self._memory = Path(file.name)
            # Plain arrays over the mapping: it goes when the last of them does.
            return np.asarray(np.memmap(file, np.uint8, "w+", shape=whole))
