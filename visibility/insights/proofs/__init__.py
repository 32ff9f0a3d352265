"""Whether recommendations that were done have helped.

Stages: done → a frozen plan → a baseline → scans → a verdict, which shares the false-discovery rate of its month.
"""
