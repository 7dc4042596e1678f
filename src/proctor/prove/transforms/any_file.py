"""Transforms of any file, whatever it holds."""

from __future__ import annotations

from proctor.prove.transforms.shelf import mutant

mutant("emptied", "*")(lambda data, draw: b"")
mutant("filled with noise", "*")(lambda data, draw: draw.randbytes(len(data)))
mutant("cut off in the middle", "*")(lambda data, draw: data[: len(data) // 2])
