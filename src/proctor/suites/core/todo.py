"""Tasks on lists of things to do in GTG."""

from __future__ import annotations

from datetime import date
from typing import Any

from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

TITLE = "Getting Things GNOME!"
CHORES = (
    "Renew the passport", "Water the tomatoes", "Return the library books", "Book the dentist", "Descale the kettle",
    "Pay the window cleaner", "Sharpen the knives", "Send the birthday card", "Clean the gutters", "Mend the bicycle",
)  # fmt: skip
CALLS = ("Call the plumber", "Order new keys", "Check the smoke alarm", "Measure the windows", "Read the meter")
PLACES = ("home", "studio", "office", "cottage")
TASKS_FILE = ".local/share/gtg/gtg_data.xml"


def wanted(task: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return how a task of the setup should stand on the list afterwards."""
    return {key: value for key, value in task.items() if key != "text"} | changes


def quick_add(text: str) -> tuple[Call, ...]:
    """Add a task from the entry at the bottom of GTG's window."""
    return (
        hand.click(role="text", window=TITLE, nth=-1),
        hand.type(f"{text}\n"),
        hand.await_element(text.partition(" @")[0].partition(" due:")[0], role="table cell", window=TITLE),
    )


def mark_done(title: str) -> tuple[Call, ...]:
    """Mark a task as done from its menu."""
    return (
        hand.right_click(title, role="table cell", window=TITLE),
        hand.click("Mark as Done", role="menu item"),
        hand.await_element(title, role="table cell", window=TITLE, gone=True),
    )


@template(apps=("gtg",), level=2, demand="Office/Schedule/ToDo")
def tick_off_chores(draw: Draw) -> Draft:
    """Two chores are done and a new one is added."""
    first, second, third, fourth, new = draw.some(CHORES, 5)
    tag, other = draw.some(("errands", "house", "garden"), 2)
    due = date(2026, 3, draw.randint(16, 30))
    tasks = [
        {"title": first, "tags": [tag]},
        {"title": second, "tags": [other], "due": date(2026, 3, draw.randint(13, 25)).isoformat()},
        {"title": third, "tags": [tag]},
        {"title": fourth, "tags": [other]},
    ]
    new_task = {"title": new, "due": due.isoformat()}
    done = [wanted(task, status="Done") if task["title"] in (first, third) else task for task in tasks]
    add = quick_add(f"{new} due:{due}")
    return Draft(
        instruction="I've finished "
        f'"{first}" and "{third}", so please mark them as done in GTG. And put "{new}" on the list, due on '
        f"{due:%A}, {due.day} March 2026 (no tag needed).",
        paraphrases=(
            f'In my GTG list, tick off "{first}" and "{third}", then add the task "{new}" with the due date {due}.',
        ),
        setup=(make.todo(tasks), make.launch(["gtg"], window=TITLE)),
        finish=(make.quit_app("Gtg"),),
        check=expect.todos_are(see.todo(), [*done, new_task]),
        expected=(TASKS_FILE,),
        solution=(*mark_done(first), *mark_done(third), *add),
        near_misses=(
            NearMiss(name="only one done", moves=(*mark_done(first), *add)),
            NearMiss(
                name="another one done as well", moves=(*mark_done(first), *mark_done(third), *mark_done(fourth), *add)
            ),
            NearMiss(name="without a due date", moves=(*mark_done(first), *mark_done(third), *quick_add(new))),
        ),
    )


@template(apps=("gtg",), level=3, demand="Office/Schedule/ToDo")
def postpone_the_right_task(draw: Draw) -> Draft:
    """Of two tasks with the same name, one gets a later due date."""
    title = draw.choice(CALLS)
    place, other, third = draw.some(PLACES, 3)
    old = date(2026, 3, draw.randint(13, 18)).isoformat()
    new = date(2026, 4, draw.randint(2, 28)).isoformat()
    chore = draw.choice(CHORES)
    tasks: list[dict[str, Any]] = [
        {"title": title, "tags": [other], "due": old},
        {"title": title, "tags": [place], "due": old},
        {"title": chore, "tags": [third], "due": old},
    ]
    draw.shuffle(tasks)

    def postpone(tag: str) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+f"),
            hand.await_element("Search", role="text", window=TITLE),
            hand.type(f"@{tag}\n"),
            hand.await_element(chore if tag != third else title, role="table cell", window=TITLE, gone=True),
            hand.click(title if tag != third else chore, role="table cell", window=TITLE, count=2),
            hand.type_into(new, role="text", window=f"/^{title if tag != third else chore}$/", nth=1),
            hand.press("Escape"),
            hand.press("Escape"),
            hand.await_window(title if tag != third else chore, gone=True),
        )

    after = [wanted(task, due=new) if task["tags"] == [place] else task for task in tasks]
    return Draft(
        instruction=f'"{title}" for the {place} can wait. Please set its due date in GTG to {new}, and '
        "don't change anything else on the list.",
        paraphrases=(f'Please postpone the GTG task "{title}" that\'s tagged @{place} to {new}.',),
        setup=(make.todo(tasks), make.launch(["gtg"], window=TITLE)),
        finish=(make.quit_app("Gtg"),),
        check=expect.todos_are(see.todo(), after),
        expected=(TASKS_FILE,),
        solution=postpone(place),
        near_misses=(
            NearMiss(name="the one for the other place", moves=postpone(other)),
            NearMiss(name="another task", moves=postpone(third)),
        ),
    )


