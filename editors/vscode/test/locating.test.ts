import assert from "node:assert/strict";
import { test } from "node:test";
import { locateCfn, type Surroundings } from "../src/locating";

function given(programs: string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    setting: "",
    folders: ["/a/project"],
    trusted: true,
    platform: "linux",
    searchPath: "/usr/local/bin:/usr/bin",
    isProgram: (file) => programs.includes(file),
    ...more,
  };
}

test("the workspace's own cfn comes before the one on the search path", () => {
  const programs = ["/usr/bin/cfn", "/a/project/.venv/bin/cfn"];
  assert.deepEqual(locateCfn(given(programs)), { program: "/a/project/.venv/bin/cfn" });
  assert.deepEqual(locateCfn(given(["/usr/bin/cfn"])), { program: "/usr/bin/cfn" });
});

test("nothing of a workspace that is not trusted is run", () => {
  const inside = ["/a/project/.venv/bin/cfn", "/a/project/bin/cfn"];
  const untrusted = { trusted: false, searchPath: "/a/project/bin:.:/usr/bin" };
  assert.deepEqual(locateCfn(given(inside, untrusted)), {
    problem: "cfn was not found on the search path, and that of a workspace runs only once you trust it",
  });
  assert.deepEqual(locateCfn(given([...inside, "/usr/bin/cfn"], untrusted)), { program: "/usr/bin/cfn" });
  const named = locateCfn(given(inside, { ...untrusted, setting: ".venv/bin/cfn" }));
  assert.match("problem" in named ? named.problem : "", /not trusted/);
  assert.deepEqual(locateCfn(given(["/opt/cfn"], { ...untrusted, setting: "/opt/cfn" })), { program: "/opt/cfn" });
});

test("folders of the search path that are not absolute are left out", () => {
  assert.deepEqual(locateCfn(given(["bin/cfn"], { searchPath: "bin" })), {
    problem: "cfn was not found in .venv or venv of this workspace, and on the search path",
  });
});

test("a setting that names no program is not passed over", () => {
  const found = locateCfn(given(["/usr/bin/cfn"], { setting: "tools/cfn" }));
  assert.deepEqual(found, { problem: 'the setting formwork.path is "tools/cfn", which is not a program' });
  const relative = locateCfn(given(["/a/project/tools/cfn"], { setting: "tools/cfn" }));
  assert.deepEqual(relative, { program: "/a/project/tools/cfn" });
});

test("Windows has other folders and names", () => {
  const seen: string[] = [];
  locateCfn(given([], { platform: "win32", searchPath: "/c;/d", isProgram: (file) => void seen.push(file) === undefined && false }));
  assert.deepEqual(seen, ["/a/project/.venv/Scripts/cfn.exe", "/a/project/venv/Scripts/cfn.exe", "/c/cfn.exe", "/d/cfn.exe"]);
});
