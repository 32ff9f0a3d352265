"""The sites of a caller."""

from apikeys.caller import Caller
from apikeys.scopes import Scope
from visibility.resources.sites import SiteList
from visibility.services.reading import statements
from visibility.services.reading.reporting import brand_fields, latest_run


def sites_of(caller: Caller) -> SiteList:
    """The brands that the caller sees, by name then id, each with the caller's role and its most recent run."""
    caller.require(Scope.READ_SITES)
    rows = statements.SITES.rows(caller)
    return SiteList.model_validate(
        {"sites": [{**brand_fields(row), "latest_run": latest_run(caller, row), "role": row[-1]} for row in rows]}
    )
