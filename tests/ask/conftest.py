"""Sites to ask about, made once for each file of tests in a database of its own."""

from types import SimpleNamespace

import pytest

from apikeys.text import unmarked
from tests.factories import CollaboratorFactory, UserFactory, make_key
from tests.live import own_database
from tests.mcp.conftest import Agent, plain, whole_endpoint
from tests.mcp.worlds import crowded_site, empty_site, real_site


def without_marks(reply):
    """A reply with its sentences and calls as people read them."""
    reply.answer = reply.answer and unmarked(reply.answer)
    reply.notes = [unmarked(note) for note in reply.notes]
    if reply.cannot_tell:
        reply.cannot_tell.what, reply.cannot_tell.why = map(unmarked, (reply.cannot_tell.what, reply.cannot_tell.why))
    for step in filter(None, (reply.see_more, reply.cannot_tell and reply.cannot_tell.next_step)):
        step.arguments = plain(step.arguments)
    return reply


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """An agent, the key of the owner of all sites, that of a reader of Garmin alone, and the ids of the sites."""
    with django_db_blocker.unblock(), own_database():
        owner, reader = UserFactory(), UserFactory()
        sites = [real_site(owner, "Garmin"), real_site(owner, "Sony"), crowded_site(owner), empty_site(owner)]
        CollaboratorFactory(brand=sites[0], user=reader, role="viewer")
        yield SimpleNamespace(
            agent=Agent(whole_endpoint()),
            owner=owner,
            key=make_key(owner=owner)[1],
            reader_key=make_key(owner=reader)[1],
            sites={site.name: str(site.pk) for site in sites},
        )
