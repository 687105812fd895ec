"""Why no value could be made."""


class UnsatisfiableError(Exception):
    """No value of the schema was found within the bounds; the message says where and why.

    Not a user's error as such: who asked for the value knows what to tell the user (give an input file, an override).
    """


class DeadEndError(Exception):
    """This way leads to no value (recursion without end, an impossible length): another alternative is tried."""
