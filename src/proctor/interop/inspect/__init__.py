"""Proctor's computers as sandboxes of Inspect, and its suites as Inspect's tasks."""
