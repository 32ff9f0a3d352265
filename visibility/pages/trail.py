"""What people changed of a brand, with who and when."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse

from brands.models import Brand, BrandChange
from visibility.pages.frame import Visit, brand_page

SHOWN_IN_SETTINGS = 20
A_PAGE = 100


def changes_of(brand: Brand) -> QuerySet[BrandChange]:
    """The changes of a brand, the newest first."""
    return brand.changes.select_related("person")


@brand_page
def trail(visit: Visit) -> HttpResponse:
    """All changes that are stored, in pages."""
    page = Paginator(changes_of(visit.brand), A_PAGE).get_page(visit.query.get("page"))
    return visit.show("trail.html", "settings", page=page, changes=page.object_list)
