"""Staff pages of accounts, plans, keys and records."""

from django.contrib import admin

from apikeys.admin.keys import ApiKeyAdmin
from apikeys.admin.records import CallLogAdmin, PlanAdmin, UsageAdmin
from apikeys.admin.users import GroupAdmin, UserAdmin

__all__ = ["ApiKeyAdmin", "CallLogAdmin", "GroupAdmin", "PlanAdmin", "UsageAdmin", "UserAdmin"]

admin.site.site_header = "Brand Visibility Service"
admin.site.site_title = "Brand Visibility Service"
admin.site.index_title = "Operation"
