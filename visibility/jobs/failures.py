"""Why the turn of a worker ended, where several of its tasks failed."""

from collections.abc import Iterator

from visibility.jobs.lease import LeaseLost


def first_failure(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The failure that says why: a lost lease before all others, else the first."""
    failures = list(_leaves(group))
    return next((failure for failure in failures if isinstance(failure, LeaseLost)), failures[0])


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for failure in group.exceptions:
        if isinstance(failure, BaseExceptionGroup):
            yield from _leaves(failure)
        else:
            yield failure
