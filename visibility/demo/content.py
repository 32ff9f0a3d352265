"""The content of the demo, from two files next to this one: a brand, its prompts, and the pages of each day."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from visibility.prompts.services import PromptDraft


@dataclass(frozen=True, slots=True)
class Company:
    """The brand of the demo, or a competitor of it."""

    name: str
    domain: str
    aliases: Sequence[str]
    domains: Sequence[str]


@dataclass(frozen=True, slots=True)
class DemoTopic:
    """A topic, whether the brand sells what it is about (None: nobody has decided), and what is asked."""

    name: str
    own: bool | None
    prompts: Sequence[PromptDraft]


@dataclass(frozen=True, slots=True)
class DemoPage:
    """One text of a page, there from the day `appears` until the day before `gone`; None: for good.

    Day 1 is the first measured day; days up to 0 lie before it.
    """

    url: str
    title: str
    text: str
    appears: int
    gone: int | None


@dataclass(frozen=True, slots=True)
class Content:
    """All that is bundled."""

    brand: Company
    description: str
    competitors: Sequence[Company]
    topics: Sequence[DemoTopic]
    pages: Sequence[DemoPage]

    def pages_on(self, day: int) -> dict[str, DemoPage]:
        """The pages of a day by their addresses. A later text of a page takes the place of an earlier one."""
        there = (page for page in self.pages if page.appears <= day and (page.gone is None or day < page.gone))
        return {page.url: page for page in sorted(there, key=lambda page: page.appears)}


def read_content() -> Content:
    """The bundled files."""
    brand = _read("brand.toml")
    return Content(
        brand=_company(brand),
        description=brand["description"],
        competitors=[_company(each) for each in brand["competitor"]],
        topics=[
            DemoTopic(
                each["name"],
                each.get("own"),
                [PromptDraft(**prompt, topic=each["name"], locale="en") for prompt in each["prompts"]],
            )
            for each in brand["topic"]
        ],
        pages=[
            DemoPage(each["url"], each["title"], each["text"].strip(), each["appears"], each.get("gone"))
            for each in _read("pages.toml")["page"]
        ],
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def _company(each: dict[str, Any]) -> Company:
    return Company(each["name"], each["domain"], each.get("aliases", []), each.get("domains", []))
