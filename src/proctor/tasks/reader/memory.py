"""What was read before: the same bytes are read once in a process, within bounds."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence

MOST_KEPT = 32 * 2**20
"""Characters of answers in all."""
MOST_ANSWER = 2 * 2**20
"""Longer answers are not kept."""

Key = bytes


def key_of(call: str, given: Sequence[object]) -> Key:
    """Return what tells a piece of reading from every other one: the function and its arguments."""
    told = hashlib.sha256(json.dumps(call).encode())
    for each in given:
        data = each if isinstance(each, bytes) else json.dumps(each).encode()
        told.update(f"{isinstance(each, bytes)} {len(data)} ".encode())
        told.update(data)
    return told.digest()


class ReaderMemory:
    """Answers by what was asked, as text, so that whoever gets one may change it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Key, str] = OrderedDict()
        self._size = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def recall(self, key: Key) -> object:
        """Return an answer that is kept."""
        self._kept.move_to_end(key)
        return json.loads(self._kept[key])

    def keep(self, key: Key, answer: object) -> None:
        """Keep an answer, and forget others where there is no room for it."""
        text = json.dumps(answer)
        if len(text) > min(MOST_ANSWER, self._most) or key in self._kept:
            return
        self._kept[key] = text
        self._size += len(text)
        while self._size > self._most:
            _, gone = self._kept.popitem(last=False)
            self._size -= len(gone)
