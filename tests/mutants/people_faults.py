"""Faults in what owners do without an operator: prompts, brands, people, deletion."""

from tests.mutants.harness import Fault

_LIST = ("tests/pages/test_prompt_list.py",)
_WRITING = ("tests/pages/test_prompt_writing.py",)
_PEOPLE = ("tests/pages/test_brand_people.py",)
_SETTINGS = ("tests/pages/test_brand_settings.py",)

PEOPLE = (
    Fault(
        "prompts of other brands are archived",
        "visibility/services/prompts/keeping.py",
        "Prompt.objects.filter(brand=brand, pk__in=prompt_ids).active()",
        "Prompt.objects.filter(pk__in=prompt_ids).active()",
        _LIST,
    ),
    Fault(
        "restored prompts pass the quota",
        "visibility/services/prompts/keeping.py",
        "    require_room(brand, chosen.count())\n",
        "",
        _LIST,
    ),
    Fault(
        "a filter of prompts is forgotten",
        "visibility/services/prompts/paging.py",
        'for name in ("topic", "stage", "intent")',
        'for name in ("topic", "stage")',
        _LIST,
    ),
    Fault(
        "the way back leads anywhere",
        "visibility/pages/prompt_list.py",
        'for name in (*FILTERS, "page") if query.get(name)',
        "for name in query if query.get(name)",
        _LIST,
    ),
    Fault(
        "refused lines are lost",
        "visibility/pages/prompt_writing.py",
        '"\\n".join(line.text for line in pasted.refused)',
        '""',
        _WRITING,
    ),
    Fault(
        "lines without room are lost",
        "visibility/services/prompts/pasting.py",
        "    pasted.refused.extend(LeftOut(line.number, line.typed, reason) for line in wanted[room:])\n",
        "",
        _WRITING,
    ),
    Fault(
        "a line is refused by the number of another",
        "visibility/services/prompts/pasting.py",
        "enumerate(text.splitlines(), start=1) if line.strip()]",
        "enumerate(filter(str.strip, text.splitlines()), start=0)]",
        _WRITING,
    ),
    Fault(
        "what somebody else changed is overwritten",
        "visibility/services/prompts/editing.py",
        "    if seen_version not in (None, prompt.version):\n",
        "    if False:\n",
        _WRITING,
    ),
    Fault(
        "half a brand is kept",
        "visibility/services/brands.py",
        """@transaction.atomic
def add_own_brand(""",
        """def add_own_brand(""",
        ("tests/pages/test_brand_adding.py",),
    ),
    Fault(
        "half of the names are kept",
        "visibility/services/brands.py",
        """@transaction.atomic
def rename_brand(""",
        """def rename_brand(""",
        _SETTINGS,
    ),
    Fault(
        "names that somebody else changed meanwhile are overwritten unseen",
        "visibility/services/brands.py",
        "if seen_mark and seen_mark != names_mark(before):",
        "if False:",
        _SETTINGS,
    ),
    Fault(
        "any name deletes a brand",
        "visibility/pages/brand_settings.py",
        "        if name != self._expected:\n",
        "        if not name:\n",
        _SETTINGS,
    ),
    Fault(
        "editors see the deletion",
        "visibility/pages/brand_settings.py",
        "    if not frame.may_own:\n        raise PermissionDenied",
        "    if not frame.may_edit:\n        raise PermissionDenied",
        _SETTINGS,
    ),
    Fault(
        "an invitation tells who has an account",
        "brands/services/invitations.py",
        "    _count(caller, brand, address)\n",
        """    if not User.objects.filter(email__iexact=address).exists():
        raise invalid("email", "No account has this address.")
    _count(caller, brand, address)
""",
        _PEOPLE,
    ),
    Fault(
        "anybody accepts an invitation",
        "brands/services/invitations.py",
        "Invitation.objects.filter(email__iexact=user.email).select_related",
        "Invitation.objects.select_related",
        _PEOPLE,
    ),
    Fault(
        "invitations are not limited",
        "apikeys/signin/limits.py",
        """    for key in (f"by {inviter}", f"to {invited}"):
""",
        """    for key in ():
""",
        _PEOPLE,
    ),
    Fault(
        "what a former owner offered stays",
        "brands/services/brands.py",
        "    brand.invitations.all().delete()\n",
        "",
        _PEOPLE,
    ),
    Fault(
        "who is invited is told to editors",
        "visibility/pages/brand_people.py",
        'list(frame.brand.invitations.order_by("email")) if frame.may_own else []',
        'list(frame.brand.invitations.order_by("email"))',
        _PEOPLE,
    ),
    Fault(
        "a brand can be pressed on somebody without room",
        "brands/services/brands.py",
        """        raise conflict(f"{new_owner.email} owns this brand already.", argument="to")
    _require_room(new_owner)
""",
        """        raise conflict(f"{new_owner.email} owns this brand already.", argument="to")
""",
        _PEOPLE,
    ),
)
