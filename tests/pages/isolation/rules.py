"""What is expected of an address, by what it is; and the exemptions, each with its reason."""

from dataclasses import dataclass
from enum import Enum, auto

from tests.pages.isolation.addresses import Address


class Door(Enum):
    """What kind of address it is."""

    PUBLIC = auto()
    """For everyone, without a sign-in."""
    REST = auto()
    """With an API key: tests/rest and tests/reading hold its isolation."""
    STAFF = auto()
    OWN = auto()
    """For whoever is signed in, about nobody else."""
    BRAND = auto()
    """Of a brand: for its people, and for staff who may look at brands."""


@dataclass(frozen=True)
class Public:
    """Why an address is for everyone, and what it answers who is not signed in."""

    reason: str
    status: int = 200


PUBLIC = {
    "api/v1/openapi.json": Public("the description of the endpoints holds no data"),
    "openapi.json": Public("as above"),
    "api/v1/docs": Public("shows the description"),
    "bot": Public("tells owners of sites about the crawler"),
    "method": Public("how everything is measured"),
    "login/": Public("the sign-in itself"),
    "logout/": Public("a form alone; whoever is signed out stays so", 405),
    "password/reset/": Public("for people who forgot their password"),
    "password/reset/sent/": Public("as above"),
    "password/reset/<uidb64>/<token>/": Public("the link of the mail; a wrong one is told so"),
    "password/reset/done/": Public("as above"),
    "admin/login/": Public("the sign-in of staff"),
}
TOKENLESS = {
    "api/v1/openapi.json": "answers no method that changes anything",
    "openapi.json": "as above",
    "api/v1/docs": "as above",
}
"""Addresses without the check of tokens."""
_OWNER = "who else has access, and whether the brand stays, is its owner's to say"
OWNER_ONLY: dict[str, str] = dict.fromkeys(
    ("invite-person", "hand-over", "withdraw-invitation", "change-role", "remove-person", "delete-brand"), _OWNER
)
"""Names of pages and forms that editors are kept from, with the reason."""
OF_COLLABORATORS = {"leave-brand": "who owns the brand cannot leave it; a viewer ends the own access"}
"""Names of forms that collaborators send and the owner does not, with the reason."""
WRITES_NOTHING: dict[str, str] = {}
"""Names of forms that change nothing when they are accepted, with the reason."""


def door_of(address: Address) -> Door:
    """What kind of address it is."""
    if address.route in PUBLIC:
        return Door.PUBLIC
    for start, door in (("api/", Door.REST), ("admin/", Door.STAFF)):
        if address.route.startswith(start):
            return door
    # What somebody is invited to is theirs alone: it is found by their address, not by a brand.
    if address.route.startswith("invitations"):
        return Door.OWN
    return Door.BRAND if any(name.endswith("_id") for name in address.arguments) else Door.OWN


READ = {"changelist", "change", "history"}
"""Pages of the admin that looking is enough for."""
GENERAL = {
    "index": (200,),
    "app_list": (200, 404),
    "logout": (405,),
    "password_change": (302,),
    "password_change_done": (200,),
    "jsi18n": (200,),
    "autocomplete": (403,),
    "view_on_site": (404,),
    "nothing": (404,),
}
"""Pages of the admin that are of no model, with what staff get there: they show what each may see elsewhere."""
SUPERUSERS_ONLY = {"auth/group": "whoever changes a group could grant themselves anything"}
ADDED = {"apikeys/apikey", "apikeys/plan", "apikeys/user", "auth/group", "brands/brand", "visibility/engineconfig",
         "visibility/prompt", "visibility/domainclass"}  # fmt: skip
"""What is added in the admin; nothing else is, by anybody."""
DELETED = {"apikeys/plan", "auth/group", "brands/brand", "visibility/engineconfig", "visibility/domainclass",
           "visibility/review", "visibility/reviewimport"}  # fmt: skip
"""What is deleted in the admin."""


@dataclass(frozen=True)
class StaffPage:
    """A page of the admin: the model that it is of, and what it does ("changelist", "add", an act)."""

    model: str
    act: str

    @classmethod
    def of(cls, address: Address) -> "StaffPage":
        """What the route says."""
        name = address.name.removeprefix("admin:")
        parts = address.route.removeprefix("admin/").rstrip("/").split("/")
        if name in GENERAL or len(parts) < 2:
            return cls("", name if name in GENERAL else "nothing")
        model = "/".join(parts[:2])
        if parts[-1].startswith("<"):
            return cls(model, "old address")
        return cls(model, "changelist" if len(parts) == 2 else parts[-1])

    def expected(self) -> tuple[int, ...]:
        """The statuses that staff get who look at it and may."""
        return (302,) if self.act == "old address" else (200,) if self.model else GENERAL[self.act]

    def is_open_to(self, role: str) -> bool:
        """Whether `clerk`, `looker` or `boss` may look at it."""
        if not self.model or self.act == "old address":
            return True
        if role == "boss":
            return self.model in {"add": ADDED, "delete": DELETED}.get(self.act, {self.model})
        return role == "looker" and self.act in READ and self.model not in SUPERUSERS_ONLY
