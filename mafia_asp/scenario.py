"""Reading scenarios: files, folders, standard input and the command line's short form.

Every name is resolved here: roles, verbs, items and so on become the encodings' ids, players are
named as the file spells them. What is wrong is collected, with its place and what would be right.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from . import places, rulings
from .actions import Words, read_actions, read_players
from .errors import Fault, InputError, fail
from .expected import read_expect
from .fields import Fields, items, number, truth, wrong
from .model import Action, Phase, Place, Player, Scenario
from .names import suggest
from .places import Node
from .rulebook import DEFAULT, OptionSpec, Rulebook, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Endings of files that a folder is searched for.
ENDINGS = (".yaml", ".yml", ".json", ".jsonl")
#: Files that are no scenarios.
OTHER_FILES = (rulings.RULINGS_FILE, "rulebook.yaml", "book.yaml")
PHASES: tuple[str, ...] = get_args(Phase)
#: Keys of a scenario, in the order in which they are written.
KEYS = (
    "rulebook",
    "id",
    "title",
    "cites",
    "see",
    "basis",
    "note",
    "phase",
    "night",
    "day",
    "players",
    "options",
    "conventions",
    "last_night",
    "last_day",
    "actions",
    "rulings",
    "expect",
)
_SEVERAL = "scenarios"
_PHASES_OF_A_GAME = "phases"


class Entry(NamedTuple):
    """One scenario of a file, or what is wrong with it."""

    file: str
    line: int
    id: str
    scenario: Scenario | None
    faults: tuple[Fault, ...] = ()


def read_scenarios(path: str | os.PathLike[str], books: dict[str, Rulebook] | None = None) -> list[Scenario]:
    """The scenarios of a file, of a folder, or of standard input (``-``).

    ``books`` are rulebooks that are loaded already, by what scenarios name; further ones are added to
    it. Raises InputError with everything that is wrong with any of the scenarios.
    """
    entries = list(scan([path], books))
    # What several scenarios share is told once.
    faults = {(f.place, f.code, str(f.args)): f for entry in entries for f in entry.faults}
    if faults:
        raise InputError(faults.values())
    return [entry.scenario for entry in entries if entry.scenario]


def scan(
    paths: Iterable[str | os.PathLike[str]], books: dict[str, Rulebook] | None = None
) -> Iterator[Entry]:
    """The scenarios of files and folders one by one, a faulty one as an entry with its faults.

    A file that cannot be read at all is one entry; files of games that a folder holds are passed over.
    Raises InputError where a folder holds no scenario file.
    """
    reader = ScenarioReader(books)
    for path in paths:
        for file in find_files(path):
            yield from reader.file(file, found=file != os.fspath(path))


def scan_text(text: str, path: str, books: dict[str, Rulebook] | None = None) -> Iterator[Entry]:
    """The scenarios in the text of the file at a path, as :func:`scan` gives them.

    Raises InputError where nothing can be read.
    """
    yield from ScenarioReader(books).documents(places.documents(text, places.shown_name(path)), path)


def scan_line(data: bytes, path: str, line: int, books: dict[str, Rulebook] | None = None) -> Iterator[Entry]:
    """The scenarios in one line of the JSON Lines file at a path, as :func:`scan` gives them.

    Raises InputError where the line cannot be read.
    """
    name = places.shown_name(path)
    try:
        document = places.parse_json(places.decode(data, name), name, line)
    except InputError as error:
        # What is no text is told by its place in the line.
        found = [
            f._replace(place=f.place._replace(line=line)) if f.place and f.place.line < line else f
            for f in error.faults
        ]
        raise InputError(found) from None
    yield from ScenarioReader(books).document(document, path)


def find_files(path: str | os.PathLike[str]) -> list[str]:
    """The scenario files at a path: the file itself, or those below a folder, sorted.

    Raises InputError for a folder without any.
    """
    name = os.fspath(path)
    if name == "-" or not os.path.isdir(name):
        return [name]
    found = []
    for folder, below, files in os.walk(name):
        below[:] = sorted(each for each in below if not each.startswith("."))
        found += [os.path.join(folder, file) for file in files if may_hold_scenarios(file)]
    if not found:
        raise fail(None, "folder.empty", name=name, choices=[f"*{ending}" for ending in ENDINGS])
    return sorted(found, key=lambda file: file.split(os.sep))


def may_hold_scenarios(name: str) -> bool:
    """Whether a file of a folder is read as scenarios, by its name."""
    return name.lower().endswith(ENDINGS) and not name.startswith(".") and name not in OTHER_FILES


def parse_inline(
    players: str,
    actions: str = "",
    *,
    rulebook: str = DEFAULT,
    phase: str = "night",
    number: int | None = None,
) -> Scenario:
    """A scenario from the command line's short form.

    ``players`` is like ``Ali=don, Sara=sniper``, ``actions`` like ``Sara shoot Ali; Mina steal Ali Sara``
    (a name may hold spaces; ``،`` and ``؛`` separate too). Raises InputError; places count the
    columns of the text in which the fault stands. Actions are looked at once the players are in form.
    """
    reader = ScenarioReader()
    faults: list[Fault] = []
    cast = _inline_cast(players, reader, resolve(rulebook, "."), faults)
    if faults:
        raise InputError(faults)
    root = Node("players", 1, 1, "map", {"rulebook": _word("players", 1, rulebook), "players": cast})
    root.value["phase"] = _word("players", 1, phase)
    if number is not None:
        root.value["day" if phase in ("day", "end") else "night"] = Node(
            "players", 1, 1, "int", number, str(number)
        )
    root.keys = {key: _word("players", 1, key) for key in root.value}
    scenario = reader.scenario(root, faults, ".", InlineActions(actions, faults))
    if scenario is None or faults:
        raise InputError(faults)
    return scenario


def from_data(
    data: Mapping[str, Any],
    source: str = "<data>",
    folder: str = ".",
    books: dict[str, Rulebook] | None = None,
) -> Scenario:
    """A scenario from plain data in the form of a scenario file.

    ``source`` names it in messages; a rulebook's path is relative to ``folder``; ``books`` are rulebooks
    that are loaded already. Raises InputError.
    """
    import json

    try:
        text = json.dumps(data, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise InputError([Fault(None, "data.plain", {"problem": str(error)})]) from None
    document = places.parse_json(text, source)
    faults = list(document.faults)
    scenario = ScenarioReader(books).scenario(document.root, faults, os.path.join(folder, source))
    if scenario is None or faults:
        raise InputError(faults)
    return scenario


def to_data(scenario: Scenario) -> dict[str, Any]:
    """A scenario as plain data in the form of a file; what has its default is left out."""
    data: dict[str, Any] = {"rulebook": scenario.rulebook}
    for key in ("id", "title", "cites", "see", "basis", "note"):
        if value := getattr(scenario, key):
            data[key] = _plain(value)
    if scenario.phase != "night":
        data["phase"] = scenario.phase
    if scenario.number is not None:
        data["day" if scenario.phase in ("day", "end") else "night"] = scenario.number
    data["players"] = {player.name: _player_data(player) for player in scenario.players}
    if scenario.options:
        data["options"] = _plain(scenario.options)
    if scenario.conventions is not None:
        data["conventions"] = _plain(scenario.conventions)
    for key in ("last_night", "last_day", "actions"):
        if actions := getattr(scenario, key):
            data[key] = [action_data(action) for action in actions]
    if scenario.rulings:
        data["rulings"] = dict(scenario.rulings)
    if scenario.expect is not None:
        data["expect"] = _plain(scenario.expect)
    return data


# ---- one file ----------------------------------------------------------------------------------


class ScenarioReader:
    """Reads files, loading each rulebook once."""

    def __init__(self, books: dict[str, Rulebook] | None = None) -> None:
        self.books = {} if books is None else books
        self.refused: dict[str, InputError] = {}

    def book(self, name: str) -> Rulebook:
        """The rulebook of this id or folder. Raises InputError."""
        if name in self.refused:
            raise self.refused[name]
        if name not in self.books:
            try:
                self.books[name] = Rulebook.load(name)
            except InputError as error:
                self.refused[name] = error
                raise
        return self.books[name]

    def file(self, path: str, *, found: bool = False) -> Iterator[Entry]:
        """The scenarios of a file; with `found` it was not asked for by its name."""
        name = places.shown_name(path)
        try:
            documents = places.read(path)
        except InputError as error:
            yield Entry(name, _line(error.faults), "", None, tuple(error.faults))
            return
        yield from self.documents(documents, path, found=found)

    def documents(
        self, documents: Iterable[places.Document | InputError], path: str, *, found: bool = False
    ) -> Iterator[Entry]:
        """The scenarios of a file's documents; with `found` the file was not asked for by its name."""
        name = places.shown_name(path)
        for document in documents:
            if isinstance(document, InputError):
                yield Entry(name, _line(document.faults), "", None, tuple(document.faults))
                continue
            if not is_game(document.root):
                yield from self.document(document, path)
            elif not found:
                fault = Fault(document.root.keys[_PHASES_OF_A_GAME].place, "scenario.game", {})
                yield Entry(name, document.root.line, "", None, (fault,))

    def document(self, document: places.Document, path: str) -> Iterator[Entry]:
        """The scenarios of a document of the file at a path."""
        root = document.root
        shared_faults = list(document.faults)
        scenarios = [root]
        if root.kind == "map" and _SEVERAL in root.value:
            shared = {key: node for key, node in root.value.items() if key != _SEVERAL}
            scenarios = _several(root, shared, shared_faults)
        elif root.kind == "list":
            scenarios = list(root.value)
            if not scenarios:
                shared_faults.append(Fault(root.place, "scenarios.none", {}))
        for index, node in enumerate(scenarios, 1):
            # A fault in the file's form belongs to the scenario in which it stands; what stands
            # before them all is told once, with the first.
            until = scenarios[index].line if index < len(scenarios) else None
            faults = [fault for fault in shared_faults if _within(fault, until)]
            shared_faults = [fault for fault in shared_faults if fault not in faults]
            scenario = self.scenario(node, faults, path)
            named = node.value.get("id") if node.kind == "map" else None
            name = named.text if named else str(index)
            unique = {(f.place, f.code, str(f.args)): f for f in faults}
            whole = None if faults else scenario
            yield Entry(root.file, node.line, name, whole, tuple(unique.values()))
        if not scenarios:
            yield Entry(root.file, root.line, "", None, tuple(shared_faults))

    # ---- one scenario ----

    def scenario(
        self, node: Node, faults: list[Fault], path: str, inline: InlineActions | None = None
    ) -> Scenario | None:
        """A scenario from its node; None where its faults leave none."""
        fields = Fields(node, faults, (*KEYS, _SEVERAL))
        if _SEVERAL in fields:
            faults.append(Fault(node.keys[_SEVERAL].place, "scenarios.nested", {}))
        if node.kind != "map":
            return None
        named = fields.word("rulebook", DEFAULT)
        try:
            book = self.book(resolve(named, path))
        except InputError as error:
            for fault in error.faults:
                args = fault.args
                if fault.code == "book.unknown":
                    args = {**args, "name": named, "near": suggest(named, args["choices"])}
                faults.append(Fault(fault.place or fields.place("rulebook"), fault.code, args))
            return None
        words = Words(book, faults)
        cast = read_players(fields.entries.get("players"), words, fields.place("players"))
        phase = _phase(fields, faults)
        conventions = _conventions(fields, book, faults)
        answers, where = rulings.read_map(book, fields.map("rulings", None), faults)
        spots = {f"rulings.{question}": place for question, place in where.items()}
        options = _options(fields, words, spots)
        told = inline.read(words) if inline else read_actions(fields.entries.get("actions"), "actions", words)
        expect = None
        if (wanted := fields.get("expect")) is not None:
            expect = read_expect(wanted, words)
            spots["expect"] = wanted.place
            spots |= {
                f"expect.{key}": each.place
                for key, each in (wanted.keys if wanted.kind == "map" else {}).items()
            }
        return Scenario(
            rulebook=book.id if book.shipped else book.folder,
            players=cast,
            phase=phase,
            number=_number(fields, phase, faults),
            actions=told,
            last_night=read_actions(fields.entries.get("last_night"), "last_night", words),
            last_day=read_actions(fields.entries.get("last_day"), "last_day", words),
            options=options,
            rulings=answers,
            conventions=conventions,
            expect=expect,
            id=fields.word("id"),
            title=fields.word("title"),
            cites=_texts(fields, "cites"),
            see=_texts(fields, "see"),
            basis=fields.word("basis"),
            note=fields.word("note"),
            place=node.place,
            places=spots,
        )


