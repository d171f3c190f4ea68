"""Reading players and actions: whom the names mean, and whether the verbs take such targets."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from .errors import Fault
from .fields import LARGEST, Fields, items, number, truth, wrong
from .model import Action, Place, Player
from .names import normalise, suggest

if TYPE_CHECKING:
    from .places import Node
    from .rulebook import Rulebook

#: Actors beside players.
GROUPS = ("mafia", "town", "moderator")
#: Targets beside players.
NO_TARGETS = ("nobody", "unknown")
_PLAYER_KEYS = ("role", "alive", "items", "was", "found")
_LONGEST_NAME = 80


class Words:
    """What the words of one scenario mean, given its rulebook and its players' names."""

    def __init__(self, book: Rulebook, faults: list[Fault]) -> None:
        self.book = book
        self.faults = faults
        #: normalised name -> the name as the file spells it
        self.names: dict[str, str] = {}
        self._places: dict[str, Place] = {}

    def fault(self, place: Place | None, code: str, **args: Any) -> None:
        """Note a fault."""
        self.faults.append(Fault(place, code, args))

    # ---- players ----

    def enter(self, name: str, place: Place) -> bool:
        """Note a player's name; False where it cannot be one."""
        key = normalise(name)
        if (
            not key
            or len(name) > _LONGEST_NAME
            or any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in name)
        ):
            self.fault(place, "player.name", name=name, limit=_LONGEST_NAME)
        elif any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in name):
            self.fault(place, "player.direction", name=name)
        elif self.book.lexicon.find("reserved", name):
            self.fault(
                place, "player.reserved", name=name, reserved=list(self.book.lexicon.words["reserved"])
            )
        elif key in self.names:
            first = self.names[key]
            self.fault(place, "player.twice", name=name, other=first, first=self._places[first].line)
        else:
            self.names[key] = name
            self._places[name] = place
            return True
        return False

    def player(self, text: str) -> str | None:
        """The name of a player as the file spells it."""
        return self.names.get(normalise(text))

    def reserved(self, text: str) -> str | None:
        """One of ``mafia town moderator nobody unknown``, in any language."""
        found = self.book.lexicon.find("reserved", text)
        return found if isinstance(found, str) else None

    def named(self, node: Node, key: str) -> str | None:
        """The player whom a value names; None after a fault."""
        if node.kind in ("list", "map", "null"):
            self.faults.append(wrong(node, key, "player"))
            return None
        name = self.player(node.text)
        if name is None:
            self.no_player(node.text, node.place)
        return name

    def no_player(self, text: str, place: Place, code: str = "player.unknown") -> None:
        """Note that somebody is not among the players."""
        names = list(self.names.values())
        self.fault(place, code, name=text, near=suggest(text, names), choices=names)

    def players(self, node: Node | None, key: str) -> tuple[str, ...]:
        """The players whom a list names. A single name counts as a list of one."""
        single = node is not None and node.kind == "word"
        nodes = [node] if node is not None and single else items(node, key, self.faults)
        return tuple(name for item in nodes if (name := self.named(item, key)) is not None)

    # ---- words of the rulebook ----

    def role(self, node: Node, key: str = "role") -> str | None:
        """The role that a value names; None after a fault."""
        if node.kind in ("list", "map", "null"):
            self.faults.append(wrong(node, key, "role"))
            return None
        found = self.book.find_role(node.text)
        if isinstance(found, list):
            self.ambiguous(node.place, node.text, found)
        elif found is None:
            near = suggest(node.text, self.book.role_words())
            ids = {role for word in near if isinstance(role := self.book.find_role(word), str)}
            self.fault(
                node.place,
                "role.unknown",
                name=node.text,
                rulebook=self.book.id,
                near=near if len(ids) > 1 else near[:1],
            )
            return None
        return found if isinstance(found, str) else None

    def ambiguous(self, place: Place | None, text: str, found: list[str]) -> None:
        """Note that several roles bear a name, with what to write instead."""
        self.fault(place, "role.ambiguous", name=text, choices=self.book.role_choices(text, found))

    def verb(self, text: str, place: Place) -> str | None:
        """The verb that a key names; None after a fault."""
        found = self.book.find_verb(text)
        if isinstance(found, str):
            return found
        if found:
            self.fault(place, "verb.ambiguous", name=text, choices=found)
        else:
            self.fault(place, "verb.unknown", name=text, near=suggest(text, self.book.lexicon.known("verb")))
        return None

    def word(self, table: str, node: Node, key: str) -> str | None:
        """The id of a word of one table of the lexicon (item, team …); None after a fault."""
        if node.kind in ("list", "map", "null"):
            self.faults.append(wrong(node, key, table))
            return None
        found = self.book.lexicon.find(table, node.text)
        if isinstance(found, str):
            return found
        choices = found or list(self.book.lexicon.words[table])
        near = suggest(node.text, self.book.lexicon.known(table))
        self.fault(node.place, f"{table}.unknown", name=node.text, near=near, choices=choices)
        return None

    def value(self, kind: str, node: Node, key: str) -> Any:
        """A value of one of the kinds of ``words.lp``; None after a fault."""
        if kind == "player":
            return self.named(node, key)
        if kind == "players":
            return self.players(node, key)
        if kind == "role":
            return self.role(node, key)
        if kind in ("team", "item"):
            return self.word(kind, node, key)
        if kind == "items":
            return tuple(
                item for each in items(node, key, self.faults) if (item := self.word("item", each, key))
            )
        if kind == "number":
            return number(node, key, self.faults)
        if kind == "flag":
            answer = self.book.lexicon.find("answer", node.text) if node.kind == "word" else None
            return answer == "yes" if answer in ("yes", "no") else truth(node, key, self.faults)
        return self._free(kind, node, key)

    def _free(self, kind: str, node: Node, key: str) -> Any:
        if kind == "any" and node.kind == "list":
            return tuple(item for each in node.value if (item := self._free(kind, each, key)) is not None)
        if node.kind in ("list", "map", "null"):
            self.faults.append(wrong(node, key, "word"))
            return None
        if node.kind == "bool":
            return "yes" if node.value else "no"
        if kind == "any" and node.kind == "int":
            return number(node, key, self.faults, -LARGEST)
        if kind == "text":
            return node.text
        return self.meaning(node.text, node.place if kind == "any" else None)

    def meaning(self, text: str, place: Place | None = None) -> str:
        """A word as a player, a verb-free term of the rulebook, or itself, whatever it is first.

        With its place given, the name of several roles is a fault.
        """
        if name := self.player(text):
            return name
        for table in ("answer", "team"):
            found = self.book.lexicon.find(table, text)
            # The id of a role goes before what is only another word for a side.
            if isinstance(found, str) and (found == text or text not in self.book.role_ids):
                return found
        if text.isascii() and not text.islower():
            return text
        found = None if text.isascii() and text not in self.book.role_ids else self.book.find_role(text)
        if isinstance(found, list) and place is not None:
            self.ambiguous(place, text, found)
        return found if isinstance(found, str) else text


