"""What a finding says, and the prompt that fixes it: the catalogue's words, filled with those of the site."""

from collections.abc import Mapping, Sequence

from apikeys.text.sentences import one_line, shortened
from apikeys.text.untrusted import QUOTE_NOTICE, quoted
from visibility.audit.outcome import CatalogueEntry, Effect, Evidence

MAX_SENTENCE = 400


class _Given(dict[str, str]):
    """A word that the check did not give stays visible as its name."""

    def __missing__(self, name: str) -> str:
        return f"[{name}]"


def finding_sentence(entry: CatalogueEntry, words: Mapping[str, str]) -> str:
    """What the check found, in one line. It holds words of the site."""
    filled = entry.finding.format_map(_Given(words)) if entry.finding else entry.title
    return shortened(one_line(filled), MAX_SENTENCE)


def finding_prompt(
    entry: CatalogueEntry, words: Mapping[str, str], evidence: Sequence[Evidence], urls: Sequence[str]
) -> str:
    """A prompt to paste into an assistant that can edit the site. Words of the site stand between quote marks."""
    marked = _Given({name: quoted(value) for name, value in words.items()})
    task = entry.fix_prompt.format_map(marked) if entry.fix_prompt else f"Look into it: {entry.title}."
    places = [f"- {quoted(each.url)} {quoted(each.where)}: {quoted(each.quote)}" for each in evidence]
    pages = [f"- {quoted(url)}" for url in urls]
    parts = [
        f"A check of the site failed: {entry.title} ({entry.id}).",
        QUOTE_NOTICE,
        f"Found: {quoted(finding_sentence(entry, words))}",
        "\n".join(["What shows it:", *places]) if places else "",
        "\n".join(["Pages:", *pages]) if pages and not places else "",
        task,
        "Use only facts that stand on the site or that I give you; where one is missing, write [fact needed: …].",
    ]
    return "\n\n".join(filter(None, parts))


def effect_in_words(effect: Effect) -> str:
    """What is known of the check's effect on answers, and what speaks against it."""
    known = (
        f"What is known of its effect: {effect.known}"
        if effect.known
        else "Nothing is known of its effect on answers"
    )
    return f"{known}; {effect.counter}." if effect.counter else f"{known}."
