"""The rulebook's own words, in one language: names of roles and verbs, rules and questions."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..i18n import N_, language, number
from ..i18n import gettext as _
from .answer import Cite
from .layout import clean, isolate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model import OpenQuestion, Scenario
    from ..rulebook import Rulebook
    from ..ruletext import AnswerText, ConventionText, QuestionText, RuleText


#: Announcements that name a side.
_OF_SIDES = ("side", "winner")


def find_rule(book: Rulebook, identifier: str) -> RuleText | None:
    """Look a rule up; None for a ruling, or an id that the book does not know."""
    try:
        return book.rule(identifier)
    except KeyError:
        return None


def find_question(book: Rulebook, identifier: str) -> QuestionText | None:
    """Look a question up; None for one of which no file has words, as is mostly so with derived ids."""
    if "~" in identifier or ("(" in identifier and not identifier.startswith("circle(")):
        return None
    try:
        return book.question(identifier)
    except KeyError:
        return None


def about(book: Rulebook, asked: OpenQuestion) -> tuple[str, tuple[str, ...]]:
    """Give the kind of an open question and the rules that meet there; the book says it of a named one."""
    text = find_question(book, asked.id)
    if text is None:
        return asked.kind, asked.rules
    rules = asked.rules or text.rules or tuple(r for a in text.answers.values() for r in a.rules)
    return asked.kind or text.kind, tuple(dict.fromkeys(rules))


#: What is asked where a point of a table is open.
_POINTS = {
    "stops": N_("Does this protection stop that attack? The rulebook does not say."),
    "impaired": N_("Does this hindrance stop that ability? The rulebook does not say."),
    "lasts": N_("Does what was laid on a player last night go on? The rulebook does not say."),
    "visits": N_("Is this a visit to whoever looks for visits? The rulebook does not say."),
    "hears": N_("What does whoever looks for visits hear? The rulebook does not say."),
    "absorbs": N_("Does a protection hold against a second shot in one night? The rulebook does not say."),
    "counts_dead": N_("Does an act of somebody killed in the same night count? The rulebook does not say."),
    "moves": N_("Does a theft move this to the second name? The rulebook does not say."),
    "moved_onto": N_("Does a stolen act work on somebody whom nobody may name? The rulebook does not say."),
    "unfired": N_("Does anybody die by a shot that was not fired? The rulebook does not say."),
    "strikes_back": N_("Does an attack of this kind fall back on its author? The rulebook does not say."),
    "falls_on": N_("On whom does a blow fall back? The rulebook does not say."),
    "answers_for": N_("Does a group answer for a forbidden name like one player? The rulebook does not say."),
    "stands_apart": N_("Does a group's blow stand without its spokesman? The rulebook does not say."),
    "reads_as": N_("Does the inquiry show yes for anybody else? The rulebook does not say."),
    "revote": N_("Is a vote that ends in a tie taken again? The rulebook does not say."),
    "stops_vote": N_(
        "Is there no vote after somebody of no side leaves on purpose? The rulebook does not say."
    ),
    "counted": N_(
        "Does somebody of neither side count with the citizens when the sides are compared? "
        "The rulebook does not say."
    ),
    "bars_by_day": N_("Does whoever may not speak lose this ability of the day? The rulebook does not say."),
    "by_day": N_("Does this hindrance of the night still stop that by day? The rulebook does not say."),
    "by_day_too": N_("Does what is proof against shots at night stand by day? The rulebook does not say."),
    "spent": N_("Is a use spent that came to nothing? The rulebook does not say."),
    "bars": N_("Does this protection keep that conversion off? The rulebook does not say."),
    "overrides": N_("Which of two conversions of one player goes before? The rulebook does not say."),
    "takes_dead": N_("Is somebody converted who dies in the same night? The rulebook does not say."),
    "keeps_act": N_(
        "Does what a player does count on the night of the conversion? The rulebook does not say."
    ),
    "reads_new": N_(
        "Does an inquiry show what somebody becomes in the same night? The rulebook does not say."
    ),
    "pays": N_("Is the price of a conversion due that was kept off? The rulebook does not say."),
    "spares": N_("Does what keeps the change off keep off the death? The rulebook does not say."),
    "counts_new": N_(
        "Does what somebody becomes tonight count for another's act? The rulebook does not say."
    ),
    "side_of": N_("Whose player is somebody who may be on either side? The rulebook does not say."),
    "open_to": N_("Is this role open to that conversion? The rulebook does not say."),
    "sets_off": N_("Does this set off a conversion? The rulebook does not say."),
    "at_once": N_("Does a thing given or taken count in the same night? The rulebook does not say."),
    "given_first": N_("Is a thing given before it can be taken that night? The rulebook does not say."),
    "taken_first": N_("Which of two things is taken? The rulebook does not say."),
    "has_taken": N_("Does whoever takes a thing have it then? The rulebook does not say."),
    "wears_out": N_("Is a thing used up where something else saves as well? The rulebook does not say."),
    "outlives_role": N_("Is what a role had kept by whoever is another role now? The rulebook does not say."),
    "oneself": N_("May this be done to oneself? The rulebook does not say."),
    "several": N_("May this be done more than once in a night? The rulebook does not say."),
    "acquainted": N_("Do the members of this group get to know one another? The rulebook does not say."),
    "carries": N_("Is there anything to steal of an ability not used tonight? The rulebook does not say."),
    "announced": N_("Is what was done with this ability announced to everybody? The rulebook does not say."),
}
#: The same where a point is one of several about the same thing.
_ANGLES = {
    ("revote", "undone"): N_(
        "Is there another vote on a day whose vote was undone? The rulebook does not say."
    ),
    ("counts_dead", "removed"): N_(
        "Does an act of somebody count who is removed in the same night? The rulebook does not say."
    ),
    ("revote", "over_half"): N_(
        "Do all leave the game who have more than half of the votes? The rulebook does not say."
    ),
    ("by_day", "robbed"): N_("Can a theft take what a role does by day? The rulebook does not say."),
    ("visits", "any_naming"): N_("Is any naming of a player a visit? The rulebook does not say."),
    ("visits", "hindered"): N_("Is it a visit where the act came to nothing? The rulebook does not say."),
    ("visits", "robbed"): N_(
        "Has somebody who was robbed of an act visited anybody? The rulebook does not say."
    ),
    ("visits", "moved"): N_(
        "Does a stolen act take its owner to the second name? The rulebook does not say."
    ),
    ("visits", "unmeant"): N_(
        "Has somebody visited the one whom a stolen act reached? The rulebook does not say."
    ),
    ("visits", "himself"): N_("Does somebody who names himself visit anybody? The rulebook does not say."),
    ("visits", "shared"): N_(
        "Has everybody who shared in a group's choice visited? The rulebook does not say."
    ),
    ("hears", "everybody"): N_("Are several visitors all told, or one? The rulebook does not say."),
    ("hears", "both_names"): N_(
        "Are both names told where one is only robbed or asked about? The rulebook does not say."
    ),
    ("hears", "wrong_names"): N_("Is somebody who is confused told a wrong name? The rulebook does not say."),
    ("hears", "after_theft"): N_(
        "Is somebody told what a look that was stolen finds? The rulebook does not say."
    ),
    ("falls_on", "name_giver"): N_(
        "Does a blow fall back on who gave the name, not on the voter? The rulebook does not say."
    ),
    ("falls_on", "unvoted"): N_(
        "Does a blow fall back on anybody where there was no vote? The rulebook does not say."
    ),
    ("falls_on", "owner"): N_(
        "Does a stolen blow fall back on its owner, not on the thief? The rulebook does not say."
    ),
    ("falls_on", "attempt"): N_(
        "Does a killing that came to nothing fall back on anybody? The rulebook does not say."
    ),
    ("falls_on", "first_to_name"): N_(
        "Does a blow fall back on the first who gave the name? The rulebook does not say."
    ),
}


class Words:
    """Says what a verdict names by id. An id that the rulebook does not know is shown as it is."""

    def __init__(
        self, book: Rulebook, lang: str, players: Iterable[str] = (), roles: Iterable[str] = ()
    ) -> None:
        self.book = book
        self.lang = lang
        self.players = frozenset(players)
        self._roles = frozenset(roles)

    @classmethod
    def for_scenario(cls, scenario: Scenario, book: Rulebook, lang: str) -> Words:
        """Words for a scenario; its players' names are kept apart from the rulebook's words."""
        return cls(book, lang, [p.name for p in scenario.players], [p.role for p in scenario.players])

    def in_play(self, rule: str) -> bool:
        """Tell whether a rule is of a role that plays here, or of nobody's in particular."""
        role = rule.partition(".")[2].partition(".")[0]
        return role in self._roles or role not in self.book.role_ids

    # --- pieces that come from the file ------------------------------------------------------

    def foreign(self, text: str) -> str:
        """Make a text from a file safe to print, in its own direction."""
        return isolate(text, self.lang)

    def name(self, who: str) -> str:
        """Say a player's name, or one of the reserved words."""
        if who in self.players:
            return self.foreign(who)
        reserved = {
            "mafia": _("the Mafia"),
            "town": _("the town"),
            "moderator": _("the moderator"),
            "nobody": _("nobody"),
            "unknown": _("unknown"),
        }
        return reserved.get(who) or self.foreign(who)

    def names(self, who: Iterable[str]) -> str:
        """Say several names."""
        return self.sequence(self.name(w) for w in who)

    def sequence(self, parts: Iterable[str]) -> str:
        """Join with the comma of the language."""
        return ("، " if self.lang == "fa" else ", ").join(parts)

    def ids(self, ids: Iterable[str]) -> str:
        """Join ids, each isolated."""
        return self.sequence(isolate(i, self.lang) for i in ids)

    # --- the rulebook's words ------------------------------------------------------------------

    def _of(self, names: tuple[str, str] | None, identifier: str) -> str:
        text = names[self.lang == "fa"] if names else ""
        return isolate(text or identifier.replace("_", " "), self.lang)

    def _entry(self, kind: str, identifier: str) -> tuple[str, str] | None:
        return self.book.lexicon.words[kind].get(identifier)

    def role(self, identifier: str) -> str:
        """Name a role."""
        if identifier not in self.book.role_ids:
            return self._of(None, identifier)
        card = self.book.card(identifier)
        return self._of((card.en, card.fa), identifier)

    def word(self, kind: str, identifier: str) -> str:
        """Name a verb, status, item, counter, team, answer or announcement."""
        return self._of(self._entry(kind, identifier), identifier)

    def verb(self, identifier: str) -> str:
        """Name a verb."""
        return self.word("verb", identifier)

    def item(self, identifier: str) -> str:
        """Name an item or a status."""
        kind = "item" if self._entry("item", identifier) else "status"
        return self.word(kind, identifier)

    def attack(self, identifier: str) -> str:
        """Name a kind of attack that is no shot."""
        return self.word("attack", identifier)

    def counter(self, identifier: str) -> str:
        """Name a counter."""
        return self.word("counter", identifier)

    def team(self, identifier: str) -> str:
        """Name a team."""
        return self.word("team", identifier)

    def sides(self, winner: Any) -> str:
        """Name who has won: a team, a role, or several."""
        return self.sequence(self._side(str(w)) for w in (winner if isinstance(winner, list) else [winner]))

    def _side(self, winner: str) -> str:
        if winner in ("none", "nobody"):
            return _("nobody yet") if winner == "none" else _("nobody")
        return self.team(winner) if self._entry("team", winner) else self.role(winner)

    def amount(self, left: Any) -> str:
        """Say what a counter holds."""
        if isinstance(left, int) and not isinstance(left, bool):
            return number(left)
        return self.shown(left)

    def counted(self, name: str, counter: str, left: Any) -> str:
        """Say what somebody has left of something, or which names somebody has gathered."""
        if isinstance(left, (list, tuple)):
            return _("{name}: {what}").format(name=name, what=f"{self.counter(counter)}: {self.shown(left)}")
        text = _("{name}: {counter} left: {n}")
        return text.format(name=name, counter=self.counter(counter), n=self.amount(left))

    def shown(self, value: Any) -> str:
        """Say what a player is shown: an answer, a role, a name, or several."""
        if isinstance(value, (list, tuple)):
            return self.sequence(self.shown(v) for v in value) or _("wakes, and is shown nobody")
        if isinstance(value, dict):
            if set(value) == {"one_of"}:
                return _("one of: {names}").format(names=self.sequence(map(self.shown, value["one_of"])))
            return self.sequence(f"{self.shown(k)}: {self.shown(v)}" for k, v in value.items())
        if isinstance(value, int) and not isinstance(value, bool):
            return number(value)
        text = str(value)
        if text in self.players:
            return self.foreign(text)
        for kind in ("answer", "team", "item", "status"):
            if self._entry(kind, text):
                return self.word(kind, text)
        if text in self.book.role_ids:
            return self.role(text)
        holder, _space, role = text.rpartition(" ")
        if holder in self.players and role in self.book.role_ids:
            return _("{name}: {what}").format(name=self.foreign(holder), what=self.role(role))
        plain = {"yes": _("yes"), "no": _("no"), "none": _("no answer")}
        return plain.get(text) or self.foreign(text.replace("_", " "))

    def token(self, announcement: str) -> str:
        """Say an announcement as it is read aloud: ``saved``, ``dead: Reza``, ``role: Mina citizen``."""
        kind, _colon, rest = str(announcement).partition(":")
        rest = rest.strip()
        # What it is about stands in as many pieces as its sentence has places for.
        for key in (kind, f"{kind}_of"):
            both = self._entry("token", key) or ("", "")
            sentence = clean(both[self.lang == "fa"])
            pieces = self._pieces(kind, rest, sentence.count("{}")) if sentence else None
            if pieces is not None:
                return "".join(
                    part for both in zip_longest(sentence.split("{}"), pieces) for part in both if part
                )
        head = self.foreign(kind.replace("_", " "))
        return f"{head}: {self.shown(rest)}" if rest else head

    def _pieces(self, kind: str, rest: str, count: int) -> list[str] | None:
        """Say the things that an announcement is about; None where they are not so many."""
        if not rest or not count:
            return None if rest or count else []
        halves = [] if rest in self.players else self._halves(rest)
        if count == 1 and halves and halves[0] in self.players:
            return None
        pieces = [rest] if count == 1 else halves if count == 2 else []
        return [self._piece(kind, piece) for piece in pieces] if pieces else None

    def _piece(self, kind: str, piece: str) -> str:
        """Say one thing in an announcement; some words name both a role and a side."""
        if piece in self.book.role_ids and piece not in self.players and kind not in _OF_SIDES:
            return self.role(piece)
        return self.shown(int(piece) if piece.isdigit() else piece)

    def _halves(self, rest: str) -> list[str]:
        """Part a player, or else a word, from what is said of it; a player's name may hold spaces."""
        words = rest.split(" ")
        cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(len(words) - 1, 0, -1)]
        found = [cut for cut in cuts if cut[0] in self.players]
        found = [cut for cut in found if cut[1] in self.players] or found or cuts[-1:]
        return list(found[0]) if found else []

    # --- rules, questions, conventions ----------------------------------------------------------

    def rule_text(self, text: RuleText | QuestionText | AnswerText | ConventionText) -> str:
        """Say a text of the rulebook in this language, or in the other where it has only that."""
        return clean((text.fa if self.lang == "fa" else text.en) or text.en or text.fa)

    def rule(self, identifier: str) -> str:
        """Say a rule's paraphrase in full."""
        rule = find_rule(self.book, identifier)
        return self.rule_text(rule) if rule else ""

    def source(self, identifier: str) -> str:
        """Give the source of a rule, as file and line; nothing for the core's own."""
        rule = find_rule(self.book, identifier)
        return rule.source.strip("-") if rule else ""

    def cite(self, identifier: str) -> Cite:
        """Cite a rule whole: a shortened one may say the reverse."""
        return Cite(self.rule(identifier), identifier, self.source(identifier))

    def about(self, asked: OpenQuestion) -> tuple[str, tuple[str, ...]]:
        """Give the kind of an open question and the rules that meet there."""
        return about(self.book, asked)

    def question(self, identifier: str) -> str:
        """Say an open question; one with a derived id is put together from its parts."""
        asked = find_question(self.book, identifier)
        if asked:
            return self.rule_text(asked)
        with language(self.lang):
            return self._derived_question(identifier)

    def _derived_question(self, identifier: str) -> str:
        if "~" in identifier:
            return _("Two rules meet here, and the rulebook does not say which goes first.")
        if identifier.startswith("circle("):
            return _("These abilities chase each other in a circle; which goes first?")
        if identifier in self.book.rules:
            return _("A rule says two things of one moment that cannot both hold.")
        table, *words = re.findall(r"\w+", identifier) or [identifier]
        point = next((_ANGLES[table, w] for w in words if (table, w) in _ANGLES), _POINTS.get(table))
        if point:
            return _(point)
        return _("The rulebook does not say.")

    def answer_text(self, question: str, answer: str) -> str:
        """Say what an answer to a question means."""
        asked = find_question(self.book, question)
        if asked:
            choice = asked.answers.get(answer)
            return self.rule_text(choice) if choice else ""
        if "~" in question:
            return self.rule(answer)
        plain = {
            "true": _("yes"),
            "false": _("no"),
            "nobody": _("none of them works"),
            "wake_order": _("whoever wakes first goes first"),
        }
        return plain.get(answer) or (
            _("{verb} goes first").format(verb=self.verb(answer)) if question.startswith("circle(") else ""
        )

    def convention(self, identifier: str) -> str:
        """Say a convention."""
        found = self.book.conventions.get(identifier)
        return self.rule_text(found) if found else ""

    def kind(self, kind: str) -> str:
        """Name a kind of question."""
        known = {
            "contradiction": _("contradiction"),
            "dispute": _("contradiction"),
            "ambiguity": _("ambiguity"),
            "gap": _("gap"),
            "paradox": _("paradox"),
            "circle": _("circle"),
        }
        return known.get(kind, kind)
