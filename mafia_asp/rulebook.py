"""Rulebooks: where they are, what they are called, and what they contain.

A rulebook is a folder of ``.lp`` files, one a role, with a ``book.yaml`` (those that are shipped)
or a ``rulebook.yaml`` (a user's own, which extends another). Nothing is read before it is needed:
a role that is named by its id costs a look into a list of file names.
"""

from __future__ import annotations

import os
import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import Fault, InputError, fail
from .lexicon import Lexicon
from .names import squeeze, squeeze_all, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .check import Report
    from .model import Phase, Place, Verdict
    from .places import Node
    from .resolver import Resolver
    from .ruletext import ConventionText, FileText, QuestionText, RuleText

#: The rulebook of a scenario that names none.
DEFAULT = "classic_advanced"
SHIPPED_FILE = "book.yaml"
OWN_FILE = "rulebook.yaml"
OPTION_TYPES = ("bool", "int", "list", "word")
#: Files of a rulebook that are no roles.
_NO_ROLES = ("general", "setup", "day", "end", "words")
#: Beginnings of ids that belong to no rulebook, and the folder in which they stand.
_OWNERS = {"core": ("core", "day", "concepts"), "cv": ("conventions",)}
#: A role file's header is looked for in this many bytes from its start.
_HEADER = 2000
_HEADER_LINE = r"(?m)^[ \t]*([a-z]+):[ \t]*(.*?)[ \t\r]*$"


class RoleCard(NamedTuple):
    """What a role is called, and where it is encoded."""

    id: str
    en: str
    fa: str
    aliases: tuple[str, ...] = ()
    source: str = ""
    file: str | None = None


class OptionSpec(NamedTuple):
    """A variant that the book leaves to the table. ``of`` says what a list holds: role, player or word."""

    id: str
    type: str
    values: tuple[Any, ...] = ()
    of: str = "word"
    en: str = ""
    fa: str = ""


