"""Answers a question in words from what is stored: what it is about, the facts of that, sentences of its language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.resources import rfc3339
from apikeys.scopes import Scope
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import readable_brand
from brands.services.names import names_of
from visibility.measured.topics import read_topics
from visibility.resources.steps import NextStep, called
from visibility.resources.writing import AnswerFact, AskAnswer, WriterResource
from visibility.services.ask.about import About, about
from visibility.services.ask.conversing import Conversation, ToolBox, converse, fact_of_reply
from visibility.services.ask.gathering import Gathered, NamedFact, gather
from visibility.services.ask.prompt_topics import Narrowing
from visibility.services.ask.types import Kind, Statement, Step, Value
from visibility.services.ask.wording.saying import said
from visibility.services.reading.topics import meant_topic
from visibility.services.writing import by_engine, by_rule
from visibility.writers.protocol import Writer
from visibility.writers.tasks import AskTask
from visibility.writers.tasks import Fact as NumberedFact
from visibility.writers.words import names_any

QUESTION_LENGTH = 1_000
MAX_WORDS = 70
"""Of an answer, what leads apart: more is left to the facts."""


def prepare_answer(
    caller: Caller,
    *,
    question: str,
    brand_id: UUID | None = None,
    topic: str | None = None,
    tools: ToolBox | None = None,
) -> Callable[[], AskAnswer]:
    """Have a question answered in its language, and return what gives the answer; nothing is stored.

    It is about the brand given, else about those that it names, else about all that the caller sees, and about one
    topic where it is given. Facts whose own scope the caller lacks are left out and named. Where an engine writes, it
    may read `tools` besides, and an answer with a number that nothing of it has gives way to the embedded writer's.
    Not to be prepared in a transaction. Raises insufficient_scope, not_found, invalid_arguments, quota_exceeded and
    upstream_unavailable.
    """
    caller.require(Scope.READ_SITES)
    question_text = clean_line("question", question, longest=QUESTION_LENGTH)
    known, language = _gathered(caller, question_text, brand_id, topic)
    begun, facts = _told(known.said, language), _told(known.facts, language)
    refused = said([known.refusal] if known.refusal else [], language)
    cannot_know = said([known.unknown.why], language)[0] if known.unknown else None
    withheld = _withheld(known, language)
    lacking = sorted({part.required_scope for part in known.withheld})
    sentences = [*refused, *(fact.statement for fact in begun)]

    spoken = _spoken(known, begun, facts)

    def work(writer: Writer) -> Conversation:
        is_engine = writer.label.kind == "engine"
        told = [NumberedFact(fact.id, fact.statement) for fact in (facts if is_engine else spoken)]
        return converse(writer, AskTask(question_text, told, lacking, sentences), tools if is_engine else None)

    done = by_engine(known.payer, work) if known.payer and facts else None
    if done is None or done.result.answer is None:
        done, used = by_rule(work), {fact.id for fact in facts}
        ending = [*withheld, *([cannot_know] if cannot_know else [])]
    else:
        used, ending = set(done.result.answer.facts), withheld
    text = [done.result.answer.answer] if done.result.answer and spoken else []
    nothing = [] if sentences or text or withheld else said([Statement("nothing_stored")], language)
    answer = AskAnswer(
        answer=" ".join([*sentences, *text, *nothing, *ending]),
        language=language,
        facts=[
            *begun,
            *(fact for fact in facts if fact.id in used),
            *(fact_of_reply(reply, brand_id) for reply in done.result.replies if reply.id in used),
        ],
        cannot_know=cannot_know,
        next_step=_next_step(known.unknown, cannot_know or ""),
        withheld=list(known.withheld),
        writer=WriterResource.model_validate(done.writer),
    )
    return lambda: answer


@snapshot()
def _gathered(caller: Caller, question: str, brand_id: UUID | None, topic: str | None) -> tuple[Gathered, str]:
    """The facts of the question, and its language."""
    brands = _brands(caller, question, brand_id)
    asked_about = _on_topic(about(caller, brands, question), brands, topic)
    if not (asked_about.kinds or asked_about.is_narrowed):
        sure = [name for name in asked_about.unknown if name.is_sure]
        asked_about = replace(asked_about, unknown=sure)
    return gather(caller, brands, question, asked_about), asked_about.language


def _on_topic(asked_about: About, brands: Sequence[Brand], topic: str | None) -> About:
    """The same of one topic of the one brand that the question is about."""
    if topic is None:
        return asked_about
    if len(brands) != 1:
        raise invalid("topic", "A topic belongs to one site: give its id as siteId, too, or leave topic out.")
    meant = meant_topic(read_topics(brands[0].pk), topic)
    return replace(asked_about, narrowing=Narrowing(meant.name, [meant.name], meant.prompts), unread="")


def _brands(caller: Caller, question: str, brand_id: UUID | None) -> list[Brand]:
    """The brand given, else those that the question names, else all that the caller sees."""
    if brand_id is not None:
        return [readable_brand(caller, brand_id)]
    brands = list(Brand.objects.restrict(caller, "view").select_related("owner__plan").prefetch_related("aliases"))
    named = [brand for brand in brands if names_any(question, [*names_of(brand), brand.domain])]
    return named or brands


def _told(named: Sequence[NamedFact], language: str) -> list[AnswerFact]:
    sentences = said([each.fact.statement for each in named], language)
    return [
        AnswerFact(
            id=each.id,
            tool=each.tool,
            site=each.fact.site,
            statement=sentence,
            values=_plain(each.fact.statement.values),
            refs=list(dict.fromkeys(filter(None, each.fact.refs))),
        )
        for each, sentence in zip(named, sentences, strict=True)
    ]


def _spoken(known: Gathered, begun: Sequence[AnswerFact], facts: Sequence[AnswerFact]) -> list[AnswerFact]:
    """Those that the answer tells: what leads, and as many others as keep it short."""
    words = sum(len(fact.statement.split()) for fact in begun)
    spoken = []
    for each, fact in zip(known.facts, facts, strict=True):
        words += len(fact.statement.split())
        if each.leads or words <= MAX_WORDS:
            spoken.append(fact)
    return spoken


def _withheld(known: Gathered, language: str) -> list[str]:
    """That the key may not read some of it, in one sentence."""
    if not known.withheld:
        return []
    scopes = sorted({part.required_scope for part in known.withheld})
    kinds = {kind.value for kind in Kind}
    parts = [part.part for part in known.withheld if part.part in kinds]
    return said([Statement("withheld", {"scopes": scopes, "kinds": parts or None})], language)


def _next_step(unknown: Step | None, why: str) -> NextStep | None:
    if unknown is None:
        return None
    return NextStep(tool=called(unknown.tool), arguments=_plain(unknown.arguments), why=why)


def _plain(values: Mapping[str, Value]) -> dict[str, Any]:
    """The values as JSON has them, without those that are missing."""
    return {name: _value(value) for name, value in values.items() if value is not None}


def _value(value: Value) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return _plain(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_value(each) for each in value]
    return str(value) if isinstance(value, str) else value
