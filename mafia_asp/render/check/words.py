"""What is said about a finding, before any format lays it out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ...check.baseline import BASELINE
from ...check.findings import KINDS, SEVERITIES
from ...check.kinds import TEXTS
from ...i18n import N_, language, ngettext, number
from ...i18n import gettext as _
from ..answer import divide, joined, when
from ..layout import clean
from ..paths import shown_path
from ..words import Words, find_question, find_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...check.findings import Finding, Report, Witness
    from ...model import Action, Group, Place, Player, Scenario, Verdict
    from ...rulebook import Rulebook
    from ..answer import Divide


#: Acts as sentences, by verb. Others are told as ``Ali: verb Sara``.
_DEEDS = {
    "shoot": N_("{actor} shoots {targets}"),
    "save": N_("{actor} saves {targets}"),
    "inquire": N_("{actor} inquires about {targets}"),
    "check_rank": N_("{actor} asks for the rank of {targets}"),
    "drug": N_("{actor} drugs {targets}"),
    "silence": N_("{actor} silences {targets}"),
    "unsilence": N_("{actor} lifts the silence of {targets}"),
    "shield": N_("{actor} covers {targets}"),
    "frame": N_("{actor} frames {targets}"),
    "enchant": N_("{actor} enchants {targets}"),
    "curse": N_("{actor} curses {targets}"),
    "block": N_("{actor} blocks {targets}"),
    "link": N_("{actor} links {targets}"),
    "convert": N_("{actor} converts {targets}"),
    "recruit": N_("{actor} recruits {targets}"),
    "protect": N_("{actor} protects {targets}"),
    "guard": N_("{actor} guards {targets}"),
    "infect": N_("{actor} infects {targets}"),
    "operate": N_("{actor} operates on {targets}"),
    "steal": N_("{actor} steals from {targets}"),
}
#: Acts that move something from one player onto another.
_MOVES = {"steal": N_("{actor} steals from {source} onto {target}")}
#: What of a question with a derived id may be said in a sentence.
_GAPS = {
    "stops": N_("Does {protection} stop {attack}? The rulebook does not say."),
    "absorbs": N_(
        "Does {protection} hold against {attack} where another attack comes the same night? "
        "The rulebook does not say."
    ),
    "moves": N_("Does a theft put this on the second name: {thing}? The rulebook does not say."),
    "impaired": N_("Does an act ({verb}) still work under this: {status}? The rulebook does not say."),
    "lasts": N_("Does this last beyond its night: {status}? The rulebook does not say."),
}
#: Kinds whose ids are those of questions.
_ASKING = ("contradiction", "circle", "gap", "ambiguity", "wake-order")


def words_for(finding: Finding, book: Rulebook, lang: str) -> Words:
    """Words for a finding: those of its night, if it has one."""
    if finding.witness is None:
        return Words(book, lang)
    return Words.for_scenario(finding.witness.verdict.scenario, book, lang)


def severity_word(severity: str) -> str:
    """Name a severity."""
    return {"error": _("error"), "warning": _("warning"), "note": _("note")}[severity]


def by_kind(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """Sort findings by kind, the worst first; within a kind the order stays."""
    kinds: dict[str, list[Finding]] = {kind: [] for kind in KINDS}
    for finding in findings:
        kinds[finding.kind].append(finding)
    return [(kind, found) for kind, found in kinds.items() if found]


def shown(report: Report) -> list[Finding]:
    """Give the findings that the table has not accepted."""
    return [f for f in report.findings if not f.accepted]


def reason(finding: Finding, lang: str) -> str:
    """Say why a finding is accepted."""
    if finding.accepted != BASELINE:
        return clean(finding.accepted)
    with language(lang):
        return _(BASELINE)


# --- what it is about --------------------------------------------------------------------------------


def asks(finding: Finding) -> bool:
    """Tell whether a finding is a question, whose answer may stand under ``rulings:``."""
    return finding.kind in _ASKING and not finding.message[0]


def sentence(finding: Finding, words: Words) -> str:
    """Say in one sentence what is found."""
    code, args = finding.message
    if code:
        from ...messages import sentence as of_message

        with language(words.lang):
            return of_message(code, {key: _named(key, value, words) for key, value in args})
    if asks(finding):
        question = _question(finding.id, words)
        if not finding.harmless:
            return question
        with language(words.lang):
            return question + " " + _("No outcome of this role set hangs on it.")
    with language(words.lang):
        return _(TEXTS[finding.kind].means)


def in_sets(finding: Finding, words: Words) -> str:
    """Say which role sets show a finding, where many were checked and not all do; else nothing."""
    if not finding.sets:
        return ""
    numbers = words.sequence(map(number, finding.sets))
    return ngettext("In role set {numbers}.", "In role sets {numbers}.", len(finding.sets)).format(
        numbers=numbers
    )


def _named(key: str, value: str, words: Words) -> Any:
    """Give an argument of a finding's sentence as it is said: roles by name, numbers as numbers."""
    if key in ("role", "other"):
        return words.role(value)
    if key == "roles":
        return words.sequence(map(words.role, value.split()))
    if key == "sides":
        counts = (side.split(":") for side in value.split())
        return words.sequence(f"{words.team(side)} {number(int(n))}" for side, n in counts)
    if key in ("players", "wanted"):
        return int(value)
    return [value] if key == "near" else value


