"""When a name that also means something else counts as a mention."""

from collections.abc import Iterable

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.text.validation import clean_line
from brands.models import MAX_NAME, Brand, NamePolicy
from brands.services.access import count_new_names, editable_brand
from brands.services.tracked import read_names

WORD_LENGTH = 50
MAX_WORDS = 30


@transaction.atomic
def set_name_policy(
    caller: Caller,
    *,
    brand: Brand,
    text: str,
    case_sensitive: bool = False,
    required_near: Iterable[str] = (),
    forbidden_near: Iterable[str] = (),
) -> NamePolicy | None:
    """Say when a tracked name counts: only in these capitals, in a line with one of some words, not beside others.

    Replaces what was said before; with nothing to say the policy is removed and None returned. Raises
    invalid_arguments for a name that is not tracked for this brand.
    """
    brand = editable_brand(caller, brand.pk, lock=True)
    name = _tracked(brand, clean_line("text", text, longest=MAX_NAME))
    required, forbidden = _words("required_near", required_near), _words("forbidden_near", forbidden_near)
    brand.name_policies.filter(text__iexact=name).delete()
    count_new_names(brand)
    if not (case_sensitive or required or forbidden):
        return None
    return NamePolicy.objects.create(
        brand=brand, text=name, case_sensitive=case_sensitive, required_near=required, forbidden_near=forbidden
    )


def tracked_names(brand: Brand) -> list[str]:
    """All names and aliases of the brand and of its competitors, each spelling once."""
    return read_names(brand).spellings


def _tracked(brand: Brand, text: str) -> str:
    """The name as it is tracked, whatever its case."""
    for name in tracked_names(brand):
        if name.casefold() == text.casefold():
            return name
    raise invalid("text", f"{text} is not a tracked name of {brand.name}. Add it as an alias first.")


def _words(argument: str, words: Iterable[str]) -> list[str]:
    unique_words = list(dict.fromkeys(clean_line(argument, word, longest=WORD_LENGTH) for word in words))
    if len(unique_words) > MAX_WORDS:
        raise invalid(
            argument, f"{len(unique_words)} words are too many: at most {MAX_WORDS} are allowed. Remove some."
        )
    if spaced := next((word for word in unique_words if " " in word), None):
        raise invalid(argument, f"“{spaced}” contains a space. Give single words.")
    return unique_words
