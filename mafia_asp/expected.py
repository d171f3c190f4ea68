"""Reading what a scenario expects: its keys, names and ids, in one canonical form.

The result is plain data: names as the file spells them, roles, verbs, items and answers by their
ids (``{"one_of": [names]}`` where the moderator chooses), announcements as strings
(``"dead: Reza"``), ``open`` as true or a list of question ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import rulings
from .errors import Fault
from .fields import LARGEST, Fields, items, number, truth, wrong
from .names import suggest

if TYPE_CHECKING:
    from .actions import Words
    from .model import Place
    from .places import Node

#: Keys of an outcome.
OUTCOME = (
    "dead",
    "saved",
    "answers",
    "silenced",
    "roles",
    "teams",
    "items",
    "counters",
    "cannot",
    "illegal",
    "announce",
    "unannounced",
    "calls",
    "defence",
    "wakes_together",
    "winner",
)
#: Keys of ``expect`` beside those of an outcome.
ABOUT = ("chance", "open", "readings", "because")
_NO_WINNER = ("none", "nobody")


def read_expect(node: Node, words: Words) -> dict[str, Any]:
    """What a scenario's ``expect`` says. What is wrong with it is noted."""
    fields = Fields(node, words.faults, (*OUTCOME, *ABOUT), "expect")
    expect = _outcome(fields, words)
    answers = None
    if (value := fields.get("open")) is not None:
        expect["open"], answers = _open(value, words)
    if "readings" in fields:
        expect["readings"] = [
            _reading(each, words, answers) for each in _maps(fields.get("readings"), "readings", words)
        ]
        if "open" not in expect:
            words.fault(fields.node.keys["readings"].place if fields.node else None, "expect.readings")
    if "chance" in fields:
        expect["chance"] = _chance(fields, words)
    if "because" in fields:
        expect["because"] = _rules(fields.get("because"), words)
    return expect


def _maps(node: Node | None, key: str, words: Words) -> list[Node]:
    entries = []
    for each in items(node, key, words.faults):
        if each.kind == "map":
            entries.append(each)
        else:
            words.faults.append(wrong(each, key, "map"))
    return entries


def _chance(fields: Fields, words: Words) -> list[dict[str, Any]]:
    lots = _maps(fields.get("chance"), "chance", words)
    return [_outcome(Fields(each, words.faults, OUTCOME), words) for each in lots]


def _open(node: Node, words: Words) -> tuple[bool | list[str], set[str] | None]:
    """The open questions, and the ids that their readings may have (None: not known)."""
    if node.kind == "bool":
        return bool(node.value), None
    ids: list[str] = []
    known: set[str] | None = set()
    for each in [node] if node.kind == "word" else items(node, "open", words.faults):
        if each.kind in ("list", "map", "null"):
            words.faults.append(wrong(each, "open", "word"))
            continue
        found = rulings.canonical(words.book, each.text, each.place)
        if isinstance(found, Fault):
            words.faults.append(found)
            known = None
            continue
        ids.append(found[0])
        known = None if known is None or found[1] is None else known | set(found[1])
    return ids, known


def _reading(node: Node, words: Words, answers: set[str] | None) -> dict[str, Any]:
    fields = Fields(node, words.faults, ("id", "chance", "because", *OUTCOME))
    reading: dict[str, Any] = {}
    if (said_id := fields.get("id")) is not None:
        said = str(said_id.value).lower() if said_id.kind == "bool" else fields.word("id")
        if answers and said not in answers:
            near = suggest(said, answers)
            words.fault(said_id.place, "expect.answer", answer=said, near=near, choices=sorted(answers))
        reading["id"] = said
    reading |= _outcome(fields, words)
    if "chance" in fields:
        reading["chance"] = _chance(fields, words)
    if "because" in fields:
        reading["because"] = _rules(fields.get("because"), words)
    return reading


