"""Asking an address as somebody, undone afterwards; and what came of it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from tests.pages.isolation.addresses import Address
from tests.pages.isolation.world import BEFORE, FORMS, TOKEN, World

WHERE = "tests/pages/isolation/world.py"
SIGN_IN = ("/login/?next=", "/admin/login/?next=")
RECORDS = ('"django_session"', '"apikeys_calllog"')
"""What is kept of the asking itself."""
WRITING = ("INSERT", "UPDATE", "DELETE")


class Missing(Exception):
    """The table has no example for an address; the text says what to add, and where."""


@dataclass
class Outcome:
    """What came of a request: its status, where it leads, what wrote, but for records of the asking, and who may keep
    the answer."""

    status: int
    location: str = ""
    writes: list[str] = field(default_factory=list)
    kept: str = ""

    @property
    def leads_to_sign_in(self) -> bool:
        """Whether the person is asked to sign in."""
        return self.status == 302 and self.location.startswith(SIGN_IN)

    @property
    def is_refused(self) -> bool:
        """Whether it is refused, or not there: for what is not there the admin leads to its first page."""
        return self.status in (403, 404, 405) or (self.status == 302 and self.location == "/admin/")

    def __str__(self) -> str:
        return " ".join(filter(None, [str(self.status), self.location, *self.writes[:2]]))


@contextmanager
def undone() -> Iterator[None]:
    """Whatever the block writes is undone."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def ask(world: World, role: str, address: Address, **arguments) -> Outcome:
    """Open the address as somebody."""
    return _request(world, role, lambda client, path: client.get(path), address, arguments)


def send(
    world: World, role: str, address: Address, *, token: bool = True, filled: bool = True, **arguments
) -> Outcome:
    """Send the form of the address as somebody, filled in as by one who may, or empty."""
    fields = {**(fields_of(world, address) if filled else {}), **({"csrfmiddlewaretoken": TOKEN} if token else {})}
    return _request(world, role, lambda client, path: client.post(path, fields), address, arguments)


def takes_form(world: World, address: Address) -> bool:
    """Whether anything is sent to the address at all; then it has example fields. Raises Missing."""
    taken = send(world, "owner", address).status != 405
    if taken and address.name not in FORMS:
        raise Missing(f"takes a form: add fields that somebody sends who may to FORMS[{address.name!r}] in {WHERE}")
    if not taken and address.name in FORMS:
        raise Missing(f"takes no form any more: take {address.name!r} out of FORMS in {WHERE}")
    return taken


def fields_of(world: World, address: Address) -> dict[str, object]:
    """The example fields, none where the address has none."""
    return dict(FORMS[address.name](world)) if address.name in FORMS else {}


def assert_right(check: Callable[[Address], Iterable[str]], addresses: Iterable[Address]) -> None:
    """Fail with everything that is wrong, address by address."""
    rows: list[str] = []
    for address in addresses:
        try:
            rows += [f"{address}: {fault}" for fault in check(address)]
        except Missing as missing:
            rows.append(f"{address} {missing}")
    assert not rows, "\n".join(rows)


def _request(world: World, role: str, request: Callable, address: Address, arguments: dict) -> Outcome:
    writes: list[str] = []

    def note(execute, sql, params, many, context):
        if sql.startswith(WRITING) and not any(table in sql for table in RECORDS):
            writes.append(sql[:120])
        return execute(sql, params, many, context)

    client = world.clients[role]
    try:
        path = address.path({**world.arguments(address.route), **arguments})
    except KeyError as name:
        raise Missing(f"has the argument {name} without an example: add one to World.arguments in {WHERE}") from None
    cookies = client.cookies.copy()
    with undone():
        BEFORE.get(address.name, lambda world: None)(world)
        with connection.execute_wrapper(note):
            answer = request(client, path)
            if answer.streaming:
                list(answer.streaming_content)
    client.cookies = cookies  # who was signed out by it is signed in again
    return Outcome(
        answer.status_code, answer.headers.get("Location", ""), writes, answer.headers.get("Cache-Control", "")
    )
