"""Checks to the letter: texts, what commands print, structured data by rules."""

from __future__ import annotations
