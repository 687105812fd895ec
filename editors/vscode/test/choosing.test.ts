import assert from "node:assert/strict";
import { test } from "node:test";
import { byGroup, focusOptions, type ClauseInfo } from "../src/choosing";
import { isKnown } from "../src/recognizing";

const clause = (id: string, more: Partial<ClauseInfo> = {}): ClauseInfo => ({
  id,
  text: "…",
  level: "MUST",
  state: null,
  tested: true,
  unprovable: null,
  ...more,
});
const APPLIED = clause("update.applied");
const ECHO = clause("create.echo");
const NULL = clause("event.null", { tested: false });
const BILLING = clause("delete.billing", { tested: false, unprovable: "costs cannot be seen" });
const ALL = [NULL, ECHO, APPLIED, BILLING];

test("clauses by group", () => {
  assert.deepEqual([...byGroup(ALL).keys()], ["event", "create", "update", "delete"]);
});

test("a choice of clauses is a focus", () => {
  assert.deepEqual(focusOptions([APPLIED], ALL), ["--focus", "update.applied"]);
  assert.deepEqual(focusOptions([APPLIED, ECHO, BILLING], ALL), ["--focus", "update.applied", "--focus", "create.echo"]);
});

test("all tests run where all are chosen, or a clause has none of its own", () => {
  assert.deepEqual(focusOptions(ALL, ALL), []);
  assert.deepEqual(focusOptions([NULL, ECHO, APPLIED], ALL), []);
  assert.deepEqual(focusOptions([NULL], ALL), []);
  assert.deepEqual(focusOptions([BILLING], ALL), []);
});

test("documents that start the server", () => {
  const document = (language: string, path: string, text = ""): boolean => isKnown({ language, path, text });
  assert.ok(document("smithy", "/a/b.smithy"));
  assert.ok(document("json", "/a/.rpdk-config"));
  assert.ok(document("plaintext", "/a/egress.yml"));
  assert.ok(document("yaml", "/a/b.yaml", "# x\nResources:\n  A: {}\n"));
  assert.ok(document("json", "/a/b.json", '{\n  "AWSTemplateFormatVersion": "2010-09-09"'));
  assert.ok(document("yaml", "/a/b.yaml", "typeName: Acme::Store::Thing"));
  assert.ok(!document("json", "/a/package.json", '{"name": "x", "main": "Resources"}'));
  assert.ok(!document("python", "/a/b.py", "Resources: int"));
});
