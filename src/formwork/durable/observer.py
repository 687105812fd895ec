"""Who is notified of the progress of durable work."""


class WorkObserver:
    """Is notified of what work does; this one ignores it."""

    def changed(self) -> None:
        """A record that a client may wait for has changed."""

    def checkpoint(self, moment: str) -> None:
        """Work has reached a moment at which a test may want the process to die."""
