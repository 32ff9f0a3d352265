"""Sites to ask about, made once for each file of tests in a database of its own."""

from types import SimpleNamespace

import pytest
from django.db import transaction

from apikeys.accounts.caller import Caller
from apikeys.text import unmarked
from brands.models import Brand
from tests.ask.counting import UNSEEN
from tests.counts.conftest import asked, measured
from tests.factories import CollaboratorFactory, UserFactory, make_key
from tests.live import own_database
from tests.mcp.conftest import Agent, plain, whole_endpoint
from tests.mcp.worlds import answered_site, crowded_site, empty_site, real_site
from visibility.ask.answer import answer_question
from visibility.ask.question import Question

LISTED = "1. **Varmio**: good.\n2. **Zentra**: the locks.\n3. **Oblinx**: light."


def ask(brand, text="?", **arguments):
    """The reply to its owner, its sentences and calls as people read them."""
    reply = answer_question(Caller.from_user(brand.owner), brand.pk, Question(text, **arguments))
    reply.answer = reply.answer and unmarked(reply.answer)
    reply.notes = [unmarked(note) for note in reply.notes]
    if reply.cannot_tell:
        reply.cannot_tell.what, reply.cannot_tell.why = map(unmarked, (reply.cannot_tell.what, reply.cannot_tell.why))
    for step in filter(None, (reply.see_more, reply.cannot_tell and reply.cannot_tell.next_step)):
        step.arguments = plain(step.arguments)
    return reply


def kryton() -> Brand:
    """Four topics of four prompts, each asked of two engines on two days; on each topic the brand is in one answer
    less. Gemini was measured on the last day alone."""
    topics = ("city bikes", "steel locks", "range", "helmets")
    days = [
        asked(engine, day, *["Kryton."] * place, *[LISTED] * (4 - place), topic=topic, **cites)
        for place, topic in enumerate(topics)
        for engine, day in (("chatgpt", 1), ("chatgpt", 9), ("gemini", 9))
        for cites in ({"citations": [f"https://{'kryton' if place else 'pedalia'}.example/a"]},)
    ]
    return measured(*days)


@pytest.fixture(scope="module")
def stored(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database():
        yield kryton()


@pytest.fixture
def brand(stored):
    """Kryton, as if nothing else had been done to it."""
    with transaction.atomic():
        yield Brand.objects.get(pk=stored.pk)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """An agent, the key of the owner of all sites, that of a reader of Garmin alone, and the ids of the sites."""
    with django_db_blocker.unblock(), own_database():
        owner, reader = UserFactory(), UserFactory()
        sites = [real_site(owner, "Garmin"), real_site(owner, "Sony"), crowded_site(owner), empty_site(owner)]
        sites += [answered_site(owner, name, *chosen[:2], file=chosen[2]) for name, chosen in UNSEEN.items()]
        CollaboratorFactory(brand=sites[0], user=reader, role="viewer")
        yield SimpleNamespace(
            agent=Agent(whole_endpoint()),
            owner=owner,
            key=make_key(owner=owner)[1],
            reader_key=make_key(owner=reader)[1],
            sites={site.name: str(site.pk) for site in sites},
        )
