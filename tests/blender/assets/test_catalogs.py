"""Catalogs have the same numbers wherever they are made, and a file that Blender reads."""

from uuid import UUID

from artfish.blender_artfish.assets.catalogs import CATALOG_FILE, Catalog, uuid_of, write_catalogs


def test_numbers_follow_from_paths_alone():
    assert uuid_of(Catalog.SWIMMING) == "46806318-da6e-586a-a655-57577a64788c"
    assert len({uuid_of(each) for each in Catalog}) == len(Catalog)
    assert all(UUID(uuid_of(each)).version == 5 for each in Catalog)


def test_the_file_has_a_line_for_each_as_blender_writes_them(tmp_path):
    write_catalogs(tmp_path)
    text = (tmp_path / CATALOG_FILE).read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines[0] == "VERSION 1"
    assert [line.split(":") for line in lines[1:]] == [
        [uuid_of(each), each.value, each.value.replace("/", "-")] for each in Catalog
    ]
    write_catalogs(tmp_path)
    assert (tmp_path / CATALOG_FILE).read_text() == text
