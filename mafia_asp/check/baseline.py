"""Findings that a table has accepted, and what differs from an earlier check.

::

    rulebook: classic_advanced
    accepted:
      "contradiction(ca.q.sniper.1)": We roll a die.      # a finding's identity, and why
    baseline:
      - "gap(stops(save,shot(killer)))"                   # what was there when the file was made

What stands under ``baseline`` is renewed by the program; what stands under ``accepted`` never is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from ..errors import Fault, InputError, fail
from ..fields import Fields, items, wrong
from ..files import write_atomically
from ..i18n import N_
from ..model import EMPTY
from ..names import suggest
from ..render.answer import quoted
from .findings import DEEP, KINDS, SEVERITIES, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from ..model import Place
    from ..places import Node
    from ..rulebook import Rulebook
    from .findings import Report


#: Longer identities are refused.
_LONGEST = 500
#: The reason for what a baseline holds.
BASELINE = N_("It stood in the baseline.")
#: the kind of a finding for an entry that matches nothing
UNUSED = "unused-acceptance"
_KEYS = ("rulebook", "accepted", "baseline")


class Accepted(NamedTuple):
    """What a file of accepted findings says."""

    file: str = ""
    #: identity -> why it is accepted
    reasons: Mapping[str, str] = EMPTY
    #: identities that were there when the baseline was made
    baseline: tuple[str, ...] = ()
    places: Mapping[str, Place] = EMPTY


# ---- reading -------------------------------------------------------------------------------------


def read_accepted(file: str | PathLike[str], book: Rulebook) -> Accepted:
    """What a file of accepted findings says. Raises InputError with every fault of the file."""
    from .. import places

    document = places.read(file)[0]
    if isinstance(document, InputError):
        raise document
    return _accepted(document, places.shown_name(file), book, file)


def _accepted(document: Any, name: str, book: Rulebook, file: str | PathLike[str]) -> Accepted:
    faults: list[Fault] = list(document.faults)
    fields = Fields(document.root, faults, _KEYS)
    _check_book(fields, book, file, faults)
    reader = _Entries(book, faults)
    accepted = fields.map("accepted", None)
    reasons = {}
    for key, node in accepted.items():
        place = accepted.node.keys[key].place if accepted.node else node.place
        identity = reader.enter(key, place)
        why = _reason(node, key, faults)
        if identity and why:
            reasons[identity] = why
    baseline = []
    for node in fields.list("baseline"):
        if node.kind in ("list", "map", "null"):
            faults.append(wrong(node, "baseline", "word"))
        elif identity := reader.enter(node.text, node.place):
            baseline.append(identity)
    if faults:
        raise InputError(faults)
    return Accepted(name, reasons, tuple(baseline), reader.places)


def _check_book(fields: Fields, book: Rulebook, file: str | PathLike[str], faults: list[Fault]) -> None:
    named = fields.word("rulebook")
    if not named:
        return
    from ..rulebook import Rulebook, resolve

    try:
        own = Rulebook.load(resolve(named, file))
    except InputError as error:
        faults.extend(Fault(f.place or fields.place("rulebook"), f.code, f.args) for f in error.faults)
        return
    if own.id not in {each.id for each in book.books()}:
        args = {"name": own.id, "wanted": book.id}
        faults.append(Fault(fields.place("rulebook"), "accepted.book", args))


def _reason(node: Node, key: str, faults: list[Fault]) -> str:
    if node.kind in ("list", "map"):
        faults.append(wrong(node, key, "word"))
        return ""
    why = " ".join(node.text.split()) if node.kind != "null" else ""
    if not why:
        faults.append(Fault(node.place, "accepted.reason", {"identity": key}))
    return why


class _Entries:
    """Checks the identities of a file, one after the other."""

    def __init__(self, book: Rulebook, faults: list[Fault]) -> None:
        self.book = book
        self.faults = faults
        self.places: dict[str, Place] = {}

    def enter(self, text: str, place: Place) -> str:
        """Give an identity as the program writes it; nothing after a fault."""
        text = text.strip()
        kind, bracket, rest = text.partition("(")
        if len(text) > _LONGEST or not (bracket and kind and rest.endswith(")") and text.isprintable()):
            self.faults.append(Fault(place, "accepted.form", {"identity": text}))
            return ""
        if kind not in KINDS:
            args = {"kind": kind, "near": suggest(kind, KINDS), "choices": list(KINDS)}
            self.faults.append(Fault(place, "accepted.kind", args))
            return ""
        identity = f"{kind}({_canonical(rest[:-1], self.book)})"
        if identity in self.places:
            again: dict[str, Any] = {"identity": identity, "first": self.places[identity].line}
            self.faults.append(Fault(place, "accepted.twice", again))
            return ""
        self.places[identity] = place
        return identity


def _canonical(text: str, book: Rulebook) -> str:
    """Give a derived id of a question as the program writes it, and any other id as it is."""
    from ..rulings import canonical

    if "~" not in text and "(" not in text:
        return text.strip()
    found = canonical(book, text, None)
    return text.strip() if isinstance(found, Fault) else found[0]


# ---- applying ------------------------------------------------------------------------------------


def apply(report: Report, accepted: Accepted) -> Report:
    """The report with what is accepted marked, and a finding for each entry that matches nothing.

    Where the check was not finished, an entry is reported only if it would have been found by now.
    """
    reasons = {**dict.fromkeys(accepted.baseline, BASELINE), **accepted.reasons}

    def marked(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(f._replace(accepted=reasons.get(f.identity, f.accepted)) for f in findings)

    known = {f.identity for f in (*report.findings, *report.harmless)}
    unused = [
        Finding(
            UNUSED,
            identity,
            message=("accepted.unused", (("identity", identity),)),
            place=accepted.places.get(identity),
        )
        for identity in reasons
        if identity not in known and not _maybe(identity, report)
    ]
    return report._replace(findings=(*marked(report.findings), *unused), harmless=marked(report.harmless))


def _maybe(identity: str, report: Report) -> bool:
    """Tell whether a finding that is not there might have been, had it been looked for to the end."""
    kind, _, id = identity[:-1].partition("(")
    looked = report.complete and report.every_phase and (report.deep or kind not in DEEP)
    elsewhere = not report.elsewhere.isdisjoint(id.split("~"))
    return not looked or elsewhere or id in report.undecided


# ---- renewing ------------------------------------------------------------------------------------


def update_baseline(file: str | PathLike[str], report: Report, book: Rulebook) -> int:
    """Write what is found now under ``baseline``, in a file that is made where there is none.

    What is accepted with a reason of its own stays there, and so do comments. Entries that might
    only not have been found in time stay too. Returns how many entries the baseline has.

    Raises InputError where the file cannot be read, or not renewed with certainty, and OSError.
    """
    from .. import places

    exists = os.path.exists(file)
    before = Accepted()
    text = f"# What this table has accepted.\nrulebook: {quoted(_name_of(book, file))}\n"
    if exists:
        text = places.read_text(file)
        before = _accepted(places.parse_yaml(text, os.fspath(file)), os.fspath(file), book, file)
    found = {f.identity for f in report.findings if f.kind != UNUSED}
    found |= {identity for identity in before.baseline if _maybe(identity, report)}
    entries = sorted(found - set(before.reasons))
    after = _renewed(text, entries, os.fspath(file))
    again = _accepted(places.parse_yaml(after, os.fspath(file)), os.fspath(file), book, file)
    if again.reasons != before.reasons or list(again.baseline) != entries:
        raise fail(None, "baseline.form", file=os.fspath(file))
    write_atomically(file, after)
    return len(entries)


def _name_of(book: Rulebook, file: str | PathLike[str]) -> str:
    """Give what the file writes to mean its rulebook: an id, or a path from where the file is."""
    if book.shipped:
        return book.id
    return os.path.join(os.path.relpath(book.folder, os.path.dirname(os.path.abspath(file))), "")


def _renewed(text: str, entries: list[str], file: str) -> str:
    """Give the text of a file with other entries under ``baseline``; comments stay with their entries."""
    import yaml

    unsure = fail(None, "baseline.form", file=file)
    root = yaml.compose(text, yaml.CSafeLoader)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise unsure
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    place = next((n for n, (key, _value) in enumerate(root.value) if key.value == "baseline"), None)
    if place is None:
        return "".join([*lines, "baseline:\n" if entries else "baseline: []\n", *_items(entries, "  ")])
    key, value = root.value[place]
    row = key.start_mark.line
    if isinstance(value, yaml.SequenceNode) and not value.flow_style:
        indent = " " * (value.start_mark.column)
        first, last = value.start_mark.line, value.value[-1].end_mark.line
        if first == row:
            raise unsure
        kept: dict[str, list[str]] = {}
        above = row + 1
        for item in value.value:
            if item.end_mark.line != item.start_mark.line:
                raise unsure
            kept[item.value] = lines[above : item.end_mark.line + 1]
            above = item.end_mark.line + 1
        end = last + 1
        block = [line for entry in entries for line in kept.get(entry, _items([entry], indent))]
    elif not value.start_mark.line == value.end_mark.line == row or value.value:
        # A list in brackets: it is written anew where it stands alone in its line.
        end = value.end_mark.line + 1
        if lines[value.end_mark.line][value.end_mark.column :].strip() or "#" in "".join(lines[row:end]):
            raise unsure
        block = _items(entries, "  ")
    else:
        end = row + 1
        block = _items(entries, "  ")
    head = "baseline:\n" if entries else "baseline: []\n"
    if "#" in (rest := lines[row][key.end_mark.column :]):
        head = head.rstrip("\n") + "  " + rest[rest.index("#") :]
    return "".join([*lines[:row], head, *block, *lines[end:]])


def _items(entries: Iterable[str], indent: str) -> list[str]:
    return [f"{indent}- {quoted(entry)}\n" for entry in entries]


# ---- comparing -----------------------------------------------------------------------------------


class Found(TypedDict):
    """What a comparison says of a finding."""

    identity: str
    kind: str
    id: str
    severity: str
    message: dict[str, str]


class Base(NamedTuple):
    """An earlier check, as far as a comparison needs it."""

    file: str
    findings: tuple[Found, ...]


class Diff(NamedTuple):
    """What differs from an earlier check, by identity."""

    base: str
    gained: tuple[Found, ...] = ()
    lost: tuple[Found, ...] = ()
    #: found earlier, and this time not looked into
    undecided: tuple[Found, ...] = ()


def read_base(file: str | PathLike[str], book: Rulebook) -> Base:
    """An earlier check's JSON. Raises InputError where it is none, of another format or another rulebook."""
    from .. import places
    from ..render.json import FORMAT

    name = places.shown_name(file)
    document = places.parse_json(places.read_text(file, places.SIZE_OF_LINES), name)
    faults: list[Fault] = list(document.faults)
    if document.root.kind != "map":
        raise fail(document.root.place, "base.form")
    fields = Fields(document.root, faults, None)
    if "findings" not in fields or "format" not in fields:
        raise fail(document.root.place, "base.form")
    if (written := fields.get("format")) is None or written.value != FORMAT or written.kind != "int":
        found = written.text if written else ""
        raise fail(fields.place("format"), "base.format", wanted=FORMAT, given=found)
    if (named := fields.word("rulebook")) != book.id:
        raise fail(fields.place("rulebook"), "base.book", name=named, wanted=book.id)
    findings = tuple(
        _base_finding(node, faults) for node in items(fields.get("findings"), "findings", faults)
    )
    if faults:
        raise InputError(faults)
    return Base(name, findings)


