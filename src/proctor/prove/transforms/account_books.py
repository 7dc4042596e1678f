"""Transforms of HomeBank's account books: what is booked, and the accounts it is booked in.

What the program notes for itself, such as its version and the places of accounts in its list, stays as it is.
"""

from __future__ import annotations

import re

from proctor.prove.transforms.markup import of_markup
from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import in_group, other_value, without_one

BOOKS = ("*.xhb",)
_BOOKED = re.compile(r' (?:date|amount|account|payee|category)="([^"]+)')
_TRANSACTION = re.compile(r"<ope [^<>]*/>")
_PLAIN = re.compile(r"<ope(?![^<>]*wording=)")
_BEGAN = re.compile(r'<account [^<>]*?\binitial="([^"]*)')
_CURRENCY = re.compile(r'<cur [^<>]*?\biso="([^"]*)')
_NAMED = re.compile(r"<(?:pay|cat) [^<>]*/>")

mutant("a transaction changed", *BOOKS)(of_markup(in_group(_BOOKED, other_value)))
# What is noted in a new one is up to who books it, and the first is the oldest.
mutant("a remark in a transaction", *BOOKS, kept=True)(
    of_markup(lambda text, draw: _PLAIN.sub(r'\g<0> wording="left over"', text, count=1))
)
mutant("a transaction dropped", *BOOKS)(of_markup(without_one(_TRANSACTION)))
mutant("what an account began with changed", *BOOKS)(of_markup(in_group(_BEGAN, other_value)))
mutant("the currency changed", *BOOKS)(of_markup(in_group(_CURRENCY, other_value)))
mutant("a payee or category dropped", *BOOKS)(of_markup(without_one(_NAMED)))
