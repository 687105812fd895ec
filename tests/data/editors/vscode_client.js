// VS Code's own protocol client, without VS Code: opens a file, types, asks, and prints what it got as JSON.
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const p = require("vscode-languageserver-protocol/node");

const [cfn, file] = process.argv.slice(2);
const uri = pathToFileURL(file).href;
const folder = pathToFileURL(require("node:path").dirname(file)).href;
const server = spawn(cfn, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = p.createProtocolConnection(
  new p.StreamMessageReader(server.stdout),
  new p.StreamMessageWriter(server.stdin),
);

const waiting = [];
connection.onNotification(p.PublishDiagnosticsNotification.type, (published) => {
  for (const each of waiting) each(published);
});
const diagnostics = (version) =>
  new Promise((resolve) => {
    waiting.push((published) => {
      if (published.uri === uri && published.version === version) resolve(published.diagnostics.map((each) => each.code));
    });
  });
const registered = new Promise((resolve) => {
  connection.onRequest(p.RegistrationRequest.type, (params) => {
    resolve(params.registrations.map((each) => each.method));
  });
});

async function main() {
  connection.listen();
  const got = {};
  const { capabilities } = await connection.sendRequest(p.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      textDocument: {
        hover: { contentFormat: [p.MarkupKind.Markdown] },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
      },
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
    },
    workspaceFolders: [{ uri: folder, name: "project" }],
  });
  got.encoding = capabilities.positionEncoding;
  await connection.sendNotification(p.InitializedNotification.type, {});
  got.registered = await registered;
  const text = readFileSync(file, "utf8");
  const first = diagnostics(1);
  const document = { uri, languageId: "json", version: 1, text };
  await connection.sendNotification(p.DidOpenTextDocumentNotification.type, { textDocument: document });
  got.opened = await first;

  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes('"/properties/Name"'));
  const position = { line, character: lines[line].indexOf("/properties") + 3 };
  const textDocument = { uri };
  const ask = (request, more) => connection.sendRequest(request.type, { textDocument, position, ...more });
  got.hover = (await ask(p.HoverRequest)).contents.value;
  got.completion = (await ask(p.CompletionRequest)).items.length;
  got.definition = (await ask(p.DefinitionRequest)).length;
  got.references = (await ask(p.ReferencesRequest, { context: { includeDeclaration: true } })).length;
  got.placeholder = (await ask(p.PrepareRenameRequest)).placeholder;
  got.renamed = Object.keys((await ask(p.RenameRequest, { newName: "Title" })).changes).length;
  got.lenses = (await connection.sendRequest(p.CodeLensRequest.type, { textDocument })).length;
  const range = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };

  const second = diagnostics(2);
  const typed = { start: { line, character: position.character }, end: { line, character: position.character + 1 } };
  await connection.sendNotification(p.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: typed, text: "🧱" }],
  });
  got.changed = await second;
  const context = { diagnostics: [] };
  got.actions = (await connection.sendRequest(p.CodeActionRequest.type, { textDocument, range, context })).length;

  const source = new p.CancellationTokenSource();
  const cancelled = connection.sendRequest(p.ReferencesRequest.type, { textDocument, position, context: { includeDeclaration: true } }, source.token);
  source.cancel();
  got.cancelled = await cancelled.then(() => "answered", (error) => error.code);
  await connection.sendRequest(p.ShutdownRequest.type);
  const exit = new Promise((resolve) => server.on("exit", resolve));
  await connection.sendNotification(p.ExitNotification.type);
  got.exit = await exit;
  console.log(JSON.stringify(got));
  connection.dispose();
}

main().catch((error) => {
  console.error(error);
  server.kill();
  process.exit(1);
});
