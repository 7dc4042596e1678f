"""Gemini's computer tool: contents with functionCall and functionResponse parts."""

from proctor.models.vendors.gemini.tool import GeminiTool

TOOL = GeminiTool
