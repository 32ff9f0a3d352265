"""Answers a question in words from what is stored: which facts it is about, those facts, a sentence of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.models import User
from apikeys.scopes import Scope
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import readable_brand
from brands.services.names import names_of
from visibility.measured.topics import read_topics
from visibility.resources.writing import AnswerFact, AskAnswer, Withheld, WriterResource
from visibility.services.ask.about import About, about
from visibility.services.ask.account import facts_of_account
from visibility.services.ask.conversing import NOTHING, Conversation, ToolBox, converse, fact_of_reply
from visibility.services.ask.fact import Fact, QuestionContext
from visibility.services.ask.facts import facts_of, facts_of_sites
from visibility.services.ask.meaning import meant_topics
from visibility.services.ask.notices import NO_SITE, NOT_RECOGNISED, left_out
from visibility.services.ask.prompt_topics import Narrowing
from visibility.services.ask.topics import NOTICE, OVERVIEW, PORTFOLIO, QUOTAS, TOLD_OF_SITES, Topic
from visibility.services.ask.unanswered import UNMEASURED, blocks, not_narrowed, reasons, refused
from visibility.services.reading.topics import meant_topic
from visibility.services.reading.withheld import WithheldSections
from visibility.services.writing import by_engine, by_rule
from visibility.writers.protocol import Writer
from visibility.writers.tasks import AskTask
from visibility.writers.tasks import Fact as NumberedFact
from visibility.writers.words import names_any

QUESTION_LENGTH = 1_000
MAX_FACTS = 8
"""Of one site; more are left to the tools."""
MIN_OF_TOPIC = 2


def prepare_answer(
    caller: Caller,
    *,
    question: str,
    brand_id: UUID | None = None,
    topic: str | None = None,
    tools: ToolBox | None = None,
) -> Callable[[], AskAnswer]:
    """Have a question answered, and return what gives the answer; nothing is stored.

    It is about the brand given, else about those that it names, else about all that the caller sees, and about one
    topic where it is given. Facts whose own scope the caller lacks are left out and named. Where an engine writes, it
    may read `tools` besides, and an answer with a number that nothing of it has gives way to the embedded writer's.
    Not to be prepared in a transaction. Raises insufficient_scope, not_found, invalid_arguments, quota_exceeded and
    upstream_unavailable.
    """
    caller.require(Scope.READ_SITES)
    question_text = clean_line("question", question, longest=QUESTION_LENGTH)
    known = _gathered(caller, question_text, brand_id, topic)
    lacking = sorted({part.required_scope for part in known.withheld})
    sentences = [notice.statement for notice in known.notices]
    task = AskTask(question_text, [NumberedFact(fact.id, fact.statement) for fact in known.facts], lacking, sentences)

    def work(writer: Writer) -> Conversation:
        return converse(writer, task, tools if writer.label.kind == "engine" else None)

    done = by_engine(known.payer, work) if known.payer and known.facts else None
    if done is None or done.result.answer is None:
        done = by_rule(work)
    written = done.result.answer or NOTHING
    used = set(written.facts)
    sentences += [written.answer] if known.facts or not sentences else []
    answer = AskAnswer(
        answer=" ".join(sentences),
        facts=[
            *known.notices,
            *(fact for fact in known.facts if fact.id in used),
            *(fact_of_reply(reply, brand_id) for reply in done.result.replies if reply.id in used),
        ],
        withheld=known.withheld,
        writer=WriterResource.model_validate(done.writer),
    )
    return lambda: answer


@dataclass(frozen=True, slots=True)
class _Known:
    """What an answer is made of. `notices` begin it, whoever writes; `payer` is whose plan pays for an engine: the
    brand owner's where the question is about one brand."""

    notices: Sequence[AnswerFact]
    facts: Sequence[AnswerFact]
    withheld: list[Withheld]
    payer: User | None


