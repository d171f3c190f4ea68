"""Which questions of the books does the search find by itself?

The names of all contradictions, paradoxes and meetings are taken out of the encodings; then the search of
``mafia-asp check`` is let loose on small role sets, those of the scenarios that show a question. A point that
comes up answers to a question if it is what that question names: the dispute between rules that prevail under
different answers of it, the cell of a table that its answers fill, the circle of its knot. Silences and
ambiguities keep their names and are counted apart: each comes up in some night, or is proved harmless.

``python -m tests.match`` prints the match; ``--write docs/findings.md`` writes it down (with questions named:
only their lines), and ``--jobs`` says how many role sets are searched at once.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache
from itertools import combinations, repeat
from pathlib import Path
from typing import NamedTuple

import clingo
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))

from coverage_data import DATA, exceptions, questions, rows
from mutation import all_scenarios, book_named
from strip import strip

from mafia_asp.check.engine import Clock
from mafia_asp.check.finder import Search, Shown
from mafia_asp.facts import circle_id, facts
from mafia_asp.model import Phase, Scenario
from mafia_asp.rulebook import Rulebook
from mafia_asp.verdict import program_of

#: seconds for the search of one role set
SECONDS = 240.0
#: role sets that are tried for one question
TRIES = 3
#: plain players beyond these add nothing to a role set
PLAIN = 2


class Found(NamedTuple):
    """A question that came up, under what id, and in which night; no id: it did not."""

    question: str
    id: str = ""
    night: Scenario | None = None
    #: no night of the role sets has another outcome by it; the night merely raises it
    harmless: bool = False


def kinds() -> dict[str, str]:
    """The encoded questions by id: contradiction, paradox, meeting, silence or ambiguity."""
    silences = listed("silences")
    found = {}
    for row in rows("questions.csv"):
        if row["id"] in questions() - exceptions("questions_not_encoded").keys():
            gap = "silence" if row["id"] in silences else "meeting"
            found[row["id"]] = gap if row["kind"] == "gap" else row["kind"]
    return found


@cache
def listed(part: str) -> dict[str, str]:
    """One part of findings.yaml: id and reason."""
    parts: dict[str, dict[str, str]] = yaml.safe_load((DATA / "findings.yaml").read_text(encoding="utf-8"))
    return parts[part]


def to_find() -> dict[str, str]:
    """The questions whose names are taken out, with their kinds."""
    return {id: kind for id, kind in kinds().items() if kind in ("contradiction", "paradox", "meeting")}


# ---- what a question names -----------------------------------------------------------------------


class Names:
    """What the questions of one book name, read off its encodings."""

    def __init__(self, book: Rulebook) -> None:
        control = clingo.Control(logger=lambda code, message: None)
        for phase in ("setup", "day"):
            for file in book.files_for(book.role_ids, phase):
                control.load(file)  # a file that is there already is passed over
        control.ground([("base", [])])
        self._wins: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._points: defaultdict[str, set[str]] = defaultdict(set)
        for atom in control.symbolic_atoms.by_signature("wins", 3):
            question, answer, rule = (each.string for each in atom.symbol.arguments)
            self._wins[question][rule].add(answer)
        for named, point in _filled(control):
            self._points[named].add(point)
        self._general: defaultdict[str, set[str]] = defaultdict(set)
        for special, general in _pairs(control, "refines"):
            self._general[special.string].add(general.string)

    def answers_to(self, id: str, question: str) -> bool:
        """Tell whether the point with a derived id is what a question names."""
        if id == question:
            return True
        if "~" in id:
            under = [self._wins[question].get(rule, set()) for rule in id.split("~")]
            return any(a and b and a != b for a, b in combinations(under, 2))
        # Where the special question has no name, the general one is asked, under its point.
        general = any(id != other and self.answers_to(id, other) for other in self._general[question])
        return general or id in self._points[question] or id in named_in_nights(question)


def _filled(control: clingo.Control) -> set[tuple[str, str]]:
    """The points that questions name."""
    atoms = control.symbolic_atoms.by_signature("fills", 3)
    return {(a.symbol.arguments[0].string, str(a.symbol.arguments[2])) for a in atoms}


@cache
def named_in_nights(question: str) -> frozenset[str]:
    """The points and the ids of the circles that a question names in the scenarios that show it."""
    found: set[str] = set()
    for scenario in expecting(question):
        control = clingo.Control(logger=lambda code, message: None)
        for file in program_of(scenario, book_named(scenario.rulebook)).files:
            control.load(file)
        control.add("base", [], facts(scenario).text)
        control.ground([("base", [])])
        found |= {point for asked, point in _filled(control) if asked == question}
        named = {
            what
            for asked, what in _pairs(control, "knot_of")
            if asked.type.name == "String" and asked.string == question
        }
        acts = _pairs(control, "member") + _pairs(control, "joins")
        for knot, parity in _pairs(control, "parity"):
            if knot in named or any(place == knot and act in named for place, act in acts):
                verbs = [str(verb) for place, verb in _pairs(control, "uses_verb") if place == knot]
                found.add(circle_id(str(parity), verbs))
    return frozenset(found)


def _pairs(control: clingo.Control, name: str) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """The arguments of the atoms of a predicate that has two."""
    return [
        (a.symbol.arguments[0], a.symbol.arguments[1]) for a in control.symbolic_atoms.by_signature(name, 2)
    ]


# ---- role sets -----------------------------------------------------------------------------------


class Set(NamedTuple):
    """Where to look: a role set, a phase, and whether players may bear things or be dead."""

    book: str
    roles: tuple[tuple[str, int], ...]
    phase: Phase
    state: bool
    gone: bool


def expecting(question: str) -> list[Scenario]:
    """The scenarios that expect a question to be open."""
    found = []
    for scenario in all_scenarios():
        open_ = (scenario.expect or {}).get("open")
        if question in (open_ if isinstance(open_, list) else [open_]):
            found.append(scenario)
    return found


def role_set(scenario: Scenario) -> Set:
    """The role set of a scenario, with a few plain players at the most."""
    book = book_named(scenario.rulebook)
    count = Counter(player.role for player in scenario.players)
    plain = book.base_roles[0]
    if scenario.phase in ("night", "day", "end"):
        count[plain] = min(count[plain], PLAIN)
    # Whose things somebody bears plays too: a search reads the files of its roles alone.
    for player in scenario.players:
        for role in {book.things[thing] for thing in player.items if thing in book.things} - count.keys():
            count[role] = 1
    roles = tuple((role, n) for role, n in count.items() if n)
    state = bool(scenario.last_night) or any(
        p.items or p.counts or p.was or p.found for p in scenario.players
    )
    gone = any(not p.alive for p in scenario.players)
    return Set(scenario.rulebook, roles, scenario.phase, state, gone)


def sets_for(question: str) -> list[Set]:
    """The role sets in which to look for a question, the smallest first."""
    found = {role_set(s): None for s in expecting(question)}
    return sorted(found, key=lambda one: (one.state, one.gone, sum(n for _, n in one.roles), one))[:TRIES]


@cache
def stripped_texts(book: str) -> dict[str, str]:
    """The files of a book without the names that are to be found."""
    files = map(str, book_named(book).text_files())
    names = set(to_find())
    return {file: strip(Path(file).read_text(encoding="utf-8"), names) for file in files}


@cache
def names_of(book: str) -> Names:
    """What the questions of a book name."""
    return Names(book_named(book))


# ---- the match -----------------------------------------------------------------------------------


def look(where: Set, wanted: Collection[str], seconds: float = SECONDS) -> dict[str, Found]:
    """Search a role set for some questions: those that come up, each with its smallest night."""
    texts = stripped_texts(where.book)
    search = Search(
        book_named(where.book),
        where.roles,
        (where.phase,),
        Clock(seconds),
        state=where.state,
        gone=where.gone,
        texts=texts,
    )
    points, _ = search.points()
    names = names_of(where.book)
    found: dict[str, Found] = {}
    pending: list[tuple[str, Shown]] = []
    for question in wanted:
        raised: list[Shown] = []
        for point in points:
            if names.answers_to(point.id, question) and (shown := search.smallest(point)[0]) is not None:
                raised.append(shown)
        if bearing := [shown for shown in raised if shown.bears]:
            best = min(bearing, key=_size)
            found[question] = Found(question, best.point.id, best.told.scenario)
        else:
            pending += [(question, shown) for shown in raised]
    among = list({shown.point.id: shown.point for _, shown in pending}.values())
    for question, raised_in in pending:
        shown, finished = search.bearing(raised_in.point, among)
        if shown is not None and shown.bears:
            found[question] = Found(question, shown.point.id, shown.told.scenario)
        elif finished and question not in found:
            found[question] = Found(question, raised_in.point.id, raised_in.told.scenario, harmless=True)
    return found


def _size(shown: Shown) -> tuple[int, int, int, str]:
    night = shown.told.scenario
    return len({a.actor for a in night.actions}), len(night.actions), len(night.players), shown.point.id


def match(
    wanted: Iterable[str], seconds: float = SECONDS, *, jobs: int = 1, progress: bool = False
) -> list[Found]:
    """Look for each question in the role sets of its scenarios until it is found with a night."""
    wanted = list(wanted)
    found = {question: Found(question) for question in wanted}
    for turn in range(TRIES):
        groups: defaultdict[Set, list[str]] = defaultdict(list)
        for question in wanted:
            sets = sets_for(question)
            if turn < len(sets) and (not found[question].id or found[question].harmless):
                groups[sets[turn]].append(question)
        with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as workers:
            each = workers.map if workers else map
            for number, some in enumerate(each(look, groups, groups.values(), repeat(seconds)), 1):
                for question, one in some.items():
                    if not found[question].id or not one.harmless:
                        found[question] = one
                if progress:
                    print(
                        f"\rround {turn + 1}: {number} of {len(groups)} role sets ", end="", file=sys.stderr
                    )
    return [found[question] for question in wanted]


# ---- the report ----------------------------------------------------------------------------------

#: the parts of the report, each with the kinds of question in it
PARTS = {
    "Contradictions, paradoxes and meetings": ("contradiction", "paradox", "meeting"),
    "Silences": ("silence",),
    "Ambiguities": ("ambiguity",),
}


def share(found: Sequence[Found]) -> tuple[int, int]:
    """Of the contradictions, paradoxes and meetings, how many are found, and how many there are."""
    kind = kinds()
    wanted = [one for one in found if kind[one.question] in PARTS["Contradictions, paradoxes and meetings"]]
    return sum(bool(one.id) for one in wanted), len(wanted)


def acting(one: Found) -> str:
    """Who does what in a question's smallest night, by role."""
    night = one.night
    if night is None:
        return ""
    roles = {player.name: player.role for player in night.players}
    does = [f"{roles.get(a.actor, a.actor)}: {a.verb.replace('_', ' ')}" for a in night.actions]
    before = [
        f"{roles.get(a.actor, a.actor)}: {a.verb.replace('_', ' ')} (the night before)"
        for a in night.last_night
    ]
    return "; ".join([*before, *does]) or f"nobody acts ({night.phase})"


