"""Errors that nobody foresaw are told without their messages, which may repeat a secret."""

from formwork.diagnostics.internal_errors import internal_error, internal_failure, traceback_of


def raised(secret):
    try:
        try:
            {}[secret]
        except KeyError as error:
            error.add_note(secret)
            raise ValueError(f"no {secret}") from error
    except ValueError as error:
        return error


def test_the_class_and_the_place_are_told_and_no_message():
    error = raised("canary")
    assert internal_error(error) == "internal error: ValueError (diagnostics/test_internal_errors.py:12)"
    assert internal_failure(error) == "Internal Failure: ValueError (diagnostics/test_internal_errors.py:12)"
    assert internal_error(OSError("canary")) == "internal error: OSError"


def test_a_traceback_has_every_cause_and_no_message():
    told = traceback_of(raised("canary"))
    assert "canary" not in told
    assert told.index("KeyError\n") < told.index("line 12, in raised") < told.rindex("ValueError")
    assert told.endswith("ValueError")


def test_what_an_error_hides_is_not_shown_and_cycles_end():
    hidden = ValueError("x")
    hidden.__context__, hidden.__suppress_context__ = KeyError("y"), True
    assert "KeyError" not in traceback_of(hidden)
    one, other = ValueError("x"), KeyError("y")
    one.__cause__, other.__cause__ = other, one
    assert traceback_of(one).count("KeyError") < 10
