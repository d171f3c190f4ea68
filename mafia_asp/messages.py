"""The sentences for faults, by code. Persian stands in the message catalogue.

Each says what is wrong and what would be right. Words from the input are shown with everything
unprintable escaped and cut short; ``near`` and ``choices`` are added as further sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .i18n import N_, current_language, number
from .i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Mapping

#: At most so many characters of a word from the input are shown.
_SHOWN = 80
#: At most so many choices are listed.
_LISTED = 24


_SENTENCES = {
    # files
    "file.missing": N_("There is no file {file}."),
    "file.folder": N_("{file} is a folder; a file is needed here."),
    "file.special": N_(
        "{file} is a pipe or a device, and only regular files are read. "
        "Pipe the text in and write - for the file."
    ),
    "file.unreadable": N_("{file} cannot be read: {why}."),
    "file.large": N_(
        "This is larger than {limit} bytes, the most that is read. Split it into several files."
    ),
    "file.utf16": N_("This is not UTF-8 text; it looks like UTF-16. Save it as UTF-8."),
    "file.binary": N_("This is not a text file: byte {byte} is no UTF-8. A YAML or JSON file is needed."),
    "file.utf8": N_("Byte {byte} is not UTF-8 text. Save the file as UTF-8."),
    "file.nul": N_("There is a NUL character in the text. Remove it."),
    "file.control": N_("The character {character} may not stand in the text. Remove it."),
    "file.empty": N_("The file is empty. 'mafia-asp new' prints one to start from."),
    "file.kind": N_("A map (lines of 'key: value') is needed here, and this is {found}."),
    "folder.empty": N_("No scenario was found in the folder {name}."),
    "pattern.empty": N_("No file fits the pattern {name}."),
    # batch
    "batch.failed": N_("This could not be decided: {problem}."),
    "batch.died": N_("The process that was to decide this ended before it could answer."),
    "batch.resume": N_("This is no line of an answer of 'mafia-asp batch', so nothing is added to the file."),
    # YAML and JSON
    "yaml.syntax": N_("This is not YAML: {problem}."),
    "yaml.tab": N_("A tab stands where the line is indented. Indent with spaces."),
    "yaml.colon": N_(
        "A colon stands where it cannot. Put a value that holds ': ' into quotes, and begin each "
        "key on a line of its own."
    ),
    "yaml.no_colon": N_("A key without its colon. Write 'key: value', with a space after the colon."),
    "yaml.start": N_("A value cannot begin with {character}. Put it into quotes."),
    "yaml.quote": N_("The quotation mark that opens here is never closed."),
    "yaml.indent": N_(
        "This line does not fit the ones above it. Indent it as its neighbours are, or close the "
        "bracket or quote before it."
    ),
    "yaml.bracket": N_("A bracket is not closed: a comma or {bracket} is missing before this."),
    "yaml.documents": N_(
        "A second document begins here. Several scenarios go into one list under 'scenarios:'."
    ),
    "yaml.alias": N_("Aliases (*{name}) are not accepted. Write the value out."),
    "yaml.anchor": N_("Anchors (&{name}) are not accepted. Remove it."),
    "yaml.tag": N_("Tags ({name}) are not accepted. Remove it, and quote the value if it is to be a word."),
    "yaml.key": N_("A key must be a word, and this is a list or a map."),
    "json.value": N_(
        "This is not JSON: a value is missing here, and {found} was found. Words stand in double quotes."
    ),
    "json.end": N_("The JSON text ends too early: a value, or a closing bracket, is missing."),
    "json.more": N_("The JSON text goes on after its end. One value a file; one a line in a .jsonl file."),
    "json.string": N_("This is not JSON: a text in double quotes is broken ({problem})."),
    "json.key": N_("This is not JSON: a key in double quotes is missing here."),
    "json.colon": N_("This is not JSON: a colon is missing after the key."),
    "json.comma": N_("This is not JSON: a comma or {bracket} is missing here."),
    "data.twice": N_("The key {key} stands twice; the first is in line {first}. Remove one of them."),
    "data.plain": N_("A scenario is made of texts, numbers, lists and maps only: {problem}"),
    "data.deep": N_("Lists and maps are nested more than {limit} deep."),
    # keys and values
    "key.unknown": N_("There is no key {key} here."),
    "key.missing": N_("The key {key} is missing."),
    "value.kind": N_("{key} needs {wanted}, and this is {found}."),
    "value.range": N_("{key} needs a whole number from {least} to {most}, and this is {text}."),
    "value.choice": N_("{key} cannot be {found}."),
    # scenarios
    "scenarios.none": N_("There is no scenario in the list 'scenarios:'."),
    "scenarios.nested": N_("A scenario cannot hold 'scenarios:' of its own."),
    "scenario.both": N_("'night' and 'day' are both given. Give the one that the phase needs."),
    "scenario.day": N_(
        "'day' is given, and the phase is a night. Write 'phase: day', or 'night' with its number."
    ),
    "scenario.game": N_("This is the file of a whole game. 'mafia-asp game' tells and continues it."),
    "inline.player": N_("A player is written as NAME=ROLE, and this is {text}."),
    "inline.none": N_("There are no players. Write them as 'Ali=don, Sara=sniper', in seating order."),
    "inline.twice": N_("Two players are called {name}. Tell them apart."),
    "inline.comma": N_("A comma is missing between two players in {text}."),
    "inline.semicolon": N_(
        "A second action begins with {text}. Put a semicolon between actions: 'Ali shoot Sara; Sara save "
        "Ali'."
    ),
    "inline.action": N_("An action is written as NAME VERB NAME, and this is {text}."),
    # rulebooks
    "book.unknown": N_("There is no rulebook {name}: neither a shipped one, nor a folder."),
    "book.no_file": N_("The folder {name} holds no rulebook: its {file} is missing."),
    "book.circle": N_("The rulebook {name} extends itself."),
    "book.id": N_(
        "The {key} of a rulebook is a word of small Latin letters, digits and underscores, and "
        "{name} is not (or is reserved)."
    ),
    "book.taken": N_("The {key} {name} already belongs to another rulebook. Choose another."),
    "option.unknown": N_("The rulebook {rulebook} has no option {id}."),
    "convention.unknown": N_("There is no convention {id}."),
    # players
    "players.missing": N_(
        "There are no players. Write 'players:' and below it 'Name: role', in seating order."
    ),
    "player.name": N_(
        "{name} cannot be a player's name. A name has 1 to {limit} characters, and no line breaks."
    ),
    "player.direction": N_(
        "The name {name} holds a character that turns the direction of writing. Remove it."
    ),
    "player.reserved": N_("No player may be called {name}: the word is reserved."),
    "player.twice": N_(
        "Two players have one name: {name} is the same as {other} in line {first}. Tell them apart."
    ),
    "player.role": N_("{name} needs a role: write 'Name: role', or a map with 'role: …'."),
    "player.state_twice": N_("{key} is given twice, here and under 'was'. Remove one of them."),
    "player.unknown": N_("There is no player {name}."),
    "role.unknown": N_("The rulebook {rulebook} has no role {name}. 'mafia-asp roles' lists them."),
    "role.ambiguous": N_("{name} is the name of several roles. Write the id of the one that is meant."),
    "item.unknown": N_("There is no item {name}."),
    "team.unknown": N_("There is no side {name}."),
    # actions
    "action.form": N_("An action is written as 'Name: {{verb: Name}}'."),
    "action.actors": N_("One entry, one actor, and here are {names}. Begin each with a hyphen of its own."),
    "action.deed": N_("What {name} does is written as '{{verb: Name}}'."),
    "action.verbs": N_("One entry, one verb (and 'with'). Found: {names}."),
    "actor.unknown": N_("{name} acts, and is not among the players."),
    "actor.reserved": N_("{name} cannot act."),
    "verb.unknown": N_("There is no verb {name}."),
    "verb.ambiguous": N_("{name} may mean several verbs. Write the id of the one that is meant."),
    "target.one": N_("The verb {verb} takes one target. Named here: {given}."),
    "target.exact": N_("The verb {verb} takes {most} targets. Named here: {given}."),
    "target.number": N_("The verb {verb} takes {least} to {most} targets. Named here: {given}."),
    "target.nobody": N_("'nobody' stands alone: '{verb}: nobody' is a pass."),
    "target.group": N_("The verb {verb} needs a player, and {name} is none."),
    "target.unknown": N_("The verb {verb} needs a player, a role or a side, and {name} is none."),
    # questions and rulings
    "question.unknown": N_("The rulebook {rulebook} has no question {id}."),
    "question.form": N_(
        "{id} is not the id of a question. One looks like ca.q.sniper.1, or like stops(save,shot(killer))."
    ),
    "question.dispute": N_(
        "{id} is not the id of a dispute: it needs two or more different rules, joined by ~."
    ),
    "question.table": N_("There is no question of the form {name}(…)."),
    "question.arguments": N_("{id} has the wrong number of arguments: from {least} to {most} are needed."),
    "question.circle": N_("{id} is not the id of a circle: it needs even or odd, and then the verbs."),
    "rule.unknown": N_("The rulebook {rulebook} has no rule {id}."),
    "answer.missing": N_("The ruling on {id} has no answer."),
    "answer.kind": N_("The answer to {id} must be a single word."),
    "answer.unknown": N_("{answer} is no answer to {id}."),
    "ruling.twice": N_("There are two rulings on {id}; the first is in line {first}. Remove one of them."),
    "ruling.contrary": N_(
        "The ruling {answer} on {id} contradicts another ruling, which means {other}. Keep one of them."
    ),
    "ruling.assumed": N_("--assume answers {id} twice, with {answer} and {other}. Keep one of them."),
    "ruling.circle": N_(
        "These rulings contradict each other, since by them rules prevail over each other in a "
        "circle: {ids}. Change one."
    ),
    "rulings.book": N_("These rulings are for the rulebook {name}, and the scenario uses {wanted}."),
    "assume.form": N_("An assumption is written as ID=ANSWER, and this is {text}."),
    # findings
    "accepted.book": N_("These findings are accepted for the rulebook {name}, and {wanted} is checked."),
    "accepted.form": N_(
        "{identity} names no finding. One is named by its kind and id, as in contradiction(ca.q.sniper.1)."
    ),
    "accepted.kind": N_("There is no kind of finding {kind}."),
    "accepted.reason": N_("{identity} needs a reason: why does your table accept it?"),
    "accepted.twice": N_("{identity} stands twice; the first is in line {first}. Remove one of them."),
    "deep.dead-rule": N_("No night of this role set fires {rule}."),
    "deep.shadowed-rule": N_("{rule} is overruled wherever it applies, here by {by}."),
    "deep.redundant-rule": N_("Without {rule} every night of this role set would end just the same."),
    "accepted.unused": N_("{identity} is accepted, and is not found any more. Take the entry out."),
    "composition.least": N_("{roles}: only with {wanted} players or more. This set has {players}."),
    "composition.roles": N_(
        "{roles}: the set does not keep what the book says of this. It has {players} players: {sides}."
    ),
    "composition.set": N_(
        "The set does not keep what the book says of who plays. It has {players} players: {sides}."
    ),
    "order.missing": N_("{role} acts at night, and has no place in the order in which roles are called."),
    "order.late": N_(
        "{role} is called before {other}, but must be told something that hangs on what {other} does."
    ),
    "order.loose": N_(
        "What {role} is told hangs on what {other} does, and the order of calls does not say which of the "
        "two comes first."
    ),
    "ruled.unraised": N_("No night of this role set asks {id}: the ruling {answer} is not used."),
    "ruled.unraised_so_far": N_(
        "No night that was searched asks {id}: the ruling {answer} is not used. With --state and --gone more "
        "nights are searched."
    ),
    "ruled.harmless": N_(
        "{id} comes up, but no night of this role set ends otherwise by the ruling {answer}."
    ),
    "misspelt.word": N_("Nothing declares {name}, so what is written here of it never holds."),
    "misspelt.new": N_(
        "Nothing declares {name}, so what is written here of it never holds. If the word is new, "
        "name it in a words.lp beside the rulebook's files: {row}"
    ),
    "misspelt.atom": N_("No rule says {name}, so this condition is never fulfilled."),
    "baseline.form": N_(
        "The list 'baseline' in {file} cannot be renewed with certainty. Write it one entry a line, each "
        "after a hyphen."
    ),
    "base.form": N_("This is not the JSON of a check. 'mafia-asp check --format json' prints it."),
    "base.format": N_("This is format {given} of a check's JSON, and {wanted} is needed. Print it anew."),
    "base.book": N_("This check is of the rulebook {name}, and {wanted} is checked now."),
    "base.finding": N_("This is not a finding: identity, kind, id and severity must be there and agree."),
    "finding.kind": N_("{id} is no finding of the kind {given}: it is '{kind}({id})'."),
    "finding.unknown": N_("There is no kind of finding {name}, and no question or rule with this id."),
    # expectations
    "expect.readings": N_("'readings' needs 'open' beside it: the ids of the questions that divide them."),
    "expect.answer": N_("{answer} is no answer to the questions under 'open'."),
    "token.unknown": N_("There is no announcement {name}."),
    "winner.unknown": N_("{name} is neither a side nor a role that could win."),
    # texts of a rulebook
    "text.rule": N_("A rule's first line is '%% id | source | phase | kind', and this is {line}."),
    "text.question": N_(
        "A question's first line is '%? id | kind | rules', an answer's '%? id | en: … | fa: … | "
        "rules', and this is {line}."
    ),
    "text.convention": N_(
        "A convention is '%! cv.name | en: … | fa: … | reason: en … | fa …', and this is {line}."
    ),
    "text.stray": N_(
        "These words belong to no rule or question: the line with its id is missing above them."
    ),
    "text.words": N_("{id} has no words in the language {language}."),
    "text.answers": N_("The question {id} has fewer than two answers."),
    "words.row": N_("This is not a row of words.lp: {line}"),
    "text.twice": N_("The id {id} is already taken in line {first}."),
    # questions why
    "why.player": N_("{text} is no player here, and a question begins with a player's name."),
    "why.form": N_("The question {text} is not understood. After a name, one of a few phrases may stand."),
    "why.answer": N_("{text} is nothing that a player could be told."),
    # games
    "game.no_format": N_("A game file begins with 'format: {format}', and this does not."),
    "game.format": N_("This is a game file of format {text}, and format {format} is read here."),
    "game.order": N_("The phase {found} cannot come here."),
    "game.number": N_("This {phase} has the number {number}, and not {found}: the phases are counted on."),
    "game.ruling": N_(
        "The question {id} was answered with {answer} in line {first}, and that holds for the whole game."
    ),
    "game.ruled": N_("The question {id} is answered in this game: {answer}. It cannot be {other} now."),
    "game.state": N_("The players of this scenario are not as they are in the game by now."),
    "game.layout": N_(
        "The phases cannot be changed here with certainty. Write 'phases:' on a line of its own, and below "
        "it each phase as an item that begins with '- '."
    ),
    "game.over": N_("The game was over before this: the {phase} has been won by {winner}."),
    "game.unknown": N_("In a game the target of {verb} has to be named."),
    "game.illegal": N_("This phase ({phase}) cannot go on as it is told. 'mafia-asp game' tells the reason."),
    "game.open": N_("The question {id} is open here. Its answer stands under 'rulings:'."),
    "game.draw": N_("The book draws a lot here. What it brought is told as the moderator's 'draw'."),
    "game.followed": N_("{key}: {said} is noted here, and from what was told follows {follows}."),
    # limits
    "time": N_("The limit of {seconds} seconds was hit before everything was decided."),
    "memory": N_("The limit of {bytes} bytes of memory was hit before everything was decided."),
    "ground": N_("The rules of this rulebook could not be worked out: {problem}"),
    "unknown.many": N_("There are more than {limit} ways to fill in the unknown targets. Name some of them."),
    "no_answer": N_("The rules of this rulebook contradict themselves: no outcome satisfies them."),
    # rulebooks of the user's own
    "guard.aspif": N_(
        "This is not the text of a rulebook but a translated program (aspif), which is not accepted."
    ),
    "guard.directive": N_("A rulebook may not use {name}."),
    "guard.script": N_("A rulebook may not call functions outside itself (@)."),
    "guard.theory": N_("A rulebook may not use theory atoms (&)."),
    "guard.deep": N_("Brackets are nested more than {limit} deep."),
    "guard.comment": N_("The block comment that opens here is never closed."),
    "guard.string": N_(
        "The quotation mark that opens here is not closed in its line, or a backslash in it stands before "
        "something else than a backslash, a quotation mark or n."
    ),
    "guard.syntax": N_("This is not a rule: {problem}."),
    "guard.statement": N_("A rulebook may only hold rules, facts and comments, and this is {name}."),
    "guard.constraint": N_(
        "A rule without a head (a constraint) is not accepted. Say what follows, as a claim or a table."
    ),
    "guard.head": N_("The head of a rule must be a single atom, and this is {name}."),
    "guard.predicate": N_("A rulebook may not define {name}."),
    "guard.const": N_("{name} has a meaning of its own and may not be made a constant."),
    "guard.letter": N_(
        "The character {character} ({number}) may stand only in comments and in quotes. Write names in "
        "small Latin letters."
    ),
    "guard.taken": N_(
        "A rulebook may not define {name}: the name is in use. Choose another, or another prefix."
    ),
    "guard.loop": N_(
        "{name} depends on its own negation, through {other}. Rules must not go in such a circle."
    ),
    "guard.role": N_("This file says that its role is {name}; it must then be called {file}."),
    "guard.link": N_("{name} is a link that leads out of the rulebook's folder. Put the file itself there."),
    "guard.unsafe": N_(
        "This rule does not say what {names} may be. Each variable must stand in a condition without 'not'."
    ),
    "guard.ground": N_("This cannot be worked out: {problem}"),
    "guard.shape": N_(
        "An argument of {name} is wrong: {value} cannot stand there. What follows from it: {found}."
    ),
    "guard.contradiction": N_(
        "With this rule no outcome is left: what it says depends on its own opposite. "
        "Without it there is one."
    ),
    "guard.failed": N_("The rules of this rulebook led to what no outcome can hold: {problem}"),
    "guard.died": N_("The process that worked out this rulebook ended before it answered (status {status})."),
    "guard.no_roles": N_("The folder {name} holds no .lp file, so it has no role of its own."),
}

_NEAR = N_("Did you mean {near}?")
_CHOICES = N_("What fits: {choices}.")
_OR = N_(" or ")
_COMMA = N_(", ")

_KINDS = {
    "null": N_("nothing"),
    "bool": N_("true or false"),
    "int": N_("a whole number"),
    "number": N_("a number"),
    "word": N_("a word"),
    "list": N_("a list"),
    "map": N_("a map"),
    "player": N_("a player's name"),
    "role": N_("a role"),
    "verb": N_("a verb"),
    "item": N_("an item"),
    "team": N_("a side"),
    "token": N_("an announcement"),
    "actions": N_("a list of actions"),
}


def sentence(code: str, args: Mapping[str, Any]) -> str:
    """What a fault says, in the language of this context. An unknown code is shown with its words."""
    template = _SENTENCES.get(code)
    if template is None:
        return f"{code}: " + ", ".join(f"{key}={_shown(value)}" for key, value in args.items())
    words = {key: _words(key, value) for key, value in args.items()}
    sentences = [_(template).format_map(_Lenient(words))]
    if near := args.get("near"):
        sentences.append(_(_NEAR).format(near=_listed(near, _(_OR))))
    elif choices := args.get("choices"):
        sentences.append(_(_CHOICES).format(choices=_listed(choices, _(_COMMA))))
    return " ".join(sentences)


def codes() -> list[str]:
    """Every code that has a sentence."""
    return list(_SENTENCES)


class _Lenient(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "…"


def _words(key: str, value: Any) -> str:
    if key in ("wanted", "found") and value in _KINDS:
        return _(_KINDS[value])
    if isinstance(value, (list, tuple)):
        return _listed(value, _(_COMMA))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value) if isinstance(value, int) else _decimal(value)
    return _shown(value)


def _decimal(value: float) -> str:
    whole, _point, rest = f"{value:g}".partition(".")
    if not whole.isdigit():
        return f"{value:g}"
    point = "\u066b" if current_language() == "fa" else "."
    return number(int(whole)) + (point + "".join(number(int(digit)) for digit in rest) if rest else "")


def _listed(values: Any, between: str) -> str:
    shown = [_shown(value) for value in list(values)[:_LISTED]]
    return between.join(shown) + (" …" if len(values) > _LISTED else "")


def _shown(value: Any) -> str:
    """A word from the input, safe to print; inside Persian, isolated from the direction around it."""
    text = str(value)
    if len(text) > _SHOWN:
        text = text[:_SHOWN] + "…"
    text = "".join(c if c.isprintable() or c == "\u200c" else f"\\u{ord(c):04x}" for c in text)
    return f"\u2068{text}\u2069" if current_language() == "fa" and not isinstance(value, int) else text