class Rulebook:
    """One rulebook. :meth:`load` makes it; it is not changed afterwards and may be shared."""

    def __init__(
        self,
        id: str,
        prefix: str,
        name: dict[str, str],
        folder: str,
        source: str = "",
        base: Rulebook | None = None,
        options: dict[str, OptionSpec] | None = None,
        things: dict[str, str] | None = None,
    ) -> None:
        self.id = id
        self.prefix = prefix
        self.name = name
        self.folder = folder
        self.source = source
        #: the book that a user's own book extends
        self.base = base
        self.options = options or {}
        #: item -> the role whose file says what there is to say of it
        self.things = things or {}

    def __repr__(self) -> str:
        return f"Rulebook({self.id!r})"

    @classmethod
    def load(cls, id_or_path: str | os.PathLike[str]) -> Rulebook:
        """A shipped rulebook by its id, or a user's own by its folder.

        Raises InputError where there is none, or where its ``rulebook.yaml`` is wrong. The
        ``.lp`` files of a folder are not checked here: see :mod:`mafia_asp.guard`.
        """
        return _load(os.fspath(id_or_path), None, ())

    # ---- what it consists of ----

    @property
    def shipped(self) -> bool:
        """False for a rulebook of the user's own, whose text is not ours."""
        return self.base is None

    @cached_property
    def stems(self) -> set[str]:
        """The names of the files in the book's own folder, without their ending."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return set()
        return {name[:-3] for name in names if name.endswith(".lp")}

    def books(self) -> list[Rulebook]:
        """The books that this one consists of, the most basic first."""
        return [*(self.base.books() if self.base else ()), self]

    def _folder_of(self, stem: str) -> str | None:
        """The folder with the file of a role: the book's own, else that of the book it extends."""
        if stem in self.stems:
            return self.folder
        return self.base._folder_of(stem) if self.base else None

    def file_of(self, role: str) -> str | None:
        """The file in which a role is encoded; None for a base role without one."""
        folder = self._folder_of(role)
        return os.path.join(folder, f"{role}.lp") if folder else None

    @cached_property
    def lexicon(self) -> Lexicon:
        """Verbs, items, counters and so on, with their words."""
        folders = [os.path.join(encodings(), "core"), *(book.folder for book in self.books())]
        files = (os.path.join(folder, "words.lp") for folder in folders)
        return Lexicon(file for file in files if os.path.isfile(file))

    def files_for(
        self, roles: Iterable[str], phase: str = "night", items: Iterable[str] = (), *, won: bool = False
    ) -> list[str]:
        """The encodings of a phase with these roles in play and these items about, in a fixed order.

        The core, the concepts that the roles' headers name, the conventions, and of each book its
        general file, the roles' files and those that speak of the items; the ``setup.lp`` of the core and
        of each book only for setup and introduction, the folder ``day`` and each book's ``day.lp`` only for
        the day and the end, where the order told takes the place of the core's ``influence.lp``; each
        book's ``end.lp`` for these, and for a night where it is asked who has `won`. A role of a user's
        book stands instead of one with the same id of the book it extends.
        """
        by_day = phase in ("day", "end")
        part = "setup" if phase in ("setup", "intro") else "day" if by_day else ""
        left_out = {"setup.lp": part != "setup", "influence.lp": by_day}
        core = [file for file in _files_in("core") if not left_out.get(os.path.basename(file))]
        if by_day:
            core += _files_in("day")
        elif won and phase == "night" and any("end" in book.stems for book in self.books()):
            core += [file for file in _files_in("day") if os.path.basename(file) == "end.lp"]
        parts = ("general", part, "end" if by_day or (won and phase == "night") else "")
        files: list[str] = []
        wanted = sorted(self._with_things({*roles, *self.base_roles}, items, by_day))
        books = self.books()
        for number, book in enumerate(books):
            later = set[str]().union(*(after.stems for after in books[number + 1 :]))
            files += [os.path.join(book.folder, f"{stem}.lp") for stem in parts if stem in book.stems]
            files += [
                os.path.join(book.folder, f"{role}.lp")
                for role in wanted
                if role in book.stems and role not in later
            ]
        return [*core, *self._concepts_of(files), *_files_in("conventions"), *files]

    def _with_things(self, roles: set[str], items: Iterable[str], by_day: bool) -> set[str]:
        """These roles, those whose files speak of the items, and those with whose files theirs go."""
        found = roles | {self.things[item] for item in items if item in self.things}
        files = filter(None, map(self.file_of, found))
        keys = ("with", "days") if by_day else ("with",)
        return found.union(*(self._header(file).get(key, "").split() for file in files for key in keys))

    def _header(self, file: str) -> dict[str, str]:
        """The header of a file, read once."""
        if file not in self._headers:
            self._headers[file] = _header(file)
        return self._headers[file]

    @cached_property
    def _headers(self) -> dict[str, dict[str, str]]:
        return {}

    def _concepts_of(self, files: Iterable[str]) -> list[str]:
        """The files of the concepts that these files, or such concepts in turn, name in their headers."""
        found: set[str] = set()
        waiting = list(files)
        while waiting:
            file = waiting.pop()
            for name in self._header(file).get("concepts", "").split():
                if name not in found:
                    waiting.append(_concept(name, file))
                    found.add(name)
        return [_concept(name) for name in sorted(found)]

    # ---- roles and verbs ----

    def night(
        self,
        players: Mapping[str, Any],
        actions: Iterable[tuple[str, ...]] = (),
        *,
        strict: bool = False,
        **more: Any,
    ) -> Verdict:
        """Decide a night: players with their roles in seating order, actions as told.

        An action is ``(actor, verb, target, …)``. ``more`` are further keys of a scenario file:
        ``night=2``, ``rulings={…}``, ``options={…}``, ``last_night=[…]``.

        >>> book = Rulebook.load("classic_advanced")
        >>> book.night({"Ali": "don", "Sara": "citizen"}, [("Ali", "shoot", "Sara")]).certain.dead
        ['Sara']

        Raises InputError and LimitError as :func:`mafia_asp.decide` does.
        """
        return self.resolver(players, strict=strict).night(actions, **more)

    def check(
        self,
        roles: Iterable[str],
        *,
        rulings: Mapping[str, str] | None = None,
        phases: Phase | Iterable[Phase] | None = None,
        state: bool = False,
        gone: bool = False,
        seconds: float | None = None,
    ) -> Report:
        """Check a role set: roles by any of their names, each as often as it plays.

        `rulings` are what the table has decided (question id: answer), `phases` those to be searched (by
        default all but ``day`` and ``end``), `state` and `gone` add nights with items, counts and a past, and
        with dead players; after `seconds` what was found is returned, marked as incomplete.

        >>> book = Rulebook.load("booklet")
        >>> report = book.check(["don", "mafia", "doctor", "citizen", "citizen"], phases=["setup"])
        >>> [(finding.kind, finding.id) for finding in report.findings]
        [('composition', 'bk.general.56')]

        Raises InputError for an unknown role, phase, question or answer, or a rulebook that is refused, and
        LimitError where a rulebook of the user's own took too much time or memory.
        """
        from .check.report import PHASES, USUAL, Wanted, check, role_set
        from .rulings import read_given

        known = [self._named_role(name) for name in roles]
        chosen = {phases} if isinstance(phases, str) else set(phases or USUAL)
        for phase in sorted(map(str, chosen.difference(PHASES))):
            near = suggest(phase, PHASES)[:1]
            raise fail(None, "value.choice", key="phases", found=phase, near=near, choices=list(PHASES))
        wanted = Wanted(tuple(p for p in PHASES if p in chosen), state, gone, seconds)
        return check(self, role_set(known), wanted=wanted, rulings=read_given(self, rulings or {}))

    def _named_role(self, name: str) -> str:
        found = self.find_role(name)
        if isinstance(found, str):
            return found
        if found:
            raise fail(None, "role.ambiguous", name=name, choices=self.role_choices(name, found))
        near = suggest(name, self.role_words())[:1]
        raise fail(None, "role.unknown", name=name, rulebook=self.id, near=near)

    def resolver(self, players: Mapping[str, Any], *, strict: bool = False, **more: Any) -> Resolver:
        """A resolver for many nights of one cast.

        >>> cast = Rulebook.load("classic_advanced").resolver({"Ali": "don", "Sara": "citizen"})
        >>> [v.certain.dead for v in cast.nights([[("Ali", "shoot", "Sara")], []])]
        [['Sara'], []]
        """
        from .resolver import Resolver

        return Resolver(self, players, strict=strict, **more)

    @property
    def path_or_id(self) -> str:
        """What a scenario file writes under ``rulebook`` to mean this one."""
        return self.id if self.shipped else os.path.abspath(self.folder)

    @property
    def base_roles(self) -> tuple[str, ...]:
        """The roles that every rulebook has."""
        return tuple(self.lexicon.words["base_role"])

    @cached_property
    def role_ids(self) -> tuple[str, ...]:
        """The ids of all roles, sorted."""
        stems = set[str]().union(*(book.stems for book in self.books()))
        return tuple(sorted({s for s in stems if s not in _NO_ROLES and _is_id(s)} | set(self.base_roles)))

    @cached_property
    def roles(self) -> dict[str, RoleCard]:
        """All roles by id."""
        return {role: self.card(role) for role in self.role_ids}

    def card(self, role: str) -> RoleCard:
        """The card of one role, from its file's header. Raises KeyError for an unknown one."""
        en, fa = self.lexicon.words["base_role"].get(role, ("", ""))
        file = self.file_of(role)
        if role not in self.role_ids:
            raise KeyError(role)
        header = self._header(file) if file else {}
        aliases = tuple(alias.strip() for alias in header.get("aliases", "").split("|") if alias.strip())
        default = role.replace("_", " ").capitalize()
        return RoleCard(
            id=role,
            en=header.get("en") or en or default,
            fa=header.get("fa") or fa or default,
            aliases=aliases,
            source=header.get("source", ""),
            file=file,
        )

    def find_role(self, text: str) -> str | list[str] | None:
        """The id of a role by any of its names; several ids where the name is ambiguous; else None.

        An id always means itself, whatever else bears it as a name.
        """
        if text in self.role_ids:
            return text
        wanted = squeeze(text)
        if wanted in (ids := self._role_index[0]):
            return ids[wanted]
        named = self._role_index[1].get(wanted, [])
        return None if not named else named[0] if len(named) == 1 else named

    def role_choices(self, text: str, roles: Iterable[str]) -> list[str]:
        """What to write instead of a name that several roles bear: their ids, each with another name."""
        cards = map(self.card, roles)
        return [f"{card.id} ({card.fa if card.fa != text else card.en})" for card in cards]

    @cached_property
    def _role_index(self) -> tuple[dict[str, str], dict[str, list[str]]]:
        ids = {squeeze(role): role for role in self.role_ids}
        owners: list[str] = []
        words: list[str] = []
        for role in self.role_ids:
            texts = [*self.lexicon.words["base_role"].get(role, ())]
            if folder := self._folder_of(role):
                header = self._header(f"{folder}/{role}.lp")
                texts += [header.get("en", ""), header.get("fa", ""), *header.get("aliases", "").split("|")]
            for text in texts:
                parts = (text, *text.split("/")) if "/" in text else (text,)
                owners += [role] * len(parts)
                words += parts
        names: dict[str, list[str]] = {}
        for owner, word in zip(owners, squeeze_all(words), strict=True):
            if not word:
                continue
            same = names.setdefault(word, [])
            if owner not in same:
                same.append(owner)
        return ids, names

    def role_words(self) -> list[str]:
        """Every name of every role, for suggestions."""
        words = [word for card in self.roles.values() for word in (card.id, card.en, card.fa, *card.aliases)]
        return list(dict.fromkeys(words))

    def find_verb(self, text: str) -> str | list[str] | None:
        """The id of a verb by any of its words; several where ambiguous; None for an unknown one."""
        return self.lexicon.find("verb", text)

    def verb_places(self, verb: str) -> tuple[int, int]:
        """The least and the most targets of a verb. Raises KeyError for an unknown one."""
        return self.lexicon.verbs[verb]

    # ---- texts ----

    @cached_property
    def _texts(self) -> dict[str, FileText]:
        return {}

    def text_of(self, file: str) -> FileText:
        """The rules and questions of one file."""
        if file not in self._texts:
            from .ruletext import FileText

            self._texts[file] = FileText(file)
        return self._texts[file]

    def text_files(self) -> list[str]:
        """Every file whose rules may apply: the core's, the conventions', the book's own."""
        files = [file for folder in ("core", "day", "concepts", "conventions") for file in _files_in(folder)]
        books = self.books()
        for number, book in enumerate(books):
            later = set[str]().union(*(after.stems for after in books[number + 1 :])) - set(_NO_ROLES)
            stems = sorted(book.stems - later - {"words"})
            files += [os.path.join(book.folder, f"{stem}.lp") for stem in stems]
        return files

    def _likely_files(self, name: str) -> Iterator[str]:
        """Where an id probably stands, by its parts: ``ca.doctor.9``, ``ca.q.doctor.1``, ``core.dead``."""
        parts = name.split(".")
        if parts[0] in _OWNERS:
            for folder in _OWNERS[parts[0]]:
                yield from _files_in(folder)
        for book in self.books():
            stem = parts[2] if len(parts) > 3 and parts[1] == "q" else parts[1] if len(parts) > 2 else ""
            if parts[0] == book.prefix and stem in book.stems:
                yield os.path.join(book.folder, f"{stem}.lp")
                if stem == "general":
                    for part in ("setup", "day", "end"):
                        if part in book.stems:
                            yield os.path.join(book.folder, f"{part}.lp")

    def rule(self, name: str) -> RuleText:
        """The text of a rule. Raises KeyError for an unknown one."""
        if name not in self._single:
            self._single[name] = self._find_rule(name)
        return self._single[name]

    def _find_rule(self, name: str) -> RuleText:
        from .ruletext import read_rule

        for file in self._likely_files(name):
            if rule := read_rule(file, name, self._source_of(file)):
                return rule
        return self.rules[name]

    @cached_property
    def _single(self) -> dict[str, RuleText]:
        return {}

    def _source_of(self, file: str) -> str:
        if file not in self._sources:
            with open(file, encoding="utf-8") as stream:
                self._sources[file] = stream.read()
        return self._sources[file]

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {}

    def question(self, name: str) -> QuestionText:
        """The text of a question that the book names. Raises KeyError for an unknown one."""
        for file in self._likely_files(name):
            if name in (questions := self.text_of(file).questions):
                return questions[name]
        return self.questions[name]

    @cached_property
    def rules(self) -> dict[str, RuleText]:
        """All rules by id, the core's among them."""
        return {name: rule for file in self.text_files() for name, rule in self.text_of(file).rules.items()}

    @cached_property
    def questions(self) -> dict[str, QuestionText]:
        """All questions that the book names, by id."""
        return {
            name: text for file in self.text_files() for name, text in self.text_of(file).questions.items()
        }

    @cached_property
    def conventions(self) -> dict[str, ConventionText]:
        """All conventions by id."""
        files = _files_in("conventions")
        return {name: text for file in files for name, text in self.text_of(file).conventions.items()}


