"""Who is gone is gone: what can act for an account, and how it ends when the account is deactivated.

Every table is named here, with what ends its rows, or why they cannot act. A new one fails until somebody decides.
"""

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from apikeys import keyformat
from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import Usage, User
from apikeys.services.authentication import caller_for
from apikeys.services.usage import spend
from apikeys.services.users import deactivate_user, reactivate_user
from brands.models import Brand, Collaborator, Invitation
from brands.services.access import editable_brand
from brands.services.brands import update_brand
from brands.services.invitations import accept, invite
from tests.factories import ApiKeyFactory, PromptFactory, UserFactory
from tests.generations import tracked_names_of
from tests.scans.engines import PATH
from visibility.evidence import EVIDENCE_VERSION
from visibility.jobs.kinds import AUDIT, EVIDENCE, GENERATION, RUN
from visibility.jobs.lease import claim
from visibility.models import BrandEvidence, Generation, Run
from visibility.services.scans.schedule import fire_due
from visibility.services.scans.starting import start_scan
from visibility.tasks import SCHEDULER, tick

pytestmark = pytest.mark.django_db

CANNOT_ACT = {
    "of the service, not of an account": (
        "auth.Permission", "auth.Group", "contenttypes.ContentType", "apikeys.Plan", "visibility.EngineConfig",
        "visibility.DomainClass",
    ),
    "a record of what was done": (
        "admin.LogEntry", "apikeys.CallLog", "apikeys.IdempotentCall", "visibility.StatusChange",
        "visibility.TopicChoice", "visibility.ReviewImport", "visibility.ProviderCall",
    ),
    "says what a brand is, and is read by who may": (
        "brands.Alias", "brands.OwnedDomain", "brands.Competitor", "brands.CompetitorAlias", "brands.NamePolicy",
        "visibility.BrandEngine", "visibility.Prompt", "visibility.PromptVersion", "visibility.Page",
        "visibility.Review",
    ),
    "was measured or follows from it; made by the jobs, which end": (
        "visibility.Answer", "visibility.RawBody", "visibility.NameJudgement",
        "visibility.Mention", "visibility.Citation", "visibility.Preference", "visibility.UntrackedName",
        "visibility.SourceSighting", "visibility.LeftOutTopic", "visibility.RunScore", "visibility.Panel",
        "visibility.DailyScore",
        "visibility.DayCount", "visibility.Audit", "visibility.AuditPage", "visibility.PageContent",
        "visibility.CheckResult", "visibility.Evidence", "visibility.ContentDraft", "visibility.Proof",
        "visibility.Recommendation", "visibility.CompetitorSuggestion",
    ),
}  # fmt: skip
"""Tables whose rows do nothing by themselves, by the reason."""


def works(act, *arguments, **more):
    """Whether a service does it."""
    try:
        act(*arguments, **more)
    except ServiceError:
        return False
    return True


def session(cast):
    client = Client()
    client.force_login(cast.owner)
    return lambda: client.get(reverse("brand-list")).status_code == 200


def password_link(cast):
    where = [urlsafe_base64_encode(force_bytes(cast.owner.pk)), default_token_generator.make_token(cast.owner)]
    return lambda: Client().get(reverse("password_reset_confirm", args=where)).status_code == 302


def key(cast):
    raw = keyformat.mint()
    ApiKeyFactory(owner=cast.owner, raw=raw)
    return lambda: works(caller_for, raw)


def money(cast):
    return lambda: works(spend, cast.owner, Usage.Kind.WRITER_CALLS, 1)


def invitation(cast, role="editor"):
    offer = invite(Caller.from_user(cast.owner), brand_id=cast.brand.pk, email=cast.stranger.email, role=role)
    return lambda: works(accept, Caller.from_user(cast.stranger), invitation_id=offer.pk)


def offer_of_the_brand(cast):
    return invitation(cast, "owner")


def schedule(cast):
    Run.objects.all().delete()
    Brand.objects.update(cadence="daily", next_run_at=timezone.now() - timedelta(minutes=1))
    return lambda: fire_due(SCHEDULER) > 0 or Run.objects.exists()


def owner(cast):
    caller = Caller.from_user(cast.owner)
    return lambda: works(update_brand, caller, brand=cast.brand, name="Changed")


def editor_at_the_owners_cost(cast):
    caller = Caller.from_user(cast.editor)
    return lambda: works(start_scan, caller, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT)


def job(kind, make):
    def plant(cast):
        row = make(cast)
        return lambda: claim(kind, row.pk, "worker") is not None

    return plant


def run(kind):
    return lambda cast: Run.objects.create(brand=cast.brand, kind=kind, trigger="agent", status="queued")


def building(cast):
    current = Generation.objects.get(pk=tracked_names_of(cast.brand).generation)
    return Generation.objects.create(
        brand=cast.brand, state="building", stamp="other", detector=current.detector, names_version=0, classes="",
        names=current.names,
    )  # fmt: skip


def evidence(cast):
    return BrandEvidence.objects.create(brand=cast.brand, version=EVIDENCE_VERSION)


