"""How a wish is carried out on a page: the next actions for it, as long as there are any."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from proctor.actions.action import Action, Press, Scroll, Type, Wait
from proctor.agents.rules.gestures import Actions, click, replace_text
from proctor.agents.rules.goals import Wish
from proctor.agents.rules.page import BUTTONS, CHOICES, KINDS, OPENERS, RulesPage
from proctor.observations.tree import Node

MOST_TRIES = 25
"""How often one wish is worked on before it is given up."""


class WishWork:
    """One wish under way: it remembers what it has tried."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.tried: set[str] = set()
        self.count = 0
        self.done = False

    def next(self, page: RulesPage) -> Actions | None:
        """Return the next actions; None when the wish is fulfilled, or nothing more can be done for it."""
        if self.done or self.count >= MOST_TRIES:
            return None
        self.count += 1
        return _WAYS[self.wish.do](self, page)

    def finish(self, *actions: Action) -> Actions:
        """Return the last actions of the wish."""
        self.done = True
        return actions

    def once(self, what: str) -> bool:
        """Tell whether something is done for the first time."""
        if what in self.tried:
            return False
        self.tried.add(what)
        return True


# -- entering -------------------------------------------------------------------------------------------------------


def _enter(work: WishWork, page: RulesPage) -> Actions | None:
    wish, fields = work.wish, page.fields()
    field = page.field_of(wish.name) if wish.name else None
    if field is None and wish.place:
        field = fields[wish.place - 1] if wish.place <= len(fields) else None
    if field is None and fields and not (wish.name or wish.place):
        field = next((each for each in fields if not each.text), fields[-1])
    if field is None:
        return _uncover(work, page)
    return work.finish(*replace_text(field, wish.text))


def _complete(work: WishWork, page: RulesPage) -> Actions | None:
    wish = work.wish
    start, end = wish.text.casefold(), wish.name.casefold()
    offers = [
        node
        for node in page.of({"menu item", "list item", "static"})
        if node.name.casefold().startswith(start) and node.name.casefold().endswith(end) and len(node.name) > len(start)
    ]
    if offers:
        return work.finish(click(offers[-1]))
    if fields := page.fields():
        return replace_text(fields[0], wish.text) if work.once("typed") else (Wait(seconds=0.5),)
    return None


def _copy_word(work: WishWork, page: RulesPage) -> Actions | None:
    place = work.wish.place
    if place < 0:
        texts = [node.text for node in page.fields() if node.text]
    else:
        texts = [node.text for node in page.of({"paragraph", "static"}) if len(node.text.split()) > 1]
    words = re.findall(r"[\w'-]+", max(texts, key=len, default=""))
    targets = [field for field in page.fields() if not field.text]
    if not words or not targets or place > len(words):
        return None
    return work.finish(*replace_text(targets[-1], words[place - 1 if place > 0 else -1]))


def _copy_text(work: WishWork, page: RulesPage) -> Actions | None:
    sources = [field for field in page.fields() if field.text]
    targets = [field for field in page.fields() if not field.text]
    if len(sources) < work.wish.place or not targets:
        return None
    return work.finish(*replace_text(targets[-1], sources[work.wish.place - 1].text))


def _copy_value(work: WishWork, page: RulesPage) -> Actions | None:
    value, fields = page.row_of(work.wish.name), page.fields()
    return work.finish(*replace_text(fields[0], value)) if value and fields else None


def _copy_values(work: WishWork, page: RulesPage) -> Actions | None:
    actions: list[Action] = []
    for label in page.of({"label"}):
        field, value = page.field_of(label.name), page.row_of(label.name.rstrip(":"))
        if field and value:
            actions += replace_text(field, value)
    return work.finish(*actions) if actions else None


_SUM = re.compile(r"(-?\w+)\s*([-+x*×])\s*(-?\w+)\s*=\s*(-?\w*)")


