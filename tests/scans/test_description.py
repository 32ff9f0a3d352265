"""What a brand says that it sells is part of what its answers are analysed for."""

import pytest

from brands.services.brands import update_brand
from brands.services.tracked import read_names
from visibility.measured.names import Vocabulary, vocabulary_of

pytestmark = pytest.mark.django_db
SHOES = "Running shoes and sportswear"


def test_a_description_is_part_of_what_answers_are_analysed_for(cast, owner):
    before = vocabulary_of(cast.brand)
    assert "descriptions" not in before.as_json(), "brands without one keep their figures"
    version = cast.brand.names_version
    brand = update_brand(owner, brand=cast.brand, description=SHOES)
    assert brand.names_version == version + 1
    after = vocabulary_of(brand, read_names(brand))
    assert after.stamp != before.stamp
    assert Vocabulary.from_json(after.as_json(), []) == after
    assert after.descriptions == {"": SHOES}


def test_a_change_of_anything_else_counts_no_new_names(cast, owner):
    version = cast.brand.names_version
    assert update_brand(owner, brand=cast.brand, samples=2).names_version == version
