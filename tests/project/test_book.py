"""docs/book.md: every file and name on it exists, and no section and no numbered equation of the sources is missing."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "book.md").read_text()

EQUATIONS = {
    "000": [*(f"4.{number}" for number in range(1, 17)), "6.1", "6.2", "A.1", "A.2", "A.3"],
    "001": [str(number) for number in range(1, 14)],
    "002": [],
    "003": ["1", "2", "3"],
}
"""The numbered equations of each document, as they are printed there."""

SECTIONS_BY_CHAPTER = {
    "000": """
        3.1 3.2 3.3
        4.1 4.2 4.3 4.3.1 4.4 4.5 4.5.1 4.5.2 4.6 4.6.1 4.6.2
        5.1 5.2 5.2.1 5.3 5.4 5.5
        6.1 6.2 6.3 6.3.1 6.3.2 6.3.3 6.4 6.4.1 6.4.2 6.4.3 6.4.4 6.4.5 6.5 6.5.1 6.5.2 6.5.3 6.6 6.6.1 6.7
        7.1 7.2 7.2.1 7.2.2 7.2.3 7.3 7.4 7.5 7.5.1 7.6 7.7 7.7.1 7.7.2 7.7.3 7.8 7.8.1 7.8.2
        7.9 7.9.1 7.9.2 7.9.3 7.10 7.10.1 7.10.2
        8.1 8.2
        9.1 9.2 9.3 9.4
        10.1 10.2 10.3 10.4 10.5
        A B B.1 B.2
    """,
    "001": "3 3.1 3.2 3.3 4.1 4.2 4.3 5.1 5.2 5.3 6.1 6.2 7.1 7.2 7.3 7.4 8.1 8.2 8.3 A B",
    "002": "3 4 5 6 7",
    "003": "2 3 3.1 3.2 3.3 3.4 4 4.1 4.2 4.3 5 5.1 6 6.1 6.2 6.3 6.4 7 7.1 7.2 7.3",
}
SECTIONS = {document: numbers.split() for document, numbers in SECTIONS_BY_CHAPTER.items()}
"""The sections of each document with anything to build; chapters 3 to 10 and the appendices of the book."""

UNBUILT = {"not built yet", "nothing to build"}
PYTHON = re.compile(r"([\w/]+\.py): (\w+(?:\.\w+)?)")
"""The page's form for a function, class, method, field or constant: `folder/file.py: Class.method`."""
DATA = re.compile(r"[\w/]+\.json")


@cache
def defined(path: Path) -> frozenset[str]:
    """Names that a file defines at its top, and in its classes as "Class.name"."""

    def own(body: list[ast.stmt], prefix: str = "") -> set[str]:
        names = set()
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.add(prefix + node.name)
            if isinstance(node, ast.ClassDef) and not prefix:
                names |= own(node.body, f"{node.name}.")
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {
                    prefix + part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
                }
        return names

    return frozenset(own(ast.parse(path.read_text()).body))


def fault(reference: str) -> str:
    """The fault of a reference, the text between two backticks; "" if it has none."""
    if DATA.fullmatch(reference):
        return "" if (ROOT / reference).is_file() else f"{reference}: no such file"
    match = PYTHON.fullmatch(reference)
    if match is None:
        return f"{reference}: neither `file.py: name` nor a .json file"
    file, name = match.groups()
    if not (ROOT / file).is_file():
        return f"{reference}: no such file"
    return "" if name in defined(ROOT / file) else f"{reference}: not defined there"


def is_test(reference: str) -> bool:
    """True if a reference names a test."""
    return reference.startswith("tests/") and ": test_" in reference


def is_study(reference: str) -> bool:
    """True if a reference names a study, which counts over many seeds what a test asserts of one."""
    return reference.startswith("studies/")


def rows(page: str) -> list[tuple[str, list[str]]]:
    """The rows of the page's tables: the document, by the heading above, and the four cells."""
    document, found = "", []
    for line in page.splitlines():
        if heading := re.match(r"## (\d{3})\b", line):
            document = heading[1]
        if line.startswith("| ") and not line.startswith("| source |"):
            found.append((document, [cell.strip() for cell in line.strip().removeprefix("|")[:-1].split("|")]))
    return found