def _solve(work: WishWork, page: RulesPage) -> Actions | None:
    for node in page.nodes:
        sum_ = _SUM.search(node.text)
        if sum_ and (answer := _answer(sum_[1], sum_[2], sum_[3], sum_[4])) is not None and (fields := page.fields()):
            return work.finish(*replace_text(fields[-1], str(answer)))
    return None


def _answer(one: str, sign: str, other: str, total: str) -> int | None:
    known = {place: int(each) for place, each in enumerate((one, other, total)) if re.fullmatch(r"-?\d+", each)}
    if len(known) != 2:
        return None
    a, b, c = known.get(0, 0), known.get(1, 0), known.get(2, 0)
    if sign == "+":
        return a + b if 2 not in known else c - a - b
    if sign == "-":
        return a - b if 2 not in known else c + b if 0 not in known else a - c
    if 2 not in known:
        return a * b
    factor = a or b
    return c // factor if factor else 0


def _slide(work: WishWork, page: RulesPage) -> Actions | None:
    handles = page.by_mark("slider-handle") or page.of({"slider"})
    wanted = int(work.wish.text)
    shown = [node for node in page.nodes if re.fullmatch(r"-?\d+", node.text or node.name)]
    if not handles:
        return None
    now = int(shown[0].text or shown[0].name) if shown else 0
    if now == wanted and "moved" in work.tried:
        return None
    start: Actions = (click(handles[0]),) if work.once("moved") else ()
    key, steps = ("Right", wanted - now) if wanted > now else ("Left", now - wanted)
    return (*start, Press(keys=" ".join([key] * min(steps, 50)))) if steps else start or None


def _spin(work: WishWork, page: RulesPage) -> Actions | None:
    """Turn a number up or down by its keys, which holds also where it does not take what is typed."""
    fields = page.of({"spin button"}) or page.fields()
    if not fields or not re.fullmatch(r"-?\d*", fields[0].text):
        return None
    distance = int(work.wish.text) - int(fields[0].text or 0)
    if not distance:
        return None
    start: Actions = () if "focused" in fields[0].states else (click(fields[0]),)
    return (*start, Press(keys=" ".join(["Up" if distance > 0 else "Down"] * min(abs(distance), 50))))


def _scroll(work: WishWork, page: RulesPage) -> Actions | None:
    fields = page.fields()
    keys = "ctrl+End" if work.wish.name == "bottom" else "ctrl+Home"
    return work.finish(click(fields[0]), Press(keys=keys)) if fields else None


def _focus(work: WishWork, page: RulesPage) -> Actions | None:
    fields, place = page.fields(), work.wish.place
    return work.finish(click(fields[place - 1])) if len(fields) >= place else None


# -- clicking -------------------------------------------------------------------------------------------------------


def _press(work: WishWork, page: RulesPage) -> Actions | None:
    wish = work.wish
    roles = KINDS.get(wish.kind, frozenset())
    if not wish.name:
        found = page.of(roles)
        if wish.kind == "textarea":
            found = [node for node in found if "multi line" in node.states]
        elif wish.kind == "text":
            found = [node for node in found if "multi line" not in node.states]
        place = max(wish.place, 1)
        return work.finish(click(found[place - 1])) if len(found) >= place else _uncover(work, page)
    found = page.by_name(wish.name, roles) or page.by_name(wish.name)
    found = found or page.by_mark(wish.name) or page.by_name(wish.name, exact=False)
    if wish.name.lower() in ("submit", "login", "search") and not found:
        # Buttons are called otherwise now and then; the only one, or the last, is meant.
        found = page.of(BUTTONS)[-1:]
    return work.finish(click(found[0])) if found else _uncover(work, page)


def _find(work: WishWork, page: RulesPage) -> Actions | None:
    """Click something by its name; what may hide it is opened, one after the other."""
    found = page.by_name(work.wish.name)
    return work.finish(click(found[0])) if found else _uncover(work, page)


