"""The prompts that people choose in their client: the commands of the plugin folder, word for word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import mcp_types as types

from mcp_bridge.registry import Registry

FOLDER = Path(__file__).resolve().parent.parent / "plugin" / "commands"
LONGEST_ARGUMENT = 200
"""Characters."""
PREFIX_OF_TEXTS = "svc_"
ARGUMENTS = "$ARGUMENTS"
_FORM = re.compile(r"---\ndescription: (.+)\nargument-hint: (.+)\n---\n\n(.+)", re.DOTALL)
_TOOL = re.compile(rf"`{PREFIX_OF_TEXTS}(\w+)`")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with the names of its arguments, all of which may be left out, and of the tools that it uses."""

    name: str
    description: str
    arguments: tuple[str, ...]
    text: str

    @property
    def tools(self) -> frozenset[str]:
        """Their names, without the prefix."""
        return frozenset(_TOOL.findall(self.text))

    def is_for(self, registry: Registry, scopes: frozenset[str]) -> bool:
        """Whether all of its tools are served, and may be called with these scopes."""
        tools = {tool.name: tool for tool in registry.tools.values()}
        return all(name in tools and tools[name].scope in scopes for name in self.tools)

    def definition(self) -> types.Prompt:
        """The prompt as prompts/list shows it."""
        arguments = [types.PromptArgument(name=name, required=False) for name in self.arguments]
        return types.Prompt(name=self.name, description=self.description, arguments=arguments)

    def filled(self, prefix: str, given: Mapping[str, str]) -> types.GetPromptResult:
        """The text for a model, with what the person filled in, and the names of the tools as they are served."""
        known = [(name, " ".join(given[name].split())[:LONGEST_ARGUMENT]) for name in self.arguments if name in given]
        words = "; ".join(f"{name}: {text}" for name, text in known if text) or "nothing more"
        text = self.text.replace(f"`{PREFIX_OF_TEXTS}", f"`{prefix}").replace(ARGUMENTS, words)
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=self.description, messages=[message])


@cache
def all_prompts() -> dict[str, Prompt]:
    """The prompts by name. Raises ValueError for a file in another form."""
    prompts = {}
    for file in sorted(FOLDER.glob("*.md")):
        match = _FORM.fullmatch(file.read_text())
        if match is None:
            raise ValueError(f"{file.name} is no command.")
        prompts[file.stem] = Prompt(file.stem, match[1], tuple(match[2].split(", ")), match[3])
    return prompts
