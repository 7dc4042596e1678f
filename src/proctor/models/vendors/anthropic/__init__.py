"""Anthropic's computer tool and toolset: messages with tool_use and tool_result blocks."""

from proctor.models.vendors.anthropic.tool import AnthropicTool

TOOL = AnthropicTool