def _uncover(work: WishWork, page: RulesPage) -> Actions | None:
    """Open the next thing that may hide what is looked for; look further down where there is none."""
    for node in page.nodes:
        folded = "expandable" in node.attributes.get("class", "") or "collapsed" in node.states
        if (node.role in OPENERS or folded) and work.once(f"{node.role} {node.name}"):
            return (click(node),)
    for word in (">", "next"):
        if more := page.by_name(word):
            return (click(more[0]),)
    if work.once("further down") and page.nodes:
        boxes = [node.box for node in page.nodes if node.box]
        x, y = max(boxes, key=lambda box: box.area).center
        return (Scroll(x=x, y=y, dy=5),)
    return None


def _open_all(work: WishWork, page: RulesPage) -> Actions | None:
    for node in page.of(OPENERS):
        # What holds a button of its own is no heading.
        holds = any(each.role in BUTTONS for each in page.tree.descendants(node))
        if not holds and work.once(node.name):
            return (click(node), Wait(seconds=0.5))
    return None


def _beside(work: WishWork, page: RulesPage) -> Actions | None:
    """Click what belongs to an entry of a list: what lies nearest to that entry's own words."""
    anchors = page.by_name(work.wish.text)
    offers = page.by_name(work.wish.name) or page.by_mark(work.wish.name)
    if not anchors:
        return _uncover(work, page)
    if offers and (node := page.nearest(anchors[0], offers)):
        return work.finish(click(node))
    return (click(anchors[0]),) if work.once("opened") else _uncover(work, page)


def _close(work: WishWork, page: RulesPage) -> Actions | None:
    found = page.by_name("close") or page.by_name("x") or page.by_mark("close")
    return work.finish(click(found[0])) if found else None


def _click_id(work: WishWork, page: RulesPage) -> Actions | None:
    found = [node for node in page.nodes if node.attributes.get("id") == work.wish.name]
    return work.finish(click(found[0])) if found else None


_COLOURS = {
    "red": (255, 0, 0), "green": (0, 128, 0), "lime": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0),
    "white": (255, 255, 255), "black": (0, 0, 0), "grey": (128, 128, 128), "gray": (128, 128, 128),
    "orange": (255, 165, 0), "purple": (128, 0, 128), "pink": (255, 192, 203), "cyan": (0, 255, 255),
    "aqua": (0, 255, 255), "magenta": (255, 0, 255), "brown": (165, 42, 42), "olive": (128, 128, 0),
}  # fmt: skip


def _click_colour(work: WishWork, page: RulesPage) -> Actions | None:
    wanted = _COLOURS.get(work.wish.name.lower())
    for node in page.nodes:
        shown = re.findall(r"\d+", node.attributes.get("background-color", ""))
        if wanted and tuple(map(int, shown[:3])) == wanted and node.role in ("section", "image"):
            return work.finish(click(node))
    return None


# -- choosing -------------------------------------------------------------------------------------------------------


def _choose(work: WishWork, page: RulesPage) -> Actions | None:
    name = work.wish.name
    if choices := page.by_name(name, CHOICES):
        ticked = "checked" in choices[0].states
        return None if ticked else work.finish(click(choices[0]))
    if combos := [node for node in page.of({"combo box"}) if node.actions]:
        if combos[0].text == name:
            return None
        if work.once("typed"):
            return (click(combos[0]), Type(text=name), Press(keys="Return"))
        return None
    if lists := page.of({"list box"}):
        return _from_list(work, page, lists[0])
    if found := page.by_name(name, {"menu item", "list item", "link", "static"}):
        return work.finish(click(found[0]))
    openers = [node for node in page.nodes if re.search(r"select|dropdown", node.attributes.get("class", ""))]
    if openers and work.once("opened"):
        return (click(openers[0]),)
    return _uncover(work, page)


