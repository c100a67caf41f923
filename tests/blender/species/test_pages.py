"""Every number of a species stands in one panel, with a label that fits."""

from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.species import pages
from artfish.blender_artfish.species.proportions import PROPORTIONS


def test_every_number_of_a_species_stands_in_one_panel():
    shown = [key for page in pages.PAGES for key in page.fields if key] + list(pages.ABOUT_FIELDS)
    numbers = [
        f"{part}.{field['name']}"
        for part, of in pages.PART_DECLARATIONS.items()
        for field in declarations.DECLARATIONS[of]
    ]
    for text in ("about.name", "about.model"):  # set by saving and by adopting, not by a slider
        numbers.remove(text)
    proportions = [f"form.{name}" for name in PROPORTIONS]
    assert sorted(shown) == sorted(numbers + proportions)


def test_labels_are_short_enough_for_a_sidebar():
    keys = [key for page in pages.PAGES for key in page.fields if key] + list(pages.ABOUT_FIELDS)
    assert not [pages.label(key) for key in keys if len(pages.label(key)) > 18]


def test_every_number_of_a_value_of_several_says_what_it_is_of(scene, clownfish):
    several = {}
    for page in pages.PAGES:
        for key in (key for key in page.fields if key and key not in pages.ROW_FIELDS):
            part, _, name = key.partition(".")
            made = getattr(clownfish, part).bl_rna.properties[name]
            if getattr(made, "is_array", False) and made.subtype != "COLOR":
                several[key] = made.array_length
    assert {key: len(words) for key, words in pages.ENTRY_LABELS.items()} == several
    said = [words.format(station=0.5) for words in pages.ENTRY_LABELS["body.half_heights"]]
    assert said == 5 * ["At 0.50"]


def test_every_list_of_rows_says_what_its_columns_are():
    assert set(pages.ROW_COLUMNS) == pages.ROW_FIELDS
