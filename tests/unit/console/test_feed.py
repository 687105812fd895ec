"""The stream of changes."""

import asyncio
import threading

from formwork.console.feed import ChangeFeed, FeedMessage


def listening(feed, source, act, count, account=None):
    """The first messages of a stream while `act` happens; the first says that anything may have changed."""

    version = feed.version

    async def listen():
        found = []
        messages = feed.messages(source, account)
        async for message in messages:
            found.append(message)
            if len(found) > count:
                break
            await asyncio.to_thread(act, len(found))
        await messages.aclose()
        return found

    first, *rest = asyncio.run(asyncio.wait_for(listen(), 30))
    assert first == FeedMessage(other=True, version=version)
    return rest


def test_a_commit_is_reported_with_the_stacks_that_have_new_events():
    feed = ChangeFeed()
    answers = {None: ((), 7), 7: (("one",), 8), 8: (("one", "two"), 11)}
    asked = []

    def source(after):
        asked.append(after)
        return answers[after]

    assert listening(feed, source, lambda _: feed.committed(), 2) == [
        FeedMessage(("one",)),
        FeedMessage(("one", "two")),
    ]
    assert asked == [None, 7, 8]
    assert feed.listeners == 0


def test_a_commit_without_events_is_no_message():
    feed = ChangeFeed()
    answers = iter([((), 7), ((), 7), (("one",), 8)])
    asked = []

    def act(_number):
        threading.Timer(0, feed.committed).start()
        threading.Timer(0.5, feed.committed).start()

    def source(after):
        asked.append(after)
        return next(answers)

    assert listening(feed, source, act, 1) == [FeedMessage(("one",))]
    assert asked == [None, 7, 7]


def test_other_changes_are_reported_too():
    feed = ChangeFeed()
    assert listening(feed, lambda _: ((), 1), lambda _: feed.changed(), 1) == [FeedMessage((), other=True)]


def test_a_closed_feed_ends_its_streams():
    feed = ChangeFeed()

    async def listen():
        found = []
        async for message in feed.messages(lambda _: ((), 1)):
            found.append(message)
            await asyncio.to_thread(feed.close)
        return found

    assert len(asyncio.run(asyncio.wait_for(listen(), 30))) <= 2


def test_nothing_is_asked_where_nobody_listens():
    feed = ChangeFeed()
    feed.committed()
    feed.changed()
    assert feed.listeners == 0


def test_the_end_of_a_call_is_reported_to_the_accounts_that_may_see_it():
    arn = "arn:aws:cloudformation:us-east-1:111111111111:stack/a/one"
    feed = ChangeFeed()

    def act(_number):
        feed.called(None)
        feed.called(arn)

    assert listening(feed, lambda _: ((), 7), act, 1) == [FeedMessage(("one",))]
    assert listening(feed, lambda _: ((), 7), act, 1, account="111111111111") == [FeedMessage(("one",))]

    def act_later(_number):
        feed.called(arn)
        threading.Timer(0.5, feed.changed).start()

    assert listening(feed, lambda _: ((), 7), act_later, 1, account="222222222222") == [FeedMessage(other=True)]


def test_each_change_and_each_server_has_a_version_of_its_own():
    feed = ChangeFeed()
    versions = {feed.version}
    for change in (feed.committed, feed.changed, lambda: feed.called(None)):
        change()
        versions.add(feed.version)
    assert len(versions) == 4
    assert ChangeFeed().version not in versions


def test_a_shared_database_may_have_changed_unseen():
    feed = ChangeFeed()
    feed.shared = True

    async def first():
        messages = feed.messages(lambda _after: ((), 1))
        found = await anext(messages)
        await messages.aclose()
        return found

    assert asyncio.run(first()) == FeedMessage(other=True)
