"""Secrets of second factors are encrypted in the database, with keys derived from SECRET_KEY and its fallbacks.

Whoever reads the database, or a backup of it, cannot make codes of them without that setting.
"""

import logging
from base64 import b32encode, urlsafe_b64encode
from os import urandom

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

BEGINNING = "gAAAA"
"""Of every token of Fernet, and of no secret that allauth makes."""
SECRETS = ("secret", "seed")
"""What of an authenticator's data is secret: of an app with codes, and of recovery codes."""

logger = logging.getLogger(__name__)


def seal(text: str) -> str:
    """Encrypt a secret with the key of today."""
    return _keys()[0].encrypt(text.encode()).decode()


def unseal(text: str) -> str:
    """The secret; one that was stored before secrets were encrypted is as it is. In the place of one whose key is
    gone comes a new one, which no code fits."""
    if not text.startswith(BEGINNING):
        return text
    try:
        return MultiFernet(_keys()).decrypt(text).decode()
    except InvalidToken:
        logger.error(
            "The secret of a second factor cannot be read: SECRET_KEY of then is not in SECRET_KEY_FALLBACKS"
        )
        return b32encode(urandom(20)).decode()


def seal_again() -> None:
    """Encrypt with the key of today what is encrypted with an earlier one, or not at all."""
    for row in Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN):
        data = {name: _sealed_again(value) if name in SECRETS else value for name, value in row.data.items()}
        if data != row.data:  # and is still so: a recovery code may be used meanwhile
            Authenticator.objects.filter(pk=row.pk, data=row.data).update(data=data)


def _sealed_again(text: str) -> str:
    if not text.startswith(BEGINNING):
        return seal(text)
    try:
        _keys()[0].decrypt(text)
    except InvalidToken:
        try:
            return MultiFernet(_keys()).rotate(text).decode()
        except InvalidToken:  # signing in says so
            return text
    return text


def _keys() -> list[Fernet]:
    return [_key(each) for each in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def _key(secret: str) -> Fernet:
    """A key for this purpose alone (HKDF: RFC 5869)."""
    derived = HKDF(SHA256(), length=32, salt=None, info=b"second factor").derive(secret.encode())
    return Fernet(urlsafe_b64encode(derived))
