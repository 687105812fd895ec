"""Which requests the console answers."""

import pytest

from formwork.console.guard import ConsoleGuard, frame_headers

OWN = {"host": "127.0.0.1:3011"}
ORIGIN = {"origin": "http://127.0.0.1:3011"}
FOLLOWED = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


def refusal(method, headers):
    return ConsoleGuard(3011).refusal(method, headers.items())


@pytest.mark.parametrize("host", ["127.0.0.1:3011", "localhost:3011", "LOCALHOST:3011", "[::1]:3011"])
def test_the_consoles_own_names_are_answered(host):
    assert refusal("GET", {"host": host}) is None


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:3011", "127.0.0.1", "127.0.0.1:3001", "127.0.0.1:3011.evil.example"]
)
def test_other_names_are_refused(host):
    assert "host name" in refusal("GET", {"host": host})
    assert "host name" in refusal("POST", {"host": host, "origin": f"http://{host}"})


def test_two_hosts_are_refused():
    assert ConsoleGuard(3011).refusal("GET", [("host", "127.0.0.1:3011"), ("host", "127.0.0.1:3011")]) is not None


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_another_site_may_only_link(site):
    came = {**OWN, "sec-fetch-site": site}
    assert refusal("GET", came) is not None
    assert refusal("GET", {**came, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}) is not None
    assert refusal("GET", {**came, **FOLLOWED}) is None
    assert refusal("POST", {**came, **FOLLOWED, **ORIGIN}) is not None


@pytest.mark.parametrize("destination", ["iframe", "frame", "embed", "object"])
@pytest.mark.parametrize("site", ["same-origin", "same-site", "cross-site", "none"])
def test_nothing_is_embedded_but_in_frames_of_our_own(destination, site):
    framed = {**OWN, "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": destination}
    if (destination, site) == ("iframe", "same-origin"):
        assert refusal("GET", framed) is None
    else:
        assert "inside other pages" in refusal("GET", framed)


def test_a_report_in_a_frame_has_no_origin_and_no_network():
    policy = frame_headers()["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "default-src 'none'" in policy
    assert "allow-same-origin" not in policy
    assert "unsafe" not in policy
    assert frame_headers()["X-Frame-Options"] == "SAMEORIGIN"


def test_what_changes_something_needs_the_own_origin():
    assert refusal("POST", {**OWN, **ORIGIN}) is None
    assert refusal("POST", {**OWN, **ORIGIN, "sec-fetch-site": "same-origin"}) is None
    for origin in ({}, {"origin": "null"}, {"origin": "http://localhost:3011"}, {"origin": "https://127.0.0.1:3011"}):
        assert refusal("POST", {**OWN, **origin}) is not None
    assert refusal("POST", {**OWN, **ORIGIN, "sec-fetch-site": "none"}) is not None
    assert refusal("DELETE", OWN) is not None
