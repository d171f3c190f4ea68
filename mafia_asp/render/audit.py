"""What an audit found: in words, as data, and in the formats of test reports and static analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..game.audit import KINDS
from ..i18n import N_, language, ngettext, number
from ..i18n import gettext as _
from ..rulebook import Books
from .answer import ruling_line, when_of
from .layout import isolate
from .text import put_cite
from .words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..game.audit import Audit, Finding, Result
    from ..suite import Result as TestResult
    from .layout import Page

#: What each kind of finding means.
MEANS = {
    "differs": N_("What was recorded does not follow from what was told, in any reading."),
    "another-reading": N_("What was recorded follows only from another answer than the one that holds."),
    "illegal": N_("The phase cannot go on as it was told."),
    "over": N_("The game was over before, and was played on."),
    "undrawn": N_("The book draws a lot, and what it brought is not recorded."),
    "ruled-otherwise": N_("The table rules otherwise than what was recorded before rests on."),
    "rests-on": N_("The book leaves a question open, and only some answers fit what was recorded."),
}
_STYLES = {"error": ("red",), "warning": ("yellow",), "note": ("dim",)}
_OUTCOMES = {
    "clean": N_("all follows from the rules"),
    "findings": N_("not all follows from the rules"),
    "error": N_("cannot be read"),
    "limit": N_("not audited to the end"),
    "skipped": N_("is no game"),
}
#: The same behind a number of games.
_COUNTED = {
    "clean": N_("right"),
    "findings": N_("with findings"),
    "error": N_("not readable"),
    "limit": N_("not finished"),
}
_TITLES = {
    "dead": N_("who is dead"),
    "saved": N_("who was saved"),
    "silenced": N_("who may not speak"),
    "defence": N_("who is in the defence"),
    "wakes_together": N_("who wakes together"),
    "winner": N_("who has won"),
    "answers": N_("what {name} was shown"),
    "roles": N_("what {name} is now"),
    "teams": N_("on whose side {name} is"),
    "items": N_("what {name} has"),
    "counters": N_("what {name} has left of {what}"),
    "cannot": N_("what {name} was refused"),
    "illegal": N_("whether the game can go on"),
}
#: Keys whose values are players.
_OF_PLAYERS = ("dead", "saved", "silenced", "defence", "wakes_together")


class Speaker:
    """Puts findings into words; each rulebook is loaded once."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._books = Books()

    def words(self, audit: Audit) -> Words:
        """The words for a game."""
        return Words(self._books[audit.rulebook], self.lang, audit.players)


def when_was(finding: Finding) -> str:
    """Name the phase of a finding."""
    return when_of(finding.record.phase, finding.record.number)


# ---- one finding -----------------------------------------------------------------------------------


def sentences(finding: Finding, words: Words) -> list[str]:
    """Say what was found: one sentence or more."""
    if finding.kind in ("differs", "another-reading"):
        return _difference(finding, words)
    if finding.kind == "over" and finding.follows:
        text = _("The game was over before this: {who} had won.")
        return [text.format(who=words.sides(finding.follows))]
    if finding.kind == "rests-on":
        text = _("This follows only with {answers}; the book leaves the question open.")
        return [text.format(answers=_answers(finding.key, finding.recorded, words))]
    if finding.kind == "ruled-otherwise":
        text = _("{ruling} is ruled here, and what was recorded before follows only with {answers}.")
        ruling = isolate(ruling_line(finding.key, str(finding.recorded)), words.lang)
        return [text.format(ruling=ruling, answers=_answers(finding.key, finding.follows, words))]
    return [_(MEANS[finding.kind])]


def _answers(question: str, answers: Sequence[str], words: Words) -> str:
    lines = [isolate(ruling_line(question, answer), words.lang) for answer in answers]
    return _(" or ").join(lines)


