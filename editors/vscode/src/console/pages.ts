// A page of the console as a webview shows it: its styles inside, its scripts replaced by one that reports clicks.

export interface Shown {
  html: string;
  /** Of this page: also what the webview's policy allows. */
  nonce: string;
  /** The style sheets of the page, in its order. */
  styles: readonly string[];
}

const SCRIPTS = /<script\b[^>]*>[\s\S]*?<\/script\s*>/gi;
const LINKS = /<link\b[^>]*>/gi;
const METAS = /<meta\b[^>]*\bhttp-equiv\b[^>]*>/gi;
const FRAMES = /<iframe\b[^>]*>(?:[\s\S]*?<\/iframe\s*>)?/gi;
const OWN_STYLE = `
header.top form, #theme, #stream { display: none }
body { padding: 0 }
.formwork-bar { display: flex; gap: .5rem; padding: .3rem .6rem; font-size: .85em }
.formwork-bar button { font: inherit; cursor: pointer }
`;
const BAR = `<div class="formwork-bar" role="toolbar" aria-label="Formwork">
<button type="button" data-formwork="back">← Back</button>
<button type="button" data-formwork="reload">Reload</button>
<button type="button" data-formwork="browser">Open in the browser</button>
</div>`;

/** What runs in the webview. It has no access to the console: it reports what a person does. */
export const SCRIPT = `
(() => {
  const host = acquireVsCodeApi();
  const body = document.body;
  const paint = () => {
    const dark = body.classList.contains("vscode-dark") || (body.classList.contains("vscode-high-contrast") && !body.classList.contains("vscode-high-contrast-light"));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  paint();
  new MutationObserver(paint).observe(body, { attributes: true, attributeFilter: ["class"] });
  const path = body.dataset.formworkPath;
  const before = host.getState();
  if (before && before.path === path) scrollTo(0, before.scroll);
  addEventListener("scroll", () => host.setState({ path, scroll: scrollY }));
  addEventListener("input", () => host.postMessage({ kind: "edited" }));
  addEventListener("click", (event) => {
    const own = event.target.closest("[data-formwork]");
    if (own) return host.postMessage({ kind: own.dataset.formwork });
    const link = event.target.closest("a[href]");
    if (!link || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    host.postMessage({ kind: "go", address: link.getAttribute("href") });
  });
  addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target, button = event.submitter;
    const fields = [...new FormData(form, button)].filter(([, value]) => typeof value === "string");
    const address = button?.getAttribute("formaction") || form.getAttribute("action") || path;
    host.postMessage({ kind: "submit", address, method: (button?.getAttribute("formmethod") || form.method).toUpperCase(), fields });
  });
})();
`;

/** Return the addresses of the style sheets that a page of the console names. */
export function styleSheets(page: string): string[] {
  return [...page.matchAll(LINKS)]
    .filter(([link]) => /\brel="stylesheet"/i.test(link))
    .flatMap(([link]) => /\bhref="(\/static\/[\w.-]+\.css)"/i.exec(link)?.[1] ?? []);
}

/** Return a page of the console for a webview; `address` is its path. */
export function forWebview(page: string, address: string, shown: Omit<Shown, "html">): string {
  const { nonce, styles } = shown;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:`;
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    ...styles.map((each) => `<style nonce="${nonce}">${each.replace(/<\/style/gi, "<\\/style")}</style>`),
    `<style nonce="${nonce}">${OWN_STYLE}</style>`,
  ].join("\n");
  return page
    .replace(SCRIPTS, "")
    .replace(LINKS, "")
    .replace(METAS, "")
    .replace(FRAMES, "<p>This report is shown in the browser.</p>")
    .replace(/<head\b[^>]*>/i, (tag) => `${tag}\n${head}`)
    .replace(/<body\b/i, (tag) => `${tag} data-formwork-path="${escapeAttribute(address)}"`)
    .replace(/(<body\b[^>]*>)/i, (tag) => `${tag}\n${BAR}`)
    .replace(/<\/body>/i, (tag) => `<script nonce="${nonce}">${SCRIPT}</script>\n${tag}`);
}

/** Return a path of the console for an address in a page; undefined for one that leads elsewhere. */
export function ownPath(address: string, from: string, base: string): string | undefined {
  try {
    const url = new URL(address, new URL(from, base));
    return url.origin === new URL(base).origin ? `${url.pathname}${url.search}` : undefined;
  } catch {
    return undefined;
  }
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}