def is_game(root: Node) -> bool:
    """Whether this is the file of a whole game (:mod:`mafia_asp.game`)."""
    return root.kind == "map" and _PHASES_OF_A_GAME in root.value and _SEVERAL not in root.value


def _within(fault: Fault, until: int | None) -> bool:
    return until is None or fault.place is None or fault.place.line < until


def _line(faults: list[Fault]) -> int:
    return faults[0].place.line if faults[0].place else 1


def _several(root: Node, shared: dict[str, Node], faults: list[Fault]) -> list[Node]:
    """The scenarios of a file, each with what they share."""
    entries = root.value[_SEVERAL]
    Fields(root, faults, (*KEYS, _SEVERAL))
    nodes = []
    for entry in items(entries, _SEVERAL, faults):
        if entry.kind != "map":
            faults.append(wrong(entry, _SEVERAL, "map"))
            continue
        node = Node(entry.file, entry.line, entry.column, "map", {**shared, **entry.value})
        node.keys = {**root.keys, **entry.keys}
        known = {
            key: value for key, value in node.value.items() if key in (*KEYS, _SEVERAL) or key in entry.value
        }
        node.value = known
        nodes.append(node)
    if entries.kind == "list" and not entries.value:
        faults.append(Fault(entries.place, "scenarios.none", {}))
    return nodes


