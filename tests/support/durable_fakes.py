"""Stand-ins for the rows of workflows and for the event that stops a thread, which note how they are used."""


class Rows:
    """Rows of workflows that note what is asked of them."""

    def __init__(self, **answers):
        self.calls = []
        self._answers = answers

    def __getattr__(self, name):
        def call(*arguments, **options):
            self.calls.append((name, *arguments, *options.items()))
            answer = self._answers.get(name)
            answer = answer.pop(0) if isinstance(answer, list) else answer
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return call


class Stop:
    """An event that notes how long it was waited for, and is set after a number of waits."""

    def __init__(self, waits=10**6, *, is_set=False):
        self.waited = []
        self._left = waits
        self._set = is_set

    def wait(self, seconds):
        self.waited.append(seconds)
        self._left -= 1
        return self._left < 0 or self._set

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
