"""What each kind of finding means: its name, why it hurts at the table, an example, how to settle it.

The words are in English here and in the message catalogue in Persian.
"""

from __future__ import annotations

from typing import NamedTuple

from ..i18n import N_
from .findings import KINDS


class KindText(NamedTuple):
    """The words for one kind of finding, in English; :func:`mafia_asp.i18n.gettext` translates them."""

    #: one of them, and the heading above several
    name: str
    heading: str
    means: str
    hurts: str
    example: str
    settle: str
    #: a night that shows the example: players and actions as ``mafia-asp night`` takes them
    night: tuple[str, str] | None = None


TEXTS = {
    "contradiction": KindText(
        N_("contradiction"),
        N_("Contradictions"),
        N_("Two statements of the rulebook claim different things of one moment, and neither goes first."),
        N_(
            "Two moderators with the same book decide the same night differently, and each can point to a "
            "line. It comes up when somebody's life hangs on it."
        ),
        N_(
            "The Bartender drugs the Sniper, and the Sniper fires. One passage lets the Sniper die, another "
            "lets the shot merely miss."
        ),
        N_(
            "Choose a reading and keep its line under rulings:. In a rulebook of your own, write which of "
            "the two statements prevails."
        ),
        ("Ali=don, Mina=bartender, Sara=sniper", "Mina drug Sara; Sara shoot Ali"),
    ),
    "circle": KindText(
        N_("circle"),
        N_("Circles"),
        N_("Several abilities change one another in a ring, so that what works depends on where one begins."),
        N_(
            "The moderator begins with whatever comes to mind first, and without noticing decides by it who "
            "lives."
        ),
        N_(
            "The Bartender drugs the Thief, who steals the drink and puts it on somebody else. If the drink "
            "works there is no theft; if the theft works, the Thief is not drugged."
        ),
        N_(
            "Say which ability goes first; or nobody, if none of them is to work; or wake_order, if whoever "
            "wakes first goes first."
        ),
        (
            "Ali=don, Sara=bartender, Reza=thief, Mina=doctor, Omid=citizen",
            "Ali shoot Omid; Sara drug Reza; Reza steal Sara Mina; Mina save Omid",
        ),
    ),
    "composition": KindText(
        N_("composition"),
        N_("Composition"),
        N_("The role set breaks a statement about which roles play, or how many of them."),
        N_("The game is lopsided from the start, and that is noticed only after the cards are dealt."),
        N_("A Doctor among six players, where the book uses a Doctor with more than eight only."),
        N_("Change the role set; or accept the finding with a reason, if your table wants it so."),
    ),
    "gap": KindText(
        N_("gap"),
        N_("Gaps"),
        N_("Two things meet, and the rulebook does not say what comes of it."),
        N_(
            "The moderator must make up a rule on the spot, before those whom it concerns, and has to "
            "remember it the next time."
        ),
        N_(
            "The Killer shoots somebody whom the Doctor saves. Nothing says whether a save holds against the "
            "Killer's shot."
        ),
        N_(
            "Answer the question under rulings:. Where a convention of the game answers it, a night is "
            "decided by that, unless you say --strict."
        ),
        ("Ali=don, Sara=killer, Reza=doctor", "Sara shoot Ali; Reza save Ali"),
    ),
    "ambiguity": KindText(
        N_("ambiguity"),
        N_("Ambiguities"),
        N_("A statement can be read in several ways, and a night ends differently by each."),
        N_("Everybody has read the rule and is sure of it, each of something else."),
        N_(
            "Some rules hold if the Thief names a player. He gives two names: does the second one count too? "
            "The Invulnerable, onto whom a shot was moved, lives or dies by it."
        ),
        N_("Choose a reading and keep its line under rulings:."),
        ("Ali=don, Reza=thief, Omid=invulnerable, Sara=sniper", "Reza steal Sara Omid; Sara shoot Ali"),
    ),
    "wake-order": KindText(
        N_("wake order"),
        N_("Wake order"),
        N_(
            "A role must be told something when it is called that is decided only later in the "
            "night, or the order of calls leaves it out."
        ),
        N_("The moderator answers wrongly, or calls a role a second time, and the town hears who plays."),
        N_(
            "The Detective is answered before the Framer is called, and the answer hangs on whom the "
            "Framer has framed."
        ),
        N_(
            "Settle an order before the game and keep to it, then accept the finding with that as "
            "the reason. In a rulebook of your own, state it."
        ),
    ),
    "dead-rule": KindText(
        N_("dead rule"),
        N_("Dead rules"),
        N_(
            "A statement that applies in no night of this role set: what it waits for cannot come about. It "
            "is claimed in none, is the reason of nothing in any, and no night ends differently without it."
        ),
        N_("Somebody plans by a rule that will never help, or a role is weaker than its card says."),
        N_("A statement about a stolen shot, in a role set in which nobody steals."),
        N_(
            "Nothing need be done at the table. In a rulebook of your own, mend its condition or take it out."
        ),
    ),
    "shadowed-rule": KindText(
        N_("shadowed rule"),
        N_("Shadowed rules"),
        N_(
            "A statement that does apply, but is overruled wherever it does, whichever way open questions "
            "are answered."
        ),
        N_("A player relies on what the card says and loses each time to a statement printed elsewhere."),
        N_(
            "A rule lets a shot fail when the shooter is drugged, and a stronger one decides every drugged "
            "shot otherwise."
        ),
        N_("In a rulebook of your own, take one of the two out, or write when the weaker one still holds."),
    ),
    "redundant-rule": KindText(
        N_("redundant rule"),
        N_("Redundant rules"),
        N_(
            "A statement without which every night of this role set would end just the same, and the same "
            "roles be called, with the same answers to open questions. Statements that only give a reason, "
            "such as permissions, are not weighed."
        ),
        N_(
            "Whoever changes one of two such statements forgets the other, and then the book contradicts "
            "itself."
        ),
        N_("The same restriction, once on the card of a role and once among the general rules."),
        N_("Keep one of the statements and let the other refer to it; or accept the finding with a reason."),
    ),
    "unused-ruling": KindText(
        N_("unused ruling"),
        N_("Unused rulings"),
        N_(
            "A ruling of your table on a question that does not come up with this role set, or on "
            "which no night of it hangs."
        ),
        N_("A ruling that no longer does anything looks as though the point were settled."),
        N_("A ruling on drugged Snipers, for a game without a Bartender."),
        N_("Take the line out, or leave it for games with other roles: it does no harm."),
    ),
    "unused-acceptance": KindText(
        N_("unused acceptance"),
        N_("Unused acceptances"),
        N_("A finding that was accepted, or an entry of the baseline, which the check no longer finds."),
        N_(
            "The list grows until nobody knows what in it still matters, and it may hide a new finding later."
        ),
        N_("A contradiction was accepted and has since been settled by a ruling."),
        N_("Take the entry out; --update-baseline does so for the part called baseline."),
    ),
    "misspelt-constant": KindText(
        N_("misspelt constant"),
        N_("Misspelt constants"),
        N_("A name in a rulebook's rules that nothing declares, often a slip away from one that is known."),
        N_("The rule is there to read, and no night ever obeys it."),
        N_("A rule about doktor, where the role is called doctor."),
        N_("Correct the spelling; where the name is meant, accept the finding with a reason."),
    ),
}
assert list(TEXTS) == list(KINDS)
