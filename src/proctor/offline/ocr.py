"""Text read off pictures, each picture once, because reading one takes seconds."""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import Any

from proctor.computers.images import folders
from proctor.errors import MissingExtra, RecordError
from proctor.offline.match_text import Corners, TextCandidate, windows
from proctor.offline.sample import Shot
from proctor.store.bounds import load_json
from proctor.store.files import disk_trouble, plain_json

Line = tuple[str, Corners]

TEXTS = "texts.jsonl"
"""What was read, by the digest of the picture."""
MOST_SIDE = 2600
"""Pixels of the longer side in which text is looked for; what is found is read at full size."""
SURE_ENOUGH = 0.5
"""Below it the reader is guessing."""
MOST_CROPS = 50_000
"""Pieces of pictures that are remembered: the same menu is on many pictures."""


@cache
def _reader() -> Any:
    try:
        library = importlib.import_module("rapidocr_onnxruntime")
    except ImportError as error:
        raise MissingExtra("reading text off pictures", "ocr") from error
    # More threads wait for each other by spinning, wide batches are mostly padding: both cost more than they save.
    return library.RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1, rec_batch_num=1, rec_img_shape=[3, 48, 160])


def kept_folder() -> Path:
    """Return where all runs keep what was read; raises HostError."""
    return folders.make(folders.cache_folder() / "texts")


class PictureTexts:
    """Reads pictures, each once; with a folder, also over several runs."""

    def __init__(self, folder: Path | None = None) -> None:
        _reader()
        self._path = folder / TEXTS if folder else None
        self._known: dict[str, list[TextCandidate]] = {}
        """By the name of the picture."""
        self._kept: dict[str, list[Line]] | None = None
        """By the digest of the picture: what the file holds."""
        self._crops: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = {}
        self.read = 0
        """Pictures that were really looked at."""

    def of(self, shot: Shot) -> list[TextCandidate]:
        """Return the texts on a picture, and runs of words in them, top to bottom; raises RecordError."""
        with self._lock:
            if (found := self._known.get(shot.name)) is not None:
                return found
            own = self._reading.setdefault(shot.name, threading.Lock())
        with own:
            if shot.name not in self._known:
                self._known[shot.name] = [part for text, box in self._lines(shot) for part in windows(text, box)]
        return self._known[shot.name]

    def lines(self, shot: Shot) -> list[Line]:
        """Return the lines of text on a picture, top to bottom; raises RecordError."""
        return self._lines(shot)

    def _lines(self, shot: Shot) -> list[Line]:
        try:
            digest = hashlib.sha256(shot.source.read()).hexdigest()
        except OSError as error:
            raise RecordError(f"the picture {shot.name} cannot be read: {error}") from error
        with self._lock:
            if self._kept is None:
                self._kept = _read_lines(self._path)
            if digest in self._kept:
                return self._kept[digest]
        lines = self._look_at(shot)
        with self._lock:
            self.read += 1
            self._kept[digest] = lines
            if self._path:
                with disk_trouble(self._path), self._path.open("ab") as file:
                    rounded = [[text, *(round(value, 1) for value in box)] for text, box in lines]
                    file.write(plain_json({"picture": digest, "lines": rounded}) + b"\n")
        return lines

    def _look_at(self, shot: Shot) -> list[Line]:
        import numpy
        from PIL import Image

        reader, image = _reader(), shot.load()
        pixels = numpy.ascontiguousarray(numpy.asarray(image)[:, :, ::-1])
        scale = min(1.0, MOST_SIDE / max(image.size))
        if scale < 1:
            size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
            small = numpy.ascontiguousarray(numpy.asarray(image.resize(size, Image.Resampling.BOX))[:, :, ::-1])
        else:
            small = pixels
        boxes, _ = reader.text_det(small)
        if boxes is None or not len(boxes):
            return []
        corners = [(box / scale).astype(numpy.float32) for box in boxes]
        crops = reader.get_crop_img_list(pixels, corners)
        lines = []
        for box, crop in zip(corners, crops, strict=True):
            text, sure = self._read(crop)
            if sure >= SURE_ENOUGH and text.strip():
                (left, top), (right, bottom) = box.min(axis=0).tolist(), box.max(axis=0).tolist()
                lines.append((text, (left, top, right, bottom)))
        return sorted(lines, key=lambda line: (line[1][1], line[1][0]))

    def _read(self, crop: Any) -> tuple[str, float]:
        """Return what a piece of a picture says and how sure that is; the same piece is read once."""
        if not crop.size:
            return "", 0.0
        digest = hashlib.sha256(repr(crop.shape).encode() + crop.tobytes()).digest()
        if (known := self._crops.get(digest)) is not None:
            return known
        ((text, sure, *_),), _ = _reader().text_rec([crop])
        found = str(text), float(sure)
        with self._lock:
            self._crops[digest] = found
            while len(self._crops) > MOST_CROPS:
                self._crops.popitem(last=False)
        return found


def _read_lines(path: Path | None) -> dict[str, list[Line]]:
    """Return what a file holds; a line that is damaged or torn is read off its picture again."""
    found: dict[str, list[Line]] = {}
    if path is None or not path.is_file():
        return found
    for line in path.read_bytes().splitlines():
        try:
            data = load_json(line)
            found[str(data["picture"])] = [
                (str(text), (float(left), float(top), float(right), float(bottom)))
                for text, left, top, right, bottom in data["lines"]
            ]
        except (ValueError, TypeError, KeyError, RecordError):
            continue
    return found
