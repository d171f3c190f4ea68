"""Checking a role set: what could go wrong at the table, found by search, each with its smallest night."""

from __future__ import annotations

from .findings import KINDS, SEVERITIES, Finding, Report, Settlement, Witness

__all__ = ["KINDS", "SEVERITIES", "Finding", "Report", "Settlement", "Witness"]