# ---- players -----------------------------------------------------------------------------------


def read_players(node: Node | None, words: Words, place: Place | None) -> tuple[Player, ...]:
    """The players of a scenario, in seating order."""
    if node is None or node.kind == "null":
        words.fault(place, "players.missing")
        return ()
    if node.kind != "map":
        words.faults.append(wrong(node, "players", "map"))
        return ()
    if not node.value:
        words.fault(node.place, "players.missing")
    entered = [(name, each) for name, each in node.value.items() if words.enter(name, node.keys[name].place)]
    players = [_player(name, each, node.keys[name].place, words) for name, each in entered]
    return tuple(player for player in players if player)


def _player(name: str, node: Node, place: Place, words: Words) -> Player | None:
    if node.kind in ("null", "list"):
        words.fault(node.place, "player.role", name=name)
        return None
    if node.kind != "map":
        role = words.role(node)
        return Player(name, role, place=place) if role else None
    lexicon = words.book.lexicon
    counters = lexicon.words["counter"]
    known = [*_PLAYER_KEYS, *(key for key in (*lexicon.state_keys, *counters) if key not in _PLAYER_KEYS)]
    fields = Fields(node, words.faults, known)
    role_node = fields.get("role")
    if role_node is None:
        words.fault(node.place, "player.role", name=name)
    role = words.role(role_node) if role_node else None
    alive = fields.truth("alive", True)
    held = tuple(item for each in fields.list("items") if (item := words.word("item", each, "items")))
    was = _history(fields, words)
    counts = {}
    for key, value in fields.items():
        if key in lexicon.state_keys:
            if key in was:
                words.fault(value.place, "player.state_twice", key=key)
            elif (meaning := words.value(lexicon.state_keys[key], value, key)) is not None:
                was[key] = meaning
        elif (
            key in counters
            and key not in _PLAYER_KEYS
            and (count := number(value, key, words.faults)) is not None
        ):
            counts[key] = count
    found = words.players(fields.get("found"), "found")
    bare = "items" in fields and not held
    return Player(name, role, alive, held, counts, was, found, place, bare) if role else None


def _history(fields: Fields, words: Words) -> dict[str, Any]:
    keys = {**words.book.lexicon.state_keys, **words.book.lexicon.was_keys}
    was = {}
    for key, node in fields.map("was", keys).items():
        if key in keys and (value := words.value(keys[key], node, key)) is not None:
            was[key] = value
    return was


