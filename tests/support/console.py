"""A browser's view of the console of a running server, without a browser."""

import http.client
import re
from urllib.parse import urlencode, urlsplit

from formwork.console.links import OneTimeLinks
from formwork.durable.servers import running_servers


def make_link(server, seconds=120):
    """A one-time link to the console of a server of `serving`."""
    (found,) = [each for each in running_servers(server.folder / "state") if each.url == server.url]
    return OneTimeLinks.of_text(*found.console).make(seconds)


class ConsoleBrowser:
    """Sends what a browser sends; keeps the cookie and the token of forms."""

    def __init__(self, url):
        self.address = urlsplit(url).netloc
        self.cookie = None
        self.form_token = None
        self.headers = {}

    @classmethod
    def entered(cls, server):
        """A browser with a session."""
        link = make_link(server)
        browser = cls(link)
        status, _ = browser.get(link.partition(browser.address)[2])
        assert status == 200
        assert browser.get("/stacks")[0] == 200
        return browser

    def send(self, method, path, *, headers=(), body=None):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        sent = {"Host": self.address, **({"Cookie": self.cookie} if self.cookie else {}), **dict(headers)}
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            self.headers = {name.lower(): value for name, value in answer.getheaders()}
            text = answer.read().decode()
        finally:
            connection.close()
        if cookie := self.headers.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        if token := re.search(r'name="form_token" value="([^"]+)"', text):
            self.form_token = token[1]
        return answer.status, text

    def get(self, path, **headers):
        return self.send("GET", path, headers=headers)

    def post(self, path, headers=(), **fields):
        """Post a form of the console's own page; a redirection is followed."""
        origin = {"Origin": f"http://{self.address}", "Sec-Fetch-Site": "same-origin"}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({"form_token": self.form_token or "", **fields})
        status, text = self.send("POST", path, headers={**origin, **kind, **dict(headers)}, body=body)
        if status == 303:
            return self.get(self.headers["location"])
        return status, text