def _difference(finding: Finding, words: Words) -> list[str]:
    if finding.key == "announce":
        from ..expect import token

        said, due = _list(finding.recorded), _list(finding.follows)
        known, wanted = {token(t) for t in said}, {token(t) for t in due}
        extra = [words.token(t) for t in said if token(t) not in wanted]
        lacking = [words.token(t) for t in due if token(t) not in known]
        parts = [_("announced, and does not follow: {what}").format(what=t) for t in extra]
        return parts + [_("not announced, and follows: {what}").format(what=t) for t in lacking]
    key, _dot, rest = finding.key.partition(".")
    name, _dot, counter = rest.partition(".")
    if key == "counters":
        name, _dot, counter = rest.rpartition(".")
    title = _(_TITLES.get(key, key)).format(
        name=words.name(name), what=words.counter(counter) if counter else ""
    )
    text = _("{what}: recorded is {recorded}; what follows is {follows}")
    return [
        text.format(
            what=title,
            recorded=_value(key, finding.recorded, words),
            follows=_value(key, finding.follows, words),
        )
    ]


def _list(value: Any) -> list[str]:
    return (
        [str(each) for each in value] if isinstance(value, (list, tuple)) else [str(value)] if value else []
    )


def _value(key: str, value: Any, words: Words) -> str:
    """Say a value of an outcome."""
    if key in _OF_PLAYERS:
        return words.names(_flat(value)) or _("nobody")
    if key == "winner":
        return words.sides(value or "none")
    if key == "roles":
        return words.role(str(value))
    if key == "items":
        return words.sequence(map(words.item, _list(value))) or _("nothing")
    if key == "cannot":
        return words.sequence(map(words.verb, _list(value))) or _("nothing")
    if value is None:
        return _("nothing")
    return words.amount(value)


def _flat(value: Any) -> list[str]:
    found: list[str] = []
    for each in _list(value) if not isinstance(value, (list, tuple)) else value:
        found += map(str, each) if isinstance(each, (list, tuple)) else [str(each)]
    return found


def ways(finding: Finding, words: Words) -> list[str]:
    """Say under which other answers what was recorded would follow."""
    said = []
    for way in finding.only_if:
        lines = _(" and ").join(isolate(ruling_line(q, a), words.lang) for q, a in way.items())
        text = _("It would follow with {rulings}.").format(rulings=lines)
        for question in way:
            if question not in finding.instead_of:
                continue
            answer, custom = finding.instead_of[question]
            here = isolate(ruling_line(question, answer), words.lang)
            if custom:
                more = _("Here the convention {id} says {ruling}.")
                text += " " + more.format(id=isolate(custom, words.lang), ruling=here)
            else:
                text += " " + _("The table has ruled {ruling}.").format(ruling=here)
        said.append(text)
    return said


def _in_one(finding: Finding, words: Words) -> str:
    said = [sentence.rstrip(".") for sentence in sentences(finding, words)]
    return f"{('؛ ' if words.lang == 'fa' else '; ').join(said)}."


def message(finding: Finding, words: Words) -> str:
    """Say a finding on one line, with what would allow it and the rules."""
    parts = [f"{when_was(finding)}: {_in_one(finding, words)}", *ways(finding, words)]
    if finding.later:
        parts.append(_("An error stands before it, of which it may be a consequence."))
    rules = dict.fromkeys(because.rule for because in finding.because)
    if rules:
        parts.append(f"[{', '.join(rules)}]")
    return " ".join(parts)


# ---- as text -----------------------------------------------------------------------------------------


def put_audits(page: Page, results: Sequence[Result], speaker: Speaker) -> None:
    """Add every game with what was found in it, and a line with the counts."""
    for result in results:
        if result.outcome != "skipped":
            _put_result(page, result, speaker)
            page.put()
    page.put(summary(results), "bold", "green" if fine(results) else "red")