# ---- where they are --------------------------------------------------------------------------


@cache
def encodings() -> str:
    """The folder of the shipped encodings: inside the package when installed, beside it in a checkout."""
    here = os.path.dirname(os.path.realpath(__file__))
    inside = os.path.join(here, "encodings")
    beside = os.path.join(os.path.dirname(here), "encodings")
    return inside if os.path.isdir(os.path.join(inside, "core")) else beside


def _files_in(name: str) -> list[str]:
    """The ``.lp`` files of a folder of the encodings, sorted, without ``words.lp``."""
    folder = os.path.join(encodings(), name)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, n) for n in sorted(names) if n.endswith(".lp") and n != "words.lp"]


def _concept(name: str, file: str | None = None) -> str:
    """The part of the core of this name, which is loaded only with the files that name it.

    Raises InputError, with the file in which it stands, for a name that no concept has.
    """
    known = [os.path.basename(each)[:-3] for each in _files_in("concepts")] if file else [name]
    if name not in known:
        from .model import Place

        near = suggest(name, known)[:1]
        place = Place(str(file), 1, 1)
        raise fail(place, "value.choice", key="concepts", found=name, near=near, choices=known)
    return os.path.join(encodings(), "concepts", f"{name}.lp")


def shipped() -> list[str]:
    """The ids of the shipped rulebooks, sorted."""
    return sorted(name for name in os.listdir(encodings()) if _is_shipped(name))


