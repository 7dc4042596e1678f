"""The parts of a prompt as templates: an agent's, and those of the user's file over them."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.errors import SpecError

_PLACE = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")


@dataclass(frozen=True)
class PromptParts:
    """Templates by name; `{name}` in one stands for a value, or for another part."""

    texts: Mapping[str, str]
    places: Mapping[str, Collection[str]]
    """Which placeholders each part may use."""

    def render(self, part: str, values: Mapping[str, str]) -> str:
        """Return a part, placeholders filled and empty lines and paragraphs left out, values unchanged."""

        def fill(found: re.Match[str]) -> str:
            if found[1] is None:
                return found[0][0]
            return values[found[1]] if found[1] in values else self.render(found[1], values)

        paragraphs = (
            "\n".join(line for template in paragraph.split("\n") if (line := _PLACE.sub(fill, template).strip(" ")))
            for paragraph in self.texts[part].split("\n\n")
        )
        return "\n\n".join(filter(None, paragraphs))

    def over(self, path: Path | None) -> PromptParts:
        """Return them with those of a file over them; raises SpecError that names all faults at once."""
        if path is None:
            return self
        given = _read(path)
        faults = [*self._unknown(given), *self._wrong_places(given)]
        if faults:
            raise SpecError(
                f"the prompt {path}: {'; '.join(faults)}",
                remedy=f"its parts are: {', '.join(self.texts)}; see `proctor agents show AGENT --prompt-parts`",
            )
        return replace(self, texts={**self.texts, **{name: str(text) for name, text in given.items()}})

    def to_toml(self, about: str) -> str:
        """Return all of them as a file to begin with."""
        lines = [f"# {line}".rstrip() for line in about.splitlines()]
        for name, text in self.texts.items():
            places = ", ".join(f"{{{place}}}" for place in self.places[name])
            lines += ["", *([f"# May hold: {places}"] if places else []), f"{name} = {_quote(text)}"]
        return "\n".join(lines) + "\n"

    def _unknown(self, given: Mapping[str, object]) -> list[str]:
        faults = []
        for name, text in given.items():
            if name not in self.texts:
                faults.append(f"there is no part {name!r}{_hint(name, self.texts)}")
            elif not isinstance(text, str):
                faults.append(f"{name} is {type(text).__name__}, not a text")
        return faults

    def _wrong_places(self, given: Mapping[str, object]) -> list[str]:
        faults = []
        for name, text in given.items():
            known = self.places.get(name)
            if known is None or not isinstance(text, str):
                continue
            wrong = dict.fromkeys(found[1] for found in _PLACE.finditer(text) if found[1] and found[1] not in known)
            listed = ", ".join(f"{{{place}}}" for place in known) or "no placeholder"
            faults += [
                f"{name} has {{{place}}}{_hint(place, known)} (it may hold {listed}; write {{{{{place}}}}} for the "
                "word in braces itself)"
                for place in wrong
            ]
        return faults


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise SpecError(f"the prompt {path} cannot be read: {why}", remedy="name a TOML file: prompt=FILE") from error
    except tomllib.TOMLDecodeError as error:
        raise SpecError(
            f"the prompt {path} is not TOML: {error}", remedy="write a part as: rules = '''...'''"
        ) from error


def _hint(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean {near[0]!r}?" if near else ""


def _quote(text: str) -> str:
    if "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\n{escaped}"""' if not text.endswith('"') else f'"""\n{escaped[:-1]}\\""""'
