"""What comes in front of somebody who is at work: notifications and dialogs."""

from __future__ import annotations

from random import Random

from proctor.exam.disturbances.disturbance import Disturbance
from proctor.tasks.call import Call
from proctor.tasks.shelves import make

NOTES = (
    ("Backup finished", "248 files were copied. Nothing needs to be done."),
    ("New device", "A headset was connected."),
    ("Battery", "The mouse has 40 % of its charge left."),
    ("Weather", "Light rain in the afternoon, 11 degrees."),
)
DIALOGS = (
    ("Update available", "A new version of the system is ready. It can be installed at any time.", "Later"),
    ("Low disk space", 'Less than 2 GB are left on the volume "Data".', "Ignore"),
    ("Certificate", "The certificate of printer.local expires in nine days.", "Close"),
    ("Crash report", "A background service ended unexpectedly and was started again.", "Close"),
)


def _notification(draw: Random) -> tuple[Call, ...]:
    title, text = draw.choice(NOTES)
    return (make.notification(title, text, seconds=draw.choice((6, 10, 20))),)


def _dialog(draw: Random) -> tuple[Call, ...]:
    title, text, button = draw.choice(DIALOGS)
    return (make.dialog(title, text, [button]),)


MESSAGES = (
    Disturbance("notification", "a notification shows and goes away", _notification, ("windows", "shell", "tree")),
    Disturbance("dialog", "a dialog opens in front of everything", _dialog),
)
