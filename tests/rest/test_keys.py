"""The form of keys, and who a key stands for."""

import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apikeys import keyformat
from apikeys.errors import ServiceError
from apikeys.services.authentication import RefusedKey, bearer_of, caller_for


def test_a_minted_key_has_the_documented_form():
    raw = keyformat.mint()
    assert re.fullmatch(r"bvs_live_[0-9A-Za-z]{38}", raw)
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    checksum = 0
    for character in raw[-6:]:
        checksum = checksum * 62 + digits.index(character)
    assert checksum == zlib.crc32(raw[:-6].encode())
    assert keyformat.looks_valid(raw)
    assert len({keyformat.mint() for _ in range(100)}) == 100


@given(st.integers(min_value=0, max_value=46), st.characters(exclude_characters=""))
def test_one_wrong_character_is_seen(position, character):
    raw = KEY
    wrong = raw[:position] + character + raw[position + 1 :]
    assert keyformat.looks_valid(wrong) == (wrong == raw)


KEY = keyformat.mint()


@pytest.mark.parametrize(
    "wrong",
    ["", KEY + "\n", KEY[:-1], KEY + "0", " " + KEY, KEY.replace("live", "test"), "\x00"],
    # The key is a random one: test processes must still agree on the names of the tests.
    ids=["empty", "newline", "short", "long", "space", "prefix", "nul"],
)
def test_what_is_no_key(wrong):
    assert not keyformat.looks_valid(wrong)


def test_a_key_stands_for_its_owner(key, django_assert_num_queries):
    with django_assert_num_queries(2):  # the key with owner and plan, and its last use
        caller = caller_for(key.raw)
    with django_assert_num_queries(1):
        again = caller_for(key.raw)
        assert again.plan.api_access
    assert (caller.user, caller.key, caller.scopes) == (key.owner, key, frozenset(key.scopes))
    assert (caller.reach, caller.is_operator) == ("own", False)


def test_a_malformed_key_costs_no_query(db, django_assert_num_queries):
    with django_assert_num_queries(0), pytest.raises(ServiceError):
        caller_for(KEY[:-1] + ("0" if KEY[-1] != "0" else "1"))


def test_an_inactive_key_is_known_to_the_log_only(callers):
    for name in ("revoked", "expired", "inactive owner"):
        with pytest.raises(RefusedKey) as refused:
            caller_for(callers[name].raw)
        assert refused.value.key == callers[name]
        assert refused.value.details == {}
    with pytest.raises(ServiceError) as unknown:
        caller_for(KEY)
    assert str(unknown.value) == str(refused.value)


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer a", "a"), ("bEARER  a ", "a"), ("Bearer a b", "a b"), ("Bearer", None), ("", None), (None, None),
     ("Basic a", None), ("a", None)],
)  # fmt: skip
def test_the_token_of_a_header(header, token):
    assert bearer_of(header) == token
