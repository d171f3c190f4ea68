"""The ids of questions, their answers, and files of rulings.

A question that the rulebook names has an id like ``ca.q.sniper.1``. Any other has a derived one:
``ca.doctor.9~ca.don.4`` for a dispute (the rules in ascending order), ``stops(save,shot(killer))``
for an undecided cell of a table, ``circle(even,drug,steal)`` for abilities that chase each other.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from .errors import Fault, InputError
from .fields import Fields
from .names import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from .model import Place
    from .places import Node
    from .rulebook import Rulebook

RULINGS_FILE = "rulings.yaml"
#: Derived ids longer than this are refused.
_LONGEST = 400
_NAMED = r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+"
_TOKEN = r"\s*(?:([a-z][a-zA-Z0-9_]*|-?[0-9]{1,9})|([(),]))"
_PARITIES = ("even", "odd")
_CIRCLE_ANSWERS = ("nobody", "wake_order")


class Rulings(NamedTuple):
    """What a table has decided: question id -> answer, and where each stands."""

    rulebook: str
    answers: dict[str, str]
    file: str
    places: dict[str, Place]


def dispute_id(rules: list[str]) -> str:
    """The id of the dispute between some rules."""
    return "~".join(sorted(set(rules)))


def canonical(book: Rulebook, text: str, place: Place | None) -> tuple[str, tuple[str, ...] | None] | Fault:
    """A question's id in the form that the program prints, and its answers, or what is wrong.

    The answers are None where they are not known beforehand.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return Fault(place, "question.form", {"id": text[:40] + "…"})
    if "~" in text:
        return _dispute(book, text, place)
    if "(" in text:
        return _derived(book, text, place)
    try:
        return text, tuple(book.question(text).answers) or None
    except KeyError:
        known = list(book.questions)
        if not re.fullmatch(_NAMED, text):
            return Fault(place, "question.form", {"id": text, "near": suggest(text, known)})
        return Fault(
            place, "question.unknown", {"id": text, "rulebook": book.id, "near": nearest_id(text, known)}
        )


def check(book: Rulebook, question_id: str, answer: Node, place: Place | None) -> tuple[str, str] | Fault:
    """A ruling's canonical id and answer, or what is wrong with it."""
    found = canonical(book, question_id, place)
    if isinstance(found, Fault):
        return found
    question, answers = found
    if answer.kind in ("list", "map", "null"):
        args = {"id": question, "choices": list(answers or ())}
        return Fault(answer.place, "answer.missing" if answer.kind == "null" else "answer.kind", args)
    said = str(answer.value).lower() if answer.kind == "bool" else answer.text.strip()
    if answers is not None and said not in answers:
        near = suggest(said, answers)
        return Fault(
            answer.place,
            "answer.unknown",
            {"id": question, "answer": said, "near": near, "choices": list(answers)},
        )
    return question, said


def read_map(book: Rulebook, fields: Fields, faults: list[Fault]) -> tuple[dict[str, str], dict[str, Place]]:
    """The rulings of a map, and their places. What is wrong goes to ``faults``."""
    answers: dict[str, str] = {}
    places: dict[str, Place] = {}
    for key, node in fields.items():
        place = fields.node.keys[key].place if fields.node else None
        result = check(book, key, node, place)
        if isinstance(result, Fault):
            faults.append(result)
            continue
        question, answer = result
        if question in answers:
            faults.append(Fault(place, "ruling.twice", {"id": question, "first": places[question].line}))
            continue
        answers[question] = answer
        if place:
            places[question] = place
    if circle := _circle(answers):
        faults.append(Fault(places.get(circle[0]), "ruling.circle", {"ids": circle}))
    return answers, places


def read_rulings(path: str | PathLike[str], book: Rulebook | None = None) -> Rulings:
    """What a rulings file says (``-`` reads standard input).

    ``book`` is the rulebook of the scenario to which they are to apply; without it, the one that
    the file names. Raises InputError with every fault of the file.
    """
    from . import places, rulebook

    document = places.read(path)[0]
    if isinstance(document, InputError):
        raise document
    faults = list(document.faults)
    fields = Fields(document.root, faults, ("rulebook", "rulings"))
    named = fields.word("rulebook")
    answers: dict[str, str] = {}
    where: dict[str, Place] = {}
    try:
        if named or book is None:
            own = rulebook.Rulebook.load(rulebook.resolve(named or rulebook.DEFAULT, path))
            if book is not None and own.id not in {each.id for each in book.books()}:
                faults.append(
                    Fault(fields.place("rulebook"), "rulings.book", {"name": own.id, "wanted": book.id})
                )
            book = book or own
    except InputError as error:
        faults.extend(
            Fault(fault.place or fields.place("rulebook"), fault.code, fault.args) for fault in error.faults
        )
    if fields.node is not None and fields.node.kind == "map" and "rulings" not in fields:
        faults.append(Fault(fields.place(), "key.missing", {"key": "rulings", "choices": []}))
    if book is not None:
        answers, where = read_map(book, fields.map("rulings", None), faults)
    if faults:
        raise InputError(faults)
    return Rulings(book.id if book else "", answers, places.shown_name(path), where)


