"""Is what the search finds beside the catalogue's questions real?

``python -m tests.sample`` collects every finding of ``mafia-asp check`` for the built cast of the shipped
rulebooks that no question of a book names: disputes between rules, undecided cells of tables, circles,
faults of the wake order. A small book is searched with all roles at once at night; and in sets of a few
roles, in which each two roles stand together at least once, in every phase, at night also with things that
players bear, a night before and dead players. Of a large book each role is searched in two sets.
What has one identity is one finding, whose smallest night is kept. Of all of them a number is drawn and
printed with rules, sources, night and readings, to be judged against the books; the judgements stand in
``docs/judged.md``. Nothing is kept between runs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))

from coverage_data import DATA

from mafia_asp.check.findings import Finding
from mafia_asp.check.report import Wanted, all_roles, check
from mafia_asp.model import Phase
from mafia_asp.render.check.text import put_finding
from mafia_asp.render.check.words import night_lines, words_for
from mafia_asp.render.layout import Page
from mafia_asp.rulebook import Rulebook, shipped
from mafia_asp.verdict import decide_here

DRAWN = 40
SEED = 1
#: roles in one block; two blocks make a set
BLOCK = 4
#: a book with more roles is not searched as a whole
LARGE = 30
#: plain players where the number of players matters
CROWD = 6
#: where the texts of the books have a file each, its name begins with the book's number
_CITED = re.compile(r"(\d+):(\d+)(?:-(\d+))?")

Roles = tuple[tuple[str, int], ...]


class Where(NamedTuple):
    """Where to look: a role set, its phases, and whether players may bear things and be dead."""

    book: str
    roles: Roles
    phases: tuple[Phase, ...]
    beforehand: bool = False


class Unlisted(NamedTuple):
    """A finding that no question of the book names."""

    book: str
    finding: Finding

    @property
    def key(self) -> tuple[str, str]:
        """What makes two of them the same."""
        return self.book, self.finding.identity


# ---- where to look -------------------------------------------------------------------------------


def blocks(names: Sequence[str], size: int = BLOCK) -> Iterator[tuple[str, ...]]:
    """Yield sets of at most two blocks of names in which each two names stand together."""
    parts = [tuple(names[at : at + size]) for at in range(0, len(names), size)]
    if len(parts) < 2:
        yield from parts
    for one, other in combinations(parts, 2):
        yield one + other


def ring(names: Sequence[str], size: int = BLOCK, seed: int = SEED) -> Iterator[tuple[str, ...]]:
    """Yield sets of two blocks of names, drawn by a seed, in which each name stands twice."""
    drawn = random.Random(seed).sample(names, len(names))
    parts = [tuple(sorted(drawn[at : at + size])) for at in range(0, len(drawn), size)]
    for one, other in zip(parts, [*parts[1:], parts[0]], strict=True):
        yield one + other


def places(book: Rulebook) -> list[Where]:
    """The role sets of a book that are searched, each in the phases that are affordable."""
    plain, *others = book.base_roles
    roles = [role for role in book.role_ids if role not in book.base_roles]
    large = len(roles) > LARGE
    found = [] if large else [Where(book.id, all_roles(book), ("night",))]
    for some in ring(roles) if large else blocks(roles):
        one_each = tuple((role, 1) for role in (*some, *others))
        found.append(Where(book.id, (*one_each, (plain, CROWD)), ("setup", "intro")))
        found.append(Where(book.id, (*one_each, (plain, 2)), ("night",), beforehand=True))
    return found


# ---- what is found -------------------------------------------------------------------------------


def look(where: Where) -> list[Unlisted]:
    """What one search finds that no question of the book names, and on which some outcome hangs.

    Raises:
        RuntimeError: the search was not finished.
    """
    # The sets are no casts: whether one could be played is not asked.
    wanted = Wanted(phases=where.phases, state=where.beforehand, gone=where.beforehand, casts=())
    book = Rulebook.load(where.book)
    report = check(book, where.roles, wanted=wanted)
    if not report.complete or report.undecided:
        raise RuntimeError(f"not finished: {where}")
    found = (finding for finding in report.findings if not finding.harmless)
    return [Unlisted(book.id, finding) for finding in found if finding.id not in book.questions]


def size(finding: Finding) -> tuple[int, int, int, bool, int, str]:
    """How large a finding's night is: who acts, what is said, what was before it, who plays.

    Of equal ones an ordinary night comes before the phases of the beginning.
    """
    if finding.witness is None:
        return 0, 0, 0, False, 0, ""
    night = finding.witness.verdict.scenario
    said = [*night.actions, *night.last_night]
    borne = sum(bool(p.items or p.counts or p.was or p.found) + (not p.alive) for p in night.players)
    before = len(night.last_night) + borne
    return (
        len({act.actor for act in said}),
        len(said),
        before,
        night.phase != "night",
        len(night.players),
        repr(night),
    )


def united(each: Iterable[Iterable[Unlisted]]) -> list[Unlisted]:
    """What several searches find, each finding once and with its smallest night."""
    found: dict[tuple[str, str], Unlisted] = {}
    for one in (one for some in each for one in some):
        known = found.get(one.key)
        if known is None or size(one.finding) < size(known.finding):
            found[one.key] = one
    return [found[key] for key in sorted(found)]


def draw(every: Sequence[Unlisted], count: int = DRAWN, seed: int = SEED) -> list[Unlisted]:
    """So many of them, drawn by a seed; all, if there are no more."""
    if len(every) <= count:
        return list(every)
    return sorted(random.Random(seed).sample(every, count), key=lambda one: one.key)


# ---- how it is shown -----------------------------------------------------------------------------


#: what a night's reasons are about that says nothing of what is found
_BESIDE = ("team", "role", "call", "count", "item", "announce", "together", "unaware")


def rules_of(one: Unlisted) -> list[str]:
    """The rules of a finding; of one without rules of its own, those on which its readings rest."""
    if one.finding.rules or one.finding.witness is None:
        return list(one.finding.rules)
    found: set[str] = set()
    for rulings in answered(one.finding):
        night = one.finding.witness.verdict.scenario._replace(rulings=rulings)
        verdict = decide_here(night, Rulebook.load(one.book), strict=True, limits=None)
        found |= {reason.rule for reason in verdict.because if reason.key not in _BESIDE}
    return sorted(found)


def answered(finding: Finding) -> list[dict[str, str]]:
    """For each answer to a finding's question, rulings that lead to it and settle its night."""
    found: dict[str, dict[str, str]] = {}
    groups = finding.witness.verdict.groups if finding.witness else ()
    for reading in (reading for group in groups for reading in group.readings):
        for rests_on in reading.rests_on:
            if finding.id in rests_on:
                found.setdefault(rests_on[finding.id], dict(rests_on))
    return [found[answer] for answer in sorted(found)]


