"""What users of tasks say that many of them say alike."""

from __future__ import annotations

from proctor.tasks.task import Reply, User


def user_who_allows(reply: str) -> User:
    """Return a user who gives leave to whoever asks before doing what nobody mentioned."""
    return User(replies=(Reply(about=("protected", "permission"), reply=reply),))
