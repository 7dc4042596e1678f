"""The studio: people record, annotate, review and try tasks in the browser."""
