"""The sentences of an explanation, by what they are about; Persian stands in the message catalogue.

A term is plain data as :mod:`mafia_asp.explain.graph` has it; a leading ``+`` marks statements that
are no atoms of the encodings. What has no sentence here is shown as a term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..i18n import gettext as _
from ..i18n import number
from ..render.answer import ruling_line
from ..render.layout import clean, isolate
from ..render.words import Words
from .rewrite import term_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Action, Scenario
    from ..rulebook import Rulebook
    from .ask import Fact

Term = Any
#: English sentences that may begin with a word that is not somebody's name
_LOWER = (
    "the ",
    "what the ",
    "by the ",
    "taking ",
    "about ",
    "before ",
    "chosen ",
    "it is ",
    "last night",
    "refused:",
    "accepted:",
    "this is ",
)


class Sentences:
    """Says the statements of one scenario in one language; use it while that language is set."""

    def __init__(self, scenario: Scenario, book: Rulebook, lang: str, names: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.words = Words.for_scenario(scenario, book, lang)
        self.lang = lang
        self._names = names
        #: questions whose answers stand above the tree that is being said
        self.under: frozenset[str] = frozenset()

    # ---- pieces -------------------------------------------------------------------------------------

    def who(self, constant: Term) -> str:
        """Say a player, a group, or another word that names somebody."""
        return self.words.name(str(self._names.get(constant, constant)))

    def what(self, value: Term) -> str:
        """Say a value: an answer, a role, a player, a word."""
        if isinstance(value, tuple):
            return self.words.sequence(self.what(each) for each in value[1:])
        known = self._names.get(value, value) if isinstance(value, str) else value
        return self.words.shown(known)

    def action(self, said: Action) -> str:
        """Say an action as it was told: ``Sara: shoot Ali``."""
        targets = self.words.sequence(self.words.shown(target) for target in said.targets)
        if said.targets == ("nobody",):
            targets = _("nobody")
        text = _("{actor}: {verb} {targets}") if targets else _("{actor}: {verb}")
        text = text.format(
            actor=self.words.name(said.actor), verb=self.words.verb(said.verb), targets=targets
        )
        extra = [
            f"{key}: {self.what(('', *v) if isinstance(v, (list, tuple)) else v)}"
            for key, v in said.extra.items()
        ]
        return f"{text} ({self.words.sequence(extra)})" if extra else text

    def act(self, told: Term) -> str:
        """Say the action with this number."""
        return self.action(self.scenario.actions[told - 1])

    def deed(self, deed: Term) -> str:
        """Say what works or does not: an act, a stolen ability, a standing one."""
        match deed:
            case ("own", action):
                said = self.scenario.actions[action - 1]
                text = _("{actor}'s act ({verb})")
                return text.format(actor=self.words.name(said.actor), verb=self.words.verb(said.verb))
            case ("moved", theft, verb):
                taker = self.scenario.actions[theft - 1].actor
                text = _("the stolen act ({verb}), which {taker} took")
                return text.format(taker=self.words.name(taker), verb=self.verb(verb))
            case ("pass", player, _verb):
                return _("{player}'s own protection").format(player=self.who(player))
        return self.term(deed)

    def attack(self, kind: Term) -> str:
        """Say an attack by its kind."""
        match kind:
            case ("shot", role):
                return _("the shot of the {role}").format(role=self.role(role))
            case ("stolen", inner):
                return _("{attack}, stolen").format(attack=self.attack(inner))
            case ("backfire", role):
                return _("the shot of the {role} that comes back").format(role=self.role(role))
            case ("penalty", role):
                return _("the penalty that the {role} brings").format(role=self.role(role))
            case (_, role):
                return _("what the {role} brings about").format(role=self.role(role))
        return self.words.attack(kind) if isinstance(kind, str) else self.term(kind)

    def protection(self, kind: Term) -> str:
        """Say a protection by its kind."""
        match kind:
            case (_, role):
                return _("the protection of the {role}").format(role=self.role(role))
            case str() if kind in self.words.book.lexicon.words["item"]:
                return self.words.item(kind)
        return _("the protection ({kind})").format(kind=self.verb(kind))

    def role(self, role: Term) -> str:
        """Say a role or a group."""
        return self.words.role(role) if isinstance(role, str) else self.term(role)

    def verb(self, verb: Term) -> str:
        """Say an ability."""
        return self.words.verb(verb) if isinstance(verb, str) else self.term(verb)

    def term(self, value: Term) -> str:
        """Say anything as it stands in the encodings."""
        return isolate(clean(term_text(value)), self.lang)

    # ---- statements -----------------------------------------------------------------------------------

    def say(self, term: Term) -> str:
        """Say a statement of the tree."""
        if not isinstance(term, tuple):
            return self.term(term)
        found = self._happens(term) or self._is_given(term) or self._answers(term) or self._fails(term)
        found = found or self.term(term)
        return found[0].upper() + found[1:] if found.startswith(_LOWER) else found

    def _happens(self, term: Term) -> str:
        match term:
            case ("dead", player):
                return _("{player} dies").format(player=self.who(player))
            case ("dies", player, kind, _deed):
                return _("{player} is killed by {attack}").format(
                    attack=self.attack(kind), player=self.who(player)
                )
            case ("attack", kind, player, _deed):
                text = _("{attack} is meant for {player}")
                return text.format(attack=self.attack(kind), player=self.who(player))
            case ("protection", kind, player, "own"):
                text = _("{player} always has {protection}")
                return text.format(player=self.who(player), protection=self.protection(kind))
            case ("protection", kind, player, _deed):
                text = _("{player} is under {protection}")
                return text.format(player=self.who(player), protection=self.protection(kind))
            case ("removed", player):
                return _("{player} leaves the game").format(player=self.who(player))
            case ("saved", player):
                return _("{player} is saved").format(player=self.who(player))
            case ("quiet", player):
                return _("{player} is silent tomorrow").format(player=self.who(player))
            case ("status", status, player, _deed):
                status = self.words.word("status", str(status))
                return _("{player} is {status}").format(player=self.who(player), status=status)
            case ("loot", theft, owner, verb):
                return self._theft(theft, owner, verb)
            case ("worn", kind, player, _deed):
                text = _("{protection} does not keep a second shot from {player}")
                return text.format(protection=self.protection(kind), player=self.who(player))
            case ("halts", kind, player, _deed):
                text = _("{protection} keeps {player} alive")
                return text.format(protection=self.protection(kind), player=self.who(player))
            case ("becomes", player, role):
                return _("{name} becomes {role}").format(name=self.who(player), role=self.role(role))
            case ("mode", deed, mode):
                return self._mode(deed, mode)
            case ("falls_first", first, later):
                return _("“{first}” comes before “{later}”").format(
                    first=self.act(first), later=self.act(later)
                )
        return ""

    def _theft(self, theft: Term, owner: Term, verb: Term) -> str:
        said = self.scenario.actions[theft - 1]
        words = {"taker": self.words.name(said.actor), "verb": self.verb(verb), "owner": self.who(owner)}
        if not isinstance(verb, str):
            return _("{taker} takes {owner}'s own protection").format(**words)
        if len(said.targets) > 1:
            text = _("{taker} takes {owner}'s act ({verb}) and puts it on {second}")
            return text.format(second=self.words.name(said.targets[1]), **words)
        return _("{taker} takes {owner}'s act ({verb})").format(**words)

    def _mode(self, deed: Term, mode: Term) -> str:
        known = {
            "fails": _("{deed} fails"),
            "misses": _("{deed} misses"),
            "inverts": _("{deed} gets the reverse"),
            "backfires": _("{deed} comes back on its actor"),
            "self": _("{deed} falls on its actor"),
            "nothing": _("{deed} does nothing"),
        }
        if isinstance(deed, tuple) and deed[0] == "pass" and mode == "fails":
            return _("{deed} is put off").format(deed=self.deed(deed))
        return known.get(mode, "{deed}: " + self.term(mode)).format(deed=self.deed(deed))

    def _is_given(self, term: Term) -> str:
        match term:
            case ("said", action, *_rest):
                return self.act(action)
            case ("earlier_said", action, *_rest):
                nights = len(self.scenario.last_night)
                text = _("last night: {action}") if action <= nights else _("the day before: {action}")
                earlier = (*self.scenario.last_night, *self.scenario.last_day)
                return text.format(action=self.action(earlier[action - 1]))
            case ("count", player, counter, amount):
                text = _("{name}: {counter} left: {n}")
                return text.format(
                    name=self.who(player), counter=self.words.counter(counter), n=self.what(amount)
                )
            case ("stock_left", player, counter, amount):
                text = _("{name}: {counter} left: {n}")
                return text.format(
                    name=self.who(player), counter=self.words.counter(counter), n=self.what(amount)
                )
            case ("item", player, item):
                return _("{name} has: {items}").format(
                    name=self.who(player), items=self.words.item(self._word(item))
                )
            case ("was", player, key, value):
                was = f"{self._word(key)}: {self.what(value)}"
                return _("before this, of {name}: {what}").format(name=self.who(player), what=was)
            case ("found", player, other):
                return _("{name} has found out {other}").format(name=self.who(player), other=self.what(other))
            case ("option", key, value):
                what = f"{self._word(key)}: {self.what(value)}"
                return _("chosen for this game: {what}").format(what=what)
            case ("night", n):
                return _("it is night {n}").format(n=number(n))
            case ("day", n):
                return _("it is day {n}").format(n=number(n))
            case ("vote", _action, place, player) if isinstance(place, int):
                return _("voice {n}: {player}").format(n=number(place), player=self.who(player))
            case ("vote", _action, place, player):
                text = _("the first voice: {player}") if place == "first" else _("the last voice: {player}")
                return text.format(player=self.who(player))
            case ("with", action, key, value):
                return f"{self.act(action)} – {self._word(key)}: {self.what(value)}"
            case ("nth", _action, verb, n):
                text = _("this is use {n} of {verb}")
                what = _("all abilities") if verb == "any" else self.verb(verb)
                return text.format(n=number(n), verb=what)
            case ("gone", player):
                return _("{player} is out of the game already").format(player=self.who(player))
        return ""

    def _word(self, value: Term) -> str:
        return self.what(value) if isinstance(value, tuple) else str(value).replace("_", " ")

    def _answers(self, term: Term) -> str:
        match term:
            case ("replies", action, value):
                actor = self.words.name(self.scenario.actions[action - 1].actor)
                return _("{name} is told: {what}").format(name=actor, what=self.what(value))
            case ("told", player, "nobody"):
                return _("{name} is shown nobody").format(name=self.who(player))
            case ("told", player, "none"):
                return _("{name} is told nothing").format(name=self.who(player))
            case ("told", player, value):
                return _("{name} is told: {what}").format(name=self.who(player), what=self.what(value))
            case ("shown", _inquiry, player, value):
                role = next((p.role for p in self.scenario.players if p.name == self._names.get(player)), "")
                text = _("about {player} ({role}) the answer is: {what}")
                return text.format(player=self.who(player), role=self.role(role), what=self.what(value))
            case ("refused", action):
                return _("refused: {action}").format(action=self.act(action))
            case ("pick", question, answer, how, custom):
                return self._pick(question, answer, how, custom)
        return ""

    def _pick(self, question: str, answer: str, how: str, custom: str) -> str:
        line = isolate(ruling_line(question, answer), self.lang)
        if how == "ruling":
            return _("The table has ruled: {line}").format(line=line)
        if how == "convention":
            return _("By convention {id}: {line}").format(id=isolate(custom, self.lang), line=line)
        if question in self.under:
            return _("by the answer {line}").format(line=line)
        return _("taking the answer {line}, one of several").format(line=line)

    def _fails(self, term: Term) -> str:
        match term:
            case ("+unstopped", kind, attack, player, _deed):
                text = _("{protection} does not stop {attack}")
                return text.format(protection=self.protection(kind), attack=self.attack(attack))
            case ("+laid_open", player, _ability):
                return _("{player} is laid open").format(player=self.who(player))
            case ("+failed", action):
                return _("{action} – this came to nothing").format(action=self.act(action))
            case ("+failed_moved", theft, _owner, verb):
                return _("{action} – this came to nothing").format(action=self.deed(("moved", theft, verb)))
            case ("+not_of", player, role, side):
                text = _("{player} ({role}) is not of this side: {side}")
                return text.format(
                    player=self.who(player), role=self.role(role), side=self.words.team(str(side))
                )
            case ("+averted", attack, player, _deed):
                text = _("{attack} does not kill {player}")
                return text.format(attack=self.attack(attack), player=self.who(player))
            case ("+lives", player):
                return _("{player} lives").format(player=self.who(player))
            case ("+nobody_attacks", player):
                return _("{player} lives: nothing that was said would kill this player").format(
                    player=self.who(player)
                )
            case ("+not_saved", player):
                return _("{player} is not saved").format(player=self.who(player))
            case ("+speaks", player):
                return _("{player} may speak tomorrow").format(player=self.who(player))
            case ("+unchanged", player):
                return _("{player} keeps the role: nothing that was said changes it").format(
                    player=self.who(player)
                )
            case ("+asks_nothing", player):
                return _("{name} is told nothing, having asked nothing").format(name=self.who(player))
            case ("+allowed", action):
                return _("accepted: {action}").format(action=self.act(action))
            case ("+says_nothing", player, _verb):
                return _("{name} did not try that").format(name=self.who(player))
        return ""

    # ---- what was asked ---------------------------------------------------------------------------------

    def fact(self, fact: Fact, *, holds: bool = True) -> str:
        """Say what was asked, or that it is not so."""
        name = self.words.name(fact.player)
        role = self.words.role(fact.value) if fact.kind == "becomes" and fact.value else ""
        what = self.words.shown(fact.value) if fact.kind == "told" and fact.value else ""
        verb = self.words.verb(fact.value) if fact.kind == "cannot" and fact.value else ""
        texts = {
            ("acts", True): _("What {name} did came to nothing").format(name=name),
            ("dies", True): _("{player} dies").format(player=name),
            ("dies", False): _("{player} lives").format(player=name),
            ("lives", True): _("{player} lives").format(player=name),
            ("lives", False): _("{player} dies").format(player=name),
            ("saved", True): _("{player} is saved").format(player=name),
            ("saved", False): _("{player} is not saved").format(player=name),
            ("silenced", True): _("{player} is silent tomorrow").format(player=name),
            ("silenced", False): _("{player} may speak tomorrow").format(player=name),
            ("told", True): _("{name} is told: {what}").format(name=name, what=what)
            if what
            else _("{name} is told something").format(name=name),
            ("told", False): _("{name} is not told: {what}").format(name=name, what=what)
            if what
            else _("{name} is told nothing").format(name=name),
            ("becomes", True): _("{name} becomes {role}").format(name=name, role=role or _("something else")),
            ("becomes", False): _("{name} does not become {role}").format(
                name=name, role=role or _("something else")
            ),
            ("cannot", True): _("{name} is refused: {verbs}").format(name=name, verbs=verb)
            if verb
            else _("{name} is refused something").format(name=name),
            ("cannot", False): _("{name} is not refused: {verbs}").format(name=name, verbs=verb)
            if verb
            else _("{name} is refused nothing").format(name=name),
        }
        return texts[fact.kind, holds]

    def aim(self, fact: Fact) -> str:
        """Say what a change would do that brings a fact about: ``make Omid die``."""
        name = self.words.name(fact.player)
        value = fact.value
        match fact.kind:
            case "dies":
                return _("make {player} die").format(player=name)
            case "lives":
                return _("keep {player} alive").format(player=name)
            case "saved":
                return _("have {player} saved").format(player=name)
            case "silenced":
                return _("make {player} silent tomorrow").format(player=name)
            case "told" if value:
                return _("have {name} told: {what}").format(name=name, what=self.words.shown(value))
            case "told":
                return _("have {name} told something").format(name=name)
            case "becomes":
                role = self.words.role(value) if value else _("something else")
                return _("turn {name} into {role}").format(name=name, role=role)
        if value:
            return _("have {name} refused: {verbs}").format(name=name, verbs=self.words.verb(value))
        return _("have {name} refused something").format(name=name)

    def rule(self, identifier: str) -> str:
        """Say a rule in its own words, the name of its role in front; of a convention, its sentence."""
        if identifier.startswith("cv."):
            return self.words.convention(identifier)
        said = self.words.rule(identifier)
        role = identifier.partition(".")[2].partition(".")[0]
        if said and role in self.words.book.role_ids:
            return _("{role}: {words}").format(role=self.role(role), words=said)
        return said
