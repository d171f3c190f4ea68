"""An independent judge of days: what the core makes of a day and an end, followed moment by moment.

The book is made up and small, and differs from day to day: :class:`Book` says it once as rules for the core
and once as plain values for the judge. The judge goes through what was told in its order and keeps who has
left, which votes were counted and what they led to; a question is asked where it comes up. It shares no rule
with the encodings.

``python -m tests.oracle.days --days 3000 --seed 1`` compares the two at length.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from mafia_asp.facts import facts
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import encodings

from .compare import answer_sets

#: role -> side
SIDES = {
    "wolf": "mafia",
    "bomber": "mafia",
    "hush": "mafia",
    "folk": "citizen",
    "guard": "citizen",
    "elder": "citizen",
    "drunk": "citizen",
    "firm": "citizen",
    "jester": "independent",
}
#: what the roles do by night, and by day
NIGHT = {"hush": "silence", "drunk": "drug"}
DAY = {"bomber": "explode", "guard": "protect"}
#: rows that every book has
COMMON = """
does("t.hush",hush,silence,impose(silenced)). does("t.drunk",drunk,drug,impose(drugged)).
impaired("t.drugged",drugged,any,any,fails).
does("t.bomb",bomber,explode,kill(blast)). does("t.guard",guard,protect,protect(cover)).
by_day("t.guard",guard,protect,asked). stops("t.guard",cover,blast).
answers_to(A,B) :- said(A,_,explode), names(A,T,1), said(B,_,protect), names(B,T,1), A < B.
puts_out("t.town",T,A,vote) :- act(A,town,vote_out), names(A,T,1).
puts_out("t.leader",T,A,offence) :- act(A,moderator,remove), names(A,T,1).
claim("t.none_first",position(poll(1),nobody)) :- decided(1), not leads(1,_).
claim("t.most",position(poll(N),out)) :- decided(N), N > 1, alone(N).
claim("t.tied",position(poll(N),nobody)) :- decided(N), N > 1, tied(N).
stands(N+1,T) :- poll(N,again), leads(N,T).
claim("t.no_mafia",position(game(M),citizen)) :- none_of(M,mafia), some(M,citizen).
claim("t.level",position(game(M),mafia)) :- level(M), some(M,mafia).
claim("t.fewer",position(game(M),mafia)) :- outnumbered(M).
claim("t.goes_on",position(game(M),none)) :- ahead(M), some(M,mafia).
"""
#: rows that a book may have, each under a name
MAYBE = {
    "again_below_half": 'claim("t.again",position(poll(1),again)) :- decided(1), leads(1,_), not high(1).',
    "always_again": 'claim("t.second",position(poll(1),again)) :- decided(1), leads(1,_).',
    "runner_up": "stands(2,T) :- poll(1,again), runner_up(1,T).",
    "once": 'claim("t.once",refuse(A)) :- ballot(A,P,N), ballot(B,P,N), act(B,P,_), B < A.',
    "only": 'claim("t.only",refuse(A)) :- ballot(A,_,N), N > 1, names(A,T,1), due(N), not candidate(N,T).',
    "mute": 'may_not("t.mute",held(silenced),vote).',
    "speechless": 'may_not("t.still",held(silenced),speak).',
    "weight": 'vote_weight("t.elder",elder,2).',
    "kept": 'kept("t.firm",P,A) :- puts_out(_,P,A,vote), role(P,firm).',
    "stops": 'ends_vote("t.end",A) :- puts_out(_,_,A,offence).',
    "hampered": 'hampered("t.stale",drugged,bomber,explode).',
    "until_fewer": 'claim("t.until",position(game(M),none)) :- level(M), some(M,mafia).',
    "counted": 'counts_with("t.jester",jester,mafia).',
    "alone": 'wins_alone("t.alone",jester).',
}
ELECTORS = ("alive", "entitled", "cast")
MOMENTS = ("talks", "voting", "voted_out", "left")


@dataclass(frozen=True)
class Book:
    """A made-up book: which of the rows it has, half of whom, and when the bomber explodes."""

    rows: frozenset[str]
    half_of: str
    when: str

    @property
    def text(self) -> str:
        """The book as rules for the core."""
        sides = "\n".join(f'side("t.{role}",{role},{side}).' for role, side in SIDES.items())
        own = [MAYBE[name] for name in sorted(self.rows)]
        half = f"high(1) :- leads(1,T), over_half({self.half_of},1,T).\n"
        half += 'claim("t.half",position(poll(1),out)) :- decided(1), high(1), alone(1).'
        bomb = f'by_day("t.bomb",bomber,explode,{self.when}).'
        return "\n".join([sides, COMMON, half, bomb, *own])

    def has(self, row: str) -> bool:
        """Tell whether the book has a row."""
        return row in self.rows


class Outcome(NamedTuple):
    """What is compared; refusals go by the number of the act."""

    dead: frozenset[str]
    refused: frozenset[int]
    defence: frozenset[str]
    winner: frozenset[str]


Found = Counter[tuple[frozenset[tuple[str, str]], Outcome]]


class QuestionError(Exception):
    """A question came up to which no answer has been given."""

    def __init__(self, question: str, answers: Iterable[str]) -> None:
        super().__init__(question)
        self.question = question
        self.answers = sorted(answers)


@dataclass
class Course:
    """A day under some answers."""

    book: Book
    day: Scenario
    answers: dict[str, str]
    #: player -> moment after which he has left; those who had left before: 0
    left: dict[str, int] = field(default_factory=dict)
    voted_out: dict[str, int] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    #: round -> what it led to, and its leaders and those behind them
    polls: dict[int, set[str]] = field(default_factory=dict)
    tops: dict[int, tuple[set[str], set[str]]] = field(default_factory=dict)
    #: round -> moment and names, where the town has called for it
    called: dict[int, list[tuple[int, tuple[str, ...]]]] = field(default_factory=dict)
    #: voter -> how often a vote counts that counts more than once
    weights: dict[str, int] = field(default_factory=dict)
    vote_over: int | None = None
    stopped: int | None = None

    def __post_init__(self) -> None:
        self.role = {p.name: p.role for p in self.day.players}
        self.alive = {p.name for p in self.day.players if p.alive}
        self.left = {p.name: 0 for p in self.day.players if not p.alive}
        self.acts = list(enumerate(self.day.actions, 1))
        self.held = self._last_night()

    def ask(self, question: str, answers: Iterable[str]) -> str:
        """Return the answer to a question; raise it if there is none yet."""
        if question not in self.answers:
            raise QuestionError(question, answers)
        return self.answers[question]

    def weigh(self, claims: dict[str, str]) -> str | None:
        """Return what prevails of what the statements say (rule: word), if they say anything."""
        if len(set(claims.values())) < 2:
            return next(iter(claims.values()), None)
        return claims[self.ask("~".join(sorted(claims)), claims)]

    # ---- the night before ----

    def _last_night(self) -> dict[str, set[str]]:
        """Who goes into the day under what; a drug that was given works unless its giver was drugged."""
        acts = [
            a for a in self.day.last_night if a.actor in self.role and a.targets and a.targets[0] in self.role
        ]
        real = [a for a in acts if NIGHT.get(self.role[a.actor]) == a.verb]
        drugs = [a for a in real if a.verb == "drug"]
        hindered = {a.targets[0] for a in drugs}
        struck = {a.targets[0] for a in drugs if a.actor not in hindered}
        held: dict[str, set[str]] = {name: set() for name in self.role}
        for act in real:
            if act.actor not in struck:
                held[act.targets[0]].add("drugged" if act.verb == "drug" else "silenced")
        return held

    # ---- what is said, whatever comes of it ----

    def round_of(self, number: int) -> int | None:
        """Return the round of a ballot; of anything else nothing."""
        act = self.day.actions[number - 1]
        if act.actor not in self.role or act.verb not in ("vote", "abstain"):
            return None
        return int(act.extra.get("round", 1))

    def stray(self, number: int) -> bool:
        """Tell whether a ballot comes after one of a later round, or the call for a vote after one in it."""
        if self._calls(number):
            return any(self.round_of(n) == 2 for n, _ in self.acts if n < number)
        mine = self.round_of(number)
        before = [self.round_of(n) for n, _ in self.acts if n < number]
        return mine is not None and any(r is not None and r > mine for r in before)

    def _calls(self, number: int) -> bool:
        act = self.day.actions[number - 1]
        return act.actor == "town" and act.verb == "second_vote"

    def bounds(self, ballots_of: int) -> tuple[int, int]:
        """Return when a round opens and closes; it closes at nought where all its ballots are stray."""
        told = [n for n, _ in self.acts if self.round_of(n) == ballots_of]
        return told[0], max((n for n in told if not self.stray(n)), default=0)

    def target(self, number: int) -> str | None:
        """Return the player whom an act names."""
        targets = self.day.actions[number - 1].targets
        return targets[0] if targets and targets[0] in self.role else None

    def able(self, number: int) -> bool:
        """Tell whether an act is an ability of its actor's role, by day or by night."""
        act = self.day.actions[number - 1]
        role = self.role.get(act.actor, "")
        return act.verb in (DAY.get(role), NIGHT.get(role))

    def answering(self, number: int) -> list[int]:
        """Return the acts that answer an explosion."""
        act = self.day.actions[number - 1]
        if act.verb != "explode" or self.target(number) is None:
            return []
        return [
            n
            for n, a in self.acts
            if n > number and a.verb == "protect" and self.target(n) == self.target(number)
        ]

    def gone(self, player: str, number: int) -> bool:
        """Tell whether a player has left before a moment."""
        return player in self.left and self.left[player] < number

    # ---- one moment ----

    def is_refused(self, number: int) -> bool:
        """Tell whether an act is refused; every question about it is asked."""
        act = self.day.actions[number - 1]
        reasons = [self._barred(number), self._vote_refused(number)]
        if act.actor in self.role:
            by_day = DAY.get(self.role[act.actor]) == act.verb
            parting = by_day and act.verb == "explode" and self.book.when in ("voted_out", "left")
            reasons.append(self.gone(act.actor, number) and not parting)
            reasons.append(act.actor not in self.alive)
            reasons.append(act.verb in ("explode", "protect", "drug", "silence") and not by_day)
            if by_day:
                reasons.append(not self._in_time(number))
        named = self.target(number)
        if (self.able(number) or act.verb in ("vote", "vote_out")) and named is not None:
            reasons.append(named != act.actor and self.gone(named, number))
        return any(reasons)

    def _in_time(self, number: int) -> bool:
        act = self.day.actions[number - 1]
        when = act.extra.get("when")
        if act.verb == "protect":
            return any(number in self.answering(n) for n, _ in self.acts)
        return {
            "talks": when != "voting",
            "voting": when != "talks",
            "voted_out": self.voted_out.get(act.actor, number) < number,
            "left": self.gone(act.actor, number),
        }[self.book.when]

    def _barred(self, number: int) -> bool:
        """Tell whether what was done the night before bars an act."""
        act = self.day.actions[number - 1]
        if act.actor not in self.role:
            return False
        held, role = self.held[act.actor], self.role[act.actor]
        mute = "silenced" in held
        by_day = DAY.get(role) == act.verb
        parting = by_day and act.verb == "explode" and self.book.when in ("voted_out", "left")
        absent = self.gone(act.actor, number) and not parting
        barred = mute and not absent and self.book.has("mute") and act.verb == "vote"
        barred |= mute and not absent and self.book.has("speechless") and act.verb in ("speak", "will")
        if by_day and mute and self.book.has("speechless"):
            barred |= self.ask(f"bars_by_day(silenced,{act.verb})", ("true", "false")) == "true"
        if by_day and "drugged" in held:
            if self.book.has("hampered") and role == "bomber":
                barred = True
            else:
                barred |= self.ask(f"by_day(drugged,{act.verb})", ("true", "false")) == "true"
        return barred

    def _vote_refused(self, number: int) -> bool:
        act, ballots_of = self.day.actions[number - 1], self.round_of(number)
        votes = ballots_of is not None or (act.actor == "town" and act.verb in ("vote_out", "second_vote"))
        if self._calls(number) and self.stray(number):
            return True
        if votes and any(end is not None and end < number for end in (self.vote_over, self.stopped)):
            return True
        if ballots_of is None:
            return False
        earlier = [n for n, a in self.acts if n < number and a.actor == act.actor]
        again = any(self.round_of(n) == ballots_of and n not in self.refused for n in earlier)
        outside = (
            self.book.has("only")
            and ballots_of > 1
            and self.target(number) is not None
            and self.is_due(ballots_of)
            and self.target(number) not in self.candidates(ballots_of)
        )
        return self.stray(number) or (self.book.has("once") and again) or outside

    # ---- votes ----

    def is_due(self, number: int) -> bool:
        """Tell whether there is to be a round."""
        return number in self.called or "again" in self.polls.get(number - 1, ())

    def called_at_all(self, number: int) -> bool:
        """Tell whether the town has spoken of a second vote before it was on, accepted or not."""
        return number == 2 and any(self._calls(n) and not self.stray(n) for n, _ in self.acts)

    def candidates(self, number: int) -> set[str]:
        """Return who may be voted for in a further round."""
        found = {name for _, names in self.called.get(number, ()) for name in names if name in self.role}
        if (
            self.is_due(number)
            and not self.called_at_all(number)
            and "again" in self.polls.get(number - 1, ())
        ):
            leaders, next_best = self.tops[number - 1]
            found |= leaders
            if number == 2 and self.book.has("runner_up"):
                found |= next_best
        return found

    def _weigh_votes(self) -> None:
        """Say whose votes count how often; of somebody hindered last night that is open."""
        for _, act in self.acts:
            heavy = self.book.has("weight") and self.role.get(act.actor) == "elder"
            if heavy and act.verb in ("vote", "abstain") and act.actor not in self.weights:
                hindered = "drugged" in self.held[act.actor]
                light = hindered and self.ask("by_day(drugged,vote)", ("true", "false")) == "true"
                self.weights[act.actor] = 1 if light else 2

    def count(self, number: int) -> None:
        """Count a round that is over, and follow it."""
        opening, closing = self.bounds(number)
        tally: Counter[str] = Counter()
        total = 0
        for n, act in self.acts:
            voted = self.target(n)
            in_round = self.round_of(n) == number and n <= closing and n not in self.refused
            if in_round and act.verb == "vote" and voted is not None:
                weight = self.weights.get(act.actor, 1)
                tally[voted] += weight
                total += weight
        most = max(tally.values(), default=0)
        leaders = {name for name, votes in tally.items() if votes == most}
        second = max((votes for votes in tally.values() if votes < most), default=0)
        self.tops[number] = leaders, {name for name, votes in tally.items() if votes == second}
        if self.vote_over is not None and self.vote_over < closing:
            return
        living = {name for name in self.alive if not self.gone(name, opening)}
        mute = {n for n in living if self.book.has("mute") and "silenced" in self.held[n]}
        whole = {"alive": len(living), "entitled": len(living - mute), "cast": total}[self.book.half_of]
        claims: dict[str, str] = {}
        if number > 1:
            claims |= {"t.most": "out"} if len(leaders) == 1 else {"t.tied": "nobody"} if leaders else {}
        elif not leaders:
            claims["t.none_first"] = "nobody"
        else:
            if 2 * most > whole and len(leaders) == 1:
                claims["t.half"] = "out"
            if self.book.has("again_below_half") and not 2 * most > whole:
                claims["t.again"] = "again"
            if self.book.has("always_again"):
                claims["t.second"] = "again"
        result = self.weigh(claims)
        self.polls[number] = set() if result is None else {result}
        if result in ("out", "nobody"):
            self.vote_over = closing if self.vote_over is None else min(self.vote_over, closing)
        if result == "out" and len(leaders) == 1:
            self.put_out(next(iter(leaders)), closing, "vote")

    def put_out(self, player: str, number: int, why: str) -> None:
        """Let a statement put a player out."""
        if why == "vote" and self.book.has("kept") and self.role[player] == "firm":
            return
        if player in self.alive and not self.gone(player, number):
            if why == "vote":
                self.voted_out[player] = min(number, self.voted_out.get(player, number))
            self.left[player] = min(number, self.left.get(player, number))

    # ---- the whole ----

    def outcome(self) -> Outcome:
        """Follow the day to its end. Raises QuestionError."""
        rounds = {r for n, _ in self.acts if (r := self.round_of(n)) is not None}
        self._weigh_votes()
        closing = {self.bounds(r)[1]: r for r in rounds}
        blows: dict[int, list[int]] = {}
        killed: set[str] = set()
        for number, act in self.acts:
            if self.is_refused(number):
                self.refused.add(number)
            elif act.verb == "explode" and self.target(number) is not None:
                blows.setdefault(max([number, *self.answering(number)]), []).append(number)
            elif act.actor == "town" and act.verb == "second_vote":
                self.called.setdefault(2, []).append((number, act.targets))
            elif act.actor == "town" and act.verb == "vote_out":
                self.vote_over = number if self.vote_over is None else self.vote_over
                if (victim := self.target(number)) is not None:
                    self.put_out(victim, number, "vote")
            elif (
                act.actor == "moderator"
                and act.verb == "remove"
                and (victim := self.target(number)) is not None
            ):
                self.put_out(victim, number, "offence")
                if self.book.has("stops"):
                    self.vote_over = self.stopped = min(number, self.stopped or number)
            if number in closing:
                self.count(closing[number])
            for blow in blows.get(number, ()):
                victim = self.target(blow)
                if victim is not None and not self._covered(victim):
                    killed.add(victim)
                    if victim in self.alive:
                        self.left[victim] = min(number, self.left.get(victim, number))
        for r in rounds:  # a round all of whose ballots are stray
            if self.bounds(r)[1] == 0:
                self.tops.setdefault(r, (set(), set()))
        defence = {name for n in (2, 3, 4) if self.is_due(n) for name in self.candidates(n)}
        return Outcome(
            frozenset(killed & self.alive | {p for p, n in self.left.items() if n}),
            frozenset(self.refused),
            frozenset(defence & self.alive),
            frozenset(self.winner()),
        )

    def _covered(self, victim: str) -> bool:
        return any(
            a.verb == "protect" and self.target(n) == victim and n not in self.refused and self.able(n)
            for n, a in self.acts
        )

    def winner(self) -> Iterator[str]:
        """Yield who has won at the end; what is said of the moments before it is weighed as well."""
        for number in sorted(set(self.voted_out.values())):
            out = {p for p, n in self.voted_out.items() if n == number}
            acts_then = any(
                n > number and a.actor in out and DAY.get(self.role[a.actor]) == a.verb == "explode"
                for n, a in self.acts
            )
            if acts_then and self.book.when == "voted_out":
                self.game({p for p in self.alive if not (p in self.left and self.left[p] <= number)})
        present = self.alive - self.left.keys()
        result = self.game(present)
        if self.book.has("alone") and len(present) == 1 and self.role[next(iter(present))] == "jester":
            yield "jester"
        elif result is not None:
            yield result

    def game(self, present: set[str]) -> str | None:
        """Return what is said of the game with these players left."""
        sides = Counter(
            "mafia" if self.role[p] == "jester" and self.book.has("counted") else SIDES[self.role[p]]
            for p in present
        )
        mafia, citizens = sides["mafia"], sides["citizen"]
        claims: dict[str, str] = {}
        if not mafia and citizens:
            claims["t.no_mafia"] = "citizen"
        if mafia and mafia == citizens:
            claims["t.level"] = "mafia"
            if self.book.has("until_fewer"):
                claims["t.until"] = "none"
        if citizens < mafia:
            claims["t.fewer"] = "mafia"
        if citizens > mafia and mafia:
            claims["t.goes_on"] = "none"
        return self.weigh(claims)