def _put_result(page: Page, result: Result, speaker: Speaker) -> None:
    name = isolate(result.file, page.lang)
    if result.audit and result.audit.title:
        name += f" · {isolate(result.audit.title, page.lang)}"
    style = "green" if result.outcome == "clean" else "yellow" if result.outcome == "limit" else "red"
    page.put(f"{page.paint(name, 'bold')}: {page.paint(_(_OUTCOMES[result.outcome]), style)}", hang=2)
    for fault in result.faults:
        page.put(str(fault), indent=2, hang=4)
    if result.message:
        page.put(result.message, indent=2, hang=4)
    if result.audit:
        words = speaker.words(result.audit)
        for finding in result.audit.findings:
            page.put()
            _put_finding(page, finding, words)
        _put_rest(page, result.audit)


def _put_finding(page: Page, finding: Finding, words: Words) -> None:
    place = f" ({isolate(str(finding.place), page.lang)})" if finding.place else ""
    page.put(f"{page.paint(when_was(finding), 'bold')}{place}", indent=2, hang=4)
    for sentence in sentences(finding, words):
        page.put(sentence, *_STYLES[finding.level], indent=4, hang=6)
    for way in ways(finding, words):
        page.put(way, "cyan", indent=4, hang=6)
    for rule in dict.fromkeys(because.rule for because in finding.because):
        put_cite(page, words.cite(rule), words, indent=6)
    if finding.later:
        page.put(_("An error stands before it, of which it may be a consequence."), "dim", indent=4, hang=6)


def _put_rest(page: Page, audit: Audit) -> None:
    if not audit.complete:
        page.put(
            _("There are too many readings to look at all of them; something may be missing."),
            "yellow",
            indent=2,
        )
    if audit.looked_at < len(audit.records):
        text = _("Of {all} phases {some} were looked at: what comes after them hangs in the air.")
        page.put(
            text.format(all=number(len(audit.records)), some=number(audit.looked_at)), "yellow", indent=2
        )


def fine(results: Sequence[Result]) -> bool:
    """Tell whether there were games, and nothing is wrong with any of them."""
    outcomes = [result.outcome for result in results if result.outcome != "skipped"]
    return bool(outcomes) and all(outcome == "clean" for outcome in outcomes)


def summary(results: Sequence[Result]) -> str:
    """Count what came of the games."""
    outcomes = [result.outcome for result in results if result.outcome != "skipped"]
    total = ngettext("{n} game", "{n} games", len(outcomes)).format(n=number(len(outcomes)))
    parts = [f"{number(outcomes.count(o))} {_(text)}" for o, text in _COUNTED.items() if outcomes.count(o)]
    return f"{total}: {_(', ').join(parts)}"


# ---- for machines --------------------------------------------------------------------------------------


def audits_data(results: Sequence[Result], speaker: Speaker) -> dict[str, Any]:
    """Give the audits as JSON data (``mafia-asp schema audit`` describes it)."""
    from .json import FORMAT

    outcomes = [result.outcome for result in results]
    return {
        "format": FORMAT,
        "counts": {outcome: outcomes.count(outcome) for outcome in _OUTCOMES},
        "games": [_result_data(result, speaker) for result in results],
    }


def _result_data(result: Result, speaker: Speaker) -> dict[str, Any]:
    audit = result.audit
    data: dict[str, Any] = {
        "file": result.file,
        "outcome": result.outcome,
        "faults": [
            {"place": None if f.place is None else f.place._asdict(), "message": f.text}
            for f in result.faults
        ],
    }
    if result.message:
        data["message"] = result.message
    if audit is None:
        return data
    words = speaker.words(audit)
    return {
        **data,
        "title": audit.title or None,
        "rulebook": audit.rulebook,
        "phases": len(audit.records),
        "looked_at": audit.looked_at,
        "complete": audit.complete,
        "findings": [_finding_data(finding, words) for finding in audit.findings],
    }


