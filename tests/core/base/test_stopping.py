"""A stop comes as an exception, when it can be raised, and leaves nothing unfinished."""

import signal
import threading

import pytest

from artfish.core.base.stopping import discard_unfinished, new_folders, shielded, stoppable, unfinished


@pytest.fixture(autouse=True)
def heard():
    """Signals as Python hears them, also where tests run in the background, whose shell has them ignored."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    if hasattr(signal, "SIGHUP"):
        usual[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("command", [False, True])
def test_a_stop_within_a_shield_is_raised_when_it_ends(command):
    done = []

    def work():
        with shielded():
            with shielded():
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")
        done.append("never")

    with pytest.raises(KeyboardInterrupt):
        if command:
            with stoppable(lambda: None):
                work()
        else:
            work()
    assert done == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_within_a_command_every_ending_signal_is_a_stop():
    before = signal.getsignal(signal.SIGTERM)
    for number in (signal.SIGTERM, signal.SIGHUP):
        with pytest.raises(KeyboardInterrupt), stoppable(lambda: None):
            signal.raise_signal(number)
    assert signal.getsignal(signal.SIGTERM) is before


def test_other_threads_need_no_shield():
    done = []

    def work():
        with stoppable(lambda: None), shielded():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_what_is_unfinished_goes(tmp_path):
    full, empty = tmp_path / "full", tmp_path / "empty"
    for folder in (full, empty, tmp_path / "scratch"):
        folder.mkdir()
    (full / "0001.png").touch()
    (full / "part").touch()
    unfinished.update({full / "part", tmp_path / "scratch", tmp_path / "gone"})
    new_folders.update({full, empty})
    discard_unfinished()
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    assert [path.name for path in full.iterdir()] == ["0001.png"]
    assert not unfinished and not new_folders
