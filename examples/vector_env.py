"""Step several desktops side by side with Gymnasium: random actions, one score each."""

import argparse
from functools import partial

import gymnasium
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

from proctor.computers.computer import Computer
from proctor.interop.gymnasium_env import ENV_ID, register


def open_notes(computer: Computer) -> None:
    """Prepare an episode: an empty file in the editor."""
    computer.write_file("notes.txt", b"")
    computer.launch(["mousepad", "notes.txt"])


def something_saved(computer: Computer) -> float:
    """Judge an episode: is anything in the file?"""
    return float(bool(computer.read_file("notes.txt")))


def make_desktop(backend: str, max_steps: int) -> gymnasium.Env:
    """Make one environment; with processes, this runs in each of them."""
    register()
    return gymnasium.make(
        ENV_ID,
        computer=backend,
        size=(1280, 720),
        instruction="Write something into notes.txt and save it.",
        max_steps=max_steps,
        prepare=open_notes,
        judge=something_saved,
    )


def main() -> None:
    """Run random agents on as many desktops as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="sandbox", help="sandbox (real desktops) or fake (in memory)")
    parser.add_argument("-n", "--desktops", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", action="store_true", help="one process for each desktop")
    arguments = parser.parse_args()

    makers = [partial(make_desktop, arguments.backend, arguments.steps)] * arguments.desktops
    envs: VectorEnv = AsyncVectorEnv(makers, context="spawn") if arguments.processes else SyncVectorEnv(makers)
    try:
        observations, _ = envs.reset(seed=arguments.seed)
        envs.action_space.seed(arguments.seed)
        print("screens:", observations["screenshot"].shape)
        for step in range(arguments.steps):
            _, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
            print(f"step {step + 1}: rewards {rewards.tolist()}, ended {(terminated | truncated).tolist()}")
    finally:
        envs.close()


if __name__ == "__main__":
    main()