def lines(found: Sequence[Found]) -> list[str]:
    """The match as text: one line a question."""
    kind = kinds()
    told = []
    for one in found:
        reason = listed("misses").get(one.question, "")
        how = one.id or f"NOT FOUND {reason}".strip()
        note = ONLY_CALLS if one.harmless else ""
        told.append(f"{kind[one.question]:13} {one.question:20} {how}{note} | {acting(one)}")
    return told


HEAD = """\
# What the search finds by itself

The names of all contradictions, paradoxes and meetings of two tables are taken out of the encodings of both
rulebooks. Then the search of `mafia-asp check` is let loose on small role sets, without being told what to
look for, and what it finds is held against the list of questions that people found by reading the books.
`found as` is the id of the finding: two or more rules for a dispute, a cell of a table for a meeting, parity
and abilities for a circle. The last column says who does what in the smallest night or day. `python -m
tests.match --write docs/findings.md` writes this page anew.

{found} of {of} are found: {percent} %.
"""
NOTES = {
    "Silences": """\
A silence is a number, a duration, a side, a permission or a choice that a book does not give. Nothing can
miss it, so it is no meeting of two tables; it is declared in the book's file with what brings it up, keeps
its name, and is counted apart.
""",
    "Ambiguities": """\
An ambiguity is one statement that can be read in two ways. It keeps its name and is counted apart.
""",
}
#: where no outcome of any night hangs on a question
_MISSING = "not found:"
ONLY_CALLS = " (no outcome hangs on it, at most who is called)"


