"""The estimate of tokens against what the tokenizer o200k_base counts."""

import pytest

from apikeys.tokens import tokens_of


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ('{"panelLow":54.17,"panelHigh":83.33,"onlyBrand":12,"withoutBrand":3,"chance":0.0123}', 32),
        ('{"id":"0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e","score":46.88}', 43),
        ('{"name":"<untrusted-quote>Samsung</untrusted-quote>","mentioned":44,"of":96}', 25),
        ("https://www.kitchenkapers.com/products/all-clad-ha1?variant=42255803941060&utm_source=chatgpt.com", 29),
        ("Die besten Waschmaschinen für Familien überzeugen durch niedrigen Stromverbrauch.", 13),
        ("最好的无线耳机具有出色的降噪效果和较长的电池续航时间", 22),
        ("Лучшие беспроводные наушники отличаются отличным шумоподавлением", 15),
        ("", 0),
    ],
)
def test_the_estimate_is_an_upper_one(text, counted):
    assert counted <= tokens_of(text.encode())


@pytest.mark.parametrize("text", ["a" * 3_000, "é" * 1_500, "\n" * 3_000])
def test_three_bytes_are_a_token_at_the_most(text):
    assert tokens_of(text.encode()) >= 1_000


def test_the_estimate_of_a_whole_is_at_most_that_of_its_parts():
    parts = [b'{"name":"Sony","of":96', b'6},{"id":"0198a3f2-5b1c"', b"-7c3e}]", b"  ", b"\xc3\xa9t\xc3\xa9"]
    assert tokens_of(b"".join(parts)) <= sum(map(tokens_of, parts))
