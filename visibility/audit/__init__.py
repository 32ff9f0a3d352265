"""Site audits: bytes of strangers → facts → findings. No database, no Django. See README.md."""

from visibility.audit.crawl.client import Halted
from visibility.audit.crawl.crawl import gather, site_of
from visibility.audit.crawl.order import Gathered, NotAudited, Order
from visibility.audit.facts import ParsedPage, Site, SitePage
from visibility.audit.judge import CATALOGUE, Finding, Verdict, fix_prompt, judge, mark_quotes
from visibility.audit.proposals import Proposal, Proposals, propose
from visibility.audit.read.child import READER_VERSION
from visibility.audit.states import PageState, state_of
from visibility.audit.stored import from_json, to_json

__all__ = [
    "CATALOGUE",
    "READER_VERSION",
    "Finding",
    "Gathered",
    "Halted",
    "NotAudited",
    "Order",
    "PageState",
    "ParsedPage",
    "Proposal",
    "Proposals",
    "Site",
    "SitePage",
    "Verdict",
    "fix_prompt",
    "from_json",
    "gather",
    "judge",
    "mark_quotes",
    "propose",
    "site_of",
    "state_of",
    "to_json",
]
