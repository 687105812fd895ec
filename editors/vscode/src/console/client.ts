// A client of the console: it has the session, so that no page in the editor does.
import * as http from "node:http";

export interface Answer {
  /** The path that was answered, after redirections. */
  path: string;
  status: number;
  text: string;
}

const MOST_REDIRECTIONS = 5;
const MOST_BYTES = 20_000_000;
const PATIENCE = 60_000;

export class ConsoleClient {
  readonly base: string;
  private cookie = "";
  private stream: http.ClientRequest | undefined;
  private readonly sheets = new Map<string, string>();

  /** @param link the one-time link that `cfn console --print` prints
   * @throws Error: it does not lead to this machine. */
  constructor(private readonly link: string) {
    const url = new URL(link);
    if (url.protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(url.hostname)) {
      throw new Error("the console is not on this machine");
    }
    this.base = url.origin;
  }

  /** Begin a session. */
  async enter(): Promise<Answer> {
    const url = new URL(this.link);
    return this.ask("GET", `${url.pathname}${url.search}`);
  }

  /** Get a page, or send a form's fields; redirections inside the console are followed. */
  async ask(method: string, path: string, fields?: readonly (readonly [string, string])[]): Promise<Answer> {
    let [how, where, body] = [method, path, fields === undefined ? undefined : new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()];
    for (let turn = 0; turn <= MOST_REDIRECTIONS; turn++) {
      const { answer, leads } = await this.once(how, where, body);
      if (leads === undefined) return answer;
      const next = new URL(leads, new URL(where, this.base));
      if (next.origin !== this.base) throw new Error("the console leads elsewhere");
      [how, where, body] = ["GET", `${next.pathname}${next.search}`, undefined];
    }
    throw new Error("the console leads in a circle");
  }

  /** Return a style sheet, which is read once. */
  async sheet(path: string): Promise<string> {
    const known = this.sheets.get(path) ?? (await this.ask("GET", path)).text;
    this.sheets.set(path, known);
    return known;
  }

  /** Call `changed` whenever stacks or other things have changed, until `close`. */
  follow(changed: () => void): void {
    this.stream = http.get(`${this.base}/changes`, { headers: this.headers() }, (response) => {
      response.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("event: change")) changed();
      });
    });
    this.stream.on("error", () => undefined); // the page says so when it is next asked for
  }

  close(): void {
    this.stream?.destroy();
  }

  private headers(): Record<string, string> {
    return { Accept: "text/html, text/css, text/event-stream", ...(this.cookie === "" ? {} : { Cookie: this.cookie }) };
  }

  private once(method: string, path: string, body?: string): Promise<{ answer: Answer; leads: string | undefined }> {
    const form = body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(Buffer.byteLength(body)) };
    const headers = { ...this.headers(), ...form, ...(method === "GET" ? {} : { Origin: this.base }) };
    return new Promise((resolve, reject) => {
      const request = http.request(`${this.base}${path}`, { method, headers, timeout: PATIENCE }, (response) => {
        this.remember(response.headers["set-cookie"]);
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.length;
          if (size > MOST_BYTES) request.destroy(new Error("the page is too large for the editor: open it in the browser"));
          parts.push(part);
        });
        response.on("error", reject);
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const leads = status >= 300 && status < 400 ? response.headers.location : undefined;
          resolve({ answer: { path, status, text: Buffer.concat(parts).toString("utf8") }, leads });
        });
      });
      request.on("timeout", () => request.destroy(new Error("the console does not answer")));
      request.on("error", reject);
      request.end(body);
    });
  }

  private remember(cookies: readonly string[] | undefined): void {
    const first = cookies?.[0]?.split(";")[0];
    if (first !== undefined) this.cookie = first;
  }
}
