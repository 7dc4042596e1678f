"""Gestures: what a hand does, turned into the actions that an agent would have taken.

Pure: events go in, actions come out. Presses that belong together become one click with a count, the points of a drag
one path, notches of the wheel one scroll, characters one text, and a key repeated one press.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from proctor.actions.action import Button, Click, Drag, InputAction, MouseDown, MouseUp, Move, Press, Scroll, Type, Wait
from proctor.studio.record.events import BUTTONS, WHEEL, Event, KeyMoved, PointerAt
from proctor.studio.record.keysyms import LOCKS, MODIFIERS, char_of, name_of
from proctor.studio.record.paths import Place, simplify

SLOP = 4
"""Pixels that the pointer may slip while a button is down, and it is still a click."""
DOUBLE_SEC = 0.4
"""Between two presses of one double click, as toolkits have it."""
HOLD_SEC = 1.0
"""A button held still for longer is held on purpose."""
SCROLL_SEC = 0.7
SCROLL_SLOP = 24
MOST_NOTCHES = 1000
TEXT_SEC = 1.5
"""A pause in typing after which a new text begins."""
REPEAT_SEC = 1.0
MOST_CHARS = 2000
MOST_PATH = 20_000
MOST_CHORDS = 50
LONGEST_KEYS = 900
LONGEST_WAIT = 60.0
ALONE = ("super", "alt")
"""Modifiers that do something by themselves when they are pressed and let go."""
LIKE_SHIFT = frozenset({"shift", "altgr"})
"""Modifiers that only choose which character a key types."""


@dataclass(frozen=True, slots=True)
class MadeAction:
    """An action that a hand has taken."""

    action: InputAction
    began: float
    ended: float
    place: Place | None = None
    """Where the pointer was, for actions of the pointer."""


@dataclass(slots=True)
class _Held:
    button: str
    began: float
    path: list[Place]
    modifiers: tuple[str, ...]
    joins: bool = False
    """Whether it goes on with the click before it."""
    reach: float = 0.0
    """How far from where it went down the pointer has been."""


@dataclass(slots=True)
class Gestures:
    """Takes events in the order they happened and returns actions once they are over."""

    nameless_keys: list[int] = field(default_factory=list)
    """Keysyms that actions have no name for; they reached the computer all the same."""
    _mask: int = 0
    _place: Place = (0, 0)
    _modifiers: dict[int, str] = field(default_factory=dict)
    """Those that are down, by keysym, in the order they went down."""
    _modified: bool = False
    """Whether anything was done while they were down."""
    _alone_since: float = 0.0
    _held: _Held | None = None
    _chord: bool = False
    """Whether several buttons are down at once: then each is told apart."""
    _waiting: MadeAction | None = None
    """An action that what follows may still belong to."""

    @property
    def began(self) -> float | None:
        """When the gesture under way began; None when nothing is."""
        if self._waiting is not None:
            return self._waiting.began
        if self._held is not None:
            return self._held.began
        return self._alone_since if self._modifiers and not self._modified else None

    @property
    def busy(self) -> bool:
        """Whether a button or key is down."""
        return bool(self._mask or self._modifiers)

    @property
    def typing(self) -> bool:
        """Whether a text is under way."""
        return self._waiting is not None and isinstance(self._waiting.action, Type)

    @property
    def pending(self) -> MadeAction | None:
        """What would be the next action if nothing were added to it."""
        return self._waiting

    def feed(self, event: Event) -> list[MadeAction]:
        """Take an event, and return the actions that are over by it."""
        made = self.tick(event.at)
        return made + (self._pointer(event) if isinstance(event, PointerAt) else self._key(event))

    def tick(self, now: float) -> list[MadeAction]:
        """Let time go by, and return the action that nothing was added to for long enough."""
        waiting = self._waiting
        if waiting is None:
            return []
        match waiting.action:
            case Click():
                over = self._held is None and now - waiting.began > DOUBLE_SEC * waiting.action.count
            case Scroll():
                over = now - waiting.ended > SCROLL_SEC
            case Type():
                over = now - waiting.ended > TEXT_SEC
            case _:
                over = now - waiting.ended > REPEAT_SEC
        return self._flush() if over else []

    def end(self, now: float) -> list[MadeAction]:
        """Let go of everything, as when the viewer went away, and return what was under way."""
        made = self._pointer(PointerAt(now, *self._place, 0)) if self._mask else []
        for keysym in reversed(list(self._modifiers)):
            made += self._key(KeyMoved(now, keysym, False))
        return made + self._flush()

    def _flush(self) -> list[MadeAction]:
        waiting, self._waiting = self._waiting, None
        return [waiting] if waiting is not None else []

    def _keys_held(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._modifiers.values()))

    # -- the pointer ------------------------------------------------------------------------------------------------

    def _pointer(self, event: PointerAt) -> list[MadeAction]:
        made: list[MadeAction] = []
        changed = event.mask ^ self._mask
        if self._held is not None:
            self._follow(self._held, (event.x, event.y))
        for bit, (dx, dy) in WHEEL.items():
            if changed & event.mask & 1 << bit:
                made += self._notch(event, dx, dy)
        for bit, button in BUTTONS.items():
            if changed & 1 << bit:
                made += self._press(event, button) if event.mask & 1 << bit else self._let_go(event, button)
        self._chord = self._chord and any(event.mask & 1 << bit for bit in BUTTONS)
        self._mask, self._place = event.mask, (event.x, event.y)
        return made

    def _follow(self, held: _Held, place: Place) -> None:
        if place != held.path[-1] and len(held.path) < MOST_PATH:
            held.path.append(place)
        elif place != held.path[-1]:
            held.path[-1] = place
        x, y = held.path[0]
        held.reach = max(held.reach, abs(place[0] - x), abs(place[1] - y))

    def _press(self, event: PointerAt, button: str) -> list[MadeAction]:
        self._modified = True
        place = (event.x, event.y)
        if self._held is not None or self._chord:
            return self._told_apart(event) + [_down(event, button)]
        joins = self._continues(place, button, event.at)
        made = [] if joins else self._flush()
        self._held = _Held(button, event.at, [place], self._keys_held(), joins)
        return made

    def _continues(self, place: Place, button: str, now: float) -> bool:
        last = self._waiting
        return (
            last is not None
            and isinstance(last.action, Click)
            and last.place is not None
            and last.action.button == button
            and last.action.count < 3
            and last.action.modifiers == self._keys_held()
            and max(abs(place[0] - last.place[0]), abs(place[1] - last.place[1])) <= SLOP
            and now - last.began <= DOUBLE_SEC * last.action.count
        )

    def _told_apart(self, event: PointerAt) -> list[MadeAction]:
        """A second button comes down: say of the first that it went down and where the pointer is now."""
        made = self._flush()
        held, self._held = self._held, None
        self._chord = True
        if held is not None:
            first = PointerAt(held.began, *held.path[0])
            made += [_move(first), _down(first, held.button)]
        return [*made, _move(event)]

    def _let_go(self, event: PointerAt, button: str) -> list[MadeAction]:
        if self._chord:
            up = MouseUp(button=cast(Button, button))
            return [_move(event), MadeAction(up, event.at, event.at, (event.x, event.y))]
        return self._release(event)

    def _release(self, event: PointerAt) -> list[MadeAction]:
        held, self._held = self._held, None
        if held is None:  # it went down before anybody looked
            return []
        place = held.path[0]
        button = cast(Button, held.button)
        x, y = place
        if held.reach > SLOP:
            path = simplify([*held.path])
            drag = Drag(path=path, button=button, modifiers=held.modifiers)
            return [*self._flush(), MadeAction(drag, held.began, event.at, place)]
        if event.at - held.began > HOLD_SEC:
            return [*self._flush(), *_hold(held, event.at)]
        last = self._waiting
        if held.joins and last is not None and isinstance(last.action, Click):
            self._waiting = replace(last, action=replace(last.action, count=last.action.count + 1), ended=event.at)
            return []
        made = self._flush()
        click = Click(x=x, y=y, button=button, modifiers=held.modifiers)
        self._waiting = MadeAction(click, held.began, event.at, place)
        return made

    def _notch(self, event: PointerAt, dx: int, dy: int) -> list[MadeAction]:
        self._modified = True
        last, place = self._waiting, (event.x, event.y)
        if last is not None and isinstance(last.action, Scroll) and last.place is not None:
            # A notch goes one way, so the product of the other way is 0.
            same_way = (
                last.action.dx * dx + last.action.dy * dy > 0 and abs(last.action.dx + last.action.dy) < MOST_NOTCHES
            )
            near = max(abs(place[0] - last.place[0]), abs(place[1] - last.place[1])) <= SCROLL_SLOP
            if same_way and near and last.action.modifiers == self._keys_held():
                action = replace(last.action, dx=last.action.dx + dx, dy=last.action.dy + dy)
                self._waiting = replace(last, action=action, ended=event.at)
                return []
        made = self._flush()
        action = Scroll(dx=dx, dy=dy, x=event.x, y=event.y, modifiers=self._keys_held())
        self._waiting = MadeAction(action, event.at, event.at, place)
        return made

    # -- keys -------------------------------------------------------------------------------------------------------

    def _key(self, event: KeyMoved) -> list[MadeAction]:
        if event.keysym in LOCKS:
            return []
        if event.keysym in MODIFIERS:
            return self._modifier(event)
        if not event.down:
            return []
        self._modified = True
        held = self._keys_held()
        char = char_of(event.keysym)
        if char and not set(held) - LIKE_SHIFT and not (char == "\n" and (held or not self.typing)):
            return self._type(event.at, char)
        name = name_of(event.keysym)
        if not name:
            self.nameless_keys.append(event.keysym)
            return []
        return self._take_chord(event.at, held, name)

    def _modifier(self, event: KeyMoved) -> list[MadeAction]:
        if event.down:
            if not self._modifiers:
                self._modified, self._alone_since = False, event.at
            self._modifiers[event.keysym] = MODIFIERS[event.keysym]
            return []
        name = self._modifiers.pop(event.keysym, "")
        if self._modified or name not in ALONE or self._modifiers:
            return []
        return [*self._flush(), MadeAction(Press(keys=name), self._alone_since, event.at)]

    def _type(self, at: float, char: str) -> list[MadeAction]:
        last = self._waiting
        if last is not None and isinstance(last.action, Type) and len(last.action.text) < MOST_CHARS:
            self._waiting = replace(last, action=Type(text=last.action.text + char), ended=at)
            return []
        made = self._flush()
        self._waiting = MadeAction(Type(text=char), at, at)
        return made

    def _take_chord(self, at: float, held: tuple[str, ...], name: str) -> list[MadeAction]:
        shown = name.lower() if len(name) == 1 and len(name.lower()) == 1 else name
        if shown == "isolefttab" and "shift" in held:
            shown = "tab"
        if shown == "plus" or (len(shown) == 1 and not shown.isalpha()):
            # The sign says already which keys type it.
            held = tuple(key for key in held if key not in LIKE_SHIFT)
        chord = "+".join([*held, shown])
        last = self._waiting
        if last is not None and isinstance(last.action, Press):
            before = last.action.keys.split(" ")
            room = len(before) < MOST_CHORDS and len(last.action.keys) + len(chord) < LONGEST_KEYS
            if before[-1] == chord and room:
                self._waiting = replace(last, action=Press(keys=f"{last.action.keys} {chord}"), ended=at)
                return []
        made = self._flush()
        self._waiting = MadeAction(Press(keys=chord), at, at)
        return made


def _move(event: PointerAt) -> MadeAction:
    return MadeAction(Move(x=event.x, y=event.y), event.at, event.at, (event.x, event.y))


def _down(event: PointerAt, button: str) -> MadeAction:
    return MadeAction(MouseDown(button=cast(Button, button)), event.at, event.at, (event.x, event.y))


def _hold(held: _Held, ended: float) -> list[MadeAction]:
    """Return a button held still for a while: there is no shorter way to say it."""
    place, button = held.path[0], cast(Button, held.button)
    start = PointerAt(held.began, *place)
    seconds = round(min(ended - held.began, LONGEST_WAIT), 1)
    wait = MadeAction(Wait(seconds=seconds), held.began, ended, place)
    return [_move(start), _down(start, held.button), wait, MadeAction(MouseUp(button=button), ended, ended, place)]
