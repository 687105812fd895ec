import assert from "node:assert/strict";
import { test } from "node:test";
import { runProgram, type Cancellation } from "../src/running";

test("what a program writes and how it ends", async () => {
  const heard: string[] = [];
  const program = "console.log('out'); console.error(process.env.NO_COLOR); process.exit(3)";
  const ended = await runProgram(process.execPath, ["-e", program], process.cwd(), (text) => heard.push(text));
  assert.equal(ended.code, 3);
  assert.deepEqual(ended.said.split("\n").sort(), ["", "1", "out"]);
  assert.equal(heard.join("").length, ended.said.length);
});

test("a program that does not exist", async () => {
  await assert.rejects(runProgram("/no/such/program", [], process.cwd(), () => undefined), /ENOENT/);
});

test("a run that is cancelled is interrupted, and can clean up", async () => {
  let cancel: () => void = () => undefined;
  const cancellation: Cancellation = {
    isCancellationRequested: false,
    onCancellationRequested: (listener) => {
      cancel = listener;
      return { dispose: () => undefined };
    },
  };
  const program = "process.on('SIGINT', () => { console.log('cleaned'); process.exit(130) }); console.log('ready'); setInterval(() => 0, 1000)";
  const ended = await runProgram(process.execPath, ["-e", program], process.cwd(), (text) => text.includes("ready") && cancel(), cancellation);
  assert.equal(ended.code, 130);
  assert.match(ended.said, /cleaned/);
});
