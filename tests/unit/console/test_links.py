"""One-time links, and the sessions that they begin."""

from formwork.console.links import OneTimeLinks
from formwork.console.sessions import IDLE_SECONDS, BrowserSessions
from formwork.console.signing_in import SessionKey


class Clock:
    def __init__(self):
        self.time = 1000.0

    def __call__(self):
        return self.time


def token_of(link):
    return link.partition("token=")[2]


def test_a_link_is_redeemed_once():
    links = OneTimeLinks("http://127.0.0.1:3011")
    token = token_of(links.make(60))
    assert links.redeem(token)
    assert not links.redeem(token)
    assert links.redeem(token_of(links.make(60)))


def test_a_link_ends():
    clock = Clock()
    links = OneTimeLinks("http://127.0.0.1:3011", now=clock)
    token = token_of(links.make(60))
    clock.time += 61
    assert not links.redeem(token)


def test_only_the_key_makes_links():
    links = OneTimeLinks("http://127.0.0.1:3011")
    token = token_of(links.make(60))
    later = f"9{token}"
    for wrong in ("", ".", "..", "a.b.c", token[:-1], later, token_of(OneTimeLinks(links.url).make(60)), token + "ä"):
        assert not links.redeem(wrong)
    assert links.redeem(token_of(OneTimeLinks.of_text(links.url, links.key_text).make(60)))


def test_a_session_is_found_by_its_cookie():
    sessions = BrowserSessions(3011)
    session = sessions.begin(account="111111111111", key=SessionKey("111111111111"))
    header = sessions.cookie_header(session)
    assert header.endswith("; Path=/; HttpOnly; SameSite=Strict")
    cookie = header.partition(";")[0]
    assert cookie.startswith("formwork-console-3011=")
    assert sessions.find(f"other=1; {cookie}") is session
    for wrong in ("", "formwork-console-3011=", f"{cookie}x", cookie.replace("3011", "3012"), f"{cookie}; {cookie}"):
        assert sessions.find(wrong) is None
    sessions.end(session)
    assert sessions.find(cookie) is None


def test_a_session_ends_with_its_temporary_credentials():
    clock = Clock()
    sessions = BrowserSessions(3011, now=clock)
    session = sessions.begin(account="111111111111", key=SessionKey("ASIA1", "arn", 900.0))
    cookie = sessions.cookie_header(session).partition(";")[0]
    clock.time += 899
    assert sessions.lasts(session)
    assert sessions.find(cookie) is session
    clock.time += 1
    assert not sessions.lasts(session)
    assert sessions.find(cookie) is None


def test_what_a_session_has_begun_ends_with_it():
    sessions = BrowserSessions(3011)
    session = sessions.begin()
    assert sessions.lasts(session)
    sessions.end(session)
    assert not sessions.lasts(session)


def test_an_idle_session_ends():
    clock = Clock()
    sessions = BrowserSessions(3011, now=clock)
    cookie = sessions.cookie_header(sessions.begin()).partition(";")[0]
    clock.time += IDLE_SECONDS - 1
    assert sessions.find(cookie) is not None
    clock.time += IDLE_SECONDS + 1
    assert sessions.find(cookie) is None


def test_sessions_are_bounded():
    sessions = BrowserSessions(3011)
    cookies = [sessions.cookie_header(sessions.begin()).partition(";")[0] for _ in range(201)]
    assert [sessions.find(each) is not None for each in cookies].count(True) == 200
    assert sessions.find(cookies[-1]) is not None


def test_a_form_needs_the_token_of_its_session():
    sessions = BrowserSessions(3011)
    one, other = sessions.begin(), sessions.begin()
    assert one.allows_form(one.form_token)
    assert not any(map(one.allows_form, ("", other.form_token, one.id, "ä")))
