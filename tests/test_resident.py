"""Many nights from one ground program: as a solver decides them, and as they are decided alone."""

from __future__ import annotations

import random

import clingo
import pytest

from mafia_asp import InputError, Rulebook, decide
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.render.json import verdict_data
from mafia_asp.resident.bits import Circuit, Rules, Threshold, at_least
from mafia_asp.resident.decide import Decider
from mafia_asp.resident.program import Slots
from mafia_asp.solve import SOUND
from tests import resident

BOOK = Rulebook.load("classic_advanced")
COLUMNS = 64


def program(rng: random.Random) -> str:
    """A random program: inputs, rules with negation and bounds, and two questions with answers."""
    atoms = [f"x{n}" for n in range(14)]
    inputs = [f"i{n}" for n in range(5)]
    answers = [f"a{n}" for n in range(4)]
    text = [f"#external {each}. [free]" for each in inputs]

    def literals(number: int) -> str:
        some = rng.sample(atoms + inputs + answers, number)
        return ", ".join(("not " if rng.random() < 0.3 else "") + each for each in some)

    for _ in range(rng.randint(10, 30)):
        text.append(f"{rng.choice(atoms)} :- {literals(rng.randint(1, 3))}.")
    for _ in range(3):
        bound = rng.randint(1, 5)
        weighted = "; ".join(f"{rng.randint(1, 3)},{n} : {literals(1)}" for n in range(4))
        text.append(f"{rng.choice(atoms)} :- {bound} #sum {{ {weighted} }}.")
    for first, second in (answers[:2], answers[2:]):
        text.append(f"{{ {first}; {second} }} = 1 :- {rng.choice(inputs)}.")
    return "\n".join(text)


@pytest.mark.parametrize("seed", range(60))
def test_a_circuit_has_the_one_answer_set_of_each_column(seed: int) -> None:
    rng = random.Random(seed)
    rules = Rules()
    control = clingo.Control(["0", SOUND], logger=lambda code, message: None)
    control.register_observer(rules)
    control.add("base", [], program(rng))
    control.ground([("base", [])])
    literal = {str(a.symbol): a.literal for a in control.symbolic_atoms if a.literal and not a.is_fact}
    inputs = [literal[name] for name in literal if name.startswith("i")]
    questions = [
        [literal[name] for name in names if name in literal] for names in (("a0", "a1"), ("a2", "a3"))
    ]
    circuit = Circuit(rules, inputs, questions, literal.values())
    every = (1 << COLUMNS) - 1
    given = {each: rng.getrandbits(COLUMNS) for each in inputs}
    asked = {each[-1]: rng.getrandbits(COLUMNS) for each in questions if each}
    first = {a: every ^ asked[each[-1]] for each in questions for a in each}
    values, bad = circuit.evaluate(given, asked, first, every)
    for column in range(COLUMNS):
        if bad >> column & 1:
            continue
        true = {
            name
            for name, each in literal.items()
            if ((at := circuit.place(each)) is not None and values[at] >> column & 1) or circuit.holds(each)
        }
        chosen = [answer for each in questions for answer in each]
        assumed = [each if given[each] >> column & 1 else -each for each in inputs]
        assumed += [each if name in true else -each for name, each in literal.items() if each in chosen]
        found: list[set[str]] = []
        control.solve(
            assumptions=assumed,
            on_model=lambda m, found=found: found.append({n for n, a in literal.items() if m.is_true(a)}),
        )
        assert found == [true]


def test_most_random_columns_are_decided_by_the_circuit() -> None:
    undefined = 0
    for seed in range(60):
        rng = random.Random(seed)
        rules = Rules()
        control = clingo.Control(logger=lambda code, message: None)
        control.register_observer(rules)
        control.add("base", [], program(rng))
        control.ground([("base", [])])
        literal = {str(a.symbol): a.literal for a in control.symbolic_atoms if a.literal and not a.is_fact}
        inputs = [literal[name] for name in literal if name.startswith("i")]
        circuit = Circuit(rules, inputs, [], literal.values())
        given = {each: rng.getrandbits(COLUMNS) for each in inputs}
        undefined += circuit.evaluate(given, {}, {}, (1 << COLUMNS) - 1)[1].bit_count()
    assert 0 < undefined < 60 * COLUMNS * 0.9


@pytest.mark.parametrize("seed", range(20))
def test_a_sum_in_bits_is_a_sum(seed: int) -> None:
    rng = random.Random(seed)
    weights = [rng.randint(1, 9) for _ in range(8)]
    values = [0, *(rng.getrandbits(COLUMNS) for _ in weights)]
    every = (1 << COLUMNS) - 1
    bound = rng.randint(1, 40)
    held = at_least(Threshold(bound, tuple(enumerate(weights, 1))), values, every)
    for column in range(COLUMNS):
        total = sum(w for n, w in enumerate(weights, 1) if values[n] >> column & 1)
        assert bool(held >> column & 1) == (total >= bound)


def test_places_keep_the_order_in_which_it_may_matter() -> None:
    slots = Slots()
    one, other = ("p1", "shoot"), ("p2", "shoot")
    save = ("p3", "save")
    assert slots.fit((one, save, other), grow=True) == (0, 1, 2)
    assert slots.fit((save, one, other), grow=False) == (1, 0, 2)
    assert slots.fit((other, one), grow=False) is None
    assert slots.fit((other, one), grow=True) == (2, 3)
    assert slots.fit((one, one), grow=False) == (0, 3)


def test_random_nights_are_decided_together_as_alone() -> None:
    found = resident.run(5, 160, each=40, sample=0.1, players=11)
    assert not found.differences, found.differences[0]
    assert found.together > found.nights * 0.9
    assert found.compared > 5


def test_what_one_night_speaks_of_changes_no_other() -> None:
    cast = {"Ali": "don", "Sara": "tailor", "Reza": "citizen", "Mina": "citizen"}
    acts = [
        Action("Ali", "shoot", ("Mina",)),
        Action("Sara", "dress", ("Reza",), {"role": "doctor"}),
        Action("Sara", "dress", ("Reza",), {"role": "zombie"}),
    ]
    players = tuple(Player(name, role) for name, role in cast.items())
    first = Scenario(BOOK.id, players)
    some = [first._replace(actions=told) for told in ((acts[0],), (acts[0], acts[1]), (acts[0], acts[2]))]
    # The last one asks who has won, which takes rules of its own.
    some.append(some[0]._replace(expect={"winner": None}))
    together = Decider(BOOK).decide(some * 20)
    for scenario, verdict in zip(some, together, strict=False):
        assert not isinstance(verdict, Exception)
        assert verdict_data(verdict, BOOK) == verdict_data(decide(scenario, book=BOOK), BOOK)


def test_a_resolver_gives_the_nights_in_order_and_raises_in_turn() -> None:
    cast = BOOK.resolver({"Ali": "don", "Sara": "doctor", "Reza": "citizen"})
    names = ["Ali", "Sara", "Reza"]
    many = [[("Ali", "shoot", names[n % 3]), ("Sara", "save", names[n // 3 % 3])] for n in range(30)]
    verdicts = list(cast.nights(many, at_once=13))
    assert [v.certain.dead for v in verdicts[:9]] == [cast.night(acts).certain.dead for acts in many[:9]]
    stream = cast.nights([*many[:20], [("Ali", "shoot", "Nobody there")]])
    assert sum(1 for _, _verdict in zip(range(20), stream, strict=False)) == 20
    with pytest.raises(InputError, match="Nobody there"):
        next(stream)
