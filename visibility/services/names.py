"""The tracked names of a brand that also mean something else, for those who add them."""

from brands.models import Brand
from brands.services.policies import tracked_names
from visibility.detection.ambiguity import Flag, flag_ambiguous


def name_flags(brand: Brand) -> dict[str, Flag]:
    """Each name or alias of the brand and its competitors that needs care, with the reason."""
    flags = {name: flag_ambiguous(name) for name in tracked_names(brand)}
    return {name: flag for name, flag in flags.items() if flag}
