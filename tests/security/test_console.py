"""The console's port: other sites, rebound names, visitors without a session, and forms that are not its own."""

import json
from urllib.parse import urlsplit

import pytest

from support.console import ConsoleBrowser, make_link
from support.serving import serving

PATHS = ["/", "/stacks", "/changes", "/nothing"]
FOLLOWED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("console"), forked=True) as running:
        yield running


@pytest.fixture
def browser(server):
    return ConsoleBrowser.entered(server)


@pytest.mark.parametrize("path", PATHS)
def test_a_visitor_without_a_session_sees_the_sign_in_page_only(server, path):
    status, text = ConsoleBrowser(make_link(server)).get(path)
    assert status == 401
    assert "cfn console" in text


def test_a_link_begins_one_session(server):
    link = make_link(server)
    first, second = ConsoleBrowser(link), ConsoleBrowser(link)
    path = link.partition(first.address)[2]
    assert first.get(path)[0] == 200
    cookie = first.headers["set-cookie"]
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert second.get(path)[0] == 403
    assert second.cookie is None
    assert ConsoleBrowser(link).get("/enter?token=1.x.y")[0] == 403


def test_a_link_that_is_looked_at_is_not_used_up(server):
    link = make_link(server)
    browser = ConsoleBrowser(link)
    path = link.partition(browser.address)[2]
    assert browser.send("HEAD", path)[0] == 403
    assert browser.get(path)[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "a.localhost:{port}"]
)
def test_a_rebound_name_is_refused(browser, host):
    port = urlsplit(f"//{browser.address}").port
    for path in (*PATHS, "/static/console.js", "/enter?token=x"):
        assert browser.get(path, Host=host.format(port=port)) == (403, "This is not a host name of the console")


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_pages_of_other_sites_read_and_change_nothing(browser, site):
    came = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    for path in (*PATHS, "/static/console.js"):
        assert browser.send("GET", path, headers=came)[0] == 403
    linked = {"Sec-Fetch-Site": site, **FOLLOWED}
    assert browser.send("GET", "/stacks", headers=linked)[0] == 200  # browsers leave the strict cookie out
    framed = {**linked, "Sec-Fetch-Dest": "iframe"}
    assert browser.send("GET", "/stacks", headers=framed)[0] == 403
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert browser.post("/leave", {"Origin": origin, "Sec-Fetch-Site": site})[0] == 403
    assert browser.get("/stacks")[0] == 200


def test_a_form_without_the_sessions_token_is_refused(server, browser):
    other = ConsoleBrowser.entered(server)
    for token in ("", "x", other.form_token):
        assert browser.post("/leave", form_token=token) == (403, "The form has expired: reload the page")
    assert browser.get("/stacks")[0] == 200
    assert browser.post("/leave")[0] == 200
    assert browser.get("/stacks")[0] == 401


def test_no_answer_may_be_framed_stored_or_read_by_another_site(browser):
    for path in ("/stacks", "/nothing", "/static/console.css", "/enter?token=x"):
        browser.get(path)
        policy = browser.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert browser.headers["x-content-type-options"] == "nosniff"
        assert browser.headers["cross-origin-resource-policy"] == "same-origin"
        assert not [name for name in browser.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/", "/static/x/y", "/static/%2e%2e"]
)
def test_only_files_of_the_folder_are_served(browser, path):
    assert browser.get(path)[0] == 404


def test_the_console_listens_on_loopback_alone(server):
    assert make_link(server).startswith("http://127.0.0.1:")


def test_with_require_auth_an_access_key_signs_in(tmp_path):
    with serving(tmp_path, "--require-auth", forked=True) as running:
        lines = (tmp_path / "state" / "credentials").read_text().splitlines()
        key_id, secret = (
            next(x for x in lines if name in x).partition("=")[2].strip() for name in ("key_id", "secret")
        )
        link = make_link(running)
        browser = ConsoleBrowser(link)
        _, text = browser.get(link.partition(browser.address)[2])
        assert browser.cookie is None  # the link is not enough
        assert 'name="secret"' in text
        for wrong in ({"key_id": key_id, "secret": "x"}, {"key_id": "x", "secret": secret}, {}):
            assert browser.post("/enter", **wrong)[0] == 403
        assert browser.post("/enter", key_id=key_id, secret=secret)[0] == 200
        status, text = browser.get("/stacks")
        assert status == 200
        assert f"account {json.dumps(key_id)[1:-1] if key_id.isdecimal() else '123456789012'}" in text


