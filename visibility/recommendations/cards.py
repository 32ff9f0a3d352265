"""A card as it is shown: the words of its kind, filled with its facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from apikeys.resources import Worded
from apikeys.text import QUOTE_NOTICE, marked
from brands.models import Brand
from visibility.models import Recommendation
from visibility.recommendations.kinds import EARLIER, KINDS
from visibility.recommendations.kinds.base import CardFacts, Kind
from visibility.recommendations.queue import facts_of
from visibility.recommendations.resources import Payload, ProofResource, RecommendationResource, TaskResource
from visibility.recommendations.words import Own, Words, words_of

INVENT_NOTHING = "Invent no figures, prices or quotes, and change nothing else."


@dataclass(frozen=True, slots=True)
class ShownCard:
    """The words of a recommendation. `facts` None: they were written by an earlier edition."""

    row: Recommendation
    kind: Kind[Any]
    facts: CardFacts | None
    title: Worded
    fact: Worded
    why: Worded
    goal: Worded
    tasks: Sequence[tuple[str, Worded]]
    prompt: Callable[[], str]

    @property
    def fix_prompt(self) -> str:
        """All of it as one task for a model."""
        return self.prompt()

    @property
    def summary(self) -> Worded:
        """Fact and why."""
        parts = [part for part in (self.fact, self.why) if part]
        return Worded(" ".join(parts), lambda: " ".join(part.marked for part in parts))

    @property
    def owners(self) -> list[str]:
        """Who has a task."""
        return list(dict.fromkeys(owner for owner, _ in self.tasks))


def show(row: Recommendation, brand: Brand) -> ShownCard:
    """A row with its words."""
    kind = KINDS.get(row.kind, EARLIER)
    facts = facts_of(row, kind)
    if facts is None:
        written = {name: Worded(str(text)) for name, text in row.facts["written"].items()}
        empty = Worded("")
        prompt = str(row.facts["written"].get("fixPrompt", ""))
        return ShownCard(row, kind, None, written["title"], written["summary"], empty, empty, (), lambda: prompt)
    words = words_of(kind.name, facts, Own(brand=brand.name, domain=brand.domain))
    title, fact, why, goal = map(words.part, ("title", "fact", "why", "goal"))
    return ShownCard(row, kind, facts, title, fact, why, goal, words.tasks, partial(_fix_prompt, brand, words))


def _fix_prompt(brand: Brand, words: Words) -> str:
    """All of a card as one task in Markdown, with the words of others between marks: a model is to read it."""
    parts, tasks = words.marked.parts, words.marked.tasks
    return "\n\n".join(
        [
            f"# {parts['title']}",
            f"Brand: {marked(brand.name)}, site: {marked(brand.domain)}. “You” is the brand. {QUOTE_NOTICE}",
            *(parts[name] for name in ("fact", "why") if parts.get(name)),
            *(f"## {task.owner}\n{task.text}" for task in tasks),
            f"{parts.get('goal', '')} {INVENT_NOTHING}".strip(),
        ]
    )


def resource_of(row: Recommendation, brand: Brand) -> RecommendationResource:
    """A row as the doors show it."""
    card = show(row, brand)
    facts = card.facts or CardFacts()
    return RecommendationResource(
        **{name: getattr(row, name) for name in ("id", "kind", "status", "priority", "impact", "effort")},
        **{name: getattr(row, name) for name in ("created_at", "updated_at", "status_changed_at", "evidence")},
        first_seen_run=row.first_seen_run_id,
        last_seen_run=row.last_seen_run_id,
        title=card.title,
        summary=card.summary,
        payload=Payload(
            fix_prompt=card.fix_prompt,
            fact=card.fact,
            why=card.why,
            goal=card.goal,
            tasks=[TaskResource(owner=owner, text=text) for owner, text in card.tasks],
            is_chore=card.kind.is_chore,
            topic=facts.topic or None,
            page=facts.page or None,
            k=facts.k if facts.of else None,
            of=facts.of or None,
            proof=proof_of(row, card),
        ),
    )


def proof_of(row: Recommendation, card: ShownCard) -> ProofResource | None:
    """What was seen after a thing was done; None where nothing is known."""
    plan = row.proof or {}
    found = plan.get("result")
    if not found:
        return None
    counts = {
        "count_before": found["k_before"],
        "answers_before": found["of_before"],
        "count_since": found["k_since"],
        "answers_since": found["of_since"],
    }
    sentence = Worded(found["written"]) if "written" in found else Worded("")
    if not sentence and card.facts is not None:
        days = {"done_on": plan["doneOn"], "verdict_on": plan["verdictOn"]}
        sentence = words_of("proof", card.facts, kind=card.kind.name, result=found, **days).part("sentence")
    return ProofResource(
        state=found["state"],
        sentence=sentence,
        done_on=plan["doneOn"],
        verdict_on=plan.get("verdictOn"),
        **counts,
    )
