"""Rewriting what scenarios expect, in place: the same keys, with what was decided.

Only the value of ``expect`` changes; comments, order and layout of the rest stay. Where that
cannot be done with certainty, the scenario is left alone and the reason is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .expect import ABOUT_VERDICT, mismatches, outcomes_of, reduce, with_answer
from .files import write_atomically
from .i18n import gettext as _
from .model import Outcome
from .yamltext import end_mark, flow, offset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .model import Scenario, Verdict

    Decide = Callable[[Scenario], Verdict]


class CannotUpdateError(ValueError):
    """Why an expectation is left as it is, as a sentence."""


def expectation(scenario: Scenario, decide: Decide) -> dict[str, Any]:
    """Give what the scenario would have to expect, for the keys and players that it names.

    Raises CannotUpdateError where that cannot be said with these keys.
    """
    expected = scenario.expect or {}
    if expected.get("open") is True or "because" in expected or "chance" in expected:
        raise CannotUpdateError(_("it expects something that is not compared key by key"))
    pattern = Outcome((k, v) for k, v in expected.items() if k not in ABOUT_VERDICT)
    for reading in expected.get("readings") or ():
        pattern |= {k: v for k, v in reading.items() if k not in ABOUT_VERDICT}
    if not pattern:
        raise CannotUpdateError(_("it names no key of an outcome"))
    verdict = decide(scenario)
    if verdict.readings is None:
        raise CannotUpdateError(_("there are too many readings"))
    outcomes = [_like(pattern, o) for o in outcomes_of(verdict)]
    if all(o == outcomes[0] for o in outcomes):
        return outcomes[0]
    for question in verdict.open:
        readings = [
            {"id": answer, **_only(pattern, decide(with_answer(scenario, question, answer)))}
            for answer in question.answers
        ]
        if all("?" not in reading for reading in readings):
            return {"open": [question.id], "readings": readings}
    raise CannotUpdateError(_("no single question divides the outcomes"))


def _only(pattern: Outcome, verdict: Verdict) -> Outcome:
    """Give the one outcome that follows; marked with ``?`` where there are several."""
    outcomes = [_like(pattern, o) for o in outcomes_of(verdict)]
    return outcomes[0] if all(o == outcomes[0] for o in outcomes) else Outcome({"?": True})


def _like(pattern: Outcome, outcome: Outcome) -> Outcome:
    """Give an outcome reduced to the keys and players of a pattern; what fits already stays as written."""
    wrong = {m.key.partition(".")[0] for m in mismatches(pattern, outcome)}
    got = reduce(outcome, pattern)
    result = Outcome()
    for key, value in pattern.items():
        if key not in wrong or key == "unannounced":
            result[key] = value
        elif key == "counters":
            have = got.get(key) or {}
            result[key] = {p: {c: have.get(p, {}).get(c) for c in counts} for p, counts in value.items()}
        elif isinstance(value, dict):
            default: Any = [] if key in ("cannot", "items") else "none"
            result[key] = {p: (got.get(key) or {}).get(p, default) for p in value}
        elif key == "illegal":
            result[key] = bool(outcome.get(key))
        elif key == "winner":
            result[key] = outcome.get(key, "none")
        else:
            result[key] = got[key]
    return result


def update_file(path: str, changes: Sequence[tuple[Scenario, dict[str, Any]]]) -> list[tuple[Scenario, str]]:
    """Write new expectations into a file; give those that could not be written, with the reason.

    The new text is read again and compared before the file is replaced. Raises OSError.
    """
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    left: list[tuple[Scenario, str]] = []
    ordered = sorted(changes, key=lambda c: c[0].place.line if c[0].place else 0, reverse=True)
    for scenario, new in ordered:
        try:
            text = replaced(text, scenario, new)
        except CannotUpdateError as error:
            left.append((scenario, str(error)))
    write_atomically(file, text)
    return left[::-1]


def replaced(text: str, scenario: Scenario, new: dict[str, Any]) -> str:
    """Give the text with the value of this scenario's ``expect`` replaced."""
    import yaml

    place = scenario.places.get("expect")
    if place is None:
        raise CannotUpdateError(_("its place in the file is not known"))
    try:
        root = yaml.compose(text, yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise CannotUpdateError(_("it is not one YAML document")) from error
    found = _find(root, place.line - 1, place.column - 1)
    if found is None:
        raise CannotUpdateError(_("its place in the file is not known"))
    value = found
    start, end = offset(text, value.start_mark), offset(text, end_mark(value))
    if any(line.lstrip().startswith("#") or " #" in line for line in text[start:end].splitlines()):
        raise CannotUpdateError(_("a comment stands inside it"))
    if value.flow_style:
        after = text[:start] + flow(new) + text[end:]
    else:
        indent = " " * value.start_mark.column
        after = text[:start] + f"\n{indent}".join(f"{k}: {flow(v)}" for k, v in new.items()) + text[end:]
    _check(text, after, new)
    return after


def _find(node: Any, line: int, column: int) -> Any:
    """Find the value of the entry ``expect`` whose key or value begins at this place."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            starts = {(m.line, m.column) for m in (key.start_mark, value.start_mark)}
            if key.value == "expect" and (line, column) in starts:
                return value
            if inner := _find(value, line, column):
                return inner
    elif isinstance(node, yaml.SequenceNode):
        for child in node.value:
            if inner := _find(child, line, column):
                return inner
    return None


def _check(before: str, after: str, new: dict[str, Any]) -> None:
    """Make sure that nothing but this expectation has changed."""
    import yaml

    try:
        old, now = yaml.load(before, yaml.CBaseLoader), yaml.load(after, yaml.CBaseLoader)  # noqa: S506
        wanted = yaml.load(flow(new), yaml.CBaseLoader)  # noqa: S506
    except yaml.YAMLError as error:
        raise CannotUpdateError(_("the new text would not be readable")) from error
    differing = _differences(old, now)
    if any(found != wanted for found in differing) or len(differing) > 1:
        raise CannotUpdateError(_("more than the expectation would change"))


def _differences(old: Any, now: Any) -> list[Any]:
    """Give the new values of the entries ``expect`` that differ, and anything else that differs."""
    if old == now:
        return []
    if isinstance(old, dict) and isinstance(now, dict) and list(old) == list(now):
        return [
            d
            for key in old
            for d in (
                [now[key]] if key == "expect" and old[key] != now[key] else _differences(old[key], now[key])
            )
        ]
    if isinstance(old, list) and isinstance(now, list) and len(old) == len(now):
        return [d for a, b in zip(old, now, strict=True) for d in _differences(a, b)]
    return [("differs", now)]


def update(
    scenarios: Sequence[tuple[str, Scenario]], decide: Decide
) -> tuple[list[Scenario], list[tuple[Scenario, str]]]:
    """Rewrite the expectations of these scenarios (each with its file); give those changed and those left."""
    changes: dict[str, list[tuple[Scenario, dict[str, Any]]]] = {}
    left: list[tuple[Scenario, str]] = []
    for file, scenario in scenarios:
        if not file.endswith((".yaml", ".yml")):
            left.append((scenario, _("only YAML files are rewritten")))
            continue
        try:
            changes.setdefault(file, []).append((scenario, expectation(scenario, decide)))
        except CannotUpdateError as error:
            left.append((scenario, str(error)))
    changed: list[Scenario] = []
    for file, pairs in changes.items():
        unsafe = update_file(file, pairs)
        left += unsafe
        refused = [s for s, _why in unsafe]
        changed += [s for s, _new in pairs if s not in refused]
    return changed, left