def _texts(fields: Fields, key: str) -> tuple[str, ...]:
    node = fields.get(key)
    if node is not None and node.kind == "word":
        return (node.text,)
    texts = []
    for each in fields.list(key):
        if each.kind in ("list", "map", "null"):
            fields.faults.append(wrong(each, key, "word"))
        else:
            texts.append(each.text)
    return tuple(texts)


def _phase(fields: Fields, faults: list[Fault]) -> Phase:
    default = "day" if "day" in fields and "night" not in fields else "night"
    phase = fields.word("phase", default)
    for known in get_args(Phase):
        if phase == known:
            return known  # type: ignore[no-any-return]
    args = {"key": "phase", "found": phase, "near": suggest(phase, PHASES), "choices": list(PHASES)}
    faults.append(Fault(fields.place("phase"), "value.choice", args))
    return "night"


def _number(fields: Fields, phase: str, faults: list[Fault]) -> int | None:
    night, day = fields.number("night", 1), fields.number("day", 1)
    if fields.get("night") and fields.get("day"):
        faults.append(Fault(fields.place("day"), "scenario.both", {}))
    if phase == "night" and fields.get("day"):
        faults.append(Fault(fields.place("day"), "scenario.day", {}))
    return night if day is None else day


def _conventions(fields: Fields, book: Rulebook, faults: list[Fault]) -> bool | tuple[str, ...] | None:
    node = fields.get("conventions")
    if node is None:
        return None
    if node.kind != "list":
        return truth(node, "conventions", faults)
    ids = []
    for each in node.value:
        if each.kind in ("list", "map", "null"):
            faults.append(wrong(each, "conventions", "word"))
        elif each.text in book.conventions:
            ids.append(each.text)
        else:
            known = list(book.conventions)
            faults.append(
                Fault(
                    each.place,
                    "convention.unknown",
                    {"id": each.text, "near": suggest(each.text, known), "choices": known},
                )
            )
    return tuple(ids)