def _rules(node: Node | None, words: Words) -> list[str]:
    ids = []
    for each in [node] if node is not None and node.kind == "word" else items(node, "because", words.faults):
        try:
            ids.append(words.book.rule(each.text).id)
        except KeyError:
            near = rulings.nearest_id(each.text, list(words.book.rules))
            words.fault(each.place, "rule.unknown", id=each.text, rulebook=words.book.id, near=near)
    return ids


# ---- outcomes ------------------------------------------------------------------------------------


def _outcome(fields: Fields, words: Words) -> dict[str, Any]:
    return {key: _READERS[key](node, key, words) for key, node in fields.items() if key in _READERS}


def _names(node: Node, key: str, words: Words) -> list[str]:
    return [] if node.kind == "null" else list(words.players(node, key))


def _together(node: Node, key: str, words: Words) -> list[Any]:
    """Names, or a list of names for each group that wakes."""
    if node.kind == "list" and any(each.kind == "list" for each in node.value):
        return [list(words.players(each, key)) for each in node.value]
    return _names(node, key, words)


def _by_player(node: Node, key: str, words: Words) -> list[tuple[str, Node]]:
    """The entries of a map whose keys are players."""
    entries = []
    for said, value in Fields(node, words.faults, None, key).items():
        name = words.player(said)
        if name is None:
            words.no_player(said, node.keys[said].place)
        else:
            entries.append((name, value))
    return entries


def _answers(node: Node, key: str, words: Words) -> dict[str, Any]:
    return {name: _answer(value, key, words) for name, value in _by_player(node, key, words)}


def _answer(node: Node, key: str, words: Words) -> Any:
    if node.kind == "list":
        return [_answer(each, key, words) for each in node.value]
    if node.kind == "map":
        fields = Fields(node, words.faults, ("one_of",), key)
        if not fields.entries:
            words.faults.append(wrong(node, key, "word"))
        if "one_of" not in fields:
            return None
        return {"one_of": list(words.players(fields.entries["one_of"], "one_of"))}
    if node.kind == "null":
        return "none"
    if node.kind == "bool":
        return "yes" if node.value else "no"
    if node.kind == "int":
        return number(node, key, words.faults, -LARGEST)
    return words.meaning(node.text, node.place)


def _roles(node: Node, key: str, words: Words) -> dict[str, str]:
    return {name: role for name, value in _by_player(node, key, words) if (role := words.role(value))}


def _teams(node: Node, key: str, words: Words) -> dict[str, str]:
    return {
        name: team for name, value in _by_player(node, key, words) if (team := words.word("team", value, key))
    }


def _items(node: Node, key: str, words: Words) -> dict[str, list[str]]:
    held = {}
    for name, value in _by_player(node, key, words):
        nodes = (
            [value]
            if value.kind == "word"
            else []
            if value.kind == "null"
            else items(value, key, words.faults)
        )
        held[name] = [item for each in nodes if (item := words.word("item", each, key))]
    return held


def _counters(node: Node, key: str, words: Words) -> dict[str, dict[str, Any]]:
    counters = words.book.lexicon.words["counter"]
    state = words.book.lexicon.state_keys
    left: dict[str, dict[str, Any]] = {}
    for name, value in _by_player(node, key, words):
        left[name] = {}
        for counter, amount in Fields(value, words.faults, dict.fromkeys((*counters, *state)), key).items():
            if amount.kind == "list":
                left[name][counter] = list(words.players(amount, counter))
            elif counter in state:
                left[name][counter] = words.value(state[counter], amount, counter)
            elif counter in counters:
                left[name][counter] = number(amount, counter, words.faults)
    return left


def _cannot(node: Node, key: str, words: Words) -> dict[str, list[str]]:
    refused = {}
    for said, value in Fields(node, words.faults, None, key).items():
        name = words.player(said) or words.reserved(said)
        if name is None:
            words.no_player(said, node.keys[said].place)
            continue
        nodes = [value] if value.kind == "word" else items(value, key, words.faults)
        refused[name] = [verb for each in nodes if (verb := words.verb(each.text, each.place))]
    return refused


