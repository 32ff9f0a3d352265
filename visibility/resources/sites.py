"""What agents see of the sites of a key: the brands, by their other name."""

from typing import Literal

from pydantic import Field

from apikeys.resources import Resource
from visibility.resources.brands import BrandListItem

Role = Literal["owner", "editor", "viewer"]


class Site(BrandListItem):
    """A brand with its most recent run, and what the key's owner may do with it."""

    role: Role = Field(description="owners and editors may change and scan it; viewers read")


class SiteList(Resource):
    """All sites that the key can see, by name."""

    sites: list[Site]
