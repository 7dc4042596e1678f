"""How tasks are classified: automation levels, the demand hierarchy, kinds of applications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from proctor.applications import Application, Applications

LEVELS = {
    1: "Reactive executor: carries out operations that the user spells out",
    2: "Deterministic planner: plans towards a stated goal under predictable conditions",
    3: "Adaptive agent: copes with the unexpected on the way",
    4: "Global conductor: breaks a goal down and works across applications",
    5: "Proactive companion: acts on needs that nobody has put into words",
}
"""The automation levels of OS-MAP."""

DEMANDS: dict[str, dict[str, tuple[str, ...]]] = {
    "Office": {
        "Communication": ("Emailing", "Messaging", "Meeting"),
        "Schedule": ("Calendar", "ToDo"),
        "Documentation": ("Writing", "Presentation"),
        "Data": ("Tabling", "Visualization"),
    },
    "Knowledge": {
        "Reading and Learning": ("E-book", "Online Courses", "Technical Tutorials"),
        "Knowledge": ("Data Retrieval", "Information Organization", "Literature", "Notes and Mindmaps"),
        "Skills Practice": ("Coding", "Math", "Languages"),
    },
    "Life": {
        "Shopping": ("Searching", "Ordering"),
        "Traveling": ("Ticket", "Cars", "Accommodation", "Map Navigation"),
        "Public Services": ("Citizen Service", "Public Space"),
        "Finance": ("Transaction Management",),
        "Information": ("News", "Weather"),
    },
    "Entertainment": {
        "Video and Music": ("Video", "Music"),
        "Network Platform": ("Community",),
        "Gaming": ("Minigames Playing", "Game Information"),
    },
    "Creativity": {"Digital Content Creation": ("Image Editing", "Video Editing", "Diagram Drawing")},
    "System": {
        "Files and Applications": ("Files", "App Installation", "App Configuration", "System Resources"),
        "Personalization": ("Appearance", "Profile", "System Settings"),
    },
}
"""OS-MAP's hierarchy: six domains, their scenarios, and the demands in each."""

CATEGORIES = (
    "Social Communication", "Multimedia Playback", "Multimedia Editing", "Office", "Utility Tools", "Programming",
    "System Management", "Web Browsing", "Screen Capture", "Task Management", "Note Management", "Lifestyle",
)  # fmt: skip
"""OmniBench's twelve categories of applications."""

SERVICES = ("mail", "calendar", "chat", "web")
"""Real local services that a task may start."""


APPLICATIONS: Mapping[str, Application] = Applications()
"""The applications of our own desktop images and of installed distributions, by the name tasks give them."""

IMAGES = ("starter", "full")
"""Our own desktop images, the smallest first; each has the applications of those before it."""


def applications_of(image: str) -> frozenset[str] | None:
    """Return the applications of one of our own desktop images; None for another image."""
    if image not in IMAGES:
        return None
    images = IMAGES[: IMAGES.index(image) + 1]
    return frozenset(name for name, application in APPLICATIONS.items() if application.image in images)


def image_for(applications: Iterable[str]) -> str:
    """Return the smallest of our images with these applications; the largest if one is unknown."""
    known = [APPLICATIONS.get(name) for name in applications]
    return "starter" if all(found and found.image == "starter" for found in known) else "full"
