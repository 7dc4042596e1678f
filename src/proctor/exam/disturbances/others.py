"""What others do meanwhile: mail, chat, a file in use elsewhere, services that are away."""

from __future__ import annotations

from random import Random

from proctor.exam.disturbances.disturbance import Disturbance, Staged, find_step
from proctor.tasks.call import walk
from proctor.tasks.events import Undo, When
from proctor.tasks.shelves import hand, make
from proctor.tasks.task import Task

LETTERS = (
    ("Canteen <canteen@intranet.example>", "This week's menu", "Monday lentils, Tuesday fish, Wednesday pasta."),
    ("Facilities <facilities@intranet.example>", "Lift in the east wing", "The lift is out of order until Thursday."),
    ("Library <library@intranet.example>", "New on the shelves", "Twelve new titles can be borrowed from today."),
)
LINES = (
    "has anybody seen my umbrella?",
    "the coffee machine works again",
    "lovely weather today",
    "back in five minutes",
)
SERVICES = ("mail_service", "chat_server", "calendar_service", "web_site")
LOCK_SEC = 4
PEOPLE = ("Robin", "Noor", "Petra")


def _mail(draw: Random, task: Task) -> Staged | None:
    service = find_step(task, "mail_service")
    sender, subject, text = draw.choice(LETTERS)
    if service is None or any(call.name in ("mailbox", "mailboxes") for _, call in walk((task.check, task.ready))):
        return None  # what lies in the inbox is what the task is about
    address = service.arguments["accounts"][0]["address"]
    letter = {"from": sender, "to": address, "subject": subject, "text": text, "read": False}
    return Staged(do=(make.mail_delivered(address, [letter]),))


def _chat(draw: Random, task: Task) -> Staged | None:
    server = find_step(task, "chat_server")
    talked = [each for each in server.arguments["channels"] if each.get("people")] if server is not None else []
    line = draw.choice(LINES)
    if not talked:
        return None
    channel = draw.choice(talked)
    return Staged(do=(make.chat_say([{"who": draw.choice(channel["people"]), "to": channel["name"], "text": line}]),))


def _lock_file(draw: Random, task: Task) -> Staged | None:
    written = {text for step in task.setup for text in step.arguments.values() if isinstance(text, str)}
    locked = {step.arguments.get("path") for step in task.setup if step.name == "read_only"}
    mine = [path for path in task.expected if path in written - locked]
    who = draw.choice(PEOPLE)
    if not mine:
        return None
    path = draw.choice(mine)
    name = path.rpartition("/")[2]
    busy = make.notification("File in use", f"{who} has locked {name} and gives it back in a moment.", seconds=6)
    free = make.notification("File free", f"{who} has given {name} back.", seconds=4)
    undo = Undo(do=(make.command(["chmod", "u+w", "--", path]), free), when=When(seconds=LOCK_SEC))
    waiting = (hand.wait(LOCK_SEC), hand.await_element(name="File free", gone=True, timeout_sec=20))
    return Staged(do=(make.read_only(path), busy), undo=undo, answer=waiting)


def _pause(draw: Random, task: Task) -> Staged | None:
    seconds = draw.choice((3, 5, 8))
    if not any(step.name in SERVICES for step in task.setup):
        return None
    return Staged(do=(make.pause_services(seconds),))


OTHERS = (
    Disturbance("mail", "an email comes that has nothing to do with the task", _mail,
                wants="a mail service, and no check of an inbox", harmless=True),
    Disturbance("chat", "somebody says something in a chat that has nothing to do with the task", _chat,
                wants="a chat server with people", harmless=True),
    Disturbance("file_locked", "somebody else locks the file that is worked on, says so, and gives it back", _lock_file,
                ("windows", "shell", "files", "tree"), wants="a file that can be written and is to be changed"),
    Disturbance("services_away", "mail, chat, calendars and sites answer nobody for some seconds", _pause,
                wants="a service", harmless=True),
)  # fmt: skip