def _illegal(node: Node, key: str, words: Words) -> bool | str:
    if node.kind in ("word", "int"):
        return str(node.text)
    return truth(node, key, words.faults)


def _tokens(node: Node, key: str, words: Words) -> list[str]:
    nodes = (
        [node]
        if node.kind in ("word", "map")
        else []
        if node.kind == "null"
        else items(node, key, words.faults)
    )
    return [token for each in nodes if (token := _token(each, key, words))]


def _token(node: Node, key: str, words: Words) -> str | None:
    """An announcement as a string: ``saved``, ``dead: Reza``, ``role: Mina citizen``."""
    rest = ""
    head = node
    if node.kind == "map" and len(node.value) == 1:
        ((text, value),) = node.value.items()
        head = node.keys[text]
        parts = value.value if value.kind == "list" else [value]
        rest = " ".join(part.text for part in parts)
    elif node.kind in ("list", "map", "null"):
        words.faults.append(wrong(node, key, "token"))
        return None
    else:
        text, _, rest = node.text.partition(":")
        rest = rest.strip()
    found = words.book.lexicon.find("token", text.strip())
    if not isinstance(found, str):
        known = words.book.lexicon.known("token")
        near = suggest(text, known)
        words.fault(
            head.place, "token.unknown", name=text, near=near, choices=list(words.book.lexicon.words["token"])
        )
        return None
    place = None if found == "word" else head.place
    return f"{found}: {_spoken(rest, words, place)}" if rest else found


def _spoken(text: str, words: Words, place: Place | None) -> str:
    """What follows a token's colon: names as the file spells them, roles by their ids."""
    if name := words.player(text):
        return name
    parts = text.split()
    for cut in range(len(parts) - 1, 0, -1):
        if name := words.player(" ".join(parts[:cut])):
            return f"{name} {words.meaning(' '.join(parts[cut:]), place)}"
    return words.meaning(text, place)


def _calls(node: Node, key: str, words: Words) -> list[str]:
    called = []
    for each in items(node, key, words.faults):
        if each.kind in ("list", "map", "null"):
            words.faults.append(wrong(each, key, "role"))
        else:
            called.append(words.meaning(each.text, each.place))
    return called


def _winner(node: Node, key: str, words: Words) -> str | list[str] | None:
    if node.kind == "null":
        return "none"
    if node.kind == "list":
        return [side for each in node.value if (side := _side(each, key, words))]
    return _side(node, key, words)


def _side(node: Node, key: str, words: Words) -> str | None:
    if node.kind in ("list", "map", "null"):
        words.faults.append(wrong(node, key, "word"))
        return None
    if node.text in _NO_WINNER:
        return str(node.text)
    lexicon = words.book.lexicon
    team = lexicon.find("team", node.text)
    # The id of a role goes before what is only another word for a side.
    if isinstance(team, str) and (team == node.text or node.text not in words.book.role_ids):
        return team
    role = words.book.find_role(node.text)
    if isinstance(role, str):
        return role
    if role:
        words.ambiguous(node.place, node.text, role)
        return None
    if words.reserved(node.text) == "nobody" or lexicon.find("answer", node.text) == "none":
        return words.reserved(node.text) or "none"
    choices = [*_NO_WINNER, *lexicon.words["team"]]
    words.fault(
        node.place,
        "winner.unknown",
        name=node.text,
        near=suggest(node.text, [*choices, *words.book.role_ids]),
        choices=choices,
    )
    return None


_READERS: dict[str, Any] = {
    "dead": _names,
    "saved": _names,
    "silenced": _names,
    "defence": _names,
    "wakes_together": _together,
    "answers": _answers,
    "roles": _roles,
    "teams": _teams,
    "items": _items,
    "counters": _counters,
    "cannot": _cannot,
    "illegal": _illegal,
    "announce": _tokens,
    "unannounced": _tokens,
    "calls": _calls,
    "winner": _winner,
}
