"""One course of a night, deed by deed, under the answers given so far; and the tree of all courses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from mafia_asp.model import Scenario

from .asking import Answers, Claim, QuestionError
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
        role, sides, held = told.role[player], told.sides(player), self.held(player)
        claims: set[Claim] = set()
        for rule, asked, subject, shown in self.tables["reads_as"]:
            if asked != inquiry:
                continue
            kind, *what = subject
            if (
                (kind == "side" and what[0] in sides)
                or (kind == "not_side" and what[0] not in sides)
                or (kind == "role" and what[0] == role)
                or (kind == "held" and what[0] in held and what[1:] in ([], [role]))
            ):
                claims.add((rule, shown))
        return self.weigh(claims)

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
        dead: set[str] = set()
        kept: dict[str, list[bool]] = defaultdict(list)
        innate = {verb for _, _, verb in self.tables["standing"]}
        for kind, victim, _ in sorted(self.attacks(), key=str):
            holding = {
                x for x, sources in self.protections(victim).items() if self.wards_off(x, sources, kind)
            }
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
    tables: Tables, scenario: Scenario, most: int = 5000, *, lapse: bool = False
) -> list[tuple[Answers, Outcome]]:
    """Return every assignment of answers with its outcome.

    With `lapse`, what somebody killed earlier in the night does is void.

    Raises:
        TooManyError: there are more than `most`.
        CircleError: a deed depends on itself although every circle of influence has been cut.
    """
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
