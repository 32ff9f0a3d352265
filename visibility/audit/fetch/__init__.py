"""The one way to addresses that strangers choose: bounded in time, size and number, and to public addresses only."""