def test_with_require_auth_temporary_credentials_sign_in(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "credentials").write_text(
        "[one]\naws_access_key_id = 111111111111\naws_secret_access_key = s\n"
    )
    (tmp_path / "state" / "credentials").chmod(0o600)
    with serving(tmp_path, "--require-auth", forked=True) as running:
        role = "arn:aws:iam::111111111111:role/viewer"
        sts = running.client("sts", aws_secret_access_key="s")
        given = sts.assume_role(RoleArn=role, RoleSessionName="me")["Credentials"]
        right = {
            "key_id": given["AccessKeyId"],
            "secret": given["SecretAccessKey"],
            "token": given["SessionToken"],
        }
        browser = ConsoleBrowser(make_link(running))
        browser.get("/enter")
        for wrong in ({"token": ""}, {"token": "eA=="}, {"secret": "x"}, {"key_id": "111111111111"}):
            assert browser.post("/enter", **{**right, **wrong})[0] == 403
        assert browser.post("/enter", **right)[0] == 200
        status, text = browser.get("/stacks")
        assert status == 200
        assert "account 111111111111" in text
        assert given["SessionToken"] not in text
        template = '{"Resources": {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}'
        fields = {"account": "111111111111", "region": "us-east-1", "template": template, "name": "of-the-role"}
        assert browser.post("/deploy/change-set", **fields)[0] == 200
        assert "of-the-role" in browser.get("/stacks")[1]


ACCOUNTS = ("111111111111", "222222222222")
SETS = ("/stack-sets/parameters", "/stack-sets/save")


def test_a_session_has_the_rights_of_its_account_alone(tmp_path):
    keys = "".join(f"[k{each}]\naws_access_key_id = {each}\naws_secret_access_key = s{each}\n" for each in ACCOUNTS)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "credentials").write_text(keys)
    (tmp_path / "state" / "credentials").chmod(0o600)
    with serving(tmp_path, "--require-auth", forked=True) as running:
        running.secret = f"s{ACCOUNTS[0]}"
        client = running.client("cloudformation", aws_secret_access_key=running.secret)
        template = '{"Resources": {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}'
        arn = client.create_stack(StackName="private", TemplateBody=template)["StackId"]
        client.get_waiter("stack_create_complete").wait(StackName="private")
        owner, stranger = (_signed_in(running, each) for each in ACCOUNTS)
        stack = f"/stacks/{arn.rpartition('/')[2]}"
        assert "private" in owner.get("/stacks")[1]
        assert "private" not in stranger.get("/stacks")[1]
        here = f"account={ACCOUNTS[0]}&region=us-east-1"
        kind = "/registry/RESOURCE/AWS::CloudFormation::WaitConditionHandle"
        addresses = [f"/registry?{here}", f"/registry/public?{here}", f"/templates?{here}", f"/templates?stack={arn}"]
        addresses += [stack, f"{stack}/events", f"{stack}/template", f"{stack}/do/delete"]
        parts = ("", "/versions", "/configuration", "/tests", "/publishing", "/resources", "/resources/new", "/calls")
        addresses += [f"{kind}{part}?{here}" for part in (*parts, "/calls/1", "/tests/x/report", "/requests/x")]
        for address in addresses:
            status, text = stranger.get(address)
            assert status == 404, (address, text)
            assert "private" not in text
        stranger.get("/stacks")
        parts = ("/default", "/deregister", "/configuration", "/configuration/remove", "/tests", "/publishing")
        parts += (
            "/deactivate",
            "/resources/new",
            "/resources/one",
            "/resources/delete",
            "/requests/x/cancel",
            "/calls/1",
        )
        for part in parts:
            assert stranger.post(f"{kind}{part}?{here}", version="00000001", confirmation="x")[0] == 404, part
        fields = {"account": ACCOUNTS[0], "region": "us-east-1", "template": template, "name": "other"}
        for address in ("/templates/check", "/templates/hooks", "/deploy/parameters", "/deploy/change-set", *SETS):
            assert stranger.post(address, **fields)[0] == 404, address
        assert stranger.post(f"{stack}/do/delete", confirmation="private")[0] == 404
        assert client.describe_stacks(StackName="private")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
        assert owner.get(f"/registry?{here}")[0] == 200
        stranger.post("/leave")
        assert stranger.get("/stacks")[0] == 401


def _signed_in(running, account):
    link = make_link(running)
    browser = ConsoleBrowser(link)
    browser.get(link.partition(browser.address)[2])
    assert browser.post("/enter", key_id=account, secret=f"s{account}")[0] == 200
    assert browser.get("/stacks")[0] == 200
    return browser
