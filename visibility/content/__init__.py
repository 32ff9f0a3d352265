"""What a brand should write, and the pages that are written for it.

Stages: facts of the latest measured day → opportunities → evidence → a draft.
"""
