"""Fix prompts: text to paste into an assistant that can edit the site. Words of others are between marks."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from uuid import UUID

from apikeys.text import QUOTE_NOTICE, marked
from visibility.recommendations.material import Material

TEMPLATES = tomllib.loads(Path(__file__).with_name("fix_prompts.toml").read_text(encoding="utf-8"))
STEPS: Mapping[str, str] = TEMPLATES["steps"]
"""Steps of the cards on lags, by what was found."""
MOST_BYTES = 900 * 4
"""Of a fix prompt, at four bytes a token."""
MOST_QUESTIONS, MOST_CRITERIA, LEAST_LINES = 4, 5, 3
INVENT_NOTHING = "Invent no figures, prices or quotes"


def fix_prompt(
    material: Material,
    kind: str,
    facts: Sequence[str],
    *,
    questions: Iterable[str] = (),
    pages: Sequence[Mapping[str, object]] = (),
    criteria: UUID | None = None,
    steps: Sequence[tuple[str, Mapping[str, object]]] = (),
    **words: object,
) -> str:
    """A task in Markdown: goal, what was measured ("you" is the brand), the pages that these answers rest on, their
    questions, the criteria of a topic, steps, proof. `steps`: keys of the template's own, with their words, after
    those of the kind. If it is too long, the last lines of the last lists are left out, those measured last."""
    brand = material.brand
    template = TEMPLATES[kind]

    def filled(text: str, **more: object) -> str:
        return text.format(brand=brand.name, **words, **more)

    lists = {
        f"What was measured (you: {brand.name})": [fact for fact in facts if fact],
        "Pages that these answers rest on": [f"{marked(str(page['url']))}: {page['text']}" for page in pages],
        "Questions that people ask": [*questions][:MOST_QUESTIONS],
        "What answers judge by": _criteria(material, criteria),
    }
    own = [filled(step) for step in template.get("steps", ())]
    listed = [*own, *(filled(STEPS[key], **more) for key, more in steps)]
    numbered = "\n".join(f"{place}. {step}" for place, step in enumerate(listed, start=1))
    while True:
        sections = [
            "\n".join([f"## {title}", *(f"- {line}" for line in lines)]) for title, lines in lists.items() if lines
        ]
        text = "\n\n".join(
            [
                f"# {filled(template['goal'])}",
                f"Brand: {brand.name}, site: {brand.domain}. {QUOTE_NOTICE}",
                *sections,
                f"## Do this\n{numbered}",
                f"{INVENT_NOTHING}{', and change no other page' if template.get('edits') else ''}. "
                f"It worked when: {filled(template['proof'])}",
            ]
        )
        measured, *others = lists.values()
        ways = [*((least, lines) for least in (LEAST_LINES, 1) for lines in reversed(others)), (1, measured)]
        cut = next((lines for least, lines in ways if len(lines) > least), None)
        if len(text.encode()) <= MOST_BYTES or cut is None:
            return text
        cut.pop()


def _criteria(material: Material, topic: UUID | None) -> list[str]:
    """The criteria of a topic, those of most answers first, and the own sentence that proves each."""
    lines = []
    rows = sorted((each for each in material.criteria if each.topic_id == topic), key=lambda each: -each.mentioned)
    for each in rows[:MOST_CRITERIA]:
        proof = each.own_sentence
        own = f"; we say {marked(proof.text)} on {marked(proof.url or material.brand.domain)}" if proof else ""
        lines.append(f"{marked(each.label)}: {each.mentioned} of {each.of} answers{own}")
    return lines
