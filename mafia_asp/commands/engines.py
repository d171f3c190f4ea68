"""Where much work is done: ``--jobs``, ``--engine`` and ``--scheduler``."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..i18n import gettext as _
from .common import note, with_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..batch import Engine

    F = TypeVar("F", bound=Callable[..., Any])

ENGINES = ("local", "dask")


def engine_options(command: F) -> F:
    """``--jobs --engine --scheduler``: what :func:`chosen_engine` takes."""
    return with_options(
        click.option(
            "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; by default one a core."
        ),
        click.option(
            "--engine",
            "kind",
            type=click.Choice(ENGINES),
            default="local",
            show_default=True,
            help="Processes of this machine, or a Dask cluster.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="With --engine dask: the cluster's scheduler; by default a cluster on this machine.",
        ),
    )(command)


@contextmanager
def chosen_engine(jobs: int | None, kind: str, scheduler: str | None) -> Iterator[Engine]:
    """Give the engine that was asked for.

    Raises:
        click.UsageError: options that do not go together, Dask is not installed, or there is no scheduler.
    """
    if kind != "dask":
        if scheduler:
            raise click.UsageError(_("--scheduler needs --engine dask."))
        from ..batch import LocalEngine

        yield LocalEngine(jobs)
        return
    if scheduler and jobs:
        raise click.UsageError(_("--jobs is for this machine; a cluster has its own workers."))
    try:
        from ..batch.on_dask import DaskEngine, NoCluster
    except ImportError as error:
        text = _("--engine dask needs the extra 'dask': pip install 'mafia_asp[dask]' ({why})")
        raise click.UsageError(text.format(why=error)) from error
    try:
        engine = DaskEngine(scheduler, jobs)
    except NoCluster as error:
        raise click.UsageError(str(error)) from error
    with engine:
        if engine.dashboard:
            note(_("Dashboard: {link}").format(link=engine.dashboard))
        yield engine
