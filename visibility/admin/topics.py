"""What people said of topics in the staff pages, to look at."""

from django.contrib import admin

from apikeys.staff.base import ReadOnlyAdmin
from brands.admin import StaffScopedAdmin
from visibility.models import TopicChoice


@admin.register(TopicChoice)
class TopicChoiceAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """Whether a brand sells what a topic is about; its owner and editors say so on the page Topics."""

    list_display = ("topic", "brand", "is_own", "decided_by", "decided_at")
    list_filter = ("is_own",)
    list_select_related = ("brand",)
    search_fields = ("topic", "brand__name", "brand__domain")
