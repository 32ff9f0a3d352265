"""Links to the overview of a brand for people without an account. Its owner and editors make them and end them."""

import secrets
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.keyformat import digest
from apikeys.edge.door import write_last_used
from apikeys.errors import conflict, conflict_if_taken, not_found
from brands.access import editable_brand
from brands.models import ShareLink

MOST_LINKS = 20
"""Of a brand; those that have expired count no more."""
TOKEN_BYTES = 32


@sensitive_variables("token")
@transaction.atomic
def share(caller: Caller, *, brand_id: UUID, link_id: UUID, filters: str = "") -> tuple[ShareLink, str]:
    """Make a link and return it with its token, which cannot be had again. `filters` is the query of the page that it
    shows, `link_id` an id that the form has chosen: the same form sent again makes no second link.

    Raises not_found, read_only_collaborator, conflict above 20 links of a brand and for a form that was sent before.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    brand.share_links.expired().delete()
    if brand.share_links.count() >= MOST_LINKS:
        raise conflict(gettext("This brand has {number} links already. End one first.").format(number=MOST_LINKS))
    token = secrets.token_urlsafe(TOKEN_BYTES)
    made_by = caller.user or brand.owner
    link = ShareLink(pk=link_id, brand=brand, made_by=made_by, filters=filters, digest=digest(token))
    with conflict_if_taken(gettext("This form has made its link already, which was shown once. Make another one.")):
        link.save(force_insert=True)
    return link, token


@transaction.atomic
def end_link(caller: Caller, *, brand_id: UUID, link_id: UUID) -> None:
    """End a link. Raises not_found, also for one that is gone, and read_only_collaborator."""
    deleted, _ = editable_brand(caller, brand_id, lock=True).share_links.filter(pk=link_id).delete()
    if not deleted:
        raise not_found()


def follow_link(token: str) -> ShareLink:
    """The working link of a token; this use of it is noted. Raises not_found for any other, whatever the reason."""
    link: ShareLink | None = ShareLink.objects.working().filter(digest=digest(token)).first()
    if link is None:
        raise not_found()
    write_last_used(link, timezone.now())
    return link