def faults(page: str, equations: dict[str, list[str]], sections: dict[str, list[str]]) -> list[str]:
    """All faults of a page that shall have these equations and sections of the documents."""
    wrong = []
    seen_equations: dict[str, set[str]] = {document: set() for document in equations}
    seen_sections: dict[str, set[str]] = {document: set() for document in sections}
    for document, cells in rows(page):
        if document not in seen_equations or len(cells) != 4:
            wrong.append(f"{' | '.join(cells)}: not four cells under the heading of a document")
            continue
        source, words, code, tests = cells
        if source.startswith("eq. "):
            seen_equations[document] |= set(source.removeprefix("eq. ").split(", "))
        elif section := re.match(r"(?:§|app\. )([\dAB][\d.]*)", source):
            seen_sections[document].add(section[1])
        if not words:
            wrong.append(f"{source}: says nothing")
        if code in UNBUILT:
            wrong += [f"{source}: {code}, but has a test"] if tests else []
            continue
        for kind, cell in (("code", code), ("test", tests)):
            references = [part.strip() for part in cell.split("<br>")]
            bare = [reference.strip("`") for reference in references]
            if references != [f"`{reference}`" for reference in bare]:
                wrong.append(f"{source}: {kind} is no list of references between backticks: {cell}")
            wrong += [found for reference in bare if (found := fault(reference))]
            holds = [is_test(reference) or is_study(reference) for reference in bare]
            wrong += [f"{bare[i]}: no {kind}" for i in range(len(bare)) if holds[i] != (kind == "test")]
            wrong += [f"{source}: no test"] if kind == "test" and not any(map(is_test, bare)) else []
    for document in equations:
        wrong += [
            f"{document}, eq. {number}: no row"
            for number in equations[document]
            if number not in seen_equations[document]
        ]
        wrong += [
            f"{document}, §{number}: no row" for number in sections[document] if number not in seen_sections[document]
        ]
    return wrong


def test_every_name_on_the_page_exists_and_no_equation_or_section_is_missing():
    assert faults(PAGE, EQUATIONS, SECTIONS) == []


def test_rows_name_nothing_that_the_documents_do_not_have():
    numbers = {document: set(numbers) for document, numbers in EQUATIONS.items()}
    for document, (source, *_) in rows(PAGE):
        if source.startswith("eq. "):
            assert set(source.removeprefix("eq. ").split(", ")) <= numbers[document]
        else:
            assert re.fullmatch(r"(§|app\. |fig\. |table )[\dAB][\d.]*(, \w+)?", source)


TEST = "tests/project/test_book.py: test_a_good_page_has_no_faults"
GOOD = f"""
## 000, chapter 4

| source | what it says | code | test |
|---|---|---|---|
| §4.2 | 23 nodes | `core/body/anatomy.py: UNITS`<br>`core/body/dynamics.py: BodyModel` | `{TEST}` |
| eq. 4.1, 4.2 | stiffness | `core/body/dynamics.py: UnitForces.evaluate` | `{TEST}` |
| §4.3 | later | not built yet | |
"""
SOUGHT = {"000": ["4.1", "4.2"]}, {"000": ["4.2", "4.3"]}


def test_a_good_page_has_no_faults():
    assert faults(GOOD, *SOUGHT) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("core/body/anatomy.py: UNITS", "core/body/anatomies.py: UNITS"),
        ("core/body/anatomy.py: UNITS", "core/body/anatomy.py: UNITZ"),
        ("core/body/anatomy.py: UNITS", "core/body/anatomy.py:UNITS"),
        ("core/body/anatomy.py: UNITS", "core/body/anatomy.py"),
        ("core/body/anatomy.py: UNITS", "anatomy"),
        ("`core/body/anatomy.py: UNITS`", "core/body/anatomy.py: UNITS"),
        ("`core/body/anatomy.py: UNITS`", "`presets/scenes/none.json`"),
        ("<br>", ", "),
        ("UnitForces.evaluate", "UnitForces.evaluates"),
        ("UnitForces.evaluate", "UnitFords.evaluate"),
        (TEST, TEST.replace("good", "bad")),
        (TEST, "tests/project/test_book.py: faults"),
        (TEST, "studies/presets.py: reef"),
        ("eq. 4.1, 4.2", "eq. 4.1"),
        ("eq. 4.1, 4.2", "eq. 4.1-4.2"),
        ("| §4.3 | later | not built yet | |\n", ""),
        ("not built yet | |", f"not built yet | `{TEST}` |"),
        ("not built yet | |", "soon | |"),
        ("| later |", "| |"),
        ("## 000", "## Chapters"),
    ],
)
def test_a_mutilated_page_has_faults(old, new):
    assert old in GOOD
    assert faults(GOOD.replace(old, new), *SOUGHT) != []