@template(apps=("gtg", "zim"), level=4, demand="Office/Schedule/ToDo")
def minutes_into_tasks(draw: Draw) -> Draft:
    """One person's points from the minutes of a meeting become tasks."""
    me, other = draw.people(2)
    mine = draw.some(CHORES, 4)
    days = [date(2026, 3, day) for day in draw.some(range(16, 31), 4)]
    own = list(zip(mine[:2], days[:2], strict=True))
    theirs = list(zip(mine[2:], days[2:], strict=True))
    first, second = me.split()[0], other.split()[0]
    lines = [f"* {first}: {chore} (by {day})" for chore, day in own]
    lines += [f"* {second}: {chore} (by {day})" for chore, day in theirs]
    draw.shuffle(lines)
    page = f"Meetings:{draw.choice(('House meeting', 'Garden meeting', 'Club meeting'))}"
    text = f"Present: {me}, {other}\n\nAgreed:\n" + "\n".join(lines) + "\n"
    pages = {"Home": "Notes of the house.\n", page: text, "Meetings:Older": "Nothing was agreed.\n"}
    existing = {"title": draw.choice(CALLS), "tags": ["house"]}

    def added(points: list[tuple[str, date]]) -> tuple[Call, ...]:
        # A person reads the minutes first.
        reading = (hand.press("ctrl+j"), hand.await_window("Jump to"), hand.type(f":{page}\n"), hand.await_window(page))
        switch = (hand.click(TITLE, role="toggle button", app="xfce4-panel"),)
        return (*reading, *switch, *(move for chore, day in points for move in quick_add(f"{chore} due:{day}")))

    tasks: list[dict[str, Any]] = [existing, *({"title": chore, "due": day.isoformat()} for chore, day in own)]
    return Draft(
        instruction=f"Hi, {me} here. The minutes of our latest {page.partition(':')[2].lower()} are in my Zim "
        "notebook. Please put everything I agreed to do on my GTG list, worded as in the minutes, with the "
        "dates as due dates.",
        paraphrases=(
            f"Please go through the minutes ({page} in Zim) and add my points ({me}) to GTG as tasks, each "
            "with its deadline. Only mine, and with the same wording.",
        ),
        setup=(
            make.notebook("Notes", pages),
            make.todo([existing]),
            make.launch(["gtg"], window=TITLE),
            make.launch(["zim", "Notes", "Home"], window="Home - Notes"),
        ),
        finish=(make.quit_app("Gtg"),),
        check=expect.all_of(
            [
                expect.todos_are(see.todo(), tasks),
                expect.note_is(see.notebook("Notes"), page, text),
            ]
        ),
        expected=(TASKS_FILE,),
        solution=added(own),
        near_misses=(
            NearMiss(name="everybody's points", moves=added([*own, *theirs])),
            NearMiss(name="the other person's points", moves=added(theirs)),
        ),
    )
