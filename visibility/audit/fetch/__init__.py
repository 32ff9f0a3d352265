"""Fetches addresses that strangers choose: bounded in time, size and number, and public addresses only."""