def sources_of(one: Unlisted) -> list[str]:
    """The lines of the book that a finding's rules cite."""
    rules = Rulebook.load(one.book).rules
    return sorted({rules[rule].source for rule in rules_of(one) if rule in rules})


def shown(one: Unlisted, texts: Path | None = None) -> str:
    """A finding as text: rules, sources, night and readings; with the cited lines where there are texts."""
    book = Rulebook.load(one.book)
    page = Page(width=110)
    put_finding(page, one.finding, book)
    told = [one.finding.identity, page.text()]
    if not one.finding.rules:
        told += [
            f"    {book.rules[r].en} [{r} · {book.rules[r].source}]" for r in rules_of(one) if r in book.rules
        ]
    if texts:
        told += [f"  {number}| {line}" for number, line in cited(sources_of(one), texts)]
    return "\n".join(told)


def cited(sources: Iterable[str], texts: Path) -> Iterator[tuple[str, str]]:
    """Yield the lines that sources like ``000:237-239`` name, from the files of a folder."""
    wanted = {
        (book, line)
        for source in sources
        for book, first, last in _CITED.findall(source)
        for line in range(int(first), int(last or first) + 1)
    }
    for book, line in sorted(wanted):
        (file,) = texts.glob(f"{book}_*.txt")
        lines = file.read_text(encoding="utf-8").splitlines()
        yield f"{book}:{line}", lines[line - 1]


# ---- the page ------------------------------------------------------------------------------------