def _question(identifier: str, words: Words) -> str:
    """Say a question; of one with a derived id, what meets there by its name."""
    if "(" not in identifier or find_question(words.book, identifier):
        return words.question(identifier)
    with language(words.lang):
        return _derived(_term(identifier), words) or words.question(identifier)


def _derived(term: Any, words: Words) -> str:
    from ...explain.words import Sentences
    from ...model import Scenario

    say = Sentences(Scenario(words.book.id, ()), words.book, words.lang, {})
    match term:
        case ("circle", _parity, *verbs) if verbs and all(isinstance(v, str) for v in verbs):
            text = _("These abilities chase each other in a circle: {verbs}. Which goes first?")
            return text.format(verbs=words.sequence(map(words.verb, verbs)))
        case ("stops" | "absorbs" as table, protection, attack):
            text = _(_GAPS[table])
            return text.format(protection=say.protection(protection), attack=say.attack(attack))
        case ("moves", str(), thing):
            named = say.protection(thing) if isinstance(thing, tuple) else words.verb(thing)
            return _(_GAPS["moves"]).format(thing=named)
        case ("impaired", str(status), str(verb)):
            return _(_GAPS["impaired"]).format(status=words.item(status), verb=words.verb(verb))
        case ("lasts", str(status)):
            return _(_GAPS["lasts"]).format(status=words.item(status))
    return ""


def _term(text: str) -> Any:
    """Read a term as plain data, as explanations have it; None where it is none."""
    from clingo import parse_term

    from ...explain.graph import plain

    try:
        return plain(parse_term(text, logger=lambda _code, _text: None))
    except RuntimeError:
        return None


# --- the night ---------------------------------------------------------------------------------------


class _Prose:
    """Tells a night; everybody is named with the role when first mentioned."""

    def __init__(self, scenario: Scenario, words: Words) -> None:
        self.words = words
        self.roles = {p.name: p.role for p in scenario.players}

    def who(self, name: str) -> str:
        """Name somebody, the first time with the role."""
        said = self.words.name(name)
        if name not in self.roles:
            return said
        return _("{name} ({role})").format(name=said, role=self.words.role(self.roles.pop(name)))

    def what(self, target: str) -> str:
        """Name what an act is aimed at."""
        return self.who(target) if target in self.words.players else self.words.shown(target)

    def deed(self, action: Action) -> str:
        """Tell one act as a sentence."""
        actor = self.who(action.actor)
        if action.actor not in self.words.players:
            actor = actor[:1].upper() + actor[1:]
        verb = self.words.verb(action.verb)
        if action.targets == ("nobody",):
            text = _("{actor} names nobody ({verb})").format(actor=actor, verb=verb)
        elif action.verb in _MOVES and len(action.targets) == 2:
            source, target = map(self.what, action.targets)
            text = _(_MOVES[action.verb]).format(actor=actor, source=source, target=target)
        elif action.verb in _DEEDS and action.targets:
            targets = self.words.sequence(map(self.what, action.targets))
            text = _(_DEEDS[action.verb]).format(actor=actor, targets=targets)
        else:
            targets = self.words.sequence(map(self.what, action.targets))
            text = _("{actor}: {verb} {targets}") if targets else _("{actor}: {verb}")
            text = text.format(actor=actor, verb=verb, targets=targets)
        if action.extra:
            extra = (f"{self.words.foreign(key)}: {self.words.shown(v)}" for key, v in action.extra.items())
            text += f" ({self.words.sequence(extra)})"
        return f"{text}."

    def deeds(self, actions: Sequence[Action]) -> str:
        """Tell several acts, in the order told."""
        return " ".join(map(self.deed, actions))