# ---- options -----------------------------------------------------------------------------------


def _options(fields: Fields, words: Words, spots: dict[str, Place]) -> dict[str, Any]:
    specs = words.book.options
    chosen = {}
    for key, node in fields.map("options", None).items():
        place = fields.entries["options"].keys[key].place
        if key not in specs:
            words.fault(
                place,
                "option.unknown",
                id=key,
                rulebook=words.book.id,
                near=suggest(key, specs),
                choices=list(specs),
            )
            continue
        value = _option(specs[key], node, words)
        if value is not None:
            chosen[key] = value
            spots[f"options.{key}"] = place
    return chosen


def _option(spec: OptionSpec, node: Node, words: Words) -> Any:
    if spec.type == "bool":
        return truth(node, spec.id, words.faults) if node.kind != "bool" else bool(node.value)
    if spec.type == "int":
        return number(node, spec.id, words.faults)
    if spec.type == "word":
        return _choice(spec, node, words)
    found = [_choice(spec, each, words) for each in items(node, spec.id, words.faults)]
    return tuple(value for value in found if value is not None)


def _choice(spec: OptionSpec, node: Node, words: Words) -> str | None:
    if spec.of == "role":
        return words.role(node, spec.id)
    if spec.of == "player":
        return words.named(node, spec.id)
    if node.kind in ("list", "map", "null"):
        words.faults.append(wrong(node, spec.id, "word"))
        return None
    text = node.text
    if spec.values and text not in spec.values:
        choices = [str(value) for value in spec.values]
        words.fault(
            node.place, "value.choice", key=spec.id, found=text, near=suggest(text, choices), choices=choices
        )
        return None
    return str(text)


