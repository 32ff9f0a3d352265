"""The thirteen scopes that a key can carry. Run scopes spend credits; read and write scopes do not."""

from enum import StrEnum


class Scope(StrEnum):
    """One permission of a key. `help` says what it grants, in the words shown to operators."""

    help: str

    def __new__(cls, value: str, help_text: str) -> "Scope":
        member = str.__new__(cls, value)
        member._value_ = value
        member.help = help_text
        return member

    READ_SITES = "read:sites", "Site list, portfolio summary, site brief"
    READ_VISIBILITY = "read:visibility", "Visibility scores and history, runs"
    READ_AUDITS = "read:audits", "Audit scores and findings"
    READ_PROMPTS = "read:prompts", "Prompt list and detail of each prompt"
    READ_COMPETITORS = "read:competitors", "Competitor list and gap analysis"
    READ_RECOMMENDATIONS = "read:recommendations", "The recommendation queue with its fix prompts"
    READ_CONTENT = "read:content", "Content opportunities and drafts"
    READ_VOICE = "read:voice", "Voice profile, review themes, buyer criteria, positioning claims"
    WRITE_PROMPTS = "write:prompts", "Generate and refine prompts"
    WRITE_COMPETITORS = "write:competitors", "Add a competitor"
    WRITE_CONTENT = "write:content", "Generate a content draft"
    RUN_VISIBILITY = "run:visibility", "Start visibility scans and comparisons (spends credits)"
    RUN_AUDITS = "run:audits", "Start site audits (spends credits)"


ALL_SCOPES = frozenset(Scope)
REPORTING_SCOPES = frozenset({Scope.READ_SITES, Scope.READ_VISIBILITY, Scope.READ_RECOMMENDATIONS})
"""What the REST endpoints ask for."""
READ_SCOPES = frozenset(scope for scope in Scope if scope.startswith("read:"))
RUN_SCOPES = frozenset({Scope.RUN_VISIBILITY, Scope.RUN_AUDITS})
AGENT_SCOPES = ALL_SCOPES - RUN_SCOPES
"""Everything that spends no credits."""
SHARED_SCOPES = frozenset({Scope.READ_SITES, Scope.READ_VISIBILITY, Scope.READ_COMPETITORS})
"""What the overview of a brand shows to people without an account."""