HEAD = """\
# What the search finds beside the known questions, judged

`mafia-asp check` finds more than the questions that people found by reading the books. Of what no question of
a book names, {drawn} were drawn by a seed (all, where there are no more) and judged against the books: is
there really no line that decides the night, or do the lines really oppose each other in it? A finding is
*not real* if the night cannot be, a rule is applied where the book does not mean it, or the book decides the
point elsewhere.

`python -m tests.sample` collects the findings, draws with seed {seed} and prints them: from all roles of a
small book at once, at night; and from sets of {roles} roles in which each two roles stand together once (of a
large book: each role in two sets), in the phases before the day (setup, first night, night), at night also
with things that players bear, a night before and dead players; days and ends are not searched here. `--write
docs/judged.md` writes this page anew. The judgements are kept in `tests/data/judged.yaml`.

Of the first forty drawn when all roles were built, thirteen were not real. They have been mended, with
others of their kinds, and come up no more. Statements on what a link was opposed those on what a second one
is (000:275, three findings). Of a prisoner it was open whether he is still one the night after (000:586
says: that night), and a Jailer who jailed himself was kept from that very act. The Mafia were called or not
according to what Jekyll and Hyde choose once they sleep again (000:286). The Postman, whose choice has a
question of its own, was missed in the order of calls. Whether the Karbalayi guards somebody against himself
is the known question on changes. A Zombie's proof against shots (000:339) was held against another Zombie's
aim (000:349). In some nights somebody stood on two sides, or on one to which nothing brings the role; a
citizen pointed among the Mafia; a link had a second name; or a vest was stolen that nobody had.

Judged: {drawn} of the {of} findings there are. Real: {real}; not real: {unreal}.
"""


class Judgement(NamedTuple):
    """What somebody with the book at hand says of a finding."""

    real: bool
    why: str


def judgements() -> dict[tuple[str, str], Judgement]:
    """The judgements by book and identity."""
    books = yaml.safe_load((DATA / "judged.yaml").read_text(encoding="utf-8"))
    return {(book, id): Judgement(**said) for book, each in books.items() for id, said in each.items()}


def night_of(one: Unlisted) -> str:
    """The night that shows a finding, in a line."""
    if one.finding.witness is None:
        return ""
    night = one.finding.witness.verdict.scenario
    return " ".join(night_lines(night, words_for(one.finding, Rulebook.load(one.book), "en")))


def entry(number: int, one: Unlisted, judged: Judgement) -> str:
    """One finding of the page."""
    rules = Rulebook.load(one.book).rules
    said = [f"- `{rule}` ({rules[rule].source}): {rules[rule].en}" for rule in rules_of(one) if rule in rules]
    verdict = "Real" if judged.real else "Not real"
    head = f"## {number}. `{one.finding.identity}`"
    return "\n".join([head, "", *said, "", f"Night: {night_of(one)}", "", f"**{verdict}.** {judged.why}", ""])


def page(every: Sequence[Unlisted], chosen: Sequence[Unlisted], seed: int) -> str:
    """The drawn findings with their judgements, as a page of the documentation.

    Raises:
        KeyError: a drawn finding has not been judged.
    """
    said = judgements()
    judged = [said[one.key] for one in chosen]
    real = sum(each.real for each in judged)
    numbers = {"drawn": len(chosen), "of": len(every), "real": real, "unreal": len(chosen) - real}
    head = HEAD.format(**numbers, seed=seed, roles=2 * BLOCK)
    return "\n".join([head, *(entry(n, *pair) for n, pair in enumerate(zip(chosen, judged, strict=True), 1))])


def main() -> int:
    parser = argparse.ArgumentParser(description="Findings that no question names, drawn to be judged.")
    parser.add_argument("--count", type=int, default=DRAWN)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--all", action="store_true", help="print all of them")
    parser.add_argument("--write", metavar="FILE", help="write them with their judgements as a page")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--texts", type=Path, help="folder of the books' texts, to print the cited lines")
    options = parser.parse_args()
    start = time.monotonic()
    sets = [where for book in shipped() for where in places(Rulebook.load(book))]
    with ProcessPoolExecutor(options.jobs) as workers:
        every = united(workers.map(look, sets))
    chosen = every if options.all else draw(every, options.count, options.seed)
    for one in chosen:
        print(shown(one, options.texts), end="\n\n")
    print(f"{len(chosen)} of {len(every)} findings that no question names, seed {options.seed}")
    print(f"{len(sets)} searches, {time.monotonic() - start:.0f} s")
    missing = [one.finding.identity for one in chosen if one.key not in judgements()]
    if missing:
        print("not judged:", *missing)
    elif options.write:
        Path(options.write).write_text(page(every, chosen, options.seed), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
