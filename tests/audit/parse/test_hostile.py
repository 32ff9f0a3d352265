"""Pages that are made to hold up or break what reads them: never an exception, always a reason."""

import pytest

from visibility.audit.page import Unparsed
from visibility.audit.parse.parsing import parse_page

HTML = "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<p " + b" ".join(b"a%d=1" % i for i in range(120_000)) + b">x", "tag_too_large"),
        (b'<p a=">" ' + b"a=1 " * 120_000 + b">x", "tag_too_large"),
        (b"<div>" * 60_000 + b"x", "too_deep"),
        (b"<p>" + b"a<br>" * 400_000, "too_slow"),
    ],
    ids=["120,000 attributes", "behind a quoted bracket", "60,000 deep", "400,000 text nodes"],
)
def test_a_page_beyond_a_bound_says_why_it_was_not_read(body, reason):
    said = parse_page(body, url="https://norrvik.example/", content_type=HTML)
    assert isinstance(said, Unparsed)
    assert said.reason == reason
