"""The words of tasks: how applications, formats, services and the desktop are used and judged."""
