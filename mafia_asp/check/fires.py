"""Rules that say in which nights the rules of a rulebook fire, made from the text of the program.

A rule fires in a night

- where one of its statements with a condition that depends on the night (said, done, who plays) holds;
- where what one of its other statements says (a row of a table: `stops("my.1",save,fire)`) becomes the reason
  of something: the table's rule id is passed on to a claim, to a deed, to an entry of an outcome;
- where no rule passes the id on (`acts_in(_,F)`), or the statement has none, as soon as a rule that depends
  on the night and reads the row is met by it.

What follows from a rule's own claim (that it prevails, say) is no firing of another kind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .owned import Owned, ids_of
from .program import depending

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from .program import Statement, Use

_VARIABLE = re.compile(r"_*[A-Z][\w']*")
_STRING_OR_BLANK = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w\'])_(?![\w\'])')
_CLAIM = ("claim", 2)

#: a predicate by name and number of arguments
Name = tuple[str, int]


class _Rule(NamedTuple):
    """A statement with what is asked of it again and again."""

    of: Owned
    head: Use | None
    body: tuple[Use, ...]
    #: its condition depends on the night
    varies: bool

    @property
    def text(self) -> Statement:
        return self.of.statement

    def name(self, use: Use) -> Name:
        return use.name, len(self.text.arguments(use))

    def argument(self, use: Use, place: int) -> str:
        return self.text.arguments(use)[place]


def instrumented(program: Sequence[Owned], given: Iterable[str], rules: Collection[str]) -> list[str]:
    """Return rules for `acts(R)`: rule R of `rules` fires by something else than a claim.

    `given` are the predicates that a night gives. (`claims(R)` needs no text: see fires.lp.)
    """
    changing = depending([each.statement for each in program], given)
    every = [_rule(each, changing) for each in program]
    places = _id_places(every, rules)
    from_claims = _descendants(every, places)
    passed_on = _passed_on(every, places)
    found = [
        line
        for each in every
        if each.varies and each.head
        for line in _varying(each, each.head, places, from_claims, rules)
    ]
    fixed = [each for each in every if not each.varies and each.head and each.of.rules(rules)]
    silent = [
        each for each in fixed if not _has_id(each, places, rules) or each.name(_head(each)) not in passed_on
    ]
    for each in silent:
        head = each.text.text[: each.of.turn].strip()
        body = f", {each.of.body}" if each.of.body else ""
        # Of a head that lists several rules, each has a row of its own.
        owners = ids_of(_id(each, each.head, places), rules) or each.of.rules(rules)
        for owner in owners:
            found.append(f'acts("{owner}") :- {_read(_only(head, owner, owners))}{body}.')
    return found + list(_readers(every, {each.name(_head(each)) for each in silent}))


def bearing_ids(program: Sequence[Owned], rules: Collection[str]) -> set[str]:
    """Return the predicates in which ids of rules stand."""
    return {name for name, _ in _id_places([_rule(each, ()) for each in program], rules)}


def _rule(each: Owned, changing: Collection[str]) -> _Rule:
    body = tuple(use for use in each.statement.uses if not use.head)
    return _Rule(each, each.head, body, any(use.name in changing for use in body))


def _head(rule: _Rule) -> Use:
    assert rule.head is not None
    return rule.head


def _only(head: str, owner: str, owners: Sequence[str]) -> str:
    """Return a head for one of the rules that it lists."""
    if len(owners) < 2:
        return head
    listed = re.compile(r"\(\s*" + r"\s*;\s*".join(re.escape(f'"{id}"') for id in owners) + r"\s*\)")
    return listed.sub(f'"{owner}"', head)


def _read(atom: str) -> str:
    return f"read({atom})"


# ---- where ids of rules stand ----------------------------------------------------------------------


def _id_places(every: Iterable[_Rule], rules: Collection[str]) -> dict[Name, int]:
    """Return the first argument of each predicate in which ids of rules stand."""
    found: dict[Name, set[int]] = {_CLAIM: {0}}
    known = [each for each in every if each.head]
    for each in known:
        head = _head(each)
        for place, argument in enumerate(each.text.arguments(head)):
            if ids_of(argument, rules):
                found.setdefault(each.name(head), set()).add(place)
    changed = True
    while changed:
        changed = False
        for each in known:
            head = _head(each)
            ids = {each.argument(use, place) for use in each.body for place in found.get(each.name(use), ())}
            for place, argument in enumerate(each.text.arguments(head)):
                at = found.get(each.name(head), set())
                if argument in ids and place not in at and _VARIABLE.fullmatch(argument):
                    found.setdefault(each.name(head), set()).add(place)
                    changed = True
    return {name: min(at) for name, at in found.items()}


def _id(rule: _Rule, use: Use | None, places: dict[Name, int]) -> str:
    """Return what stands where an atom has the id of a rule."""
    if use is None or (place := places.get(rule.name(use))) is None:
        return ""
    return rule.argument(use, place)


def _has_id(rule: _Rule, places: dict[Name, int], rules: Collection[str]) -> bool:
    return bool(ids_of(_id(rule, rule.head, places), rules))


def _descendants(every: Iterable[_Rule], places: dict[Name, int]) -> set[Name]:
    """Return the predicates that have their rule from a claim, with the claim itself."""
    found = {_CLAIM}
    changed = True
    while changed:
        changed = False
        for each in every:
            if each.head and each.name(each.head) not in found and _from(each, places, found):
                found.add(each.name(each.head))
                changed = True
    return found


def _from(rule: _Rule, places: dict[Name, int], names: Collection[Name]) -> bool:
    """Tell whether a statement's head has its id from an atom of one of these predicates."""
    id = _id(rule, rule.head, places)
    return bool(id) and any(_id(rule, use, places) == id for use in rule.body if rule.name(use) in names)


