"""The sentences that are translated: those that templates and modules mark, and the catalogues of them."""

import ast
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.template import Engine
from django.template.base import FilterExpression, Node, Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from visibility.audits.words import CONTEXT

ROOMS = ("apikeys", "brands", "config", "visibility")
SINGLE = ("gettext", "gettext_lazy", "gettext_noop")
PLURAL = ("ngettext", "ngettext_lazy")
PROBLEMS = "visibility/audit/catalogue.json"
PLACE = re.compile(r"\{\w+\}")
Message = str | tuple[str, str]
"""What is translated as one: a sentence, or one with its plural."""


def catalogue_path(language: str) -> Path:
    """The catalogue that people translate; the compiled one is beside it."""
    return settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"


def marked_sentences() -> Iterator[tuple[Message, str | None, str]]:
    """Every sentence that is marked, its context where jobs store it, and the file that has it."""
    modules = [path for room in ROOMS for path in sorted((settings.BASE_DIR / room).rglob("*.py"))]
    trees = {str(path.relative_to(settings.BASE_DIR)): ast.parse(path.read_text()) for path in modules}
    for place, tree in trees.items():
        yield from ((message, None, place) for message in _of_module(tree))
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.*")):
        if path.suffix in (".html", ".md"):
            for message in _of_template(Engine.get_default().from_string(path.read_text())):
                yield message, None, str(path.relative_to(settings.BASE_DIR))
    for place, tree in trees.items():
        yield from ((template, CONTEXT, place) for template in stored_templates(tree))
    for check in json.loads((settings.BASE_DIR / PROBLEMS).read_text())["checks"]:
        yield check["problem"], CONTEXT, PROBLEMS


def stored_templates(tree: ast.Module) -> Iterator[str]:
    """The templates with words that are given to `say`, and those that `counted` and `also` make. Raises ValueError
    for one that is no literal."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        match call:
            case ast.Call(func=ast.Name(id="say"), args=[template, *_]):
                text = ast.literal_eval(template)
                if any(map(str.isalpha, PLACE.sub("", text))):
                    yield text
            case ast.Call(func=ast.Name(id="counted" | "also"), args=[_, one, *many]):
                noun = ast.literal_eval(one)
                yield f"{{number}} {noun}"
                yield f"{{number}} {ast.literal_eval(many[0]) if many else f'{noun}s'}"


def _of_module(tree: ast.Module) -> Iterator[Message]:
    # By its syntax tree: within an f-string Python 3.11 has no tokens.
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            words = [
                each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if node.func.id in SINGLE and words:
                yield words[0]
            elif node.func.id in PLURAL:
                yield words[0], words[1]


def _of_template(template: Template) -> Iterator[Message]:
    for node in template.nodelist.get_nodes_by_type(Node):
        if isinstance(node, BlockTranslateNode):
            one = node.render_token_list(node.singular)[0]
            many = node.render_token_list(node.plural)[0] if node.plural else None
            yield (_trimmed(node, one), _trimmed(node, many)) if many is not None else _trimmed(node, one)
        elif isinstance(node, TranslateNode):
            yield from _of_expression(node.filter_expression)


def _trimmed(node: BlockTranslateNode, text: str) -> str:
    return " ".join(line.strip() for line in text.strip().splitlines()) if node.trimmed else text


def _of_expression(expression: FilterExpression) -> Iterator[str]:
    if isinstance(literal := getattr(expression.var, "literal", expression.var), str):
        yield literal.replace("%", "%%")


def read_catalogue(language: str) -> Catalog:
    """The catalogue as it is stored."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str) -> Catalog:
    """The catalogue with all marked sentences, those that nobody has translated empty, and no others."""
    stored = read_catalogue(language)
    fresh = Catalog(
        locale=language,
        header_comment=stored.header_comment,
        project="Brand Visibility",
        fuzzy=False,
        charset="utf-8",
    )
    fresh.mime_headers = [(name, value) for name, value in stored.mime_headers]
    for message, context, place in marked_sentences():
        known = stored.get(message if isinstance(message, str) else message[0], context)
        is_same = known is not None and isinstance(known.id, str) == isinstance(message, str)
        fresh.add(message, known.string if known and is_same else "", locations=[(place, 0)], context=context)
    return fresh


def untranslated(catalogue: Catalog) -> list[str]:
    """The sentences without a translation of all their forms."""
    return [str(each.id) for each in catalogue if each.id and not all(forms(each.string))]


def forms(words: str | Sequence[str] | None) -> Sequence[str]:
    """The one or several forms of a sentence."""
    return (words or "",) if isinstance(words, str | None) else words


def po_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as people translate it."""
    file = io.BytesIO()
    write_po(file, catalogue, width=110, include_lineno=False)
    return file.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as gettext reads it."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()
