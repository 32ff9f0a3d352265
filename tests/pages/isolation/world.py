"""A brand with a row of everything, the people around it, and what they send in each form.

A page or form that is new may need a line here: the table says which.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.test import Client

from apikeys.caller import Caller
from apikeys.models import CallLog, Usage, User
from brands.models import Brand, Invitation
from tests.audit.stored import audited
from tests.factories import (
    ApiKeyFactory,
    BrandFactory,
    CollaboratorFactory,
    CompetitorFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
    own_pages,
)
from tests.scans.history import asked_run, end
from visibility.models import (
    BrandEvidence,
    CompetitorSuggestion,
    ContentDraft,
    DomainClass,
    EngineConfig,
    Prompt,
    Proof,
    ProviderCall,
    Review,
    ReviewImport,
    Run,
    StatusChange,
    TopicChoice,
)
from visibility.services.content.drafts import prepare_draft

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
TOKEN = "t" * 32
"""What the cookie holds and a form has to repeat."""


@dataclass
class World:
    """The rows, and the people by role: `owner`, `editor` and `viewer` of the brand, `looker` (staff who may view
    everything), `clerk` (staff who may do nothing), `stranger` (who owns another brand), `boss` (superuser),
    `nobody` (not signed in) and `key` (who is not, and sends the owner's API key)."""

    brand: Brand
    other: Brand
    people: dict[str, User | None] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    _arguments: dict[str, dict[str, Any]] = field(default_factory=dict)

    def arguments(self, route: str) -> dict[str, Any]:
        """An example of each argument that a route may have; of the staff pages by the model that the route names.

        Looked up once: what is asked is undone.
        """
        if route not in self._arguments:
            self._arguments[route] = self._found(route)
        return self._arguments[route]

    def _found(self, route: str) -> dict[str, Any]:
        rows = {
            "brand_id": self.brand.pk,
            "invitation_id": self.brand.invitations.get().pk,
            "user_id": self.people["editor"].pk,
            "prompt_id": self.prompt_of(route),
            "recommendation_id": self.brand.recommendations.get(subject="of-the-table").pk,
            "suggestion_id": CompetitorSuggestion.objects.get(brand=self.brand).pk,
            "competitor_id": self.brand.competitors.get().pk,
            "draft_id": ContentDraft.objects.get(brand=self.brand).pk,
            "run_id": self._run_of(route).pk,
            "answer_id": self.brand.answers.get().pk,
            "format": "markdown",
            "extension": "svg",
            "table": "answers" if "brand_id" in route else "usage",
            "day": date(2026, 3, 10),
            "domain": self.brand.domain,
            "uidb64": "x",
            "token": "x",
            "app_label": "visibility",
            "url": "nothing-is-here",
        }
        if route.startswith("api/"):
            rows["id"] = self.brand.pk
        if (route.startswith("admin/") and "<path:object_id>" in route) or "<id>" in route:
            rows |= self._staff_arguments(route)
        return rows

    def prompt_of(self, route: str) -> Any:
        """The archived prompt for what restores it, else the one that is asked."""
        return Prompt.objects.get(brand=self.brand, archived_at__isnull=not route.endswith("restore")).pk

    def _run_of(self, route: str) -> Run:
        """An audit for the pages of audits, the scan under way for what cancels it, else a scan that has ended."""
        runs = Run.objects.filter(brand=self.brand)
        if "/audits/" in route:
            return runs.get(kind=Run.Kind.AUDIT)
        scans = runs.filter(kind=Run.Kind.VISIBILITY)
        is_active = route.endswith("cancel")
        return scans.get(status=Run.Status.QUEUED) if is_active else scans.exclude(status=Run.Status.QUEUED).get()

    def _staff_arguments(self, route: str) -> dict[str, Any]:
        app, model, *_ = [*route.removeprefix("admin/").split("/"), ""]
        if app == "r":
            return {"content_type_id": 1, "object_id": 1}
        row = apps.get_model(app, model)._base_manager.order_by("pk").first()
        return {"object_id": row.pk, "id": row.pk} if row else {}


def make_world() -> World:
    """The brand with a row of every kind, and everybody signed in, their cookies with the token of forms."""
    brand = BrandFactory(name="Acme", domain="acme.example")
    stranger = UserFactory(email="stranger@example.com")
    world = World(brand, BrandFactory(owner=stranger, name="Other", domain="other.example"))
    editor, viewer = UserFactory(email="editor@example.com"), UserFactory(email="viewer@example.com")
    CollaboratorFactory(brand=brand, user=editor, role="editor")
    CollaboratorFactory(brand=brand, user=viewer, role="viewer")
    looker = UserFactory(email="looker@example.com", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    world.people = {
        "owner": brand.owner,
        "editor": editor,
        "viewer": viewer,
        "looker": looker,
        "clerk": UserFactory(email="clerk@example.com", is_staff=True),
        "stranger": stranger,
        "nobody": None,
        "key": None,
        "boss": UserFactory(email="boss@example.com", is_staff=True, is_superuser=True),
    }
    Invitation.objects.create(brand=brand, email="invited@example.com", role="viewer", invited_by=brand.owner)
    _measure(brand)
    key = _keep_records(brand)
    world.clients = {role: _client(user) for role, user in world.people.items()}
    world.clients["key"].defaults["HTTP_AUTHORIZATION"] = f"Bearer {key}"
    return world


def _client(user: User | None) -> Client:
    client = Client(enforce_csrf_checks=True)
    if user:
        client.force_login(user)
    client.cookies["csrftoken"] = TOKEN
    return client


def _measure(brand: Brand) -> None:
    """Prompts, runs, answers, a day's figures, and what follows from them."""
    prompt = PromptFactory(brand=brand, text="which bike is best?", topic="bikes")
    PromptFactory(brand=brand, text="an archived question?", archived_at=NOW)
    CompetitorFactory(brand=brand, name="Rival", domain="rival.example")
    end(asked_run(brand, [prompt], texts=["Rival is the best bike. Acme is a good one, too."]))
    RunFactory(brand=brand, status=Run.Status.QUEUED, finished_at=None, total=1)
    audited(brand, failing=["FRE-04"], passing=["ACC-06"])
    CompetitorSuggestion.objects.create(
        brand=brand, name="Trello", key="trello", answers=3, of_answers=6, prompts=2, first_seen=NOW, last_seen=NOW
    )
    result = {"own": 14.0, "control": 2.0, "delta": 12.0, "low": 4.0, "high": 20.0}
    proof = Proof.objects.create(
        brand=brand, topic="bikes", plan={}, result=result, state="judged", verdict="moved_up", judged_at=NOW
    )
    recommendation = RecommendationFactory(brand=brand, topic="bikes", subject="of-the-table", proof=proof)
    StatusChange.objects.create(recommendation=recommendation, status="open")
    own_pages(brand)
    prepare_draft(Caller.from_user(brand.owner), brand_id=brand.pk, topic="bikes", format="landing")()


def _keep_records(brand: Brand) -> str:
    """What operators look at; gives the API key of the owner."""
    key = ApiKeyFactory(owner=brand.owner)
    CallLog.objects.create(key=key, door="rest", name="brands", success=True)
    Usage.objects.create(user=brand.owner, kind=Usage.Kind.CREDITS, period=date(2026, 3, 1), used=1)
    Group.objects.create(name="Support")
    EngineConfig.objects.create(name="test-engine", provider="openai-chat", model="m")
    ProviderCall.objects.create(engine="test-engine", purpose="ask", account=brand.owner, brand=brand)
    source = ReviewImport.objects.create(brand=brand, file="reviews.csv")
    Review.objects.create(brand=brand, source=source, key="1", text="It rides well.")
    BrandEvidence.objects.get_or_create(brand=brand)
    DomainClass.objects.create(domain="press.example", cls="news")
    TopicChoice.objects.create(brand=brand, topic="bikes", is_own=True)
    return str(key.raw)


Fields = Callable[[World], Mapping[str, Any]]
FORMS: dict[str, Fields] = {
    "suggest-prompts": lambda world: {"count": 1, "topic": "bikes"},
    "add-prompt": lambda world: {"text": "Which lock is safe?"},
    "paste-prompts": lambda world: {"text": "Which lock is safe?\nWhich lock is light?"},
    "edit-prompt": lambda world: {"text": "Which lock is safe?", "seen_version": 1},
    "archive-prompts": lambda world: {"prompt": [world.prompt_of("archive")]},
    "restore-prompts": lambda world: {"prompt": [world.prompt_of("restore")]},
    "save-names": lambda world: {"name": "Acme", "domain": "acme.example", "aliases": "Acme Tools"},
    "save-scans": lambda world: {"cadence": "weekly", "samples": 2},
    "delete-brand": lambda world: {"name": world.brand.name},
    "invite-person": lambda world: {"email": "new@example.com", "role": "viewer"},
    "hand-over": lambda world: {"email": "new@example.com"},
    "withdraw-invitation": lambda world: {},
    "change-role": lambda world: {"role": "viewer"},
    "remove-person": lambda world: {},
    "leave-brand": lambda world: {},
    "accept-invitation": lambda world: {},
    "decline-invitation": lambda world: {},
    "add-brand": lambda world: {"name": "New", "domain": "new.example"},
    "first-competitor": lambda world: {"name": "Velo", "domain": "velo.example"},
    "begin-topics": lambda world: {"topics": "locks", "on_each": 1},
    "write-draft": lambda world: {"topic": "bikes", "format": "landing"},
    "edit-draft": lambda world: {"title": "Bikes", "markdown": "Acme makes bikes.", "version": 1},
    "add-competitor": lambda world: {"name": "Velo", "domain": "velo.example"},
    "remove-competitor": lambda world: {},
    "add-suggestion": lambda world: {"name": "Trello", "domain": "trello.example"},
    "dismiss-suggestion": lambda world: {},
    "name-policy": lambda world: {"text": "Acme", "case_sensitive": "on"},
    "start-scan": lambda world: {},
    "cancel-scan": lambda world: {},
    "archive-prompt": lambda world: {},
    "restore-prompt": lambda world: {},
    "decide-recommendation": lambda world: {"status": "in_progress"},
    "archive-topics": lambda world: {},
    "choose-topics": lambda world: {"topic-0": "bikes", "sells-0": "no"},
    "start-comparison": lambda world: {},
    "start-audit": lambda world: {"max_pages": 1},
}
"""What somebody sends who may: it writes something."""


def _end_runs(world: World) -> None:
    Run.objects.filter(brand=world.brand).delete()


def _move_to_a_public_domain(world: World) -> None:
    Brand.objects.filter(pk=world.brand.pk).update(domain="acme.example.org")


def _sell_nothing(world: World) -> None:
    topics = set(Prompt.objects.filter(brand=world.brand).active().values_list("topic", flat=True))
    TopicChoice.objects.filter(brand=world.brand).delete()
    TopicChoice.objects.bulk_create(TopicChoice(brand=world.brand, topic=topic, is_own=False) for topic in topics)


BEFORE: dict[str, Callable[[World], None]] = {
    "start-scan": _end_runs,
    "start-audit": _move_to_a_public_domain,
    "archive-topics": _sell_nothing,
}
"""What has to be so before a form can be sent; done before each time, and undone after it."""
