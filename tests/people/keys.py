"""Which keys the doors let in."""

from django.utils import timezone

from apikeys.models import ApiKey
from apikeys.services.authentication import _works


def working_keys():
    """The keys that work now, newest first."""
    return [key for key in ApiKey.objects.select_related("owner") if _works(key, timezone.now())]
