"""What the signed-in person is invited to, for pages that say so."""

from django import template

from apikeys.models import User
from brands.services.invitations import waiting_for

register = template.Library()


@register.inclusion_tag("visibility/_invitations.html")
def waiting_invitations(user: User) -> dict[str, int]:
    """A line that leads to the invitations of the person, where there are any. One statement."""
    return {"waiting": waiting_for(user)}
