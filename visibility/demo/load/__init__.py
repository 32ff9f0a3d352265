"""Data for measuring how the service does with many brands and answers: invented, and as true as any.

A few pattern brands are asked invented questions and measured as every import is; all others are copies of their rows
under other names and ids, so that each page of each brand shows what its answers say.
"""
