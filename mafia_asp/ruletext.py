"""The text of a rulebook: what its rules, questions and conventions say, and in which source.

It stands in comment lines of one fixed form directly above the ASP that encodes it, and is read
by line, only when something is shown or an id is looked up::

    %% ca.doctor.9 | 000:132 | night | exception      a rule: id, source, phase, kind
    %% en: …                                          its words
    %% fa: …
    %? ca.q.sniper.1 | contradiction | ca.sniper.16   a question: id, kind, rules concerned
    %? en: …                                          its words
    %? dies | en: … | fa: … | ca.sniper.16            an answer: id, words, rules it rests on
    %! cv.save_holds | en: … | fa: … | reason: en … | fa …
"""

from __future__ import annotations

import re

from .errors import Fault
from .model import Place

KINDS_OF_RULE = ("rule", "exception", "default", "variant", "advice")
KINDS_OF_QUESTION = ("contradiction", "ambiguity", "gap", "paradox", "circle")
PHASES = ("setup", "intro", "night", "dawn", "day", "vote", "end")

_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+")
# A circle keeps its derived id; a book may give it words of its own.
_QUESTION_ID = re.compile(rf"{_RULE_ID.pattern}|circle\((?:even|odd)(?:,[a-z_]+)+\)")
_WORDS = ("%% en:", "%% fa:")
_LANGUAGE = re.compile(r"(?:reason:\s*)?(en|fa)\b:?\s*(.*)")


class RuleText:
    """One statement of the book."""

    __slots__ = ("en", "fa", "id", "kind", "phase", "place", "source")

    def __init__(self, id: str, source: str, phase: str, kind: str, place: Place) -> None:
        self.id = id
        self.source = source
        self.phase = phase
        self.kind = kind
        self.place = place
        self.en = self.fa = ""


class AnswerText:
    """One answer to a question."""

    __slots__ = ("en", "fa", "id", "rules")

    def __init__(self, id: str) -> None:
        self.id = id
        self.en = self.fa = ""
        self.rules: tuple[str, ...] = ()


class QuestionText:
    """One point that the book leaves open."""

    __slots__ = ("answers", "en", "fa", "id", "kind", "place", "rules")

    def __init__(self, id: str, kind: str, rules: tuple[str, ...], place: Place) -> None:
        self.id = id
        self.kind = kind
        self.rules = rules
        self.place = place
        self.en = self.fa = ""
        self.answers: dict[str, AnswerText] = {}


class ConventionText:
    """What tables do where a book is silent."""

    __slots__ = ("en", "fa", "id", "place", "reason_en", "reason_fa")

    def __init__(self, id: str, place: Place) -> None:
        self.id = id
        self.place = place
        self.en = self.fa = self.reason_en = self.reason_fa = ""


