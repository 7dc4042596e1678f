"""Text read off pictures, remembered by picture: reading one takes seconds."""

from __future__ import annotations

import importlib
import threading
from functools import cache
from typing import Any

from proctor.errors import MissingExtra
from proctor.offline.matching import Candidate, windows
from proctor.offline.sample import Shot


@cache
def _reader() -> Any:
    try:
        library = importlib.import_module("rapidocr_onnxruntime")
    except ImportError as error:
        raise MissingExtra("reading text off pictures", "ocr") from error
    return library.RapidOCR()


class PictureTexts:
    """Reads pictures, each once."""

    def __init__(self) -> None:
        self._known: dict[str, list[Candidate]] = {}
        self._lock = threading.Lock()
        _reader()

    def of(self, shot: Shot) -> list[Candidate]:
        """Return the texts on a picture, and runs of words in them, top to bottom; raises RecordError."""
        with self._lock:
            if shot.name not in self._known:
                self._known[shot.name] = [part for text, box in self._lines(shot) for part in windows(text, box)]
            return self._known[shot.name]

    def _lines(self, shot: Shot) -> list[tuple[str, tuple[float, float, float, float]]]:
        import numpy

        pixels = numpy.asarray(shot.load())[:, :, ::-1]
        # No text on a screen stands on its head.
        found, _ = _reader()(pixels, use_cls=False)
        lines = []
        for corners, text, _ in found or []:
            xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
            lines.append((str(text), (min(xs), min(ys), max(xs), max(ys))))
        return sorted(lines, key=lambda line: (line[1][1], line[1][0]))