def by_oracle(book: Book, day: Scenario, most: int = 300) -> Found | None:
    """Return every assignment of answers with its outcome; None where there are more than `most`."""
    found: Found = Counter()
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        answers = waiting.pop()
        try:
            found[frozenset(answers.items()), Course(book, day, answers).outcome()] += 1
        except QuestionError as question:
            waiting += [{**answers, question.question: answer} for answer in question.answers]
        if len(found) > most:
            return None
    return found


def core_files() -> list[Path]:
    """Return the files of the core that decide a day."""
    left_out = ("words", "influence", "setup")
    core = [f for f in sorted(Path(encodings(), "core").glob("*.lp")) if f.stem not in left_out]
    return [*core, *sorted(Path(encodings(), "day").glob("*.lp"))]


def by_core(files: Sequence[Path], book: Book, day: Scenario, most: int = 600) -> Found:
    """Return what the core finds with this book."""
    told = facts(day)
    text = f"{book.text}\n{told.text}\n#show pick/2. #show out/2."
    found: Found = Counter()
    for picks, out in answer_sets(files, text, most + 1):
        named = {key: frozenset(told.names[v] for k, v in out if k == key) for key in ("dead", "defence")}
        outcome = Outcome(
            named["dead"],
            frozenset(v for k, v in out if k == "refused"),
            named["defence"],
            frozenset(v for k, v in out if k == "winner"),
        )
        found[frozenset(picks.items()), outcome] += 1
    return found


