"""Train a tiny policy on fake computers, then let it work on real desktops side by side: episodes a minute and core.

python examples/train_tiny_policy.py                    four real desktops
python examples/train_tiny_policy.py -n 16              sixteen
python examples/train_tiny_policy.py --backend fake     none at all
"""

import argparse
import os
import time
from functools import partial

import numpy as np

from proctor.actions.action import Action, Click, Move, Press, Type
from proctor.computers.computer import Computer
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.vector_env import ProctorVectorEnv

MENU: tuple[Action, ...] = (Move(x=5, y=5), Press(keys="ctrl+s"), Type(text="hello"), Click(x=10, y=10))
STEPS = 2
"""An episode: write, then save."""


def open_notes(computer: Computer) -> None:
    """Prepare an episode: an empty file in the editor."""
    computer.write_file("notes.txt", b"")
    computer.launch(["mousepad", "notes.txt"])


def hello_saved(computer: Computer) -> float:
    """Judge an episode."""
    return float(computer.read_file("notes.txt").strip() == b"hello")


def desktops(backend: str, count: int, spares: int = 0) -> ProctorVectorEnv:
    """Make as many desktops as asked for."""
    options = {"look": "light", "size": (800, 600)} if backend == "sandbox" else {"size": (400, 320)}
    make = partial(
        ProctorGymEnv, backend, max_steps=STEPS, prepare=open_notes, judge=hello_saved, spares=spares, **options
    )
    return ProctorVectorEnv([make] * count)


class TinyPolicy:
    """For each step of an episode, how much each action of the menu is preferred; learns by REINFORCE."""

    def __init__(self, seed: int) -> None:
        self.liking = np.zeros((STEPS, len(MENU)))
        self._random = np.random.default_rng(seed)

    def chances(self) -> np.ndarray:
        """Return how likely each action is at each step."""
        raised = np.exp(self.liking - self.liking.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    def choose(self, step: int) -> int:
        """Return the place of an action in the menu."""
        return int(self._random.choice(len(MENU), p=self.chances()[step]))

    def learn(self, episodes: np.ndarray, scores: np.ndarray, rate: float = 2.0) -> None:
        """Prefer what scored better than the others."""
        better = scores - scores.mean()
        for step in range(STEPS):
            for chosen, gain in zip(episodes[:, step], better, strict=True):
                slope = -self.chances()[step]
                slope[chosen] += 1
                self.liking[step] += rate * gain * slope


def train(policy: TinyPolicy, rounds: int, count: int) -> None:
    """Play episodes on fake computers and learn from them; what is void is left out."""
    envs = desktops("fake", count)
    try:
        for number in range(1, rounds + 1):
            envs.reset()
            chosen = np.array([[policy.choose(step) for step in range(STEPS)] for _ in range(count)])
            total, counts = np.zeros(count), np.ones(count, bool)
            for step in range(STEPS):
                _, rewards, _, _, infos = envs.step_actions([MENU[place] for place in chosen[:, step]])
                counts &= infos["valid"]
                total += rewards
            if counts.any():
                policy.learn(chosen[counts], total[counts])
            if number % 10 == 0:
                print(f"round {number}: {total[counts].mean():.2f} of 1")
    finally:
        envs.close()


def work(policy: TinyPolicy, backend: str, count: int, episodes: int, spares: int) -> None:
    """Let the policy work, each desktop at its own pace, and print how much was done."""
    envs = desktops(backend, count, spares)
    try:
        envs.reset()
        step_of = [0] * count
        cores = len(os.sched_getaffinity(0))
        done, won, void = 0, 0.0, 0
        began = time.perf_counter()
        envs.send(range(count), [MENU[policy.choose(0)]] * count)
        while done + void < episodes:
            arrived = envs.recv()
            for place, number in enumerate(arrived.ids):
                ended = arrived.terminated[place] or arrived.truncated[place]
                step_of[number] = -1 if ended else step_of[number] + 1
                if ended and arrived.valid[place]:
                    done, won = done + 1, won + arrived.rewards[place]
                elif ended:
                    void += 1
            # One that has ended is reset in place of its next action.
            envs.send(arrived.ids.tolist(), [MENU[policy.choose(max(step_of[each], 0))] for each in arrived.ids])
        minutes = (time.perf_counter() - began) / 60
        envs.recv(count)
        print(f"{count} {backend} desktops: {done} episodes, {won / max(done, 1):.2f} of 1, {void} void")
        print(f"{done / minutes:.1f} episodes a minute, {done / minutes / cores:.1f} a minute and core ({cores} cores)")
    finally:
        envs.close()


def main() -> None:
    """Train, then work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="sandbox", help="sandbox (real desktops) or fake (in memory)")
    parser.add_argument("-n", "--desktops", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=30, help="of training, with sixteen episodes each")
    parser.add_argument("--episodes", type=int, default=32, help="of work, over all desktops")
    parser.add_argument("--spares", type=int, default=0, help="started desktops that wait, for each of those at work")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    policy = TinyPolicy(arguments.seed)
    train(policy, arguments.rounds, 16)
    work(policy, arguments.backend, arguments.desktops, arguments.episodes, arguments.spares)


if __name__ == "__main__":
    main()
