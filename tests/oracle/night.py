"""One course of a night, deed by deed, under the answers given so far; and the tree of all courses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from mafia_asp.model import Scenario

from .asking import Answers, Claim, QuestionError, word
from .attacks import Meetings
from .deeds import Deed
from .tables import Tables
from .told import Act, Told


class TooManyError(Exception):
    """More courses than asked for."""


@dataclass(frozen=True)
class Outcome:
    """What is compared. Answers and refusals go by the number of the act."""

    dead: frozenset[str]
    saved: frozenset[str]
    silenced: frozenset[str]
    answers: frozenset[tuple[int, str]]
    refused: frozenset[int]


class Course(Meetings):
    """The whole night under one set of answers."""

    def shows(self, inquiry: str, player: str) -> set[Claim]:
        """What a player shows to an inquiry."""
        told = self.told
        role, sides = told.role[player], told.sides(player)
        held = self.held(player) | self._faded(inquiry, player)
        claims: set[Claim] = set()
        listed = False
        for rule, asked, subject, shown in self.tables["reads_as"]:
            if asked != inquiry:
                continue
            kind, *what = subject
            by_nature = (
                (kind == "side" and what[0] in sides)
                or (kind == "not_side" and what[0] not in sides)
                or (kind == "role" and what[0] == role)
            )
            listed |= by_nature
            if by_nature or (kind == "held" and what[0] in held and what[1:] in ([], [role])):
                claims.add((rule, shown))
        if not listed:
            claims |= self._unlisted(inquiry)
        return self.weigh(claims)

    def _unlisted(self, inquiry: str) -> set[Claim]:
        """What is shown of somebody of whom the tables do not say it."""
        point = ("reads_as", inquiry, "other")
        answer = "yes" if self.holds(point) else "no"
        if any(row[2] == point for row in self.tables["fills"]):
            return set()
        return {(r, shown) for r, i, _, shown in self.tables["reads_as"] if (i, shown) == (inquiry, answer)}

    def _faded(self, inquiry: str, player: str) -> set[str]:
        """What was laid on a player the night before, is no hindrance, and still shows to an inquiry."""
        told = self.told
        shows = {
            row[2][1]
            for row in self.tables["reads_as"]
            if row[1] == inquiry and row[2][0] == "held" and len(row[2]) == 2
        }
        tonight = {status for act in told.acted for status in told.marks(act, player)}
        stated = {row[1] for row in self.tables["lasts"]}
        before = (
            {status for act in told.before for status in told.marks(act, player)}
            if player in told.alive
            else set()
        )
        marks = (before & shows) - told.hindrances - tonight - stated
        return {status for status in sorted(marks) if self.holds(("lasts", status))}

    def _ask_beside(self) -> None:
        """Ask what comes up and changes nothing that is compared."""
        told = self.told
        for act in told.acted:
            own: Deed = ("own", act.number)
            if act.actor in told.role and (self.taken(act.number) or self.wrong(own)):
                for counter in sorted(told.drawn_on(act)):
                    self.holds(("spent", counter))
            robbed = told.named(act, 1)
            if robbed is not None and act.actor in told.role and told.takes(act.role, act.verb):
                self._ask_of_theft(act, robbed)
            if act.actor not in told.role and self._group_strikes(act) and robbed is not None:
                agents = {row[2] for row in self.tables["agent"] if row[1] == act.actor}
                banned = any(row[1] == told.role[robbed] for row in self.tables["banned"])
                if banned and not agents & {told.role[p] for p in told.alive}:
                    self.holds(("answers_for", act.actor, told.role[robbed]))

    def _ask_of_theft(self, theft: Act, robbed: str) -> None:
        told = self.told
        role = told.role[robbed]
        for verb in sorted(self.loot(theft.number), key=str):
            for place in sorted({told.place(verb, effect) for _, effect in told.effects(role, verb)}):
                self.stays(theft.number, role, verb, place)
        for _, of, verb in self.tables["routine"]:
            free = of == role and robbed in told.alive and self.works(theft.number)
            stated = any(row[1:] == (role, verb) for row in self.tables["moves"])
            if free and not stated and not self.wrong(("pass", robbed, verb)):
                self.holds(("moves", role, verb))

    def reply(self, act: Act, inquiry: str, player: str) -> set[str]:
        """What an asker is told; nothing where the inquiry does not work."""
        shown = {said for _, said in self.shows(inquiry, player)}
        own: Deed = ("own", act.number)
        if self.taken(act.number) or self.void(act.number):
            return set()
        if not self.wrong(own):
            return shown
        if any(way == "inverts" for _, way in self.mode(own)):
            rows = self.tables["flips"]
            return {y for _, role, x, y in rows if role == act.role and x in shown}
        return set()

    # ---- the whole ----

    def outcome(self) -> Outcome:
        """Follow the night to its end. Raises QuestionError."""
        told = self.told
        self.circles()
        for deed in self.deeds():
            self.wrong(deed)
        for player in told.role:
            self.held(player)
            self.protections(player)
        self._ask_beside()
        dead: set[str] = set()
        kept: dict[str, list[bool]] = defaultdict(list)
        innate = {verb for _, _, verb in self.tables["standing"]}
        for kind, victim, _ in sorted(self.attacks(), key=str):
            holding = {
                x for x, sources in self.protections(victim).items() if self.wards_off(x, sources, kind)
            }
            holding -= {x for x, k in self.worn(victim) if k == kind}
            if not holding:
                dead.add(victim)
            elif holding & innate:
                kept[victim].append(False)
            else:
                kept[victim].append(True)
        replies: dict[int, set[str]] = defaultdict(set)
        for act in told.acted:
            victim_of = told.named(act, 1)
            for _, effect in told.effects(act.role, act.verb):
                if effect[0] == "ask" and victim_of is not None and act.actor in told.role:
                    replies[act.number] |= self.reply(act, effect[1], victim_of)
        quiet = {p for p in told.role if "silenced" in self.held(p) and "unsilenced" not in self.held(p)}
        return Outcome(
            dead=frozenset(dead & told.alive),
            saved=frozenset(p for p, ways in kept.items() if any(ways) and p in told.alive and p not in dead),
            silenced=frozenset(quiet),
            answers=frozenset((n, x) for n, told_ in replies.items() for x in told_ if x != "none"),
            refused=frozenset(told.refused),
        )


def courses(
    tables: Tables, scenario: Scenario, most: int = 5000, *, lapse: bool | None = False
) -> list[tuple[Answers, Outcome]]:
    """Return every assignment of answers with its outcome.

    With `lapse`, what somebody killed earlier in the night does is void; without a word on it (None), that
    is a question of its own where it comes up.

    Raises:
        TooManyError: there are more than `most`.
        CircleError: a deed depends on itself although every circle of influence has been cut.
    """
    if lapse is None:
        return _either_way(tables, scenario, most)
    told = Told(tables, scenario, lapse=lapse)
    found: list[tuple[Answers, Outcome]] = []
    waiting: list[Answers] = [{}]
    while waiting:
        answers = waiting.pop()
        try:
            found.append((answers, Course(told, answers).outcome()))
        except QuestionError as question:
            waiting += [{**answers, question.question: reading} for reading in question.readings]
        if len(found) > most:
            raise TooManyError(str(most))
    return found


def _either_way(tables: Tables, scenario: Scenario, most: int) -> list[tuple[Answers, Outcome]]:
    """The courses of a night where nothing says whether the acts of those killed in it count."""
    told = Told(tables, scenario)
    if not told.falls:
        return courses(tables, scenario, most)
    point = ("counts_dead", "any")
    names = [(q, answer) for q, answer, of in tables["fills"] if of == point]
    question = names[0][0] if names else word(point)
    count = {answer for _, answer in names} or {"true"}
    readings = [str(a) for q, a in tables["reading"] if q == question] if names else ["true", "false"]
    ruled = told.rulings.get(question)
    found: list[tuple[Answers, Outcome]] = []
    for reading in sorted({ruled} if ruled in readings else set(readings)):
        for answers, outcome in courses(tables, scenario, most, lapse=reading not in count):
            found.append(({**answers, question: str(reading)}, outcome))
    if len(found) > most:
        raise TooManyError(str(most))
    return found
