"""The interface through which durable work reports its progress."""


class WorkObserver:
    """Receives notifications of what durable work does; this base class ignores them."""

    def changed(self) -> None:
        """Take note that a record that a client may wait for has changed."""

    def checkpoint(self, moment: str) -> None:
        """Take note that work has reached `moment`, at which tests kill the process."""