def _finding_data(finding: Finding, words: Words) -> dict[str, Any]:
    from .json import rule_source

    question = finding.kind in ("rests-on", "ruled-otherwise")
    return {
        "kind": finding.kind,
        "level": finding.level,
        "number": finding.number,
        "phase": finding.record.phase,
        "counted": finding.record.number,
        "place": None if finding.place is None else finding.place._asdict(),
        "question" if question else "key": finding.key or None,
        "recorded": finding.recorded,
        "follows": finding.follows,
        "message": _in_one(finding, words),
        "because": [
            {"entry": b.entry, "rule": b.rule, "source": rule_source(words.book, b.rule)}
            for b in finding.because
        ],
        "only_if": [dict(way) for way in finding.only_if],
        "instead_of": {
            q: {"answer": answer, "convention": custom or None}
            for q, (answer, custom) in finding.instead_of.items()
        },
        "later": finding.later,
    }


def as_tests(results: Sequence[Result], speaker: Speaker) -> list[TestResult]:
    """Give the audits as results of tests: one for each phase of a game, and one for a game without any."""
    from ..suite import Result as TestResult

    found: list[TestResult] = []
    for result in results:
        if result.audit is None:
            line = next((fault.place.line for fault in result.faults if fault.place), 1)
            said = [str(fault) for fault in result.faults] or [result.message or _(_OUTCOMES[result.outcome])]
            found.append(TestResult(result.file, line, result.file, result.outcome, tuple(said)))
            continue
        words = speaker.words(result.audit)
        by_phase: dict[int, list[Finding]] = {}
        for finding in result.audit.findings:
            by_phase.setdefault(finding.number, []).append(finding)
        for place, (phase, count, line) in enumerate(result.audit.records, 1):
            mine = by_phase.get(place, [])
            wrong = [finding for finding in mine if finding.level != "note"]
            outcome = "failed" if wrong else "limit" if place > result.audit.looked_at else "passed"
            said = [message(finding, words) for finding in wrong]
            if outcome == "limit":
                said = [_("not looked at")]
            found.append(
                TestResult(result.file, line, f"{place}. {when_of(phase, count)}", outcome, tuple(said))
            )
    return found


def audits_sarif(results: Sequence[Result]) -> str:
    """Give the audits as a SARIF log, in English."""
    from .paths import shown_path
    from .sarif import location, sarif_log

    with language("en"):
        speaker = Speaker("en")
        kinds = [*KINDS, "broken-game"]
        meanings = {**MEANS, "broken-game": _("A game cannot be read.")}
        rules = [{"id": kind, "shortDescription": {"text": meanings[kind]}} for kind in kinds]
        found: list[dict[str, Any]] = []

        def add(kind: str, level: str, text: str, file: str, line: int, column: int, identity: str) -> None:
            found.append(
                {
                    "ruleId": kind,
                    "ruleIndex": kinds.index(kind),
                    "level": level,
                    "message": {"text": text},
                    "locations": [{"physicalLocation": location(file, line, column)}],
                    "partialFingerprints": {"mafiaAspAudit/v1": f"{file}#{identity}"},
                }
            )

        for result in results:
            file = shown_path(result.file)
            for fault in result.faults if result.outcome == "error" else ():
                spot = fault.place
                line, column = (spot.line, spot.column) if spot else (1, 1)
                add("broken-game", "error", fault.text, file, line, column, f"{line}:{fault.code}")
            if result.outcome == "error" and result.message:
                add("broken-game", "error", result.message, file, 1, 1, "message")
            for finding in result.audit.findings if result.audit else ():
                words = speaker.words(result.audit) if result.audit else None
                if words is None:
                    continue
                spot = finding.place
                line, column = (spot.line, spot.column) if spot else (1, 1)
                identity = f"{finding.number}:{finding.kind}:{finding.key}"
                add(finding.kind, finding.level, message(finding, words), file, line, column, identity)
        whole = all(result.outcome != "limit" for result in results)
        return sarif_log(rules, found, {"executionSuccessful": whole})
