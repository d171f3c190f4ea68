"""A scenario as ASP facts.

Players become ``p1 … pn`` in seating order, so that no answer can depend on their names; actions are
numbered from 1 in the order told, which no rule may use but to say which of two uses of one ability
came first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .model import Action, Scenario

#: actors and targets that are nobody at the table
RESERVED = ("mafia", "town", "moderator", "nobody", "unknown")


class Facts(NamedTuple):
    """ASP text for one scenario, and whose name stands behind each player constant."""

    text: str
    names: dict[str, str]


def quote(text: str) -> str:
    """Return `text` as an ASP string term."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'


def ruling_facts(rulings: Mapping[str, str]) -> list[str]:
    """Return the facts for what a table has decided: question ids, checked before, with their answers."""
    terms = (question_term(question, answer) for question, answer in rulings.items())
    return [f"ruling({question},{answer})." for question, answer in terms]


def question_term(question: str, answer: str) -> tuple[str, str]:
    """Return the ASP terms of a question's id and of one of its answers.

    A named question is a string; a derived id (``a~b``, ``stops(…)``, ``circle(…)``) is the term that
    the core builds for it. The id must have been checked before: it is not parsed here.
    """
    if question.startswith("circle("):
        parity, *verbs = question[7:-1].replace(" ", "").split(",")
        answered = answer if answer not in ("nobody", "wake_order") else quote(answer)
        return f"circle({parity},{_chain(verbs)})", answered
    if "(" in question:
        return f"gap({question})", quote(answer)
    if "~" in question:
        rules = sorted(quote(rule) for rule in question.split("~"))
        return f"dispute({_chain(rules)})", quote(answer)
    return quote(question), quote(answer)


def question_id(term: str) -> str:
    """Return the id that a user sees for the text of an ASP question term."""
    if term.startswith('"'):
        return term[1:-1]
    if term.startswith("gap("):
        return term[4:-1]
    if term.startswith("dispute("):
        return dispute_id(re.findall(r'"([^"]*)"', term))
    if term.startswith("circle("):
        parity, *verbs = [word for word in re.findall(r"\w+", term[7:]) if word != "end"]
        return circle_id(parity, verbs)
    return term


def dispute_id(rules: Iterable[str]) -> str:
    """Return the id of the dispute between some rules."""
    return "~".join(sorted(rules))


def circle_id(parity: str, verbs: Iterable[str]) -> str:
    """Return the id of a circle of abilities."""
    return f"circle({','.join([parity, *sorted(verbs)])})"


def is_odd_circle(question: str) -> bool:
    """Tell whether a derived id is that of an odd circle: of abilities that have no course without a cut."""
    return question.startswith("circle(odd,")


def derived_kind(question: str) -> str:
    """Return the kind of a derived id; a named question's own stands in the book."""
    if question.startswith("circle("):
        return "circle"
    return "gap" if "(" in question else "contradiction" if "~" in question else ""


def _chain(terms: Iterable[str]) -> str:
    chain = "end"
    for term in reversed(list(terms)):
        chain = f"({term},{chain})"
    return chain


def facts(scenario: Scenario, conventions: Iterable[str] = ()) -> Facts:
    """Translate `scenario`, with the ids of the conventions that are in force."""
    ids = player_ids(scenario)
    out = setting(scenario, ids, conventions)
    for number, action in enumerate(scenario.actions, 1):
        out += [f"{fact}." for fact in said(str(number), action, ids)]
    return Facts("\n".join(out), {who: name for name, who in ids.items()})


def player_ids(scenario: Scenario) -> dict[str, str]:
    """Return the constant that stands for each player, by name."""
    return {player.name: f"p{seat}" for seat, player in enumerate(scenario.players, 1)}


def setting(scenario: Scenario, ids: dict[str, str], conventions: Iterable[str] = ()) -> list[str]:
    """Return the facts of everything but the actions: who plays, what was before, what is agreed."""
    out: list[str] = [f"phase({scenario.phase})."]
    if scenario.number is not None:
        out.append(f"{'day' if scenario.phase in ('day', 'end') else 'night'}({scenario.number}).")
    for seat, player in enumerate(scenario.players, 1):
        who = f"p{seat}"
        out.append(f"player({who}). seat({who},{seat}). role({who},{player.role}).")
        if not player.alive:
            out.append(f"gone({who}).")
        if player.bare:
            out.append(f"bare({who}).")
        out += [f"item({who},{_term(item, ids)})." for item in player.items]
        out += [f"count({who},{counter},{number})." for counter, number in player.counts.items()]
        for key, value in player.was.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            out += [f"was({who},{key},{_said(key, one, ids)})." for one in values]
        out += [f"found({who},{_term(other, ids)})." for other in player.found]
    earlier = [("last_night", a) for a in scenario.last_night] + [("last_day", a) for a in scenario.last_day]
    for number, (when, action) in enumerate(earlier, 1):
        out.append(f"earlier_said({number},{when},{_term(action.actor, ids)},{action.verb}).")
        parts = _parts(str(number), action, ids, "earlier_aim", "earlier_with", "earlier_vote")
        out += [f"{fact}." for fact in parts]
    for option, value in scenario.options.items():
        several = isinstance(value, (list, tuple))
        for place, one in enumerate(value if isinstance(value, (list, tuple)) else [value], 1):
            out.append(f"option({option},{_term(one, ids)}).")
            if several:
                out.append(f"option_at({option},{place},{_term(one, ids)}).")
    out += ruling_facts(scenario.rulings)
    out += [f"convention({quote(convention)})." for convention in conventions]
    return out


def said(number: str, action: Action, ids: dict[str, str]) -> list[str]:
    """Return the facts of one action, whose term is `number`, without full stops."""
    return [
        f"said({number},{_term(action.actor, ids)},{action.verb})",
        *_parts(number, action, ids, "aim", "with", "vote"),
    ]


def _parts(number: str, action: Action, ids: dict[str, str], aim: str, extra: str, vote: str) -> list[str]:
    out = [f"{aim}({number},{place},{_term(target, ids)})" for place, target in enumerate(action.targets, 1)]
    for key, value in action.extra.items():
        if key == "votes" and isinstance(value, (list, tuple)) and value:
            voters = [_term(voter, ids) for voter in value]
            out += [f"{vote}({number},first,{voters[0]})", f"{vote}({number},last,{voters[-1]})"]
            out += [f"{vote}({number},{place},{voter})" for place, voter in enumerate(voters, 1)]
        else:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                out.append(f"{extra}({number},{key},{_said(key, one, ids)})")
    return out


def _said(key: str, value: object, ids: dict[str, str]) -> str:
    """Return the term of what stands under a key; a word that is spoken is a text, whatever it may mean."""
    return quote(str(value)) if key == "word" else _term(value, ids)


def _term(value: object, ids: dict[str, str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if text in ids:
        return ids[text]
    if text.isascii() and text.isdigit():
        return str(int(text))
    constant = text.isascii() and text.isidentifier() and text[0].islower()
    return text if constant else quote(text)
