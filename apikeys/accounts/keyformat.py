"""The form of an API key, and of what connected apps send: prefix, 32 random base62 characters, and a checksum of
all before it.

The checksum lets secret scanners and the door tell a mistyped key from a real one without a query. Pure functions.
"""

import hashlib
import re
import secrets
import zlib

PREFIX = "bvs_live_"
CONNECTION_PREFIX = "bvs_conn_"
"""Of the codes and tokens of connected apps."""
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SECRET_LENGTH = 32
CHECKSUM_LENGTH = 6
_FORM = re.compile(rf"(?:{PREFIX}|{CONNECTION_PREFIX})[0-9A-Za-z]{{{SECRET_LENGTH + CHECKSUM_LENGTH}}}")

# Keys of other services by how they begin, and whatever is as long and mixed as the secret part of ours. Ids of
# requests (UUID, ULID, KSUID, trace context) are shorter, or in one case.
_SECRETS = re.compile(
    r"bvs_(?:live|conn)_|(?<![A-Za-z0-9])(?:sk|rk|pk)[-_]|pplx-|xai-|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|hf_"
    r"|AKIA[0-9A-Z]{12}|AIza[0-9A-Za-z_-]{20}|eyJ[0-9A-Za-z_-]{10}",
    re.IGNORECASE,
)
_LONG_RUN = re.compile(r"[0-9A-Za-z_-]{32,}")


def mint(prefix: str = PREFIX) -> str:
    """A new random key (190 bits) with its checksum. Show it once; store only `digest` of it."""
    body = prefix + "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))
    return body + _checksum(body)


def looks_valid(raw: str) -> bool:
    """Whether `raw` has the form of a key and its checksum agrees; says nothing about whether it was issued."""
    if not _FORM.fullmatch(raw):
        return False
    return _checksum(raw[:-CHECKSUM_LENGTH]) == raw[-CHECKSUM_LENGTH:]


def holds_secret(text: str) -> bool:
    """Whether `text` contains a key, or something that looks like one: then it must not be shown again or stored."""
    if _SECRETS.search(text):
        return True
    return any(
        re.search("[a-z]", run) and re.search("[A-Z]", run) and re.search("[0-9]", run)
        for run in _LONG_RUN.findall(text)
    )


def digest(raw: str) -> str:
    """The SHA-256 of the key as lower-case hex: the only form in which it is stored and looked up."""
    return hashlib.sha256(raw.encode()).hexdigest()


def _checksum(body: str) -> str:
    """The CRC32 of `body` in base62, padded on the left with 0 to six characters."""
    number, characters = zlib.crc32(body.encode()), ""
    while number:
        number, remainder = divmod(number, len(ALPHABET))
        characters = ALPHABET[remainder] + characters
    return characters.rjust(CHECKSUM_LENGTH, ALPHABET[0])
