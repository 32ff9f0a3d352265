"""Which cited pages are worth acting on first, where competitors are named and the brand is not.

Stages: answers with a gap, pages that they cite → ranking → what is shown of the first ones.
"""
