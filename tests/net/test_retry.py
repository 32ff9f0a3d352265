"""How long servers ask their callers to wait."""

from datetime import UTC, datetime

import pytest

from visibility.net import seconds_to_wait

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120),
        (" 2.5 ", 2.5),
        ("0", 0),
        ("999999999999", 999_999_999_999),
        ("Fri, 20 Nov 2026 12:01:00 GMT", 60),
        ("Fri, 20 Nov 2026 12:01:00", 60),
        ("Fri, 20 Nov 2026 11:59:30 GMT", -30),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("nan", None),
        ("1e5", None),
        ("٣", None),
        ("Fri, 99 Nov 99999 12:01:00 GMT", None),
        ("9" * 5_000, float("9" * 100)),
    ],
)
def test_a_wait_is_a_number_of_seconds_or_a_date(text, seconds):
    assert seconds_to_wait(text, NOW) == seconds
