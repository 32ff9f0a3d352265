"""Site audits: bytes of strangers → facts → findings. No database, no Django. See README.md."""

from visibility.audit.crawl.client import Halted
from visibility.audit.crawl.crawl import gather, site_of
from visibility.audit.crawl.order import Gathered, NotAudited, Order
from visibility.audit.facts import ParsedPage, Site, SitePage
from visibility.audit.judge import CATALOGUE, Finding, Verdict, fix_prompt, judge, mark_quotes
from visibility.audit.proposals import Proposal, Proposals, propose
from visibility.audit.read.child import READER_VERSION
from visibility.audit.sentences import (
    Days,
    Sentence,
    Value,
    counted,
    from_stored,
    in_a_row,
    iso_day,
    listed,
    say,
    to_stored,
)
from visibility.audit.states import PageState, state_of
from visibility.audit.stored import from_json, to_json

__all__ = [
    "CATALOGUE",
    "READER_VERSION",
    "Days",
    "Finding",
    "Gathered",
    "Halted",
    "NotAudited",
    "Order",
    "PageState",
    "ParsedPage",
    "Proposal",
    "Proposals",
    "Sentence",
    "Site",
    "SitePage",
    "Value",
    "Verdict",
    "counted",
    "fix_prompt",
    "from_json",
    "from_stored",
    "gather",
    "in_a_row",
    "iso_day",
    "judge",
    "listed",
    "mark_quotes",
    "propose",
    "say",
    "site_of",
    "state_of",
    "to_json",
    "to_stored",
]
