"""Tasks on lists of things to do in GTG."""

from __future__ import annotations

from datetime import date
from typing import Any

from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

TITLE = "Getting Things GNOME!"
CHORES = (
    "Renew the passport", "Water the tomatoes", "Return the library books", "Book the dentist", "Descale the kettle",
    "Pay the window cleaner", "Sharpen the knives", "Send the birthday card", "Clean the gutters", "Mend the bicycle",
)  # fmt: skip
CALLS = ("Call the plumber", "Order new keys", "Check the smoke alarm", "Measure the windows", "Read the meter")
PLACES = ("home", "studio", "office", "cottage")
TASKS_FILE = ".local/share/gtg/gtg_data.xml"


def expected_task(task: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return how a task of the setup should stand on the list afterwards."""
    return {key: value for key, value in task.items() if key != "text"} | changes


def quick_add(text: str, title: str = "") -> tuple[Call, ...]:
    """Add a task from the entry at the bottom of GTG's window."""
    shown = title or text.partition(" @")[0].partition(" due:")[0]
    return (
        hand.click(role="text", window=TITLE, nth=-1),
        hand.type(f"{text}\n"),
        hand.await_element(shown, role="table cell", window=TITLE),
    )


def in_its_file(name: str, *changes: str, behind: bool = False) -> Way:
    """Return a way that closes GTG, wherever its window is, and changes its `tasks` by code."""
    front = (hand.click(TITLE, role="toggle button", app="xfce4-panel"),) if behind else ()
    closed = (*front, hand.press("alt+F4"), hand.await_window(TITLE, gone=True), hand.await_ended("gtg"))
    code = [
        "import pathlib, uuid",
        "import xml.etree.ElementTree as ET",
        f"path = pathlib.Path({TASKS_FILE!r})",
        "tree = ET.parse(path)",
        "tasks = tree.find('tasklist')",
        "names = {tag.get('name'): tag.get('id') for tag in tree.iterfind('taglist/tag')}",
        *changes,
        "tree.write(path, encoding='utf-8', xml_declaration=True)",
    ]
    return Way(name=name, moves=(*closed, hand.run_code("\n".join(code) + "\n", "python")))


def _each(title: str, condition: str) -> str:
    named = f"task.findtext('title').strip() == {title!r}" if title else "True"
    return f"for task in [task for task in tasks if {named} and {condition}]:"


def has_tag(tag: str) -> str:
    """Return the condition that a task has a tag."""
    return f"names[{tag!r}] in [tag.text for tag in task.iter('tag')]"


def tick_off(title: str) -> str:
    """Return the lines that mark a task as done."""
    return f"{_each(title, 'True')}\n    task.set('status', 'Done')"


def remove_task(title: str, condition: str = "True") -> str:
    """Return the lines that take a task away."""
    return f"{_each(title, condition)}\n    tasks.remove(task)"


def set_due_date(title: str, condition: str, due: str) -> str:
    """Return the lines that give a task a due date."""
    return f"{_each(title, condition)}\n    task.find('dates/due').text = {due!r}"


def add_task(title: str, due: str, tag: str = "") -> str:
    """Return the lines that add a task."""
    lines = [
        "new = ET.SubElement(tasks, 'task', id=str(uuid.uuid4()), status='Active')",
        f"ET.SubElement(new, 'title').text = {title!r}",
        "tags, dates = ET.SubElement(new, 'tags'), ET.SubElement(new, 'dates')",
        "ET.SubElement(dates, 'added').text = ET.SubElement(dates, 'modified').text = '2026-03-12'",
    ]
    lines += [f"ET.SubElement(dates, 'due').text = {due!r}"] if due else []
    lines += [f"ET.SubElement(tags, 'tag').text = names[{tag!r}]"] if tag else []
    return "\n".join([*lines, "ET.SubElement(new, 'subtasks'), ET.SubElement(new, 'content')"])


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
    done = [expected_task(task, status="Done") if task["title"] in (first, third) else task for task in tasks]
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
        other_ways=(
            by_hand(
                "the new one first, its words in another order",
                *quick_add(f"due:{due} {new}", new),
                *mark_done(third),
                *mark_done(first),
            ),
            in_its_file(
                "in its file while it is closed", *map(tick_off, (first, third)), add_task(new, due.isoformat())
            ),
        ),
        cheats=(
            in_its_file(
                "all of them done", *map(tick_off, (first, second, third, fourth)), add_task(new, due.isoformat())
            ),
            in_its_file("the finished ones removed", *map(remove_task, (first, third)), add_task(new, due.isoformat())),
            in_its_file("the date in the title", *map(tick_off, (first, third)), add_task(f"{new} {due}", "")),
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
    tasks: list[dict[str, object]] = [
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

    after = [expected_task(task, due=new) if task["tags"] == [place] else task for task in tasks]
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
        other_ways=(
            in_its_file("in its file while it is closed", set_due_date(title, has_tag(place), new)),
            in_its_file("removed and entered anew", remove_task(title, has_tag(place)), add_task(title, new, place)),
        ),
        cheats=(
            in_its_file("both of them", set_due_date(title, "True", new)),
            in_its_file("a third one of the name", add_task(title, new, place)),
            in_its_file("all of them", set_due_date("", "True", new)),
        ),
    )


@template(apps=("gtg", "zim"), level=4, demand="Office/Schedule/ToDo", version=2)
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
    existing: dict[str, Any] = {"title": draw.choice(CALLS), "tags": ["house"]}

    def enter_tasks(points: list[tuple[str, date]]) -> tuple[Call, ...]:
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
                *(expect.note_is(see.notebook("Notes"), name, held) for name, held in pages.items()),
            ]
        ),
        expected=(TASKS_FILE,),
        solution=enter_tasks(own),
        near_misses=(
            NearMiss(name="everybody's points", moves=enter_tasks([*own, *theirs])),
            NearMiss(name="the other person's points", moves=enter_tasks(theirs)),
        ),
        other_ways=(
            in_its_file(
                "in its file while it is closed", *(add_task(chore, day.isoformat()) for chore, day in own), behind=True
            ),
            by_hand(
                "in the other order, the day before the words",
                hand.run_code(f"cat 'Notes/{page.replace(':', '/').replace(' ', '_')}.txt'"),
                hand.click(TITLE, role="toggle button", app="xfce4-panel"),
                *(move for chore, day in reversed(own) for move in quick_add(f"due:{day} {chore}", chore)),
            ),
        ),
        cheats=(
            in_its_file(
                "everybody's points", *(add_task(chore, day.isoformat()) for chore, day in [*own, *theirs]), behind=True
            ),
            in_its_file("without the dates", *(add_task(chore, "") for chore, _ in own), behind=True),
            in_its_file(
                "both in one task", add_task("; ".join(chore for chore, _ in own), own[0][1].isoformat()), behind=True
            ),
            in_its_file(
                "the old one removed",
                remove_task(existing["title"]),
                *(add_task(chore, day.isoformat()) for chore, day in own),
                behind=True,
            ),
        ),
    )
