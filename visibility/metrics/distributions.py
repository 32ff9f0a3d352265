"""The distributions whose tails and quantiles figures need, under scipy's own names and with its arguments.

scipy is loaded when the first figure is computed: most commands, and most requests, compute none.
"""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def _special() -> Any:
    return import_module("scipy.special")


def stdtr(df: Any, t: Any) -> Any:
    """Student's t: the part of the distribution up to `t`."""
    return _special().stdtr(df, t)


def stdtrit(df: Any, p: Any) -> Any:
    """Student's t: the quantile of `p`."""
    return _special().stdtrit(df, p)


def ndtri(p: Any) -> Any:
    """The normal distribution: the quantile of `p`."""
    return _special().ndtri(p)


def chdtri(df: Any, p: Any) -> Any:
    """Chi-squared: the value that is exceeded with probability `p`."""
    return _special().chdtri(df, p)


def bdtrc(k: Any, n: Any, p: Any) -> Any:
    """Binomial: the probability of more than `k` of `n`."""
    return _special().bdtrc(k, n, p)


def gammainc(a: Any, x: Any) -> Any:
    """The regularised lower incomplete gamma function."""
    return _special().gammainc(a, x)


def gammaincinv(a: Any, p: Any) -> Any:
    """The inverse of `gammainc`."""
    return _special().gammaincinv(a, p)


def gammaln(x: Any) -> Any:
    """The logarithm of the gamma function."""
    return _special().gammaln(x)