def night_lines(scenario: Scenario, words: Words) -> list[str]:
    """Tell a night in a few lines: what was done, who else plays, and in which state they begin."""
    prose = _Prose(scenario, words)
    lines = []
    if scenario.last_day:
        lines.append(_("The day before: {deeds}").format(deeds=prose.deeds(scenario.last_day)))
    if scenario.last_night:
        lines.append(_("The night before: {deeds}").format(deeds=prose.deeds(scenario.last_night)))
    if scenario.actions or scenario.phase != "setup":
        lines.append(prose.deeds(scenario.actions) or _("Nobody does anything."))
    if others := [prose.who(p.name) for p in scenario.players if p.name in prose.roles]:
        text = _("Also in play: {names}.") if scenario.actions else _("In play: {names}.")
        lines.append(text.format(names=words.sequence(others)))
    lines += [line for player in scenario.players for line in _state(player, words)]
    for option, value in scenario.options.items():
        text = _("With the option {id}: {value}")
        lines.append(text.format(id=words.foreign(option), value=words.shown(value)))
    return lines


def _state(player: Player, words: Words) -> Iterator[str]:
    """Tell what is special about a player at the beginning."""
    name = words.name(player.name)
    if not player.alive:
        yield _("{player} is out of the game already").format(player=name)
    if player.items:
        items = words.sequence(map(words.item, player.items))
        yield _("{name} has: {items}").format(name=name, items=items)
    for counter, left in player.counts.items():
        text = _("{name}: {counter} left: {n}")
        yield text.format(name=name, counter=words.counter(counter), n=words.amount(left))
    for key, value in player.was.items():
        yield f"{name}: {words.foreign(key.replace('_', ' '))}: {words.shown(value)}"
    if player.found:
        text = _("{name} has inquired about: {names}")
        yield text.format(name=name, names=words.names(player.found))


def night_heading(scenario: Scenario) -> str:
    """Say what follows: the smallest night, or the role set itself."""
    if scenario.phase == "setup" and not scenario.actions:
        return _("The role set:")
    if scenario.phase == "night" and scenario.number is None:
        return _("The smallest night that shows it:")
    if scenario.phase == "day" and scenario.number is None:
        return _("The smallest day that shows it:")
    if scenario.phase in ("day", "end"):
        return _("The smallest day that shows it ({when}):").format(when=when(scenario))
    return _("The smallest night that shows it ({when}):").format(when=when(scenario))


def legality(witness: Witness) -> str:
    """Say whether the night's players would be a legal cast by themselves."""
    if witness.breaks:
        return _("Its players alone would be no legal cast; they break:")
    return _("Its players alone are a legal cast.")


# --- the outcomes it divides ---------------------------------------------------------------------------


def groups_of(finding: Finding, verdict: Verdict) -> list[Group]:
    """Give the groups of questions that a finding is about; all of them where none holds its id."""
    if not asks(finding):
        return []
    own = [g for g in verdict.groups if finding.id in g.questions]
    return own or list(verdict.groups)


def divides(finding: Finding, words: Words) -> list[Divide]:
    """Put what the readings differ in into words."""
    if finding.witness is None:
        return []
    verdict = finding.witness.verdict
    return [divide(group, verdict, words) for group in groups_of(finding, verdict)]


def chosen(parts: Divide) -> list[tuple[list[str], list[str]]] | None:
    """Give, for a question that stands alone, its answers and what follows; None for several questions."""
    if len(parts.questions) != 1 or parts.questions[0].under:
        return None
    identifier = parts.questions[0].id
    return [
        (
            list(dict.fromkeys(c[identifier] for c in combinations if identifier in c)),
            phrases,
        )
        for combinations, phrases in parts.ways
    ]


def closing(finding: Finding, closes: Sequence[str], words: Words) -> str:
    """Say what a ruling would close, where that is not just the finding's own question."""
    if tuple(closes) == (finding.id,):
        return ""
    if not closes:
        return _("closes nothing in this night by itself")
    return _("closes: {ids}").format(ids=words.ids(closes))


# --- the whole report ----------------------------------------------------------------------------------


class Summary(NamedTuple):
    """The last lines of a report: the count, and what else has to be known."""

    headline: str
    more: list[str]
    clean: bool


def finished(report: Report) -> bool:
    """Tell whether everything was looked into."""
    return report.complete and not report.undecided


