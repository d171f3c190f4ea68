"""Small encodings of the tests' own, so that reading can be tested without the shipped roles."""

from __future__ import annotations

import shutil
from pathlib import Path

WORDS = Path(__file__).parent.parent / "encodings" / "core" / "words.lp"

BOOK = """\
id: small
prefix: sm
name: {en: Small, fa: کوچک}
source: "9"
options:
  wills: {type: bool, en: Last wills., fa: وصیت.}
  start: {type: word, values: [day, night]}
  extra_times: {type: list, values: [defence, reasoning]}
  turn_order: {type: list, of: player}
  silent: {type: list, of: role}
  spy_shots: {type: int}
"""

ROLES = {
    "don": ("Don", "دان", "پدرخوانده | Godfather"),
    "doctor": ("Doctor", "دکتر", "پزشک"),
    "sniper": ("Sniper", "تک\u200cتیرانداز", "اسنایپر"),
    "thief": ("Dozd", "دزد", "neutral thief"),
    "item_thief": ("Item thief", "دزد آیتم", "Thief | تیف"),
    "murderer": ("Murderer", "قاتل", ""),
    "terrorist": ("Terrorist", "تروریست", "قاتل"),
    "bomber_man": ("Bomber Man", "بمبرمن", "بمب"),
}

TEXT = """
%% sm.doctor.1 | 9:1 | night | rule
%% en: Saves one player.
%% fa: یک نفر را نجات می‌دهد.
does("sm.doctor.1", doctor, save, protect(save)).

%% sm.doctor.2 | 9:2 | night | exception
%% en: Never twice running.
%% fa: نه دو شب پیاپی.
limit("sm.doctor.2", doctor, save, apart(1)).

%? sm.q.doctor.1 | ambiguity | sm.doctor.1 sm.doctor.2
%? en: Does the first night count?
%? fa: شب نخست به حساب می‌آید؟
%? counts | en: It does. | fa: آری. | sm.doctor.2
%? free | en: It does not. | fa: نه.
reading("sm.q.doctor.1", ("counts";"free")).
"""

GENERAL = """
%% sm.general.1 | 9:5 | day | rule
%% en: Days follow nights.
%% fa: روز پس از شب می‌آید.
a.
"""

CONVENTIONS = (
    "%! cv.dead | en: The dead do not act. | fa: مرده کاری نمی‌کند. | reason: en Custom. | fa رسم است.\n"
)


def small_root(folder: Path) -> Path:
    """A folder of encodings with one rulebook of eight roles."""
    root = folder / "encodings"
    for name in ("core", "conventions", "small"):
        (root / name).mkdir(parents=True)
    shutil.copy(WORDS, root / "core" / "words.lp")
    (root / "core" / "claims.lp").write_text(
        "%% core.dead | - | night | rule\n%% en: a\n%% fa: b\na.\n", "utf-8"
    )
    (root / "conventions" / "conventions.lp").write_text(CONVENTIONS, "utf-8")
    (root / "small" / "book.yaml").write_text(BOOK, "utf-8")
    (root / "small" / "general.lp").write_text("%*\nrole: general\n*%\n" + GENERAL, "utf-8")
    for role, (en, fa, aliases) in ROLES.items():
        head = f"%*\nrole: {role}\nen: {en}\nfa: {fa}\naliases: {aliases}\nsource: 9:1-9\n*%\n"
        (root / "small" / f"{role}.lp").write_text(head + (TEXT if role == "doctor" else ""), "utf-8")
    return root


def own_book(folder: Path, **keys: str) -> Path:
    """A rulebook of the user's own that extends the small one."""
    folder.mkdir()
    values = {"id": "mine", "prefix": "mine", "name": "{en: Mine, fa: مال من}", "extends": "small"} | keys
    text = "".join(f"{key}: {value}\n" for key, value in values.items())
    (folder / "rulebook.yaml").write_text(text, "utf-8")
    (folder / "nurse.lp").write_text(
        "%*\nrole: nurse\nen: Nurse\nfa: پرستار\n*%\n" + TEXT.replace("sm.", "mine."), "utf-8"
    )
    (folder / "doctor.lp").write_text("%*\nrole: doctor\nen: Doctor\nfa: طبیب\n*%\n", "utf-8")
    return folder