# ---- actions -----------------------------------------------------------------------------------


def read_actions(node: Node | None, key: str, words: Words) -> tuple[Action, ...]:
    """The actions of a list, in the order told."""
    if node is None or node.kind == "null":
        return ()
    if node.kind != "list":
        words.faults.append(wrong(node, key, "actions"))
        return ()
    return tuple(action for entry in node.value if (action := _action(entry, words)))


def _action(entry: Node, words: Words) -> Action | None:
    if entry.kind != "map" or not entry.value:
        words.fault(entry.place, "action.form")
        return None
    if len(entry.value) > 1:
        words.fault(entry.place, "action.actors", names=list(entry.value))
        return None
    ((said, deed),) = entry.value.items()
    place = entry.keys[said].place
    actor = words.player(said)
    if actor is None:
        actor = words.reserved(said)
        if actor is None:
            words.no_player(said, place, "actor.unknown")
        elif actor not in GROUPS:
            words.fault(place, "actor.reserved", name=said, choices=list(GROUPS))
    if deed.kind != "map":
        words.fault(deed.place, "action.deed", name=said)
        return None
    verbs = [key for key in deed.value if key != "with"]
    if len(verbs) != 1:
        words.fault(deed.place, "action.verbs", names=verbs)
        return None
    verb = words.verb(verbs[0], deed.keys[verbs[0]].place)
    extra = _extra(deed, words)
    if verb is None or actor is None:
        return None
    targets = read_targets(verb, deed.value[verbs[0]], words)
    if targets is None:
        return None
    if "text" in words.book.lexicon.takes.get(verb, ()) and _is_text(targets, words):
        extra.setdefault("word", *targets)
    return Action(actor, verb, targets, extra, place)


def _is_text(targets: tuple[str, ...], words: Words) -> bool:
    """Whether what follows the verb is the very word that is said, and not who hears it."""
    return len(targets) == 1 and not words.player(targets[0]) and not words.reserved(targets[0])


def _extra(deed: Node, words: Words) -> dict[str, Any]:
    keys = words.book.lexicon.with_keys
    extra = {}
    for key, node in Fields(deed, words.faults, None).map("with", keys).items():
        if key in keys and (value := words.value(keys[key], node, key)) is not None:
            extra[key] = value
    return extra


def read_targets(verb: str, node: Node, words: Words) -> tuple[str, ...] | None:
    """The targets of a verb: names as the file spells them, reserved words, role ids; None after a fault."""
    nodes = [] if node.kind == "null" else node.value if node.kind == "list" else [node]
    before = len(words.faults)
    targets = []
    for each in nodes:
        if each.kind in ("list", "map", "null"):
            words.faults.append(wrong(each, verb, "player"))
        elif (target := _target(verb, each, words)) is not None:
            targets.append(target)
    if len(words.faults) > before:
        return None
    least, most = words.book.verb_places(verb)
    if targets == ["nobody"]:
        return tuple(targets)
    if targets == ["unknown"]:
        return tuple(targets * max(1, least))
    if "nobody" in targets and most < 2:
        words.fault(node.place, "target.nobody", verb=verb)
        return None
    if not least <= len(targets) <= most:
        one = least == most == 1
        code = "target.one" if one else "target.exact" if least == most else "target.number"
        words.faults.append(
            Fault(node.place, code, {"verb": verb, "given": len(targets), "least": least, "most": most})
        )
        return None
    return tuple(targets)


def _target(verb: str, node: Node, words: Words) -> str | None:
    text = node.text
    if name := words.player(text):
        return name
    takes = words.book.lexicon.takes.get(verb, set())
    reserved = words.reserved(text)
    if reserved in NO_TARGETS:
        return reserved
    if "team" in takes and isinstance(team := words.book.lexicon.find("team", text), str):
        return team
    if "role" in takes and (role := words.book.find_role(text)):
        if isinstance(role, str):
            return role
        words.ambiguous(node.place, text, role)
        return None
    if "number" in takes and node.kind == "int":
        count = number(node, verb, words.faults)
        return None if count is None else str(count)
    if reserved and "group" in takes:
        return reserved
    if "word" in takes:
        return reserved or " ".join(text.split())
    if reserved:
        words.fault(node.place, "target.group", name=text, verb=verb, choices=list(words.names.values()))
    elif "number" in takes and not takes - {"number"}:
        words.faults.append(wrong(node, verb, "int"))
    elif "team" in takes and not takes - {"team"}:
        words.word("team", node, verb)
    elif takes - {"group"} and takes <= {"role", "team", "group"}:
        names = list(words.names.values())
        near = suggest(text, [*names, *words.book.role_words()])
        words.fault(node.place, "target.unknown", name=text, verb=verb, near=near, choices=names)
    else:
        words.no_player(text, node.place)
    return None