def _from_list(work: WishWork, page: RulesPage, box: Node) -> Actions | None:
    offered = [node for node in page.tree.descendants(box) if node.name == work.wish.name and node.showing]
    if offered and offered[0].box and offered[0].box.height >= 12:
        others = any("selected" in node.states for node in page.tree.descendants(box))
        # Held down, so that what was chosen before stays chosen; also where it has scrolled out of sight.
        held = ("ctrl",) if others or work.count > 1 else ()
        return work.finish(click(offered[0], held))
    assert box.box, "what is shown has a place"
    x, y = box.box.center
    # Down to the end, which is where scrolling shows nothing new, and up again from there.
    shown = ", ".join(node.name for node in page.tree.descendants(box) if node.showing)
    if not work.once(f"shown {shown}"):
        work.once("at the end")
    return (Scroll(x=x, y=y, dy=-2 if "at the end" in work.tried else 2),)


def _date(work: WishWork, page: RulesPage) -> Actions | None:
    wanted = datetime.strptime(work.wish.text, "%m/%d/%Y")
    shown = _month(page)
    if shown is None:
        fields = page.of({"entry"})
        return (click(fields[0]),) if fields and work.count <= 3 else None
    distance = (wanted.year - shown.year) * 12 + wanted.month - shown.month
    if distance:
        turn = page.by_name("next" if distance > 0 else "prev")
        return (click(turn[0]),) if turn else None
    days = page.by_name(str(wanted.day))
    return work.finish(click(days[0])) if days else None


def _month(page: RulesPage) -> datetime | None:
    """Return the month that a calendar shows, its name and year in one text or in two."""
    texts = [node.text for node in page.nodes if node.role in ("static", "heading", "section")]
    for one, other in zip(texts, [*texts[1:], ""], strict=False):
        for text in (one, f"{one} {other}"):
            if re.fullmatch(r"[A-Z][a-z]+ \d{4}", text):
                try:
                    return datetime.strptime(text, "%B %Y")
                except ValueError:
                    continue
    return None


def _result(work: WishWork, page: RulesPage) -> Actions | None:
    """Click one of many results, which may be on a later page of them."""
    turns = [node for node in page.of({"link"}) if re.fullmatch(r"\d+|[<>]|next|prev", node.name)]
    results = [node for node in page.of({"link"}) if node not in turns]
    if not results:
        return (Wait(seconds=0.5),) if work.count < 4 else None
    page_, place = divmod(work.wish.place - 1, 3)
    if page_ == 0 or "turned" in work.tried:
        return work.finish(click(results[place])) if place < len(results) else None
    work.once("turned")
    target = [node for node in turns if node.name == str(page_ + 1)]
    return (click(target[0]),) if target else None


def _odd_or_even(work: WishWork, page: RulesPage) -> Actions | None:
    actions = []
    for node in page.nodes:
        if re.fullmatch(r"-?\d+", node.text) and node.role not in BUTTONS:
            offers = page.by_name("even" if int(node.text) % 2 == 0 else "odd", BUTTONS)
            if nearest := page.nearest(node, offers):
                actions.append(click(nearest))
    return work.finish(*actions) if actions else None


def _click_ascending(work: WishWork, page: RulesPage) -> Actions | None:
    numbers = [node for node in page.nodes if re.fullmatch(r"-?\d+", node.text) and node.role in ("static", "image")]
    return work.finish(*(click(node) for node in sorted(numbers, key=lambda each: int(each.text)))) or None


def _wait(work: WishWork, _page: RulesPage) -> Actions | None:
    return work.finish(Wait(seconds=min(float(work.wish.text), 30.0)))


_WAYS: dict[str, Callable[[WishWork, RulesPage], Actions | None]] = {
    "enter": _enter,
    "complete": _complete,
    "copy word": _copy_word,
    "copy text": _copy_text,
    "copy value": _copy_value,
    "copy values": _copy_values,
    "solve": _solve,
    "slide": _slide,
    "spin": _spin,
    "scroll": _scroll,
    "focus": _focus,
    "click": _press,
    "find": _find,
    "open all": _open_all,
    "click beside": _beside,
    "close": _close,
    "click marked": _click_id,
    "click coloured": _click_colour,
    "choose": _choose,
    "date": _date,
    "result": _result,
    "odd or even": _odd_or_even,
    "ascending": _click_ascending,
    "wait": _wait,
}
