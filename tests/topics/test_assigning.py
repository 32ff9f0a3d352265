"""The topic of each line of a pasted list."""

import pytest

from visibility.topics.pooling import assign


@pytest.mark.parametrize(
    ("wording", "topic"),
    [
        ("Which bell is loud?", "door bells"),
        ("What security camera sees at night?", "security cameras"),
        ("Is there a camera for the door?", "door cameras"),
        ("Which lock is for me?", None),
    ],
)
def test_a_line_goes_to_the_topic_whose_rare_words_it_has(wording, topic):
    topics = ["door bells", "security cameras", "door cameras", "alarms for the home"]
    assert assign([wording], topics).get(wording) == topic


def test_a_single_topic_is_that_of_all():
    assert assign(["Anything?"], ["bells"]) == {"Anything?": "bells"}


def test_what_fits_no_topic_is_pooled():
    pooled = ["crm for small teams", "which crm is for small teams"]
    alone = ["good running watch", "quiet dishwasher", "vegan leather boots"]
    found = assign([*pooled, *alone, "loud bell"], ["door bells", "locks"])
    assert found == {**dict.fromkeys(pooled, pooled[0]), "loud bell": "door bells"}
