"""Many tests at once: p adjusted for the number of them."""

import numpy as np

from visibility.metrics.counts import Floats

ALPHA = 0.05
"""Where nothing changed: the chance of a false alarm of the brand's own score, and of any in the rest."""


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p along the last axis, the smallest false discovery rate at which each is rejected (Benjamini and
    Hochberg 1995). NaN is no test."""
    order = np.argsort(p, axis=-1)
    tests = np.count_nonzero(~np.isnan(p), axis=-1, keepdims=True)
    stepped = np.take_along_axis(p, order, axis=-1) * tests / np.arange(1, p.shape[-1] + 1)
    smallest = np.fmin.accumulate(stepped[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(smallest, 1.0), axis=-1)
    return np.where(np.isnan(p), np.nan, adjusted)


def holm(p: Floats) -> Floats:
    """Adjusted p along the last axis, under control of any false alarm at all (Holm 1979). NaN is no test."""
    order = np.argsort(p, axis=-1)
    tests = np.count_nonzero(~np.isnan(p), axis=-1, keepdims=True)
    left = np.maximum(tests - np.arange(p.shape[-1]), 0)
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * left, axis=-1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=-1)
    return np.where(np.isnan(p), np.nan, adjusted)