def row(one: Found) -> str:
    """The line of a question in the page."""
    told = listed("silences").get(one.question, kinds()[one.question])
    how = f"`{one.id}`" if one.id else f"{_MISSING} {listed('misses').get(one.question, '')}"
    return f"| `{one.question}` | {told} | {how} | {acting(one) + (ONLY_CALLS if one.harmless else '')} |"


def page(found: Iterable[Found]) -> str:
    """The match as a page of the documentation."""
    return page_of({one.question: row(one) for one in found})


def page_of(told: Mapping[str, str]) -> str:
    """The page with these lines, by question."""
    kind = kinds()
    compared = PARTS["Contradictions, paradoxes and meetings"]
    shared = [line for question, line in told.items() if kind[question] in compared]
    got, of = sum(f"| {_MISSING}" not in line for line in shared), len(shared)
    parts = [HEAD.format(found=got, of=of, percent=100 * got // max(of, 1))]
    for title, which in PARTS.items():
        parts.append(f"## {title}\n")
        if title in NOTES:
            parts.append(NOTES[title])
        last = "why nothing can miss it" if title == "Silences" else "kind"
        parts.append(f"| question | {last} | found as | smallest night or day |\n| --- | --- | --- | --- |")
        parts += [line for question, line in sorted(told.items()) if kind[question] in which]
        parts.append("")
    return "\n".join(parts)


def rows_of(text: str) -> dict[str, str]:
    """The lines of a page by question, as far as the questions are still there."""
    lines = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
    return {question: line for question, line in lines.items() if question in kinds()}


def main() -> int:
    """Print the match; 1 if less than 95 % are found, or something is missing without a reason."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--write",
        metavar="FILE",
        help="write the page of the documentation; of some questions, their lines in it",
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one role set")
    parser.add_argument("--jobs", type=int, default=1, help="role sets that are searched at once")
    parser.add_argument("questions", nargs="*", help="only these questions")
    options = parser.parse_args()
    found = match(
        options.questions or sorted(kinds()),
        options.seconds,
        jobs=options.jobs,
        progress=sys.stderr.isatty(),
    )
    print(*lines(found), sep="\n")
    got, of = share(found)
    print(
        f"contradictions, paradoxes, meetings: {got} of {of} found"
        + (f", {100 * got / of:.1f} %" if of else "")
    )
    for title in ("Silences", "Ambiguities"):
        some = [one for one in found if kinds()[one.question] in PARTS[title]]
        shown = sum(bool(one.id) and not one.harmless for one in some)
        harmless = sum(one.harmless for one in some)
        print(f"{title.lower()}: {shown} of {len(some)} with a night that hangs on it, {harmless} harmless")
    if options.write:
        file = Path(options.write)
        before = rows_of(file.read_text(encoding="utf-8")) if options.questions else {}
        new = {one.question: row(one) for one in found}
        file.write_text(page_of(before | new), encoding="utf-8")
    unexplained = [one.question for one in found if not one.id and one.question not in listed("misses")]
    if unexplained:
        print("missing without a reason:", *unexplained)
    return 1 if unexplained or got < 0.95 * of else 0


if __name__ == "__main__":
    sys.exit(main())
