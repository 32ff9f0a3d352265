"""The faults of the doors: connections, revisions, hidden characters, marks, sign-in."""

from tests.mutants.harness import Fault

HTTP = ("tests/mcp/test_http.py",)
UNTRUSTED = ("tests/writing/test_untrusted.py",)

DOORS = (
    Fault(
        "idle connections are closed after two seconds",
        "config/gunicorn.py",
        "keepalive = 75",
        "keepalive = 2",
        ("tests/service/test_connections.py",),
    ),
    Fault(
        "any revision of the protocol is taken",
        "mcp_bridge/application.py",
        "                check_revision(scope, message)\n",
        "",
        HTTP,
    ),
    Fault(
        "the revision in _meta is not looked at",
        "mcp_bridge/requests.py",
        "if isinstance(metadata, dict) else revision",
        "if False else revision",
        HTTP,
    ),
    Fault(
        "characters that are not drawn reach agents",
        "apikeys/text/untrusted.py",
        "map(_visible, _NOT_DRAWN.sub",
        "map(_visible, re.compile('[^\\\\s\\\\S]').sub",
        UNTRUSTED,
    ),
    Fault(
        "passwords may be wrong for ever",
        "apikeys/signin/limits.py",
        "return _Counted(Usage(failures <= self.rate.limit, remaining, resets_in)",
        "return _Counted(Usage(True, remaining, resets_in)",
        ("tests/people/test_sign_in_limits.py::test_both_pages_share_the_count",),
    ),
    Fault(
        "wrong passwords count for the account, wherever they come from",
        "apikeys/signin/limits.py",
        'f"{account} {address}"',
        "account",
        (
            "tests/people/test_sign_in_limits.py::test_ten_wrong_passwords_are_enough_for_one_address_and_shut_nobody_else_out",
        ),
    ),
    Fault(
        "right passwords count as wrong ones",
        "apikeys/signin/forms.py",
        "        raise\n    attempt.take_off()\n    log.info",
        "        raise\n    log.info",
        ("tests/people/test_sign_in_limits.py::test_right_passwords_are_no_failures",),
    ),
    Fault(
        "each spelling of an address has passwords to guess of its own",
        "apikeys/signin/limits.py",
        ".strip().upper().casefold())",
        ".strip())",
        ("tests/people/test_sign_in_limits.py::test_variants_of_an_address_are_one_account",),
    ),
    Fault(
        "while the cache is away passwords may be guessed",
        "apikeys/signin/limits.py",
        "self._fallback.count(key, end_of_window(key, self.rate.seconds))",
        "Usage(True, 1, 1)",
        ("tests/people/test_sign_in_limits.py::test_the_process_counts_while_the_cache_is_away",),
    ),
    Fault(
        "reset mails are sent without end",
        "apikeys/signin/forms.py",
        "            count_reset_mail(account_key(email))\n",
        "            account_key(email)\n",
        ("tests/people/test_sign_in_limits.py::test_five_mails_an_hour_are_sent_to_an_account_known_or_not",),
    ),
    Fault(
        "the answer waits for the reset mail",
        "apikeys/signin/views.py",
        "        super().__init__(address)\n        self._work = work\n",
        "        super().__init__(address)\n        work()\n        self._work = lambda: None\n",
        ("tests/service/test_reset_mail.py",),
    ),
    Fault(
        "cookies of a TLS connection travel without it",
        "apikeys/signin/middleware.py",
        "if request.is_secure():",
        "if False:",
        ("tests/service/test_behind_proxy.py::test_cookies_are_for_tls_alone_where_a_trusted_proxy_ends_it",),
    ),
    Fault(
        "the staff pages' sign-in has no limit",
        "apikeys/signin/staffsite.py",
        "    login_form = StaffSignInForm\n",
        "",
        ("tests/people/test_sign_in_limits.py::test_both_pages_share_the_count",),
    ),
    Fault(
        "topics reach agents without marks",
        "visibility/resources/prompts.py",
        '    topic: UntrustedText = Field(description="as people',
        '    topic: str = Field(description="as people',
        ("tests/mcp/test_marks.py",),
    ),
    Fault(
        "cited addresses reach agents without marks",
        "visibility/resources/answers.py",
        "    url: UntrustedText\n",
        "    url: str\n",
        ("tests/mcp/test_marks.py",),
    ),
    Fault(
        "what was shown to agents cannot be handed back",
        "mcp_bridge/arguments.py",
        "return unmarked(argument) if isinstance(argument, str) else argument",
        "return argument",
        ("tests/mcp/test_marks.py",),
    ),
    Fault(
        "a tool does not declare a code that it raises",
        "mcp_bridge/tools/competitors.py",
        "errors=frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT}),",
        "errors=frozenset({ErrorCode.QUOTA_EXCEEDED}),",
        ("tests/mcp/test_codes.py",),
    ),
)
