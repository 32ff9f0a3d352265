"""What the doors show of a brand."""

from uuid import UUID

from apikeys.resources import Resource
from brands.models import Cadence


class BrandResource(Resource):
    """A brand whose visibility is measured; called a site on the agent door."""

    id: UUID
    name: str
    domain: str
    cadence: Cadence
