"""Whether mail leaves the service at all."""

from django.conf import settings

_STAYING = ("console", "dummy", "filebased")


def mail_leaves() -> bool:
    """Whether a mail server is set (EMAIL_URL): without one mails are printed or kept, and reach nobody."""
    return not settings.EMAIL_BACKEND.startswith(tuple(f"django.core.mail.backends.{name}." for name in _STAYING))