@snapshot()
def _gathered(caller: Caller, question: str, brand_id: UUID | None, topic: str | None) -> _Known:
    brands = _brands(caller, question, brand_id)
    asked_about = _on_topic(about(caller, brands, question), brands, topic)
    meant = meant_topics(asked_about)
    if not (meant or asked_about.is_narrowed):
        sure = [name for name in asked_about.unknown if name.is_sure]
        asked_about = replace(asked_about, unknown=sure)
    sections = WithheldSections(caller)
    payer = brands[0].owner if len(brands) == 1 else caller.user
    if (refusal := refused(asked_about)) is not None:
        return _Known(_numbered(NOTICE, [refusal]), [], [], payer)
    notices = [] if brands else [NO_SITE]
    notices += reasons(caller, brands, asked_about) if brands else []
    if brands and not meant and not notices:
        notices.append(NOT_RECOGNISED)
    if brands and blocks(asked_about):
        topics: Sequence[Topic] = [topic for topic in meant if topic in UNMEASURED]
    else:
        topics = _besides(meant or OVERVIEW, brands)
    facts: list[AnswerFact] = []
    others_alone = asked_about.rivals and not asked_about.own
    if len(brands) > 1 and not blocks(asked_about) and not others_alone:
        site_facts, withheld = facts_of_sites(caller, brands)
        sections.withheld += withheld
        facts += _numbered(PORTFOLIO, site_facts)
    readable = [topic for topic in topics if sections.may_read(topic.scope, topic.name)]
    if len(brands) == 1:
        facts += _told(QuestionContext(caller, brands[0], question, sections, asked_about), readable)
    elif QUOTAS in readable:
        facts += _numbered(QUOTAS, list(facts_of_account(caller, brands)))
    if len(brands) > 1 and (apart := [topic for topic in readable if topic != QUOTAS]):
        notices.append(left_out(apart, brands))
    if brands and (
        whole := not_narrowed(asked_about, readable if len(brands) == 1 else [PORTFOLIO] if facts else [])
    ):
        notices.append(whole)
    return _Known(_numbered(NOTICE, notices), facts, sections.withheld, payer)


def _on_topic(asked_about: About, brands: Sequence[Brand], topic: str | None) -> About:
    """The same of one topic of the one brand that the question is about."""
    if topic is None:
        return asked_about
    if len(brands) != 1:
        raise invalid("topic", "A topic belongs to one site: give its id as siteId, too, or leave topic out.")
    meant = meant_topic(read_topics(brands[0].pk), topic)
    return replace(asked_about, narrowing=Narrowing(meant.name, [meant.name], meant.prompts), unread="")


def _told(context: QuestionContext, topics: Sequence[Topic]) -> list[AnswerFact]:
    """The facts of these topics, the first of each where they would be too many."""
    limit = max(MIN_OF_TOPIC, MAX_FACTS // max(1, len(topics)))
    facts: list[AnswerFact] = []
    for topic in topics:
        if topic == QUOTAS:
            facts += _numbered(topic, list(facts_of_account(context.caller, [context.brand])))
        else:
            facts += _numbered(topic, facts_of(topic, context)[:limit])
    return facts[:MAX_FACTS]


def _besides(topics: Sequence[Topic], brands: Sequence[Brand]) -> Sequence[Topic]:
    """Of these topics those that the standing of several sites does not tell; without a site the account's alone."""
    if len(brands) == 1:
        return topics
    site_topics = {*TOLD_OF_SITES, *OVERVIEW} if topics == OVERVIEW else TOLD_OF_SITES
    return [topic for topic in topics if topic == QUOTAS or (brands and topic not in site_topics)]


def _brands(caller: Caller, question: str, brand_id: UUID | None) -> list[Brand]:
    """The brand given, else those that the question names, else all that the caller sees."""
    if brand_id is not None:
        return [readable_brand(caller, brand_id)]
    brands = list(Brand.objects.restrict(caller, "view").select_related("owner__plan").prefetch_related("aliases"))
    named = [brand for brand in brands if names_any(question, [*names_of(brand), brand.domain])]
    return named or brands


def _numbered(topic: Topic, facts: Sequence[Fact]) -> list[AnswerFact]:
    return [
        AnswerFact(
            id=f"{topic.name}-{number}",
            tool=fact.tool or topic.tool,
            site=fact.site,
            statement=fact.statement,
            refs=list(fact.refs),
        )
        for number, fact in enumerate(facts, start=1)
    ]
