"""What a scenario expects, held against what was decided.

``compare(scenario, decide)`` is the whole of it; ``mismatches`` compares one outcome with the keys
of one expectation. Only named keys are compared (``docs/scenarios.md`` tells what each means).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .i18n import N_, current_language
from .i18n import gettext as _
from .model import EMPTY, Outcome
from .names import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .model import OpenQuestion, Scenario, Verdict

    Decide = Callable[[Scenario], Verdict]

#: Keys of an expectation that speak of the verdict and not of an outcome.
ABOUT_VERDICT = frozenset({"open", "readings", "because", "chance", "id"})
#: Keys of an outcome that are reported and do not make a night open by themselves.
REPORTED = frozenset({"calls"})


class Mismatch(NamedTuple):
    """One entry of an outcome that is not as expected; ``key`` is like ``dead`` or ``answers.Ali``."""

    key: str
    expected: Any
    got: Any


class Failure(NamedTuple):
    """One way in which a verdict is not as expected: a code, and what its sentence needs."""

    code: str
    args: Mapping[str, Any] = EMPTY

    def __str__(self) -> str:
        """Give the sentence in the language of this context."""
        from .render.layout import isolate

        lang = current_language()
        return _(_SENTENCES[self.code]).format(**{k: isolate(show(v), lang) for k, v in self.args.items()})


_SENTENCES = {
    "differs": N_("{key}: expected {expected}, got {got}"),
    "open_key": N_("{key}: expected {expected}, which holds in some readings only; open: {open}"),
    "not_open": N_("{id} should be open, and is not"),
    "settled": N_("something should be open, and all is settled"),
    "unsettled": N_("nothing should be open; open: {open}"),
    "no_reading": N_("no reading has the outcome expected for {id}: {expected}"),
    "extra_reading": N_("a reading has an outcome that is not expected: {got}"),
    "reading_differs": N_("with {question}: {id} decided, {key}: expected {expected}, got {got}"),
    "unknown_answer": N_("{id} is no answer of {open}"),
    "because": N_("rule {rule} does not bear on this outcome"),
    "truncated": N_("there are too many readings to list; rule on further questions in the scenario"),
    "chance": N_("chance: expected {expected}, got {got}"),
    "unknown_key": N_("{key} is nothing that can be expected"),
}


def show(value: Any) -> str:
    """Print a value of an outcome as a scenario file would write it, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(show(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


# --- one outcome against one expectation ------------------------------------------------------


def _word(value: Any) -> str:
    """Bring a name, role, verb or answer to the form in which it is compared."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else normalise(str(value))


def token(value: Any) -> str:
    """Bring an announcement to one form.

    ``{dead: Reza}`` is ``dead: Reza``, and ``dead: Reza or Omid`` is ``either: Reza Omid``.
    """
    if isinstance(value, dict):
        value = "; ".join(f"{key}: {rest}" for key, rest in value.items())
    kind, colon, rest = str(value).partition(":")
    if _word(kind) == "dead" and (one_or_other := re.fullmatch(r"\s*(\S+)\s+(?:or|یا)\s+(\S+)\s*", rest)):
        kind, rest = "either", " ".join(one_or_other.groups())
    return f"{_word(kind)}: {' '.join(_word(part) for part in rest.split())}" if colon else _word(kind)


def _words(values: Any) -> frozenset[str]:
    return frozenset(_word(v) for v in _listed(values))


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]


def _of(table: Any, name: str, default: Any) -> Any:
    """Look a player up in a part of an outcome, by the name as it is compared."""
    wanted = _word(name)
    for key, value in (table or {}).items():
        if _word(key) == wanted:
            return value
    return default


def _same_answer(expected: Any, got: Any, players: frozenset[str]) -> bool:
    """Answers in the order told; names that are shown all at once in any order.

    A list of one thing is that thing, and one word stands for the same answer to every question; the empty
    list (woken, and shown nobody) is not ``none``.
    """
    if isinstance(expected, dict) or isinstance(got, dict):
        return isinstance(expected, dict) and isinstance(got, dict) and _same_choice(expected, got)
    one, other = ([_word(v) for v in _listed("none" if x is None else x)] for x in (expected, got))
    if one == other or (len(one) == 1 and set(one) == set(other)):
        return True
    return sorted(one) == sorted(other) and players.issuperset(one)


def _same_choice(expected: dict[str, Any], got: dict[str, Any]) -> bool:
    """``{one_of: [names]}``: the moderator chooses one of them, in whatever order they stand."""
    return expected.keys() == got.keys() and all(_words(expected[k]) == _words(got[k]) for k in expected)


def _same_value(expected: Any, got: Any) -> bool:
    if isinstance(expected, (list, tuple)) or isinstance(got, (list, tuple)):
        return _words(expected) == _words(got)
    return _word(expected) == _word(got)


def mismatches(expected: dict[str, Any], outcome: Outcome, players: Iterable[str] = ()) -> list[Mismatch]:
    """Every named key in which the outcome is not as expected; keys about the verdict are left out."""
    names = frozenset(_word(p) for p in players)
    found: list[Mismatch] = []
    for key, value in expected.items():
        if key not in ABOUT_VERDICT:
            found += _mismatches_of(key, value, outcome, names)
    return found


def _mismatches_of(key: str, value: Any, outcome: Outcome, players: frozenset[str]) -> list[Mismatch]:
    got = outcome.get(key)
    match key:
        case "dead" | "saved" | "silenced" | "defence":
            fits = _words(value) == _words(got)
        case "calls":
            fits = [_word(v) for v in _listed(value)] == [_word(v) for v in _listed(got)]
        case "wakes_together":
            fits = {_words(g) for g in _listed(value)} == {_words(g) for g in _listed(got)}
        case "winner":
            got = "none" if got is None else got
            fits = _words(value) == _words(got)
        case "illegal":
            got = False if got is None else got
            fits = bool(value) == bool(got)
        case "announce":
            fits = {token(t) for t in _listed(value)} <= {token(t) for t in _listed(got)}
        case "unannounced":
            got = outcome.get("announce")
            fits = not {token(t) for t in _listed(value)} & {token(t) for t in _listed(got)}
        case "answers":
            return _by_player(key, value, got, "none", lambda a, b: _same_answer(a, b, players))
        case "cannot" | "items":
            return _by_player(key, value, got, [], lambda a, b: _words(a) == _words(b))
        case "roles" | "teams":
            return _by_player(key, value, got, None, _same_value)
        case "counters":
            return [
                Mismatch(f"counters.{name}.{counter}", wanted, have)
                for name, counts in value.items()
                for counter, wanted in counts.items()
                if not _same_value(wanted, have := _of(_of(got, name, {}), counter, None))
            ]
        case _:
            return [Mismatch(key, value, None)]
    return [] if fits else [Mismatch(key, value, [] if got is None else got)]


def _by_player(
    key: str, value: dict[str, Any], got: Any, default: Any, same: Callable[[Any, Any], bool]
) -> list[Mismatch]:
    return [
        Mismatch(f"{key}.{name}", wanted, have)
        for name, wanted in value.items()
        if not same(wanted, have := _of(got, name, default))
    ]


KNOWN = frozenset(
    "dead saved answers silenced roles teams items counters cannot illegal announce unannounced calls "
    "defence wakes_together winner".split()
)


def reduce(outcome: Outcome, keys: Iterable[str]) -> Outcome:
    """Keep of an outcome only what an expectation with these keys would look at."""
    return Outcome((key, outcome.get(key, [])) for key in keys if key in KNOWN and key != "unannounced")


# --- a verdict against a scenario's expectation -------------------------------------------------


def compare(scenario: Scenario, decide: Decide) -> list[Failure]:
    """Decide the scenario and give every way in which the verdict is not as the scenario expects.

    ``decide`` is called once for the scenario, and once more for each reading that is expected by
    its id. An empty list is a pass. Raises ValueError where the scenario expects nothing.
    """
    return judge(scenario, decide(scenario), decide)


def judge(scenario: Scenario, verdict: Verdict, decide: Decide) -> list[Failure]:
    """As ``compare``, for a verdict that is there already."""
    if scenario.expect is None:
        raise ValueError("the scenario expects nothing")
    expected = scenario.expect
    players = [p.name for p in scenario.players]
    failures = [Failure("unknown_key", {"key": k}) for k in _unknown(expected)]
    failures += _judge_every(expected, verdict, players)
    if _reported_only(expected):
        failures += _judge_reported(scenario, expected, decide, players)
        return failures + _judge_because(scenario, expected, verdict, decide)
    failures += _judge_open(expected, verdict)
    if "chance" in expected:
        failures += _judge_chance(expected["chance"], verdict, players)
    readings = expected.get("readings")
    if readings:
        failures += _judge_readings(scenario, readings, verdict, players)
        failures += _judge_each(scenario, expected, readings, verdict, decide, players)
    failures += _judge_because(scenario, expected, verdict, decide)
    return failures


def _reported_only(expected: dict[str, Any]) -> bool:
    """Tell whether the readings differ in nothing but what is reported, which leaves no night open."""
    readings = expected.get("readings") or ()
    keys = {key for reading in readings for key in reading if key not in ABOUT_VERDICT}
    named = expected.get("open")
    return bool(keys) and keys <= REPORTED and isinstance(named, list) and len(named) == 1


def _judge_reported(
    scenario: Scenario, expected: dict[str, Any], decide: Decide, players: Sequence[str]
) -> list[Failure]:
    """Judge readings of what is reported under their own answers: they are no readings of the night."""
    question = str(expected["open"][0])
    failures: list[Failure] = []
    for reading in expected["readings"]:
        answer = _answer(reading.get("id"))
        decided = decide(scenario._replace(rulings={**scenario.rulings, question: answer}))
        if question in decided.unused_rulings:
            return [Failure("not_open", {"id": question})]
        failures += _reading_failures(reading, question, answer, decided, players)
    return failures


def _unknown(expected: dict[str, Any]) -> list[str]:
    return sorted(
        {
            key
            for part in (expected, *(expected.get("readings") or ()))
            for key in part
            if key not in KNOWN and key not in ABOUT_VERDICT
        }
    )


def _ids(questions: Iterable[OpenQuestion]) -> list[str]:
    return [q.id for q in questions]


def _judge_open(expected: dict[str, Any], verdict: Verdict) -> list[Failure]:
    wanted = expected.get("open")
    if wanted is None or wanted == []:
        return []
    if wanted is True:
        return [] if verdict.open else [Failure("settled")]
    if wanted is False:
        return [Failure("unsettled", {"open": _ids(verdict.open)})] if verdict.open else []
    have = {_compact(q.id) for q in verdict.open}
    return [Failure("not_open", {"id": str(q)}) for q in _listed(wanted) if _compact(q) not in have]


def _compact(identifier: Any) -> str:
    """Bring a question's id to one form; in derived ids spaces do not count."""
    return "".join(str(identifier).split())


def outcomes_of(verdict: Verdict) -> tuple[Outcome, ...]:
    """Give the distinct outcomes of a verdict; what is certain, where they are not listed."""
    return verdict.readings or (verdict.certain,)


def _judge_every(expected: dict[str, Any], verdict: Verdict, players: Sequence[str]) -> list[Failure]:
    """Keys beside ``readings`` have to hold in every reading."""
    failures: list[Failure] = []
    for key, value in expected.items():
        if key in ABOUT_VERDICT or key not in KNOWN:
            continue
        if verdict.readings is None:
            failures += _judge_truncated(key, value, verdict, players)
            continue
        found = [mismatches({key: value}, outcome, players) for outcome in outcomes_of(verdict)]
        if all(found):
            differing: list[Mismatch] = []
            for one in found:
                differing += [m for m in one if m not in differing]
            failures += [
                Failure("differs", {"key": m.key, "expected": m.expected, "got": m.got}) for m in differing
            ]
        elif any(found):
            first = next(f for f in found if f)
            failures += [
                Failure("open_key", {"key": m.key, "expected": m.expected, "open": _ids(verdict.open)})
                for m in first
            ]
    return failures


def _judge_truncated(key: str, value: Any, verdict: Verdict, players: Sequence[str]) -> list[Failure]:
    """Judge by ``certain`` and ``possible`` where the readings are too many to be listed."""
    open_ids = _ids(verdict.open)
    maybe = verdict.possible.get("announce" if key == "unannounced" else key)
    if isinstance(maybe, dict):
        named = {_word(name) for name in value} if isinstance(value, dict) else set()
        maybe = [name for name in maybe if _word(name) in named]
    elif key == "unannounced":
        maybe = {token(t) for t in _listed(maybe)} & {token(t) for t in _listed(value)}
    elif key == "announce":
        maybe = None
    if maybe:
        return [Failure("open_key", {"key": key, "expected": value, "open": open_ids})]
    return [
        Failure("differs", {"key": m.key, "expected": m.expected, "got": m.got})
        for m in mismatches({key: value}, verdict.certain, players)
    ]


def _judge_chance(wanted: Any, verdict: Verdict, players: Sequence[str]) -> list[Failure]:
    lots = [x for x in _listed(wanted) if isinstance(x, dict)]
    # Where nothing is left to be drawn, what is settled is the one thing that may come.
    got = [_with_settled(o, verdict) for o in verdict.chance] or (outcomes_of(verdict) if lots else ())
    fits = all(any(not mismatches(e, o, players) for o in got) for e in lots) and all(
        any(not mismatches(e, o, players) for e in lots) for o in got
    )
    keys = {k: None for e in lots for k in e}
    shown = [reduce(o, keys) for o in got]
    return [] if fits else [Failure("chance", {"expected": lots, "got": shown})]


def _with_settled(drawn: Outcome, verdict: Verdict) -> Outcome:
    """What may come of the lots, with what is settled whatever is drawn."""
    whole = Outcome(verdict.certain)
    for key, value in drawn.items():
        settled = whole.get(key)
        whole[key] = {**settled, **value} if isinstance(value, dict) and isinstance(settled, dict) else value
    return whole


def _judge_readings(
    scenario: Scenario, readings: Sequence[dict[str, Any]], verdict: Verdict, players: Sequence[str]
) -> list[Failure]:
    """The outcomes, reduced to the readings' keys, are exactly those of the readings."""
    if verdict.readings is None:
        return [Failure("truncated")]
    failures = []
    outcomes = outcomes_of(verdict)
    for reading in readings:
        if all(mismatches(reading, outcome, players) for outcome in outcomes):
            about = {k: v for k, v in reading.items() if k not in ABOUT_VERDICT}
            failures.append(Failure("no_reading", {"id": _answer(reading.get("id")), "expected": about}))
    keys = {k: None for reading in readings for k in reading}
    strangers: list[Outcome] = []
    for outcome in outcomes:
        if all(mismatches(reading, outcome, players) for reading in readings):
            stranger = reduce(outcome, keys)
            if stranger not in strangers:
                strangers.append(stranger)
    return failures + [Failure("extra_reading", {"got": s}) for s in strangers]


def _answer(identifier: Any) -> str:
    return str(identifier).lower() if isinstance(identifier, bool) else str(identifier)


def _question_of(answer: str, expected: dict[str, Any], verdict: Verdict) -> OpenQuestion | None:
    """Find the open question whose answer this is; those that the scenario names come first."""
    wanted = expected.get("open")
    named = {_compact(q) for q in _listed(wanted)} if not isinstance(wanted, bool) else set()
    candidates = [q for q in verdict.open if answer in q.answers]
    return next((q for q in candidates if _compact(q.id) in named), candidates[0] if candidates else None)


def with_answer(scenario: Scenario, question: OpenQuestion, answer: str) -> Scenario:
    """The scenario with this question answered, and those under whose answers alone it arises."""
    return scenario._replace(rulings={**scenario.rulings, **question.under, question.id: answer})


def _judge_each(
    scenario: Scenario,
    expected: dict[str, Any],
    readings: Sequence[dict[str, Any]],
    verdict: Verdict,
    decide: Decide,
    players: Sequence[str],
) -> list[Failure]:
    """With a reading's answer decided, exactly its outcome has to follow."""
    failures: list[Failure] = []
    for reading in readings:
        if reading.get("id") is None:
            continue
        answer = _answer(reading["id"])
        question = _question_of(answer, expected, verdict)
        if question is None:
            if verdict.open:
                failures.append(Failure("unknown_answer", {"id": answer, "open": _ids(verdict.open)}))
            continue
        decided = decide(with_answer(scenario, question, answer))
        failures += _reading_failures(reading, question.id, answer, decided, players)
    return failures


def _reading_failures(
    reading: dict[str, Any], question: str, answer: str, decided: Verdict, players: Sequence[str]
) -> list[Failure]:
    """Give what is not as a reading expects, once its answer has been decided."""
    seen: list[Mismatch] = []
    for outcome in outcomes_of(decided):
        seen += [m for m in mismatches(reading, outcome, players) if m not in seen]
    found = [
        Failure(
            "reading_differs",
            {"question": question, "id": answer, "key": m.key, "expected": m.expected, "got": m.got},
        )
        for m in seen
    ]
    if "chance" in reading:
        found += _judge_chance(reading["chance"], decided, players)
    return found + _missing(reading.get("because"), decided)


def _missing(rules: Any, *verdicts: Verdict) -> list[Failure]:
    """Give the rules that are no reason in one of the verdicts."""
    return [
        Failure("because", {"rule": str(rule)})
        for rule in _listed(rules)
        if not all(rule in {reason.rule for reason in v.because} for v in verdicts)
    ]


def _judge_because(
    scenario: Scenario, expected: dict[str, Any], verdict: Verdict, decide: Decide
) -> list[Failure]:
    """The rules under ``because`` bear on every reading; beside ``open``, on some reading."""
    rules = expected.get("because")
    if not rules:
        return []
    if expected.get("open") or not verdict.open:
        return _missing(rules, verdict)
    split = [
        decide(with_answer(scenario, question, answer))
        for question in verdict.open
        for answer in question.answers
    ]
    return _missing(rules, *split)


def names_refusal(expected: dict[str, Any] | None, actor: str, verb: str) -> bool:
    """Tell whether an expectation says, in whatever reading, that this action is refused."""
    parts = [expected or {}, *((expected or {}).get("readings") or ())]
    return any(_word(verb) in _words(_of(part.get("cannot"), actor, [])) for part in parts)