def _is_id(name: str) -> bool:
    """Whether a word is an id: small Latin letters, digits and underscores, a letter first."""
    return name.isascii() and name.isidentifier() and name.islower() and name[0] != "_"


def _is_shipped(name: str) -> bool:
    return os.path.isfile(os.path.join(encodings(), name, SHIPPED_FILE))


def book_of(name: str) -> str | None:
    """The shipped rulebook to which the id of a rule or question belongs, by its prefix."""
    prefix = name.partition(".")[0]
    for book in shipped():
        if Rulebook.load(book).prefix == prefix:
            return book
    return None


class Books(dict[str, Rulebook]):
    """Rulebooks by id or folder, each loaded when it is first asked for, which may raise InputError."""

    def __missing__(self, name: str) -> Rulebook:
        book = self[name] = Rulebook.load(name)
        return book


def resolve(name: str, file: str | os.PathLike[str]) -> str:
    """What to load for the rulebook that a file names: a shipped id, or a path relative to the file."""
    if _is_id(name) and _is_shipped(name):
        return name
    return os.path.normpath(os.path.join(os.path.dirname(os.fspath(file)), os.path.expanduser(name)))


def _header(file: str) -> dict[str, str]:
    """The ``key: value`` lines of the block comment with which a role file begins."""
    try:
        # Unbuffered and as bytes: all roles of a book are read where a name is no id.
        with open(file, "rb", buffering=0) as stream:
            text = stream.read(_HEADER)
    except OSError:
        return {}
    start = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith(b"%*"):
        return {}
    header = start[2:].partition(b"*%")[0].decode("utf-8", "replace")
    return dict(re.findall(_HEADER_LINE, header))


