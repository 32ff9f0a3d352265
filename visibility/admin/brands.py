"""Brands in the staff pages, as far as what is measured has a say."""

from django.contrib import admin

from apikeys.caller import Caller
from brands.admin import BrandAdmin
from brands.models import Brand
from visibility.services.brands import remove_brand


@admin.register(Brand)
class MeasuredBrandAdmin(BrandAdmin):
    """Brands whose scans end, and are settled, before they are deleted."""

    def remove(self, caller: Caller, obj: Brand) -> None:
        remove_brand(caller, brand=obj)
