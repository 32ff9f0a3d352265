"""Words of advice: templates under `templates/advice` are filled with the facts of a card or a sentence, when shown.

A template has parts, `{% part "title" %}…{% endpart %}`, and tasks, `{% task "content" %}…{% endtask %}`. Words of
others among the facts are between marks where an agent reads.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.template import Context, Engine, Library, Node, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from apikeys.language import month_day_words
from apikeys.resources import FOR_AGENTS, Resource, UntrustedText, Worded
from visibility.counts.words import engine_name, listed

register = Library()


class Task(NamedTuple):
    """What one of the brand's people can do: who (product, content, PR, commerce, community, tech), and the text."""

    owner: str
    text: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A template that was filled: its parts by name, folded to a line, and its tasks."""

    parts: Mapping[str, str]
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Words:
    """The same for people and for agents, part by part; each is filled when it is read."""

    template: str
    facts: Sequence[Resource]
    more: Mapping[str, object]

    @cached_property
    def plain(self) -> Filled:
        """For people."""
        return self._filled(None)

    @cached_property
    def marked(self) -> Filled:
        """For agents: the words of others are between marks."""
        return self._filled(FOR_AGENTS)

    def part(self, name: str) -> Worded:
        """A part; empty where the template leaves it out."""
        return Worded(self.plain.parts.get(name, ""), lambda: self.marked.parts.get(name, ""))

    @property
    def tasks(self) -> list[tuple[str, Worded]]:
        """Owner and text of each task."""
        return [(each.owner, Worded(each.text, self._task(place))) for place, each in enumerate(self.plain.tasks)]

    def _task(self, place: int) -> Callable[[], str]:
        return lambda: self.marked.tasks[place].text

    def _filled(self, reader: dict[str, str] | None) -> Filled:
        facts = {
            name: value
            for each in self.facts
            for name, value in each.model_dump(mode="json", by_alias=False, context=reader).items()
        }
        return _filled(self.template, {**facts, **self.more})


class Own(Resource):
    """How the brand is called, and its site."""

    brand: UntrustedText
    domain: UntrustedText


def words_of(template: str, *facts: Resource, **more: object) -> Words:
    """A template of advice, filled with facts and with `more`, which nobody else wrote."""
    return Words(template, facts, more)


def _filled(template: str, facts: Mapping[str, Any]) -> Filled:
    parts: dict[str, str] = {}
    tasks: list[Task] = []
    context = Context({**facts, "_parts": parts, "_tasks": tasks}, autoescape=False)
    Engine.get_default().get_template(f"advice/{template}.md").render(context)
    return Filled(parts, tuple(tasks))


class _Part(Node):
    child_nodelists = ("content",)

    def __init__(self, name: FilterExpression, content: NodeList) -> None:
        self.name, self.content = name, content

    def render(self, context: Context) -> str:
        text = " ".join(self.content.render(context).split())
        if text:
            context["_parts"][self.name.resolve(context)] = text
        return ""


class _Task(_Part):
    def render(self, context: Context) -> str:
        lines = (" ".join(line.split()) for line in self.content.render(context).splitlines())
        text = "\n".join(line for line in lines if line)
        if text:
            context["_tasks"].append(Task(self.name.resolve(context), text))
        return ""


@register.tag
def part(parser: Parser, token: Token) -> Node:
    """A part of a card's words, as one line."""
    return _block(_Part, parser, token)


@register.tag
def task(parser: Parser, token: Token) -> Node:
    """A task of its owner, a line of the template each line of the text."""
    return _block(_Task, parser, token)


def _block(node: type[_Part], parser: Parser, token: Token) -> Node:
    tag, *given = token.split_contents()
    if len(given) != 1:
        raise TemplateSyntaxError(f"{tag} takes one name.")
    content = parser.parse((f"end{tag}",))
    parser.delete_first_token()
    return node(parser.compile_filter(given[0]), content)


register.filter("engine", engine_name)
register.filter("listed", listed)
register.filter("translated", gettext)


@register.filter
def day(text: str) -> str:
    """A day as people write it, "5 March"."""
    found = parse_date(text)
    return month_day_words(found) if found else text


@register.filter
def counted(rows: list[Mapping[str, Any]]) -> str:
    """Findings as "wheels (12 of 15), weight (9 of 15 on cabin cases)"."""
    forms = {
        True: gettext("%(heading)s (%(k)s of %(n)s on %(topic)s)"),
        False: gettext("%(heading)s (%(k)s of %(n)s)"),
    }
    return ", ".join(forms[bool(row["topic"])] % row for row in rows)


@register.filter
def figures(rows: list[Mapping[str, Any]]) -> str:
    """Figures as "Plus plan $24 (4), $49 (2)": each value with the answers that give it."""
    values = (", ".join(f"{each['value']} ({each['answers']})" for each in row["values"]) for row in rows)
    return "; ".join(f"{row['heading']} {each}" for row, each in zip(rows, values, strict=True))


@register.filter
def column(rows: list[Mapping[str, Any]], name: str) -> list[Any]:
    """One field of each of some rows."""
    return [row[name] for row in rows]
