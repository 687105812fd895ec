"""Many clients at once, and random sequences of operations."""

import contextlib
import itertools
import shutil
import threading

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from formwork.durable.workflows import Workflows
from formwork.registry.errors import RegistryError
from formwork.registry.requests import (
    DescribeTypeRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    RegisterTypeRequest,
    TypeReference,
)
from support.registry import ELSEWHERE, GUARD, HERE, SHELF, STRANGER, THING, Desk, by_name, kind_of, open_desk
from support.registry_crash import invariants

CLIENTS = 100
NAMES = [THING, GUARD, SHELF, "Acme::Store::Other"]


def run_all(count, do):
    """`do(number)` in so many threads at once; what they raised."""
    failures = []
    gate = threading.Barrier(count)

    def client(number):
        gate.wait()
        try:
            do(number)
        except Exception as error:  # noqa: BLE001 - every one is told
            failures.append(repr(error))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    return failures


def test_a_hundred_clients_register_and_list(open_a_desk):
    desk = open_a_desk()
    packages = {name: desk.storage.put(kind_of(name)[1](name)) for name in NAMES}

    def client(number):
        name = NAMES[number % len(NAMES)]
        request = RegisterTypeRequest(type_name=name, kind=kind_of(name)[0], package_url=packages[name])
        token = desk.registry.register_type(HERE, request)
        status = desk.registry.describe_type_registration(HERE, token)
        assert status.status == "COMPLETE", status
        desk.registry.list_types(HERE, ListTypesRequest())
        desk.registry.list_type_versions(HERE, ListTypeVersionsRequest(type=by_name(name)))
        desk.registry.describe_type(HERE, DescribeTypeRequest(type=by_name(name)))

    assert run_all(CLIENTS, client) == []
    assert invariants(desk) == []
    for name in NAMES:
        found = desk.registry.list_type_versions(HERE, ListTypeVersionsRequest(type=by_name(name))).items
        assert [each.version_id for each in found] == [f"{number:08d}" for number in range(1, 26)]


def test_a_hundred_clients_with_one_token_make_one_version(open_a_desk):
    desk = open_a_desk()
    url = desk.storage.put(kind_of(THING)[1](THING))
    request = RegisterTypeRequest(type_name=THING, package_url=url, client_token="once")
    tokens = set()
    assert run_all(20, lambda _number: tokens.add(desk.registry.register_type(HERE, request))) == []
    assert len(tokens) == 1


@pytest.mark.parametrize("size", [20])
def test_clients_and_durable_workflows_share_the_database(tmp_path, size):
    database = open_desk(tmp_path / "state").database
    with Workflows(database) as workflows:
        desk = Desk(database, work=workflows)
        workflows.launch()
        desk.registry.resume()
        urls = [desk.storage.put(kind_of(THING)[1](THING)) for _ in range(size)]
        tokens = []

        def client(number):
            request = RegisterTypeRequest(type_name=THING, package_url=urls[number])
            tokens.append(desk.registry.register_type(HERE, request))

        assert run_all(size, client) == []
        for token in tokens:
            workflows.result(token)
            assert desk.registry.describe_type_registration(HERE, token).status == "COMPLETE"
        assert invariants(desk) == []
    desk.close()


class Sequences(RuleBasedStateMachine):
    """Any order of operations, and what holds after each."""

    tokens = Bundle("tokens")
    folder = None
    numbers_of_folders = itertools.count()

    def __init__(self):
        super().__init__()
        place = self.folder / str(next(self.numbers_of_folders))
        shutil.copytree(self.folder / "template", place)  # migrating takes longer than a sequence
        self.desk = open_desk(place)
        self.numbers = {}
        self.client_tokens = {}

    def teardown(self):
        self.desk.close()
        shutil.rmtree(self.desk.state.root)

    @classmethod
    def run_many(cls, folder, examples, steps):
        """Try so many sequences of so many steps at most."""
        cls.folder = folder
        open_desk(folder / "template").close()
        machine = cls.TestCase()
        machine.settings = settings(
            max_examples=examples, stateful_step_count=steps, suppress_health_check=list(HealthCheck), deadline=None
        )
        machine.runTest()

    scopes = st.sampled_from([HERE, ELSEWHERE, STRANGER])
    names = st.sampled_from([THING, GUARD, SHELF])

    @rule(scope=scopes, name=names, client=st.sampled_from([None, "a", "b"]), good=st.booleans())
    def register(self, scope, name, client, good):
        content = kind_of(name)[1](name) if good else b"no zip"
        known = self.client_tokens.get((scope, client))
        url = known[1] if known and known[0] == name else self.desk.storage.put(content)
        request = RegisterTypeRequest(type_name=name, kind=kind_of(name)[0], package_url=url, client_token=client)
        try:
            token = self.desk.registry.register_type(scope, request)
        except RegistryError:
            assert known
            assert known[0] != name
            return
        if known and client is not None:
            assert token == known[2]
            return
        if client is not None:
            self.client_tokens[scope, client] = name, url, token
        arn = self.desk.registry.describe_type_registration(scope, token).version_arn
        number = int(arn.rpartition("/")[2])
        assert number > self.numbers.get((scope, name), 0)
        self.numbers[scope, name] = number

    @rule(scope=scopes, name=names, number=st.integers(1, 5))
    def set_default(self, scope, name, number):
        self._try(lambda: self.desk.registry.set_type_default_version(scope, by_name(name, f"{number:08d}")))

    @rule(scope=scopes, name=names, number=st.one_of(st.none(), st.integers(1, 5)))
    def deregister(self, scope, name, number):
        version = None if number is None else f"{number:08d}"
        self._try(lambda: self.desk.registry.deregister_type(scope, by_name(name, version)))

    @rule()
    def restart(self):
        self.desk.registry.resume()

    @invariant()
    def holds(self):
        assert invariants(self.desk) == []
        for scope in (HERE, ELSEWHERE, STRANGER):
            for summary in self.desk.registry.list_types(scope, ListTypesRequest()).items:
                found = self.desk.registry.describe_type(
                    scope, DescribeTypeRequest(type=TypeReference(arn=summary.arn))
                )
                assert found.is_default
                assert found.default_version == summary.default_version

    @staticmethod
    def _try(do):
        with contextlib.suppress(RegistryError):  # any other error fails the test
            do()


def test_any_sequence_of_operations_keeps_the_registry_consistent(tmp_path):
    Sequences.run_many(tmp_path, 12, 15)


@pytest.mark.slow
def test_many_sequences(tmp_path):
    Sequences.run_many(tmp_path, 200, 30)
