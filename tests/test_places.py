from __future__ import annotations

import io
import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mafia_asp import places
from mafia_asp.errors import InputError
from mafia_asp.model import Place


def faults(text: str, parse: Any = places.parse_yaml) -> list[tuple[str, int, int]]:
    try:
        found = parse(text, "f").faults
    except InputError as error:
        found = error.faults
    return [(f.code, f.place.line, f.place.column) for f in found if f.place]


def test_places_of_keys_and_values() -> None:
    root = places.parse_yaml("players:\n  Ali: don\n  سارا: [a, b]\n", "f").root
    players = root.value["players"]
    assert root.keys["players"].place == Place("f", 1, 1)
    assert players.value["Ali"].place == Place("f", 2, 8)
    assert players.keys["سارا"].place == Place("f", 3, 3)
    assert players.value["سارا"].value[1].place == Place("f", 3, 13)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("12", 12),
        ("-3", -3),
        ("0x1F", 31),
        ("0o17", 15),
        ("007", 7),
        ("1:30", "1:30"),
        ("000:112", "000:112"),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("1.5", 1.5),
        ("۳", 3),
        ("٣٤", 34),
        ("-۲", -2),
        ("۳ نفر", "۳ نفر"),
        ("'۳'", "۳"),
        ("~", None),
        ("null", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("<<", "<<"),
    ],
)
def test_yaml_1_2_words(text: str, value: object) -> None:
    node = places.parse_yaml(f"k: {text}", "f").root.value["k"]
    assert node.data() == value
    assert type(node.data()) is type(value)


def test_huge_numbers_are_not_converted() -> None:
    node = places.parse_yaml("k: " + "9" * 50_000, "f").root.value["k"]
    assert node.kind == "float"
    assert math.isinf(node.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", ("data.twice", 3, 1)),
        ("a: &x 1\n", ("yaml.anchor", 1, 4)),
        ("a: !!python/object:os.system 1\n", ("yaml.tag", 1, 4)),
        ("a: !!str 1\n", ("yaml.tag", 1, 4)),
        ("? [a]\n: 1\n", ("yaml.key", 1, 3)),
        ("a:\n\tb: 1\n", ("yaml.tab", 2, 1)),
        ("a: b: c\n", ("yaml.colon", 1, 5)),
        ("a: 'x\n", ("yaml.quote", 1, 4)),
        ("a: [1, 2\nb: 3\n", ("yaml.bracket", 2, 2)),
        ("a: @x\n", ("yaml.start", 1, 4)),
        ("a: 1\n---\nb: 2\n", ("yaml.documents", 2, 1)),
        ("# nothing\n", ("file.empty", 1, 1)),
        ("[" * 1000, ("data.deep", 1, 65)),
        ("a: 1\n  b: 2\n", ("yaml.colon", 2, 4)),
        ("a: 1\nb\nc: 2\n", ("yaml.no_colon", 3, 1)),
    ],
)
def test_yaml_faults(text: str, fault: tuple[str, int, int]) -> None:
    assert fault in faults(text)


def test_several_faults_of_form_are_collected() -> None:
    assert len(faults("a: &x 1\na: *x\nb: !t 2\n")) == 4


def test_alias_bombs_end_at_once() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    bomb += "".join(
        f"{c}: &{c} [{','.join('*' + p for _ in range(9))}]\n"
        for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    )
    start = time.perf_counter()
    assert {code for code, _, _ in faults(bomb)} == {"yaml.anchor", "yaml.alias"}
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize("deep", ["[" * 100_000, "{a: " * 100_000, '{"a":' * 100_000, "- " * 50_000])
def test_deep_nesting_ends_at_once(deep: str) -> None:
    start = time.perf_counter()
    assert faults(deep)[0][0] == "data.deep"
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1,\n "a": 2}', ("data.twice", 2, 2)),
        ("{'a': 1}", ("json.key", 1, 2)),
        ('{"a" 1}', ("json.colon", 1, 6)),
        ('{"a": 1 "b": 2}', ("json.comma", 1, 9)),
        ('{"a": 1,}', ("json.key", 1, 9)),
        ('{"a": }', ("json.value", 1, 7)),
        ('{"a": NaN}', ("json.value", 1, 7)),
        ('{"a": "x\n"}', ("json.string", 1, 9)),
        ('{"a": [1', ("json.comma", 1, 9)),
        ('{"a":', ("json.end", 1, 6)),
        ("{} {}", ("json.more", 1, 4)),
        ('{"a": "\\ud800"}', ("file.control", 1, 7)),
        ('{"a": "\\u0000"}', ("file.control", 1, 7)),
        ("[" * 1000, ("data.deep", 1, 65)),
    ],
)
def test_json_faults(text: str, fault: tuple[str, int, int]) -> None:
    assert fault in faults(text, places.parse_json)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abآ ", min_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(JSON)
def test_json_is_read_as_json_reads_it(data: object) -> None:
    if any(c in json.dumps(data, ensure_ascii=False) for c in "\ufffe\uffff"):
        return
    assert places.parse_json(json.dumps(data), "f").root.data() == data
    assert places.parse_json(json.dumps(data, ensure_ascii=False, indent=1), "f").root.data() == data


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (places.parse_yaml, places.parse_json):
        faults(text, parse)


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "file.empty", 1, 1),
        (b" \n\n", "file.empty", 1, 1),
        (b"a: 1\nb: \xff\n", "file.utf8", 2, 4),
        ("a: ۱".encode()[:-1], "file.utf8", 1, 4),
        (b"a: 1\nb: \x00\n", "file.nul", 2, 4),
        (b"a: \x1b[31m\n", "file.control", 1, 4),
        ("a: 1".encode("utf-16"), "file.utf16", 1, 1),
        ("a: 1".encode("utf-16-le"), "file.utf16", 1, 1),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "file.binary", 1, 1),
        (b"a: " + b"x" * 1_000_001, "file.large", 1, 1),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as error:
        places.read(write(tmp_path, "f.yaml", data))
    fault = error.value.faults[0]
    assert fault.code == code
    assert fault.place
    assert (fault.place.line, fault.place.column) == (line, column)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path, "file.folder"),
        (tmp_path / "none.yaml", "file.missing"),
        ("a\0b", "file.unreadable"),
    ):
        with pytest.raises(InputError) as error:
            places.read(path)
        assert error.value.faults[0].code == code


def test_byte_order_marks_and_line_ends(tmp_path: Path) -> None:
    document = places.read(write(tmp_path, "f.yaml", b"\xef\xbb\xbfa: 1\r\nb: x\r\n"))[0]
    assert isinstance(document, places.Document)
    assert document.root.data() == {"a": 1, "b": "x"}
    assert document.root.value["b"].place.line == 2


def test_json_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "f.jsonl", b'{"a": 1}\n\nnonsense\n{"a": 2}\n')
    first, second, third = places.read(path)
    assert isinstance(first, places.Document)
    assert isinstance(second, InputError)
    assert isinstance(third, places.Document)
    assert second.faults[0].place == Place(str(path), 3, 1)
    assert third.root.place.line == 4


@pytest.mark.parametrize(
    ("text", "count"), [('{"a": 1}', 1), ('{"a": 1}\n{"a": 2}\n', 2), ("a: 1\n", 1), ("{a: 1}", 1)]
)
def test_standard_input(monkeypatch: pytest.MonkeyPatch, text: str, count: int) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    documents = places.read("-")
    assert len(documents) == count
    assert isinstance(documents[0], places.Document)
    assert documents[0].root.place.file == places.STDIN