def _base_finding(node: Node, faults: list[Fault]) -> Found:
    fields = Fields(node, faults, None)
    texts = fields.map("message", None)
    found: Found = {
        "identity": fields.word("identity"),
        "kind": fields.word("kind"),
        "id": fields.word("id"),
        "severity": fields.word("severity"),
        "message": {lang: texts.word(lang) for lang in ("en", "fa") if lang in texts},
    }
    fits = found["identity"] == f"{found['kind']}({found['id']})" and found["severity"] in SEVERITIES
    if node.kind == "map" and not fits:
        faults.append(Fault(node.place, "base.finding"))
    return found


def diff(now: Mapping[str, Any], base: Base) -> Diff:
    """Compare a report, as JSON data, with an earlier one: what came and what went, in either's order."""
    current = {f["identity"]: _told(f) for f in now["findings"]}
    earlier = {f["identity"]: f for f in base.findings}
    gone = [f for identity, f in earlier.items() if identity not in current]
    # What was not looked into is not gone; without a finished search, nothing is known to be.
    open_still = [
        f
        for f in gone
        if f["id"] in now["undecided"] or not now["complete"] or (f["kind"] in DEEP and not now["deep"])
    ]
    return Diff(
        base.file,
        tuple(f for identity, f in current.items() if identity not in earlier),
        tuple(f for f in gone if f not in open_still),
        tuple(open_still),
    )


def _told(finding: Mapping[str, Any]) -> Found:
    return {
        "identity": finding["identity"],
        "kind": finding["kind"],
        "id": finding["id"],
        "severity": finding["severity"],
        "message": dict(finding["message"]),
    }
