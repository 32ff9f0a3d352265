"""Signing in for people: password, second factor, single sign-on, sessions, one's own password and address.

The steps are django-allauth's; forms, counted tries, words and pages are ours, and nobody signs up.
"""
