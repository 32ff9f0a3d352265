"""Answers a question in words from what is stored: which facts it is about, those facts, a sentence of them."""

from collections.abc import Callable, Sequence
from uuid import UUID

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.scopes import Scope
from apikeys.snapshot import snapshot
from apikeys.validation import clean_line
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.services.ask.facts import Told, facts_of, facts_of_account, facts_of_sites
from visibility.services.ask.topics import PORTFOLIO, QUOTAS, Topic, topics_of
from visibility.services.parts import Parts
from visibility.services.writing import by_engine, by_rule
from visibility.writers.protocol import Writer, WrittenAnswer
from visibility.writers.tasks import AskTask, Fact
from visibility.writers.words import names_any
from visibility.writing_resources import AnswerFact, AskAnswer, Withheld, WriterResource

QUESTION_LENGTH = 1_000


def prepare_answer(caller: Caller, *, question: str, brand_id: UUID | None = None) -> Callable[[], AskAnswer]:
    """Have a question answered, and return what gives the answer; nothing is stored.

    It is about the brand given, else about those that it names, else about all that the caller sees. Facts whose own
    scope the caller lacks are left out and named. Not to be prepared in a transaction. Raises insufficient_scope,
    not_found, invalid_arguments, quota_exceeded and upstream_unavailable.
    """
    caller.require(Scope.READ_SITES)
    asked = clean_line("question", question, longest=QUESTION_LENGTH)
    facts, withheld, payer = _gathered(caller, asked, brand_id)
    task = AskTask(asked, [Fact(fact.id, fact.statement) for fact in facts])

    def work(writer: Writer) -> WrittenAnswer:
        return writer.answer(task)

    done = (by_engine(payer, work) if payer and facts else None) or by_rule(work)
    used = set(done.result.facts)
    answer = AskAnswer(
        answer=done.result.answer,
        facts=[fact for fact in facts if fact.id in used],
        withheld=withheld,
        writer=WriterResource.model_validate(done.writer),
    )
    return lambda: answer


@snapshot()
def _gathered(
    caller: Caller, question: str, brand_id: UUID | None
) -> tuple[list[AnswerFact], list[Withheld], User | None]:
    """The facts, what is withheld, and whose plan pays: the brand owner's where the question is about one brand."""
    brands = _brands(caller, question, brand_id)
    wanted = topics_of(question)
    parts = Parts(caller)
    facts: list[AnswerFact] = []
    if len(brands) > 1:
        told, withheld = facts_of_sites(caller, brands)
        parts.withheld += withheld
        facts += _numbered(PORTFOLIO, told)
    for topic in wanted:
        of_account = topic == QUOTAS
        if not (of_account or len(brands) == 1) or not parts.may_read(topic.scope, topic.name):
            continue
        told = facts_of_account(caller) if of_account else facts_of(topic, caller, brands[0])
        facts += _numbered(topic, told)
    return facts, parts.withheld, brands[0].owner if len(brands) == 1 else caller.user


def _brands(caller: Caller, question: str, brand_id: UUID | None) -> list[Brand]:
    """The brand given, else those that the question names, else all that the caller sees."""
    if brand_id is not None:
        return [readable_brand(caller, brand_id)]
    seen = list(Brand.objects.for_caller(caller).select_related("owner__plan").prefetch_related("aliases"))
    named = [brand for brand in seen if names_any(question, _names(brand))]
    return named or seen


def _names(brand: Brand) -> list[str]:
    return [brand.name, brand.domain, *(alias.text for alias in brand.aliases.all())]


def _numbered(topic: Topic, told: Sequence[Told]) -> list[AnswerFact]:
    return [
        AnswerFact(
            id=f"{topic.name}-{number}",
            tool=topic.tool,
            site=each.site,
            statement=each.statement,
            refs=list(each.refs),
        )
        for number, each in enumerate(told, start=1)
    ]