class FileText:
    """The rules, questions and conventions of one file, and the faults in their form."""

    def __init__(self, path: str, text: str | None = None, first: int = 1) -> None:
        self.path = path
        self.rules: dict[str, RuleText] = {}
        self.questions: dict[str, QuestionText] = {}
        self.conventions: dict[str, ConventionText] = {}
        self.faults: list[Fault] = []
        self._rule: RuleText | None = None
        self._question: QuestionText | None = None
        if text is None:
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
        for number, line in enumerate(text.splitlines(), first):
            bare = line.lstrip()
            sign = bare[:2]
            if sign in ("%%", "%?", "%!"):
                place = Place(path, number, len(line) - len(bare) + 1)
                parts = [part.strip() for part in bare[2:].strip().split(" | ")]
                {"%%": self._read_rule, "%?": self._read_question, "%!": self._read_convention}[sign](
                    parts, place
                )
            elif bare and not bare.startswith("%"):
                self._close()
        self._close()

    def _fault(self, place: Place, code: str, **args: object) -> None:
        self.faults.append(Fault(place, code, args))

    def _close(self) -> None:
        for text in (self._rule, self._question):
            if text is not None and not (text.en and text.fa):
                self._fault(text.place, "text.words", id=text.id, language="fa" if text.en else "en")
        if self._question is not None and len(self._question.answers) < 2:
            self._fault(self._question.place, "text.answers", id=self._question.id)
        self._rule = self._question = None

    def _read_rule(self, parts: list[str], place: Place) -> None:
        if self._question is not None:
            self._close()
        if (words := _language(parts)) is not None:
            if self._rule is None:
                self._fault(place, "text.stray")
            else:
                setattr(self._rule, words[0], words[1])
            return
        self._close()
        if (
            len(parts) != 4
            or not _RULE_ID.fullmatch(parts[0])
            or parts[2] not in PHASES
            or parts[3] not in KINDS_OF_RULE
        ):
            self._fault(place, "text.rule", line=" | ".join(parts))
            return
        rule = RuleText(parts[0], parts[1], parts[2], parts[3], place)
        if rule.id in self.rules:
            self._fault(place, "text.twice", id=rule.id, first=self.rules[rule.id].place.line)
            return
        self.rules[rule.id] = self._rule = rule

    def _read_question(self, parts: list[str], place: Place) -> None:
        if self._rule is not None:
            self._close()
        if (words := _language(parts)) is not None:
            if self._question is None:
                self._fault(place, "text.stray")
            else:
                setattr(self._question, words[0], words[1])
        elif len(parts) in (2, 3) and _QUESTION_ID.fullmatch(parts[0]) and parts[1] in KINDS_OF_QUESTION:
            self._close()
            rules = tuple(parts[2].split()) if len(parts) == 3 else ()
            question = QuestionText(parts[0], parts[1], rules, place)
            if question.id in self.questions:
                self._fault(place, "text.twice", id=question.id, first=self.questions[question.id].place.line)
            else:
                self.questions[question.id] = self._question = question
        elif self._question is not None and len(parts) > 1 and re.fullmatch(r"\w+", parts[0]):
            answer = self._question.answers.setdefault(parts[0], AnswerText(parts[0]))
            for part in parts[1:]:
                if words := _language([part]):
                    setattr(answer, words[0], words[1])
                else:
                    answer.rules = tuple(part.split())
        else:
            self._fault(place, "text.question", line=" | ".join(parts))

    def _read_convention(self, parts: list[str], place: Place) -> None:
        self._close()
        if not re.fullmatch(r"cv\.\w+", parts[0]):
            self._fault(place, "text.convention", line=" | ".join(parts))
            return
        convention = ConventionText(parts[0], place)
        before = ""
        for part in parts[1:]:
            words = _language([part])
            if words is None:
                self._fault(place, "text.convention", line=part)
                continue
            before = "reason_" if before or part.startswith("reason:") else ""
            setattr(convention, before + words[0], words[1])
        if not (convention.en and convention.fa):
            self._fault(place, "text.words", id=convention.id, language="fa" if convention.en else "en")
        self.conventions[convention.id] = convention


def read_rule(file: str, name: str, text: str) -> RuleText | None:
    """One rule out of the text of a file, without reading the rest; None where it is not found.

    It is what :class:`FileText` has, for a file without faults.
    """
    start = text.find(f"\n%% {name} | ")
    if start < 0:
        return None
    end = text.find("\n", start + 1)
    while end > 0 and text.startswith(_WORDS, end + 1):
        end = text.find("\n", end + 1)
    rule = text[start + 1 : end] if end > 0 else text[start + 1 :]
    return FileText(file, rule, text.count("\n", 0, start) + 2).rules.get(name)


def _language(parts: list[str]) -> tuple[str, str] | None:
    """The language and the words of a part like ``en: …``; None for any other part."""
    match = _LANGUAGE.fullmatch(parts[0])
    if match is None:
        return None
    return match[1], " | ".join([match[2], *parts[1:]]).strip()
