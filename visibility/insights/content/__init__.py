"""What a brand should write, and the pages that are written for it.

Stages: facts of now → opportunities → evidence → a draft.
"""
