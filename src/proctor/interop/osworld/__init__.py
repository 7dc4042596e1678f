"""OSWorld's Python interface and its guest's server, in front of any computer.

from proctor.interop.osworld import DesktopEnv
"""

from proctor.interop.osworld.env import OSWorldEnv as DesktopEnv
from proctor.interop.osworld.tasks import task_configs

__all__ = ["DesktopEnv", "task_configs"]
