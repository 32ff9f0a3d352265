"""Answers a question in words from what is stored: what it is about, the facts of that, sentences of its language."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
from visibility.models import ProviderCall
from visibility.resources.steps import NextStep, called
from visibility.resources.writing import AnswerFact, AskAnswer, WriterResource
from visibility.services.ask.about import About, about
from visibility.services.ask.conversing import Conversation, ToolBox, converse, fact_of_reply
from visibility.services.ask.gathering import Gathered, NamedFact, gather
from visibility.services.ask.prompt_topics import Narrowing
from visibility.services.ask.types import Kind, Statement, Step, Value
from visibility.services.ask.unanswered import OF_NAMES
from visibility.services.ask.wording.saying import said
from visibility.services.reading.topics import meant_topic
from visibility.services.writing import by_engine, by_rule
from visibility.writers.protocol import Writer, WriterLabel
from visibility.writers.tasks import AskTask, ToolReply
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
    parts = _Parts.of(known, language)
    written = _written(known, parts, question_text, tools)
    answer = AskAnswer(
        answer=" ".join([*parts.begun, *written.sentences]),
        language=language,
        facts=[
            *parts.notices,
            *(fact for fact in parts.facts if fact.id in written.used),
            *(fact_of_reply(reply, brand_id) for reply in written.replies if reply.id in written.used),
        ],
        cannot_know=parts.cannot_know,
        next_step=_next_step(known.unknown, parts.cannot_know or ""),
        withheld=list(known.withheld),
        writer=WriterResource.model_validate(written.writer),
    )
    return lambda: answer


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is known, in the words of a language. `begun` begins the answer, whoever writes; `spoken` are the facts
    that the embedded writer tells, `lacking` says what the key may not read, `empty` that there is nothing."""

    begun: Sequence[str]
    notices: Sequence[AnswerFact]
    facts: Sequence[AnswerFact]
    spoken: Sequence[AnswerFact]
    lacking: Sequence[str]
    empty: Sequence[str]
    cannot_know: str | None

    @classmethod
    def of(cls, known: Gathered, language: str) -> "_Parts":
        """The parts of what is known."""
        notices, facts = _told(known.said, language), _told(known.facts, language)
        refusal = said([known.refusal] if known.refusal else [], language)
        lacking = said(_withheld(known), language)
        is_empty = not (refusal or notices or facts or lacking)
        return cls(
            begun=[*refusal, *(fact.statement for fact in notices)],
            notices=notices,
            facts=facts,
            spoken=_spoken(known, notices, facts),
            lacking=lacking,
            empty=said([Statement("nothing_stored")] if is_empty else [], language),
            cannot_know=said([known.unknown.why], language)[0] if known.unknown else None,
        )


@dataclass(frozen=True, slots=True)
class _Written:
    """What follows what an answer begins with, the ids that it rests on, what was read on the way, and who wrote."""

    sentences: Sequence[str]
    used: Collection[str]
    replies: Sequence[ToolReply]
    writer: WriterLabel


def _written(known: Gathered, parts: _Parts, question: str, tools: ToolBox | None) -> _Written:
    """By an engine where one writes and there are facts; else by rule."""
    scopes = sorted({part.required_scope for part in known.withheld})

    def work(writer: Writer) -> Conversation:
        is_engine = writer.label.kind == "engine"
        facts = [NumberedFact(fact.id, fact.statement) for fact in (parts.facts if is_engine else parts.spoken)]
        return converse(writer, AskTask(question, facts, scopes, parts.begun), tools if is_engine else None)

    done = None
    if known.payer and parts.facts:
        done = by_engine(known.payer, work, purpose=ProviderCall.Purpose.ASK, brand=known.brand)
    if done is not None and done.result.answer is not None:
        answer = done.result.answer
        return _Written([answer.answer, *parts.lacking], answer.facts, done.result.replies, done.writer)
    done = by_rule(work)
    text = [done.result.answer.answer] if done.result.answer and parts.spoken else []
    says_unknown = parts.cannot_know is not None and not known.is_elsewhere
    ending = [*parts.empty, *parts.lacking, *([parts.cannot_know or ""] if says_unknown else [])]
    return _Written([*text, *ending], [fact.id for fact in parts.facts], done.result.replies, done.writer)


@snapshot()
def _gathered(caller: Caller, question: str, brand_id: UUID | None, topic: str | None) -> tuple[Gathered, str]:
    """The facts of the question, and its language."""
    brands = _brands(caller, question, brand_id)
    asked_about = _on_topic(about(caller, brands, question), brands, topic)
    if not (asked_about.is_narrowed or OF_NAMES.intersection(asked_about.kinds)):
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
    narrowing = Narrowing(meant.name, [meant.name], meant.prompts)
    return replace(asked_about, narrowing=narrowing, unread="", kinds=asked_about.kinds or (Kind.SCORE,))


def _brands(caller: Caller, question: str, brand_id: UUID | None) -> list[Brand]:
    """The brand given, else those that the question names, else all that the caller sees."""
    if brand_id is not None:
        return [readable_brand(caller, brand_id)]
    brands = list(Brand.objects.restrict(caller, "view").select_related("owner__plan").prefetch_related("aliases"))
    named = [brand for brand in brands if names_any(question, [*names_of(brand), brand.domain])]
    return named or brands


def _told(facts: Sequence[NamedFact], language: str) -> list[AnswerFact]:
    sentences = said([named.fact.statement for named in facts], language)
    return [
        AnswerFact(
            id=named.id,
            tool=named.tool,
            site=named.fact.site,
            statement=sentence,
            values=_plain(named.fact.statement.values),
            refs=list(dict.fromkeys(filter(None, named.fact.refs))),
        )
        for named, sentence in zip(facts, sentences, strict=True)
    ]


def _spoken(known: Gathered, notices: Sequence[AnswerFact], facts: Sequence[AnswerFact]) -> list[AnswerFact]:
    """Those that the answer tells: what leads, and as many others as keep it short."""
    words = sum(len(fact.statement.split()) for fact in notices)
    spoken = []
    for named, fact in zip(known.facts, facts, strict=True):
        words += len(fact.statement.split())
        if named.leads or words <= MAX_WORDS:
            spoken.append(fact)
    return spoken


def _withheld(known: Gathered) -> list[Statement]:
    """That the key may not read some of it, in one sentence."""
    if not known.withheld:
        return []
    scopes = sorted({part.required_scope for part in known.withheld})
    names = {kind.value for kind in Kind}
    kinds = [part.part for part in known.withheld if part.part in names]
    return [Statement("withheld", {"scopes": scopes, "kinds": kinds or None})]


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
        return [_value(item) for item in value]
    return str(value) if isinstance(value, str) else value
