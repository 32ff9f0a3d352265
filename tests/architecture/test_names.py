"""Variables are called by nouns of the field: what the value is, not what was done to get it."""

import ast

import pytest

from tests.architecture.sources import sources

NO_NOUNS = {"found", "each", "held", "given", "shown", "told", "asked", "seen"}
APART = "visibility/detection/"
"""The detector keeps its own names."""


def bound(tree):
    """Each (line, name) of a variable or parameter that is bound; names of functions and of modules are none."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.MatchMapping(rest=str(name)):
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name.removeprefix("_")


def without_noun(tree):
    """The (line, name) of those that say nothing of what they hold."""
    return [(line, name) for line, name in bound(tree) if name in NO_NOUNS]


def test_variables_and_parameters_have_nouns_for_names():
    wrong = [
        f"{source.path}:{line} {name}: call it by what it is (row, answer, match, …)"
        for source in sources()
        if not source.path.startswith(APART)
        for line, name in without_noun(source.tree)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "planted",
    [
        "found = rows.first()",
        "found: int = 1",
        "if found := rows.first():\n    pass",
        "for each in rows:\n    pass",
        "names = [each.name for each in rows]",
        "size = sum(len(each) for each, _ in rows)",
        "first, *seen = rows",
        "key = lambda each: each.day",
        "def total(given):\n    pass",
        "def total(*asked, **told):\n    pass",
        "async def total(*, held=None):\n    pass",
        "with open(path) as held:\n    pass",
        "try:\n    pass\nexcept ValueError as told:\n    pass",
        "match row:\n    case {'name': shown}:\n        pass",
        "match row:\n    case [*seen]:\n        pass",
        "class Counter:\n    shown: int",
        "self.shown = 1",
        "self._asked = 1",
    ],
)
def test_a_planted_variable_is_noticed(planted):
    assert without_noun(ast.parse(planted))


@pytest.mark.parametrize(
    "allowed",
    [
        "def shown(number):\n    return number",
        "class Row:\n    def told(self):\n        return self.text",
        "from visibility.metrics import shown",
        "text = shown.shown(number)",
        "row = find(found=True)",
        "words = 'each held given'",
    ],
)
def test_functions_modules_and_words_may_be_called_so(allowed):
    assert not without_noun(ast.parse(allowed))
