"""The cabinet without CloudFormation."""

import re

import pytest
from initech_tps_report.cabinet import Cabinet, NoSuchReportError


@pytest.fixture
def cabinet(tmp_path):
    return Cabinet(tmp_path / "cabinet")


def test_reports_get_numbers_in_order_and_a_stamp(cabinet):
    first = cabinet.file({"Title": "one"}, token="a")
    second = cabinet.file({"Title": "two"}, token="b")
    assert re.fullmatch("TPS[0-9]{8}-0000", first["TPSCode"])
    assert cabinet.codes() == [first["TPSCode"], second["TPSCode"]]
    assert "ApprovalDate" not in first
    approved = cabinet.approve(first["TPSCode"])
    assert cabinet.approve(first["TPSCode"]) == approved == cabinet.get(first["TPSCode"])
    assert approved["CoverSheetIncluded"] is True


def test_the_same_token_files_one_report(cabinet):
    assert cabinet.file({"Title": "one"}, token="a") == cabinet.file({"Title": "one"}, token="a")
    assert len(cabinet.codes()) == 1


def test_replacing_drops_what_is_left_out_and_keeps_the_second_copy_apart(cabinet):
    code = cabinet.file({"Title": "one", "Authors": [], "SecondCopyOfMemo": {"Heading": "secret"}}, token="a")[
        "TPSCode"
    ]
    assert cabinet.get(code)["Authors"] == []
    assert "SecondCopyOfMemo" not in cabinet.get(code)
    assert set(cabinet.replace(code, {"Title": "two"})) == {"TPSCode", "Title", "CoverSheetIncluded"}


def test_a_discarded_report_is_gone(cabinet):
    code = cabinet.file({"Title": "one"}, token="a")["TPSCode"]
    cabinet.discard(code)
    for forget in (cabinet.get, cabinet.discard, cabinet.approve):
        with pytest.raises(NoSuchReportError):
            forget(code)
    cabinet.shred(code)
    cabinet.shred(code)
    assert cabinet.codes() == []
