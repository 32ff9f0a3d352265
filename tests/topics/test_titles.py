"""How topics are called where people read them."""

import pytest

from visibility.models.prompts import topic_title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("tv-55-inch-1000", "tv 55 inch 1000"),
        ("mesh_wifi_home", "mesh wifi home"),
        ("e-bikes", "e-bikes"),
        ("carry-on luggage", "carry-on luggage"),
        ("Laptops", "Laptops"),
    ],
)
def test_a_name_for_machines_is_read_as_words(name, title):
    assert topic_title(name) == title