# ---- random days -----------------------------------------------------------------------------------


def random_book(rng: random.Random) -> Book:
    """Return some book."""
    rows = frozenset(name for name in MAYBE if rng.random() < 0.45)
    return Book(rows, rng.choice(ELECTORS), rng.choice((*MOMENTS, "voted_out")))


def random_day(rng: random.Random) -> Scenario:
    """Return a day, mostly with votes, of two to seven players."""
    names = [f"N{seat}" for seat in range(1, rng.randint(2, 7) + 1)]
    seats = tuple(Player(name, rng.choice(list(SIDES)), rng.random() > 0.1) for name in names)
    before = tuple(
        Action(p.name, NIGHT[p.role], (rng.choice(names),))
        for p in seats
        if p.role in NIGHT and rng.random() < 0.7
    )
    favoured = rng.sample(names, min(2, len(names)))
    acts: list[Action] = []
    for number in (1, 2, 3)[: rng.randint(0, 3)]:
        extra = {"round": number} if number > 1 or rng.random() < 0.1 else {}
        for name in rng.sample(names, rng.randint(1, len(names))):
            target = rng.choice(favoured if rng.random() < 0.8 else [*names, "nobody"])
            acts.append(Action(name, "vote", (target,), extra))
        acts += _others(names, seats, rng)
    acts += _others(names, seats, rng)
    if rng.random() < 0.15:
        rng.shuffle(acts)
    return Scenario("made_up", seats, "day", None, tuple(acts), before)