CAN_ACT = {
    "sessions.Session": [session],
    "apikeys.User": [password_link, owner],
    "apikeys.ApiKey": [key],
    "apikeys.Usage": [money],
    "brands.Brand": [schedule, editor_at_the_owners_cost],
    "brands.Invitation": [invitation, offer_of_the_brand],
    "brands.Collaborator": [],  # of a person, below
    "visibility.Run": [job(RUN, run("visibility")), job(RUN, run("comparison")), job(AUDIT, run("audit"))],
    "visibility.Generation": [job(GENERATION, building)],
    "visibility.BrandEvidence": [job(EVIDENCE, evidence)],
}
"""Tables whose rows act for an account. Each function plants a row of the owner's, and gives what tells whether it
(still) acts."""
ACTING = [
    pytest.param(plant, id=f"{table}-{n}") for table, plants in CAN_ACT.items() for n, plant in enumerate(plants)
]


@pytest.fixture(autouse=True)
def ready_to_scan(cast, settings):
    settings.EXTRA_ENGINES = [f"{PATH}.Steady"]
    PromptFactory(brand=cast.brand)


def by_the_operator(system, cast):
    deactivate_user(system, user=cast.owner)


def past_the_service(system, cast):
    User.objects.filter(pk=cast.owner.pk).update(is_active=False)


def test_every_table_is_decided():
    decided = [*CAN_ACT, *(table for tables in CANNOT_ACT.values() for table in tables)]
    assert len(decided) == len(set(decided))
    tables = {model._meta.label for model in apps.get_models()}
    assert tables == set(decided), "Say in this file whether rows of a new table can act for an account"


@pytest.mark.parametrize("plant", ACTING)
def test_what_is_planted_acts(cast, plant):
    assert plant(cast)(), "else the tests below say nothing"


@pytest.mark.parametrize("deactivate", [by_the_operator, past_the_service])
@pytest.mark.parametrize("plant", ACTING)
def test_nothing_acts_for_who_is_gone(cast, system, plant, deactivate):
    acts = plant(cast)
    deactivate(system, cast)
    assert not acts()


@pytest.mark.parametrize(
    "plant", [session, password_link, key, invitation, offer_of_the_brand, *CAN_ACT["visibility.Run"]]
)
def test_what_was_ended_does_not_come_back(cast, system, plant):
    acts = plant(cast)
    deactivate_user(system, user=cast.owner)
    reactivate_user(system, user=cast.owner)
    assert not acts()


def test_what_comes_back(cast, system):
    Brand.objects.update(cadence="daily", next_run_at=timezone.now() - timedelta(minutes=1))
    Collaborator.objects.create(brand=cast.brand, user=cast.stranger)
    deactivate_user(system, user=cast.owner)
    reactivate_user(system, user=cast.owner)
    assert editable_brand(Caller.from_user(cast.owner), cast.brand.pk).cadence == "daily"
    assert editable_brand(Caller.from_user(cast.editor), cast.brand.pk)
    assert fire_due(SCHEDULER) == 0 and Brand.objects.get().next_run_at > timezone.now(), "no scan is made up for"


@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_a_collaborator_who_is_gone_changes_nothing(cast, role):
    """Who was signed in when they were read: the statement looks again."""
    caller = Caller.from_user(getattr(cast, role))
    User.objects.filter(pk=caller.user.pk).update(is_active=False)
    assert not works(editable_brand, caller, cast.brand.pk)


def test_people_of_a_brand_without_owner_go_on_reading_and_are_told(cast, system, client):
    deactivate_user(system, user=cast.owner)
    client.force_login(cast.editor)
    assert client.get(reverse("brand-page", args=[cast.brand.pk])).status_code == 200
    with pytest.raises(ServiceError, match="Ask the operator"):
        start_scan(Caller.from_user(cast.editor), brand_id=cast.brand.pk, trigger=Run.Trigger.WEB)
    with pytest.raises(ServiceError, match="is deactivated, so nothing is done on its behalf"):
        start_scan(system, brand_id=cast.brand.pk, trigger=Run.Trigger.OPERATOR)
    assert not Run.objects.exists() and not Usage.objects.filter(used__gt=0).exists()


def test_a_run_under_way_is_cancelled_with_its_reason_and_its_credits_return(cast, system):
    started = start_scan(Caller.from_user(cast.owner), brand_id=cast.brand.pk, trigger=Run.Trigger.WEB)
    assert Usage.objects.get().used == started.run.total
    ended = deactivate_user(system, user=cast.owner)
    row = Run.objects.get()
    assert (row.status, row.error_message) == ("cancelled", "The account that owns the brand was deactivated.")
    assert Usage.objects.get().used == 0
    assert ended["scans and audits cancelled"] == 1


def test_a_tick_ends_what_was_begun_past_the_service(cast):
    started = start_scan(Caller.from_user(cast.owner), brand_id=cast.brand.pk, trigger=Run.Trigger.WEB)
    User.objects.filter(pk=cast.owner.pk).update(is_active=False)
    tick()
    started.run.refresh_from_db()
    assert started.run.status == "cancelled" and Usage.objects.get().used == 0


def test_invitations_to_others_stand(cast, system):
    """Only what the account has sent, or anybody for its brands, is taken back."""
    other = UserFactory()
    mine = invite(Caller.from_user(cast.owner), brand_id=cast.brand.pk, email=other.email, role="viewer")
    deactivate_user(system, user=cast.stranger)
    assert Invitation.objects.get() == mine