def _passed_on(every: Sequence[_Rule], places: dict[Name, int]) -> set[Name]:
    """Return the tables whose id some rule passes on to what depends on the night."""
    found: set[Name] = set()
    changed = True
    while changed:
        changed = False
        for each in every:
            id = _id(each, each.head, places)
            if not id or not (each.varies or each.name(_head(each)) in found):
                continue
            for use in each.body:
                if _id(each, use, places) == id and each.name(use) not in found:
                    found.add(each.name(use))
                    changed = True
    return found


# ---- the rules that are added ------------------------------------------------------------------------


def _varying(
    rule: _Rule, head: Use, places: dict[Name, int], from_claims: Collection[Name], rules: Collection[str]
) -> Iterator[str]:
    """Yield the text for a statement whose condition depends on the night."""
    id = _id(rule, head, places)
    if rule.name(head) == _CLAIM or _from(rule, places, from_claims):
        return
    if ids_of(id, rules) or _VARIABLE.fullmatch(id):
        yield f"acts({id}) :- {rule.of.body}."
    else:
        yield from (f'acts("{owner}") :- {rule.of.body}.' for owner in rule.of.rules(rules))


def _readers(every: Sequence[_Rule], wanted: set[Name]) -> Iterator[str]:
    """Yield the text for `read(Atom)`: a rule that depends on the night reads this row of a silent table."""
    wanted = set(wanted)
    done: set[tuple[int, int]] = set()
    changed = True
    while changed:
        changed = False
        for number, each in enumerate(every):
            for use in each.body:
                if each.name(use) not in wanted or (number, use.start) in done:
                    continue
                done.add((number, use.start))
                changed = True
                yield _reader(each, use)
                if not each.varies and each.head:
                    wanted.add(each.name(each.head))


def _reader(rule: _Rule, use: Use) -> str:
    """Return the text for one place where a table is read; what is denied there is read where it is so."""
    text = rule.text.text
    blanks = iter(range(10**6))
    atom = _STRING_OR_BLANK.sub(
        lambda found: found[0] if found[0] != "_" else f"Any{next(blanks)}", text[use.start : use.after]
    )
    heads = [one for one in rule.text.uses if one.head]
    if rule.head is None and len(heads) == 1 and use.start < rule.of.turn:
        # What may be chosen is read where it is.
        return f"{_read(atom)} :- {text[heads[0].start : heads[0].after]}, {atom}."
    if rule.head is None or _enclosed(rule, use):
        # In a set, a condition, a constraint: whatever is there counts as read.
        blank = ",".join(f"Any{n}" for n in range(len(rule.text.arguments(use))))
        whole = f"{use.name}({blank})" if blank else use.name
        return f"{_read(whole)} :- {whole}."
    start = use.start
    before = text[:start].rstrip()
    if before.endswith("not") and not before[:-3][-1:].isalnum():
        start = len(before) - 3
    body = (text[rule.of.turn + 2 : start] + atom + text[use.after :]).strip()
    if not rule.varies and rule.head:
        body += f", {_read(text[: rule.of.turn].strip())}"
    return f"{_read(atom)} :- {body}."


def _enclosed(rule: _Rule, use: Use) -> bool:
    """Tell whether an atom stands in braces or beside a colon."""
    body = re.sub(r'"(?:[^"\\]|\\.)*"', '""', rule.text.text[rule.of.turn + 2 :])
    before = re.sub(r'"(?:[^"\\]|\\.)*"', '""', rule.text.text[: use.start])
    return before.count("{") > before.count("}") or ":" in body