# ---- the short form of the command line -----------------------------------------------------------


def _inline_cast(players: str, reader: ScenarioReader, rulebook: str, faults: list[Fault]) -> Node:
    """``Ali=don, Sara=sniper`` as a map of players."""
    cast = Node("players", 1, 1, "map", {})
    parts = _parts(players, ",،;؛\n")
    if not parts:
        faults.append(Fault(cast.place, "inline.none", {}))
    for text, column in parts:
        name, sign, role = text.partition("=")
        key = _word("players", column, name.strip())
        if "=" in role:
            comma = ", " if text.isascii() else "، "
            apart = re.sub(r"\s+(?=[^\s=]+\s*=)", comma, text)
            faults.append(Fault(key.place, "inline.comma", {"text": text, "near": [apart]}))
        elif not sign or not role.strip():
            near = _inline_player(text, reader, rulebook)
            faults.append(Fault(key.place, "inline.player", {"text": text, "near": near}))
        elif key.text in cast.value:
            faults.append(Fault(key.place, "inline.twice", {"name": key.text}))
        else:
            shift = len(name) + 1 + len(role) - len(role.lstrip())
            cast.value[key.text] = _word("players", column + shift, role.strip())
            cast.keys[key.text] = key
    return cast


def _inline_player(text: str, reader: ScenarioReader, rulebook: str) -> list[str]:
    """What a player without an equals sign was meant to be: a name, and then a role that there is."""
    tokens = re.findall(r"[^\s:>→-]+", text)
    try:
        book = reader.book(rulebook)
    except InputError:
        return []
    for cut in range(1, len(tokens)):
        if book.find_role(role := " ".join(tokens[cut:])):
            return [f"{' '.join(tokens[:cut])}={role}"]
    return []


