"""Time is linear in the text, whatever stands in it."""

import time

import pytest

from visibility.detection import Detector, Subject

DELIMITERS = (
    '[', ']', '(', ')', '*', '**', '_', '`', '```\n', '~~~\n', '|', '|a', '<', '<a ', '&', '&amp;', 'a ', '. ',
    'A.', '\xa0', '$1', '\xe9', 'e\u0301', '[a](', '[a](b)', '**a** ', '\n', '- a\n', ': ', 'A: ', 'Acme: ',
    'Acme:x.', '1. ', '# A\n', '<!--', '<script', '![', '_a', ' - ', '(Acme', 'Acme ', 'Acme', 'Away ', 'X ',
    '\x00', 'Where to buy: ', '(source: ', '\u3010', ' \u2014 ', '/', 'A/B ', ', ', 'Acme, ', 'Acme and ',
    "'s ", '"', '$1.00Acme', '4.3(9k+)Acme', '\t', '  ', ' \n', '\r\n', '\uac00', 'not ', 'aA', '1', '\\', '> ',
    '#', '-', 'avoid ', 'http://a.b ', '[1]', '[^a]: x\n',
    'Acme/', 'Acme/B/', 'turn0a0', '\u00ad', 'Acme\u00b9', '\u0648Acme', '| Acme |\n', '## Acme\n- Acme\n',
    '1. Acme 2. Acme ', 'Acme: A, B\n', '1. **Acme:**\n', 'acme ', 'Acme\u3001',
)  # fmt: skip
DETECTOR = Detector([Subject("a", ("Acme", "Away", "X"), ("acme.com",)), Subject("b", ("Best Buy",))])


def seconds(text: str) -> float:
    """The processor time of one detection."""
    begun = time.process_time()
    DETECTOR.detect(text, "What is the best thing to buy?", [("https://acme.com", "Acme")])
    return time.process_time() - begun


def test_no_delimiter_makes_a_long_answer_slow() -> None:
    """What is worse than linear takes many seconds here; all else a few tenths of one, on a busy machine, too."""
    slow = {sign: took for sign in DELIMITERS if (took := seconds(sign * (8_000 // len(sign)))) > 2}
    assert not slow


@pytest.mark.proof
def test_a_hostile_answer_of_160_000_characters_takes_no_second_and_half_of_it_about_half() -> None:
    took = {}
    for sign in DELIMITERS:
        long, half = (min(seconds(sign * (length // len(sign))) for _ in range(2)) for length in (160_000, 80_000))
        took[sign] = (long, half)
    assert not {sign: times for sign, times in took.items() if times[0] > 1 or times[0] > 3 * max(times[1], 0.02)}
