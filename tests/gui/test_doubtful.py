"""An obstacle without an inside is named where it is marked, in a real window, and one button makes it a shell."""


def test_a_sheet_is_named_and_a_button_makes_it_a_shell(blender):
    session = blender("doubtful", size="960x1600")
    assert session["shell"]
