"""The worlds that browser tests look at: the demo as it is, a brand without anything, one full of hostile texts."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import Permission
from django.contrib.auth.tokens import default_token_generator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from apikeys.models import User
from brands.models import Brand, Collaborator, Invitation
from tests.browser.worlds.hostile import fill
from tests.factories import BrandFactory, UserFactory
from visibility.models import Answer, CompetitorSuggestion, ContentDraft, Prompt, Run

ADDRESSES_OF_PEOPLE = "@worlds.example"
Rows = dict[str, Sequence[str]]
"""Examples of the arguments of addresses, by the argument, or by the address's name and the argument."""


def make_worlds() -> Mapping[str, Rows]:
    """Make all anew; gives examples of the arguments of addresses, by world."""
    demo = Brand.objects.exclude(owner__email__endswith=ADDRESSES_OF_PEOPLE).order_by("created_at")[0]
    _clear()
    looker = _person("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    _person("doer")
    bare = BrandFactory(owner=_person("bare"), name="Velvet Anchor", domain="velvet-anchor.example")
    newcomer = _person("newcomer")
    hostile = fill(_person("hostile"), _person("w" * 50, "viewer"))
    Invitation.objects.create(brand=bare, email=newcomer.email, role="editor", invited_by=bare.owner)
    Invitation.objects.create(brand=hostile, email=newcomer.email, role="owner", invited_by=hostile.owner)
    return {
        "demo": _rows(demo),
        "bare": _rows(bare),
        "hostile": _rows(hostile),
        "newcomer": {},
        "nobody": _reset_link(newcomer),
    }


def _person(name: str, *more: str, **fields: Any) -> User:
    email = ".".join([name, *more]) + ADDRESSES_OF_PEOPLE
    person: User = UserFactory(email=email, **fields)
    return person


def _clear() -> None:
    Brand.objects.filter(owner__email__endswith=ADDRESSES_OF_PEOPLE).delete()
    User.objects.filter(email__endswith=ADDRESSES_OF_PEOPLE).delete()


def _rows(brand: Brand) -> Rows:
    """One row of each kind that looks different."""
    runs = Run.objects.filter(brand=brand)
    scans = runs.filter(kind=Run.Kind.VISIBILITY)
    ended = scans.filter(status=Run.Status.SUCCEEDED)
    prompts = Prompt.objects.filter(brand=brand)
    days = [f"{run.created_at:%Y-%m-%d}" for run in _ends(ended)]
    audits = _keys(_ends(runs.filter(kind=Run.Kind.AUDIT)))
    return {
        "brand_id": [str(brand.pk)],
        "prompt_id": _keys(_one_of_each(prompts, lambda prompt: prompt.archived_at is None)),
        "edit-prompt.prompt_id": _keys(prompts.filter(archived_at=None)[:1]),
        "recommendation_id": _keys(_one_of_each(brand.recommendations.all(), lambda row: (row.kind, row.status))),
        "proof-file.recommendation_id": _keys(brand.recommendations.filter(proof__result__has_key="delta")),
        "draft_id": _keys(ContentDraft.objects.filter(brand=brand)),
        "run_id": _keys(_one_of_each(runs, lambda run: (run.kind, run.status))),
        "audit-page.run_id": audits,
        "answer_id": _keys(_one_of_each(Answer.objects.filter(brand=brand).order_by("-position")[:200], _of_answer)),
        "day": [*days, "2020-01-01"],
        "domain": [brand.domain, *brand.competitors.values_list("domain", flat=True)[:1], "nobody-cites.example"],
        "suggestion_id": _keys(CompetitorSuggestion.objects.filter(brand=brand)[:1]),
        "competitor_id": _keys(brand.competitors.all()[:1]),
        "user_id": [str(key) for key in Collaborator.objects.filter(brand=brand).values_list("user_id", flat=True)],
        "invitation_id": _keys(brand.invitations.all()),
        "before": _keys(_ends(ended))[-1:],
        "now": _keys(_ends(ended))[:1],
    }


def _reset_link(user: User) -> Rows:
    """The link of a mail that lets somebody choose a new password."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return {"uidb64": [uid], "token": [default_token_generator.make_token(user), "wrong"]}


def _of_answer(answer: Answer) -> tuple[str, str, bool]:
    return answer.engine, answer.state, answer.mentions.exists()


def _ends(rows: Any) -> list[Any]:
    """The newest and the oldest."""
    ordered = list(rows.order_by("-created_at"))
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered


def _one_of_each(rows: Iterable[Any], kind: Any) -> list[Any]:
    return list({kind(row): row for row in rows}.values())


def _keys(rows: Iterable[Any]) -> list[str]:
    return [str(row.pk) for row in rows]


def print_worlds() -> None:
    """For another process: what `make_worlds` says, as one line of JSON."""
    print(json.dumps(make_worlds()))
