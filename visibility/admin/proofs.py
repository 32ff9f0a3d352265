"""Proofs in the staff pages, to look at: what was planned when work was done, and what later scans said."""

from django.contrib import admin

from apikeys.staff.base import ReadOnlyAdmin
from brands.admin import StaffScopedAdmin
from visibility.metrics.shown import shown
from visibility.models import Proof


@admin.register(Proof)
class ProofAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """Whether what was done has helped. Measurement alone writes it."""

    list_display = ("brand", "topic", "metric", "state", "verdict", "change", "done_at", "judged_at")
    list_filter = ("state", "verdict", "metric")
    list_select_related = ("brand",)
    search_fields = ("=id", "topic", "brand__name", "brand__domain")
    date_hierarchy = "done_at"

    @admin.display(description="change against the control")
    def change(self, proof: Proof) -> str:
        result = proof.result
        if result.get("delta") is None:
            return ""
        ends = [shown(result[end], signed=True) for end in ("low", "high") if result.get(end) is not None]
        return shown(result["delta"], signed=True) + (f" ({' to '.join(ends)})" if ends else "")