def read_given(book: Rulebook, answers: Mapping[str, str]) -> dict[str, str]:
    """Rulings that are given as data, by their canonical ids. Raises InputError."""
    from .places import Node

    given: dict[str, str] = {}
    faults: list[Fault] = []
    for question, answer in answers.items():
        result = check(book, question, Node("", 1, 1, "word", answer, answer), None)
        if isinstance(result, Fault):
            faults.append(Fault(None, result.code, result.args))
        else:
            given[result[0]] = result[1]
    if faults:
        raise InputError(faults)
    return given


def parse_assumption(book: Rulebook, text: str) -> tuple[str, str]:
    """``ID=ANSWER`` as given on a command line. Raises InputError."""
    from .places import Node

    asked, sign, answer = text.rpartition("=")
    if not sign:
        raise InputError([Fault(None, "assume.form", {"text": text})])
    result = check(book, asked, Node("", 1, 1, "word", answer.strip(), answer.strip()), None)
    if isinstance(result, Fault):
        raise InputError([Fault(None, result.code, result.args)])
    return result


def nearest_id(wanted: str, known: list[str]) -> list[str]:
    """The known ids nearest to one: by spelling, else those of the same role."""
    stem = wanted.rpartition(".")[0]
    alike = [other for other in known if other.rpartition(".")[0] == stem]
    return alike[:5] if alike and stem else suggest(wanted, known)


def _dispute(book: Rulebook, text: str, place: Place | None) -> tuple[str, tuple[str, ...]] | Fault:
    rules = [part.strip() for part in text.split("~")]
    for rule in rules:
        try:
            book.rule(rule)
        except KeyError:
            return Fault(
                place,
                "rule.unknown",
                {"id": rule, "rulebook": book.id, "near": nearest_id(rule, list(book.rules))},
            )
    if len(set(rules)) < 2 or len(set(rules)) < len(rules):
        return Fault(place, "question.dispute", {"id": text})
    return dispute_id(rules), tuple(sorted(rules))


def _derived(book: Rulebook, text: str, place: Place | None) -> tuple[str, tuple[str, ...]] | Fault:
    bad = Fault(place, "question.form", {"id": text})
    tokens = _tokens(text)
    name = tokens[0] if tokens else ""
    gaps = book.lexicon.gaps
    arguments = _arguments(tokens)
    if arguments is None or not name[:1].isalpha():
        return bad
    written = f"{name}({','.join(arguments)})"
    if name == "circle":
        return _circle_id(book, arguments, written, place)
    if name not in gaps:
        known = [*gaps, "circle"]
        return Fault(place, "question.table", {"name": name, "near": suggest(name, known), "choices": known})
    least, most = gaps[name]
    if not least <= len(arguments) <= most:
        return Fault(place, "question.arguments", {"id": written, "least": least, "most": most})
    return written, ("true", "false")


def _circle_id(
    book: Rulebook, arguments: list[str], text: str, place: Place | None
) -> tuple[str, tuple[str, ...]] | Fault:
    parity, verbs = arguments[0], arguments[1:]
    if parity not in _PARITIES or not verbs:
        return Fault(place, "question.circle", {"id": text})
    for verb in verbs:
        if verb not in book.lexicon.verbs:
            return Fault(place, "verb.unknown", {"name": verb, "near": suggest(verb, book.lexicon.verbs)})
    verbs = sorted(set(verbs))
    return f"circle({','.join([parity, *verbs])})", (*_CIRCLE_ANSWERS, *verbs)


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    token = re.compile(_TOKEN)
    at = 0
    while at < len(text):
        match = token.match(text, at)
        if match is None:
            return [] if text[at:].strip() else tokens
        tokens.append(match[1] or match[2])
        at = match.end()
    return tokens


def _arguments(tokens: list[str]) -> list[str] | None:
    """The arguments of ``name(a,f(b),…)``, written without spaces; None where that is not its form."""
    if len(tokens) < 4 or tokens[1] != "(":
        return None
    arguments: list[str] = []
    current, depth, at, wants = "", 0, 2, True
    while at < len(tokens):
        token = tokens[at]
        if token == "(":
            if wants or not tokens[at - 1][0].isalpha():
                return None
            depth, wants = depth + 1, True
            current += token
        elif token == ")" and not wants and depth:
            depth -= 1
            current += token
        elif token == ")" and not wants:
            return [*arguments, current] if at == len(tokens) - 1 else None
        elif token == "," and not wants:
            wants = True
            if depth:
                current += token
            else:
                arguments.append(current)
                current = ""
        elif token not in "(),":
            if not wants:
                return None
            wants = False
            current += token
        else:
            return None
        at += 1
    return None


def _circle(answers: dict[str, str]) -> list[str]:
    """The ids of rulings by which rules prevail over each other in a circle; none where there is none."""
    beats: dict[str, dict[str, str]] = {}
    for dispute, winner in answers.items():
        if "~" in dispute:
            for loser in dispute.split("~"):
                if loser != winner:
                    beats.setdefault(winner, {})[loser] = dispute
    done: set[str] = set()
    for start, losers in beats.items():
        # Depth first; the trail holds the rules from the start to here.
        trail, waiting = [start], [list(losers)]
        while trail:
            if not waiting[-1]:
                done.add(trail.pop())
                waiting.pop()
                continue
            rule = waiting[-1].pop()
            if rule in trail:
                round_ = [*trail[trail.index(rule) :], rule]
                return list(dict.fromkeys(beats[a][b] for a, b in itertools.pairwise(round_)))
            if rule not in done:
                trail.append(rule)
                waiting.append(list(beats.get(rule, ())))
    return []
