"""What to do after a refusal, as data: by the code of the error, whichever tool it came from."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from apikeys.errors import ErrorCode
from visibility.resources.steps import NextStep, by_people, called, next_step

Details = Mapping[str, Any]


def step_after(code: ErrorCode, details: Details, raw_arguments: Mapping[str, Any]) -> NextStep | None:
    """The step that leads on; None where the message says all there is, such as for arguments that do not fit."""
    step = _STEPS.get(code)
    return step(details, _site(raw_arguments)) if step is not None else None


def _site(raw_arguments: Mapping[str, Any]) -> str | None:
    """The site that was asked about, where that is an id."""
    try:
        return str(UUID(raw_arguments["siteId"]))
    except (KeyError, ValueError, TypeError, AttributeError):
        return None


def _ids(details: Details, site: str | None) -> NextStep:
    """The same whatever was asked for: an id of somebody else's is as unknown as one that never was."""
    why = f"Gives the ids of the sites; {called('list_prompts')} and {called('get_latest_scan')} take them further."
    return next_step("list_sites", why)


def _no_prompts(details: Details, site: str | None) -> NextStep:
    about = {"siteId": site} if site else {}
    return next_step("generate_prompts", "Writes questions as buyers ask them; a scan asks them then.", **about)


def _quota(details: Details, site: str | None) -> NextStep:
    why = "Shows what the account may still use; more is the operator's to give."
    if details.get("resetsAt"):
        why = f"{why} This quota is renewed at {details['resetsAt']}."
    return next_step("get_portfolio_summary", why)


def _scope(details: Details, site: str | None) -> NextStep:
    return by_people(f"Ask the operator for a key with the scope {details['requiredScope']}.")


def _read_only(details: Details, site: str | None) -> NextStep:
    return by_people("Ask the owner of the site to make this key's owner an editor, or to make the change.")


def _no_engine(details: Details, site: str | None) -> NextStep:
    return by_people("Ask the operator to configure an engine for the site, or to import answers from elsewhere.")


def _conflict(details: Details, site: str | None) -> NextStep | None:
    """Where a draft has too few sources: what has the own pages read."""
    if details.get("reason") != "too_few_sources" or not site:
        return None
    why = "Reads the site's own pages, which a draft quotes; it spends credits, so ask the user."
    return next_step("run_audit_scan", why, siteId=site)


def _argument(details: Details, site: str | None) -> NextStep | None:
    """The list of what there is, where an argument names something that there is not."""
    paths = (row["path"].partition("[")[0] for row in details.get("arguments", ()))
    tool = next((_LISTS[path] for path in paths if path in _LISTS), None)
    return next_step(tool, "Lists those that there are, with their ids.", siteId=site) if tool and site else None


_LISTS = {
    "competitorId": "list_competitors",
    "competitorIds": "list_competitors",
    "ids": "get_recommendations",
    "opportunityId": "get_content_opportunities",
}
"""Which tool lists what an argument is the id of."""
_STEPS: Mapping[ErrorCode, Callable[[Details, str | None], NextStep | None]] = {
    ErrorCode.NOT_FOUND: _ids,
    ErrorCode.INVALID_ARGUMENTS: _argument,
    ErrorCode.NO_PROMPTS: _no_prompts,
    ErrorCode.CONFLICT: _conflict,
    ErrorCode.QUOTA_EXCEEDED: _quota,
    ErrorCode.INSUFFICIENT_SCOPE: _scope,
    ErrorCode.READ_ONLY_COLLABORATOR: _read_only,
    ErrorCode.NO_ENGINE_CONFIGURED: _no_engine,
}