def _others(names: Sequence[str], seats: Sequence[Player], rng: random.Random) -> list[Action]:
    found = []
    if rng.random() < 0.25:
        found.append(Action("town", "second_vote", tuple(rng.sample(names, min(2, len(names))))))
    if rng.random() < 0.3:
        found.append(Action("town", "vote_out", (rng.choice(names),)))
    if rng.random() < 0.2:
        found.append(Action("moderator", "remove", (rng.choice(names),)))
    if rng.random() < 0.15:
        found.append(Action(rng.choice(names), rng.choice(("speak", "abstain")), ()))
    for seat in seats:
        if seat.role in DAY and rng.random() < 0.5:
            extra = {"when": rng.choice(("talks", "voting"))} if rng.random() < 0.3 else {}
            named = rng.choice(names[:2]) if rng.random() < 0.7 else rng.choice(names)
            found.append(Action(seat.name, DAY[seat.role], (named,), extra))
    if rng.random() < 0.05:
        found.append(
            Action(rng.choice(names), rng.choice(("explode", "protect", "drug")), (rng.choice(names),))
        )
    found.sort(key=lambda act: act.verb == "protect")
    return found


@dataclass
class Report:
    """What the days were like, and where the two sides differ."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(days: int, seed: int, files: Sequence[Path] | None = None) -> Report:
    """Compare so many days."""
    rng = random.Random(seed)
    files = core_files() if files is None else files
    report = Report()
    while report.counts["days"] < days:
        book, day = random_book(rng), random_day(rng)
        oracle = by_oracle(book, day)
        if oracle is None:
            report.counts["too many readings"] += 1
            continue
        _count(report.counts, oracle, day)
        if by_core(files, book, day) != oracle:
            report.failures.append(describe(files, book, smallest(files, book, day)))
    return report


def _count(counts: Counter[str], oracle: Found, day: Scenario) -> None:
    outcomes = {outcome for _, outcome in oracle}
    questions = {question for answers, _ in oracle for question, _ in answers}
    counts["days"] += 1
    counts["open"] += len(outcomes) > 1
    for key in Outcome._fields:
        counts[key] += any(getattr(outcome, key) for outcome in outcomes)
    counts["nobody has won"] += any(outcome.winner == {"none"} for outcome in outcomes)
    counts["disputes"] += any("~" in question for question in questions)
    counts["meetings"] += any("(" in question for question in questions)
    counts["explosions"] += any(a.verb == "explode" for a in day.actions)


def smallest(files: Sequence[Path], book: Book, day: Scenario) -> Scenario:
    """Drop acts, then players, while the two sides still differ."""

    def fails(scenario: Scenario) -> bool:
        oracle = by_oracle(book, scenario)
        return oracle is not None and oracle != by_core(files, book, scenario)

    while (less := next(filter(fails, _smaller(day)), None)) is not None:
        day = less
    return day


def _smaller(day: Scenario) -> Iterator[Scenario]:
    for n in range(len(day.actions)):
        yield day._replace(actions=day.actions[:n] + day.actions[n + 1 :])
    for n in range(len(day.last_night)):
        yield day._replace(last_night=day.last_night[:n] + day.last_night[n + 1 :])
    told = (*day.actions, *day.last_night)
    named = {name for a in told for name in (a.actor, *a.targets)}
    for player in day.players:
        if player.name not in named:
            yield day._replace(players=tuple(p for p in day.players if p is not player))


def describe(files: Sequence[Path], book: Book, day: Scenario) -> str:
    """Return a day on which the sides differ, as text to work with."""
    oracle, core = by_oracle(book, day) or Counter(), by_core(files, book, day)
    lines = [
        f"{sorted(book.rows)} half of {book.half_of}, explodes {book.when}",
        f"{[(p.name, p.role, p.alive) for p in day.players]}",
        f"{[(n, a.actor, a.verb, a.targets, dict(a.extra)) for n, a in enumerate(day.actions, 1)]}",
        f"last night {[(a.actor, a.verb, a.targets) for a in day.last_night]}",
    ]
    for name, one, other in (("oracle", oracle, core), ("core", core, oracle)):
        lines += [f"only the {name} (x{n}): {dict(a)} -> {o}" for (a, o), n in (one - other).items()]
    return "\n".join(lines)


def main() -> int:
    """Compare many days; 1 if any differs."""
    parser = argparse.ArgumentParser(description="Compare the core with an independent judge of days.")
    parser.add_argument("--days", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="how many disagreements to print")
    options = parser.parse_args()
    start = time.monotonic()
    report = run(options.days, options.seed)
    print(*report.failures[: options.show], sep="\n\n")
    counts = " ".join(f"{name} {n}," for name, n in sorted(report.counts.items()))
    print(f"{counts} failures {len(report.failures)}, seconds {time.monotonic() - start:.0f}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
