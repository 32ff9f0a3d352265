"""Who may do what: each act as owner, editor, viewer, stranger and system."""

import pytest

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.services.access import editable_brand, owned_brand, readable_brand
from brands.services.brands import delete_brand, transfer_brand, update_brand
from brands.services.collaborators import add_collaborator, remove_collaborator, set_role
from brands.services.competitors import add_competitor, remove_competitor, update_competitor
from brands.services.names import replace_aliases, replace_domains
from brands.services.policies import set_name_policy
from tests.factories import CompetitorFactory, PromptFactory, RecommendationFactory, UserFactory
from visibility.services.prompts.editing import PromptDraft, add_prompts, archive_prompt, edit_prompt, restore_prompt
from visibility.services.recommendations.deciding import set_status

pytestmark = pytest.mark.django_db

READ, EDIT, OWN = "read", "edit", "own"
OK, READ_ONLY, NOT_FOUND = None, "read_only_collaborator", "not_found"
EXPECTED = {
    READ: {"owner": OK, "editor": OK, "viewer": OK, "stranger": NOT_FOUND, "nobody": NOT_FOUND, "system": OK},
    EDIT: {"owner": OK, "editor": OK, "viewer": READ_ONLY, "stranger": NOT_FOUND, "nobody": NOT_FOUND, "system": OK},
    OWN: {
        "owner": OK,
        "editor": READ_ONLY,
        "viewer": READ_ONLY,
        "stranger": NOT_FOUND,
        "nobody": NOT_FOUND,
        "system": OK,
    },
}

ACTS = {
    "see": (READ, lambda by, world: readable_brand(by, world["brand"].pk)),
    "edit": (EDIT, lambda by, world: editable_brand(by, world["brand"].pk)),
    "own": (OWN, lambda by, world: owned_brand(by, world["brand"].pk)),
    "update brand": (EDIT, lambda by, world: update_brand(by, brand=world["brand"], name="New")),
    "transfer brand": (OWN, lambda by, world: transfer_brand(by, brand=world["brand"], to=world["other"])),
    "delete brand": (OWN, lambda by, world: delete_brand(by, brand=world["brand"])),
    "add collaborator": (OWN, lambda by, world: add_collaborator(by, brand=world["brand"], user=world["other"])),
    "set role": (OWN, lambda by, world: set_role(by, brand=world["brand"], user=world["member"], role="viewer")),
    "remove collaborator": (
        OWN,
        lambda by, world: remove_collaborator(by, brand=world["brand"], user=world["member"]),
    ),
    "replace aliases": (EDIT, lambda by, world: replace_aliases(by, brand=world["brand"], aliases=["A"])),
    "replace domains": (EDIT, lambda by, world: replace_domains(by, brand=world["brand"], domains=["a.com"])),
    "set name policy": (
        EDIT,
        lambda by, world: set_name_policy(by, brand=world["brand"], text=world["brand"].name, case_sensitive=True),
    ),
    "add competitor": (EDIT, lambda by, world: add_competitor(by, brand=world["brand"], name="R", domain="r.com")),
    "update competitor": (EDIT, lambda by, world: update_competitor(by, competitor=world["competitor"], name="S")),
    "remove competitor": (EDIT, lambda by, world: remove_competitor(by, competitor=world["competitor"])),
    "add prompts": (EDIT, lambda by, world: add_prompts(by, brand=world["brand"], drafts=[PromptDraft("q?")])),
    "edit prompt": (EDIT, lambda by, world: edit_prompt(by, prompt=world["prompt"], text="r?")),
    "archive prompt": (EDIT, lambda by, world: archive_prompt(by, prompt=world["prompt"])),
    "restore prompt": (EDIT, lambda by, world: restore_prompt(by, prompt=world["archived"])),
    "set status": (EDIT, lambda by, world: set_status(by, recommendation=world["recommendation"], status="done")),
}


@pytest.fixture
def world(cast):
    return {
        "brand": cast.brand,
        "other": UserFactory(),
        "member": cast.editor,
        "competitor": CompetitorFactory(brand=cast.brand),
        "prompt": PromptFactory(brand=cast.brand),
        "archived": PromptFactory(brand=cast.brand, archived_at=cast.brand.created_at),
        "recommendation": RecommendationFactory(brand=cast.brand),
    }


def caller_of(cast, role):
    if role == "system":
        return system_caller("command:test")
    if role == "nobody":
        return Caller(actor="nobody")
    return Caller.from_user(getattr(cast, role))


@pytest.mark.parametrize("role", list(EXPECTED[READ]))
@pytest.mark.parametrize("act", list(ACTS))
def test_each_act_by_each_role(cast, world, act, role):
    kind, perform = ACTS[act]
    code = OK
    try:
        perform(caller_of(cast, role), world)
    except ServiceError as error:
        code = error.code
    assert code == EXPECTED[kind][role]


@pytest.mark.parametrize("act", list(ACTS))
def test_staff_and_superusers_are_strangers_to_the_services(world, act):
    _, perform = ACTS[act]
    superuser = Caller.from_user(UserFactory(is_staff=True, is_superuser=True))
    with pytest.raises(ServiceError) as caught:
        perform(superuser, world)
    assert caught.value.code == NOT_FOUND