class InlineActions:
    """``Sara shoot Ali; Ali shoot Sara`` as actions. What is wrong with their form goes to `faults`."""

    def __init__(self, text: str, faults: list[Fault]) -> None:
        self.text = text
        self.faults = faults

    def read(self, words: Words) -> tuple[Action, ...]:
        """The actions, their names looked up among the players."""
        entries = Node("actions", 1, 1, "list", [])
        for text, column in _parts(self.text, ";؛\n"):
            if node := self._entry(text, column, words):
                entries.value.append(node)
        return read_actions(entries, "actions", words)

    def _entry(self, text: str, column: int, words: Words) -> Node | None:
        """One action as a node: the longest known name, then a verb, then names."""
        tokens = [(match.group(), column + match.start()) for match in re.finditer(r"[^\s,،]+", text)]
        for start in range(1, len(tokens)):
            for end in range(len(tokens), start, -1):
                verb = " ".join(token for token, _ in tokens[start:end])
                if found := words.book.find_verb(verb):
                    free = isinstance(found, str) and "word" in words.book.lexicon.takes.get(found, ())
                    if not free and (second := _second(tokens[end:], words)):
                        place = Place("actions", 1, second[1])
                        self.faults.append(Fault(place, "inline.semicolon", {"text": second[0]}))
                        return None
                    return self._node(tokens, start, end, words)
        place = Place("actions", 1, column)
        if len(tokens) > 1:
            verb = tokens[1][0]
            near = suggest(verb, words.book.lexicon.known("verb"))
            self.faults.append(
                Fault(Place("actions", 1, tokens[1][1]), "verb.unknown", {"name": verb, "near": near})
            )
        else:
            self.faults.append(Fault(place, "inline.action", {"text": text}))
        return None

    def _node(self, tokens: list[tuple[str, int]], start: int, end: int, words: Words) -> Node:
        actor = _word("actions", tokens[0][1], " ".join(token for token, _ in tokens[:start]))
        verb = _word("actions", tokens[start][1], " ".join(token for token, _ in tokens[start:end]))
        targets = split_names(tokens[end:], words)
        aims = targets[0] if len(targets) == 1 else Node("actions", 1, verb.column, "list", targets)
        deed = Node("actions", 1, verb.column, "map", {verb.text: aims})
        deed.keys = {verb.text: verb}
        entry = Node("actions", 1, actor.column, "map", {actor.text: deed})
        entry.keys = {actor.text: actor}
        return entry


def _second(tokens: list[tuple[str, int]], words: Words) -> tuple[str, int] | None:
    """Where among the words behind a verb another action begins: a player, and then a verb."""
    texts = [token for token, _ in tokens]
    for start in range(len(texts)):
        for verb in range(start + 1, len(texts)):
            if not words.player(" ".join(texts[start:verb])):
                continue
            for end in range(len(texts), verb, -1):
                said = " ".join(texts[verb:end])
                longer = words.player(" ".join(texts[start:end])) or words.player(said)
                if not longer and words.book.find_verb(said):
                    return " ".join(texts[start:end]), tokens[start][1]
    return None


def split_names(tokens: list[tuple[str, int]], words: Words) -> list[Node]:
    """Words as targets: each the longest run that is a player's name, else a word by itself."""
    targets = []
    at = 0
    while at < len(tokens):
        end = len(tokens)
        while end > at + 1 and not words.player(" ".join(token for token, _ in tokens[at:end])):
            end -= 1
        text = " ".join(token for token, _ in tokens[at:end])
        kind, value = places.resolve(text)
        node = Node(
            "actions",
            1,
            tokens[at][1],
            "int" if kind == "int" else "word",
            value if kind == "int" else text,
            text,
        )
        targets.append(node)
        at = end
    return targets


def _parts(text: str, separators: str) -> list[tuple[str, int]]:
    """The parts of a text between separators, and the column in which each begins."""
    found = re.finditer(f"[^{separators}]+", text)
    parts = [(match.group(), match.start()) for match in found]
    return [(part.strip(), at + 1 + len(part) - len(part.lstrip())) for part, at in parts if part.strip()]


def _word(file: str, column: int, text: str) -> Node:
    return Node(file, 1, column, "word", text, text)


# ---- writing back ----------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _player_data(player: Player) -> Any:
    data: dict[str, Any] = {"role": player.role}
    if not player.alive:
        data["alive"] = False
    if player.items or player.bare:
        data["items"] = list(player.items)
    data |= player.counts
    if player.was:
        data["was"] = _plain(player.was)
    if player.found:
        data["found"] = list(player.found)
    return player.role if len(data) == 1 else data


def action_data(action: Action) -> dict[str, Any]:
    """An action as plain data in the form of a file."""
    # A number is read as one only where it is written as one.
    targets: Any = [int(t) if t.isascii() and t.isdigit() and str(int(t)) == t else t for t in action.targets]
    if len(targets) == 1:
        targets = targets[0]
    elif not targets:
        targets = None
    deed: dict[str, Any] = {action.verb: targets}
    if action.extra:
        deed["with"] = _plain(action.extra)
    return {action.actor: deed}