# ---- book.yaml and rulebook.yaml ---------------------------------------------------------------

_BOOK_KEYS = ("id", "prefix", "name", "source", "options", "things", "extends")
_RESERVED_PREFIXES = ("core", "cv")


def _load(text: str, place: Place | None, above: tuple[str, ...]) -> Rulebook:
    if _is_id(text) and _is_shipped(text):
        return _read_book(os.path.join(encodings(), text), SHIPPED_FILE, above)
    folder = os.path.normpath(text)
    if os.path.isfile(os.path.join(folder, OWN_FILE)):
        real = os.path.realpath(folder)
        if real in above:
            raise fail(place, "book.circle", name=text)
        return _read_book(folder, OWN_FILE, (*above, real))
    if os.path.isdir(folder):
        raise fail(place, "book.no_file", name=text, file=OWN_FILE)
    known = shipped()
    raise fail(place, "book.unknown", name=text, near=suggest(text, known), choices=known)


def _read_book(folder: str, name_of_file: str, above: tuple[str, ...]) -> Rulebook:
    from .fields import Fields
    from .places import parse_yaml, read_text

    file = os.path.join(folder, name_of_file)
    if name_of_file == OWN_FILE:
        from .guard import folder_faults

        if faults := folder_faults(folder):
            raise InputError(faults)
    document = parse_yaml(read_text(file), file)
    faults = document.faults
    fields = Fields(document.root, faults, _BOOK_KEYS)
    own = name_of_file == OWN_FILE
    own_id = fields.word("id", os.path.basename(folder) if own else "")
    prefix = fields.word("prefix")
    names = fields.map("name", ("en", "fa"))
    name = {language: names.word(language) for language in ("en", "fa")}
    for key, value in (("id", own_id), ("prefix", prefix)):
        if not _is_id(value) or value in _RESERVED_PREFIXES:
            faults.append(Fault(fields.place(key), "book.id", {"key": key, "name": value}))
    options = {}
    for key, node in fields.map("options", None).items():
        if spec := _option(key, node, faults):
            options[key] = spec
    read = fields.map("things", None)
    things = {item: read.word(item) for item, _ in read.items()}
    base = None
    if own:
        extends = fields.word("extends")
        if extends and not _is_id(extends):
            extends = os.path.join(folder, extends)
        if extends:
            try:
                base = _load(extends, fields.place("extends"), above)
            except InputError as error:
                faults.extend(error.faults)
        elif "extends" not in fields:
            faults.append(Fault(fields.place(), "key.missing", {"key": "extends", "choices": shipped()}))
        if own_id in shipped():
            faults.append(Fault(fields.place("id"), "book.taken", {"key": "id", "name": own_id}))
        if base and prefix in {book.prefix for book in base.books()}:
            faults.append(Fault(fields.place("prefix"), "book.taken", {"key": "prefix", "name": prefix}))
    if faults:
        raise InputError(faults)
    if base:
        options = {**base.options, **options}
        things = {**base.things, **things}
    return Rulebook(own_id, prefix, name, folder, fields.word("source"), base, options, things)


def _option(key: str, node: Node, faults: list[Fault]) -> OptionSpec | None:
    from .fields import Fields

    fields = Fields(node, faults, ("type", "values", "of", "en", "fa"))
    kind = fields.word("type")
    if kind not in OPTION_TYPES:
        faults.append(
            Fault(
                fields.place("type"),
                "value.choice",
                {"key": "type", "found": kind, "choices": list(OPTION_TYPES)},
            )
        )
        return None
    values = tuple(item.value for item in fields.list("values"))
    return OptionSpec(key, kind, values, fields.word("of", "word"), fields.word("en"), fields.word("fa"))
