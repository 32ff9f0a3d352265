"""Faults in who is signed in, and who may do what with which rows."""

from tests.mutants.harness import Fault

_TABLE = ("tests/people/test_restrict.py",)
_GONE = ("tests/people/test_gone.py",)
_SESSIONS = "apikeys/signin/sessions.py"
_SESSION_TESTS = ("tests/people/test_sessions.py",)

PERMISSION = (
    Fault(
        "a session that has expired is good for ever",
        _SESSIONS,
        ".filter(session_key=key, expire_date__gt=now)",
        ".filter(session_key=key)",
        _SESSION_TESTS,
    ),
    Fault(
        "whose account is closed stays signed in",
        _SESSIONS,
        "return user if self.user_can_authenticate(user) else None",
        "return user",
        _SESSION_TESTS,
    ),
    Fault(
        "a session that is gone keeps its key",
        _SESSIONS,
        "        self._session_key = None\n",
        "",
        _SESSION_TESTS,
    ),
    Fault(
        "a viewer may change what is below a brand",
        "brands/querysets.py",
        """            collaborations = collaborations.filter(role="editor", user__is_active=True)
""",
        "",
        _TABLE,
    ),
    Fault(
        "the key of staff sees all brands",
        "brands/querysets.py",
        """        if caller.reach == "all":
""",
        """        if caller.reach == "all" or (caller.user and caller.user.is_staff):
""",
        _TABLE,
    ),
    Fault(
        "a staff page may write",
        "brands/querysets.py",
        """        if action == "change" and not caller.may_write:
            return self.none()
""",
        "",
        _TABLE,
    ),
    Fault(
        "a staff page is an operator",
        "apikeys/caller.py",
        """return self.reach == "all" and self.may_write""",
        """return self.reach == "all\"""",
        _TABLE,
    ),
    Fault(
        "a stranger's brand is found",
        "brands/querysets.py",
        'return brands.filter(Q(owner=caller.user) | Q(pk__in=collaborations.values("brand")))',
        'return brands.filter(Q(owner__is_active=True) | Q(pk__in=collaborations.values("brand")))',
        _TABLE,
    ),
    Fault(
        "who is gone changes their brands",
        "brands/querysets.py",
        "            brands = brands.filter(owner__is_active=True)\n",
        "",
        _GONE,
    ),
    Fault(
        "who is gone pays",
        "apikeys/services/usage.py",
        "filter(Exists(active), user=user",
        "filter(user=user",
        _GONE,
    ),
    Fault(
        "what who is gone has offered is taken",
        "brands/services/invitations.py",
        "invitations.filter(invited_by__is_active=True, brand__owner__is_active=True)",
        "invitations.all()",
        _GONE,
    ),
    Fault(
        "brands of who is gone are scanned by schedule",
        "visibility/services/scans/schedule.py",
        ".filter(owner__is_active=True)",
        "",
        _GONE,
    ),
    Fault(
        "any staff look at all brands",
        "apikeys/operators.py",
        "if user.is_staff and user.has_perm(VIEW_ALL_BRANDS):",
        "if user.is_staff:",
        _TABLE,
    ),
    Fault(
        "joins double rows",
        "brands/querysets.py",
        """        return self.filter(**{f"{self.brand_path}__in": brands})
""",
        """        return self.filter(**{f"{self.brand_path}__in": brands}).filter(
            **{f"{self.brand_path}__collaborators__isnull": False}
        )
""",
        _TABLE,
    ),
    Fault(
        "the names of all brands are read as one brand's",
        "brands/services/tracked.py",
        "CompetitorAlias.objects.filter(competitor__brand=brand_id)",
        "CompetitorAlias.objects.all()",
        ("tests/people/test_tracked.py",),
    ),
)
