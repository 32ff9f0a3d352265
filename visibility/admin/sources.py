"""Classes of cited domains in the staff pages."""

from typing import Any

from django.contrib import admin

from apikeys.caller import Caller
from apikeys.staff.base import ServiceAdmin, ServiceForm
from visibility.models import DomainClass
from visibility.services.engines.domain_classes import classify_domain, unclassify_domain


class DomainClassForm(ServiceForm):
    """One domain; that of a row that exists is fixed."""

    class Meta:
        model = DomainClass
        fields = ["domain", "cls"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fix("domain")


@admin.register(DomainClass)
class DomainClassAdmin(ServiceAdmin):
    """What kind of site a domain is, for every brand. A change has the history of all brands measured again."""

    form = DomainClassForm
    list_display = ("domain", "cls", "changed_at")
    list_filter = ("cls",)
    search_fields = ("domain",)

    def store(self, caller: Caller, obj: DomainClass, form: Any, change: bool) -> DomainClass:
        return classify_domain(caller, domain=form.cleaned_data["domain"], cls=form.cleaned_data["cls"])

    def remove(self, caller: Caller, obj: DomainClass) -> None:
        unclassify_domain(caller, row=obj)