def summary(report: Report, words: Words, show_harmless: bool = False) -> Summary:
    """Count what was found, and say what was not decided, accepted or left out."""
    found = shown(report)
    accepted = len(report.findings) - len(found)
    if found:
        text = ngettext("{n} finding: {counts}.", "{n} findings: {counts}.", len(found))
        severities = [f.severity for f in found]
        counts = (counted(s, severities.count(s)) for s in SEVERITIES if s in severities)
        count = text.format(n=number(len(found)), counts=words.sequence(counts))
    elif not finished(report):
        count = _("Nothing found so far; not everything was looked into.")
    elif accepted:
        count = _("No findings beside those that are accepted.")
    else:
        count = _("No findings.")
    more = []
    if report.undecided:
        n = len(report.undecided)
        text = ngettext("{n} point was not decided: {ids}", "{n} points were not decided: {ids}", n)
        ids = words.ids(report.undecided[:_LISTED]) + (" …" if n > _LISTED else "")
        more.append(text.format(n=number(n), ids=ids))
    if report.parts > 1:
        text = _("The role set was searched in {n} parts, every two roles together in one of them: {more}")
        beyond = _("what takes more roles at once may be missing.")
        more.append(text.format(n=number(report.parts), more=beyond))
    elif not report.complete:
        more.append(_("The search was not finished: there may be more points than these."))
    for phase, n in report.told:
        text = ngettext(
            "{phase}: searched with no more than {n} thing told.",
            "{phase}: searched with no more than {n} things told.",
            n,
        )
        more.append(text.format(phase=words.foreign(phase), n=number(n)))
    if report.ruled:
        n = len(report.ruled)
        text = ngettext(
            "{n} point is settled by a ruling: {ids}", "{n} points are settled by rulings: {ids}", n
        )
        more.append(text.format(n=number(n), ids=words.ids(q for q, _answer in report.ruled)))
    if accepted:
        text = ngettext("{n} finding is accepted.", "{n} findings are accepted.", accepted)
        more.append(text.format(n=number(accepted)))
    if report.harmless and not show_harmless:
        n = len(report.harmless)
        text = ngettext(
            "{n} point that changes no outcome is left out; --harmless shows it.",
            "{n} points that change no outcome are left out; --harmless shows them.",
            n,
        )
        more.append(text.format(n=number(n)))
    return Summary(count, more, not found and finished(report))


#: So many ids of undecided points are listed.
_LISTED = 8


def counted(severity: str, count: int) -> str:
    """Say how many findings have a severity."""
    texts = {
        "error": ngettext("{n} error", "{n} errors", count),
        "warning": ngettext("{n} warning", "{n} warnings", count),
        "note": ngettext("{n} note", "{n} notes", count),
    }
    return texts[severity].format(n=number(count))


def cast_line(report: Report, words: Words) -> str:
    """Say which role set was checked."""
    roles = (
        words.role(role) if n == 1 else _("{role} ({n})").format(role=words.role(role), n=number(n))
        for role, n in report.roles
    )
    return words.sequence(roles)


def message(finding: Finding, words: Words) -> str:
    """Say a finding in several lines of plain text: its sentence, its rules, its night, its outcomes."""
    with language(words.lang):
        lines = [sentence(finding, words), *filter(None, [in_sets(finding, words)])]
        for rule in finding.rules:
            text, source = words.rule(rule), words.source(rule)
            label = f"{clean(rule)} ({clean(source)})" if source else clean(rule)
            lines.append(f"{label}: {text}" if text else label)
        if finding.witness:
            lines.append(night_heading(finding.witness.verdict.scenario))
            lines += night_lines(finding.witness.verdict.scenario, words)
        for parts in divides(finding, words):
            for combinations, phrases in parts.ways:
                answers = " / ".join(
                    ", ".join(f"{q}: {a}" for q, a in combination.items()) for combination in combinations
                )
                lines.append(f"{answers} – {joined(phrases, words) or _('nothing else changes')}")
    return "\n".join(lines)


# --- where it is ---------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """A line of a file, by the path under which it is reported."""

    file: str
    line: int
    column: int


def spot(place: Place) -> Spot:
    """Give a place with its file below the working folder, or as ``encodings/…`` where it is shipped."""
    return Spot(shown_path(place.file), place.line, place.column)


def rule_spot(rule: str, book: Rulebook) -> Spot | None:
    """Tell where a rule stands; None for one that no file holds."""
    found = find_rule(book, rule)
    return spot(found.place) if found else None


def first_spot(finding: Finding, book: Rulebook) -> Spot:
    """Tell where a finding is shown: its own place, its first rule, its question, or the book's own file."""
    if finding.place:
        return spot(finding.place)
    for rule in finding.rules:
        if found := rule_spot(rule, book):
            return found
    if asked := find_question(book, finding.id):
        return spot(asked.place)
    if finding.id in book.role_ids and (file := book.file_of(finding.id)):
        return Spot(shown_path(file), 1, 1)
    from ...rulebook import OWN_FILE, SHIPPED_FILE

    name = SHIPPED_FILE if book.shipped else OWN_FILE
    return Spot(shown_path(os.path.join(book.folder, name)), 1, 1)


def related_spots(finding: Finding, book: Rulebook) -> list[tuple[str, Spot]]:
    """Tell where the other rules of a finding stand."""
    first = first_spot(finding, book)
    spots = [(rule, found) for rule in finding.rules if (found := rule_spot(rule, book))]
    return [(rule, found) for rule, found in spots if found != first]
