import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { ConsoleClient } from "../src/console/client";
import { forWebview, ownPath, styleSheets } from "../src/console/pages";

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Stacks</title>
<meta http-equiv="refresh" content="0; url=http://evil.example">
<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/console.css">
<link rel="stylesheet" href="http://evil.example/x.css">
<script src="/static/htmx.min.js" defer></script><SCRIPT>alert(1)</SCRIPT ></head>
<body><main><a href="/stacks/1">one</a><iframe src="/report"></iframe></main></body></html>`;

test("a page has its own styles and one script of ours, and loads nothing", () => {
  assert.deepEqual(styleSheets(PAGE), ["/static/console.css"]);
  const html = forWebview(PAGE, '/stacks?q="x', { nonce: "n0", styles: ["b { c: d }</style><script>e()"] });
  const scripts = [...html.matchAll(/<script[^>]*>/gi)].map(([tag]) => tag);
  assert.deepEqual(scripts.filter((tag) => tag.includes("nonce")), ['<script nonce="n0">']);
  assert.ok(!/<link|<iframe|alert|evil|htmx/i.test(html));
  assert.ok(html.includes("default-src 'none'; style-src 'nonce-n0'; script-src 'nonce-n0'; img-src data:"));
  assert.ok(html.includes('data-formwork-path="/stacks?q=&quot;x"'));
  assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<title>"));
});

test("addresses that lead out of the console", () => {
  const base = "http://127.0.0.1:3011";
  assert.equal(ownPath("/stacks/1?a=b#c", "/stacks", base), "/stacks/1?a=b");
  assert.equal(ownPath("?q=x", "/stacks", base), "/stacks?q=x");
  for (const each of ["http://evil.example/", "//evil.example/x", "javascript:alert(1)", "http://127.0.0.1:1/"]) {
    assert.equal(ownPath(each, "/stacks", base), undefined);
  }
});

const seen: { method: string; url: string; cookie: string; origin: string; body: string }[] = [];
let server: http.Server;
let base: string;

before(async () => {
  server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      const { cookie = "", origin = "" } = request.headers;
      seen.push({ method: request.method ?? "", url: request.url ?? "", cookie, origin, body });
      if (request.url?.startsWith("/enter")) response.setHeader("Set-Cookie", "formwork-console-1=abc; HttpOnly");
      if (request.url === "/deploy") response.writeHead(303, { Location: "/stacks/1" });
      if (request.url === "/away") response.writeHead(303, { Location: "http://evil.example/" });
      if (request.url === "/changes") response.write("event: change\ndata: {}\n\n");
      else response.end("page");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

test("the client has the session, follows the console and nothing else", async () => {
  const client = new ConsoleClient(`${base}/enter?token=t`);
  await client.enter();
  assert.deepEqual(await client.ask("POST", "/deploy", [["form_token", "x"], ["name", "a b"]]), { path: "/stacks/1", status: 200, text: "page" });
  const [, posted, got] = seen;
  assert.deepEqual(posted, { method: "POST", url: "/deploy", cookie: "formwork-console-1=abc", origin: base, body: "form_token=x&name=a+b" });
  assert.deepEqual([got?.method, got?.cookie, got?.origin, got?.body], ["GET", "formwork-console-1=abc", "", ""]);
  await assert.rejects(client.ask("GET", "/away"), /leads elsewhere/);
  await client.sheet("/static/a.css");
  const before = seen.length;
  await client.sheet("/static/a.css");
  assert.equal(seen.length, before);
  await new Promise<void>((resolve) => client.follow(resolve));
  client.close();
});

test("a link to another machine is refused", () => {
  assert.throws(() => new ConsoleClient("http://evil.example/enter?token=t"), /not on this machine/);
  assert.throws(() => new ConsoleClient("https://127.0.0.1/enter?token=t"), /not on this machine/);
});
