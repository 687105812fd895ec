"""Two hundred texts that become markup or a script where a page forgets to escape them, and what sees it if one does.

Each text has a number of six digits, 7FFNNN: the field FF that it was put into, and which text NNN it is. A page that
shows the text contains the number; a page that runs it calls `pwn(number)`.
"""

import json
import re

# A value, an attribute in either quotes, and the elements whose content is not markup are left first.
_CONTEXTS = ("", '">', "'>", "</script>", "</textarea>", "</title>", "</style>", "-->", "]]>", "`}</code></pre>")
_VECTORS = (
    "<script>pwn(N)</script>",
    "<ScRiPt src=data:text/javascript,pwn(N)></sCrIpT>",
    "<img src=x onerror=pwn(N)>",
    "<svg/onload=pwn(N)>",
    "<details open ontoggle=pwn(N)>N</details>",
    "<input autofocus onfocus=pwn(N)>",
    "<video><source onerror=pwn(N)></video>",
    '<iframe srcdoc="<script>parent.pwn(N)</script>"></iframe>',
    "<iframe src=javascript:parent.pwn(N)></iframe>",
    "<object data=javascript:pwn(N)></object><embed src=javascript:pwn(N)>",
    '<a href="javascript:pwn(N)" id=content>N</a>',
    "<form action=javascript:pwn(N) id=x><button form=x>N</button></form>",
    "<base href=//evil.invalid/N><link rel=stylesheet href=//evil.invalid/N>",
    "<meta http-equiv=refresh content='0;url=javascript:pwn(N)'>",
    "<style onload=pwn(N)>*{display:none}</style>",
    "<math><mtext><table><mglyph><style><img src=x onerror=pwn(N)></style></mglyph></table></mtext></math>",
    "<div hx-get=/stacks hx-trigger=load hx-on:htmx:load=pwn(N) hx-on::after-request=pwn(N)>N</div>",
    '" autofocus onfocus=pwn(N) onmouseover="pwn(N)" x="',
    "javascript:pwn(N)//\\u003cscript>pwn(N)\\x3c/script>&lt;script&gt;pwn(N)",
    "{{ [].constructor.constructor('pwn(N)')() }}${pwn(N)}{% set x = pwn(N) %}<%= pwn(N) %>",
)
PAYLOADS = tuple(f"{context}{vector}" for vector in _VECTORS for context in _CONTEXTS)
_NUMBER = re.compile(r"7\d{5}")

# What is put into each document before its own scripts run.
WATCH = """
window.pwned = [];
window.pwn = (number) => { window.pwned.push(number); };
document.addEventListener('securitypolicyviolation', (event) => {
  window.pwned.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`);
});
"""
# What a text that became markup leaves behind, though a policy may have kept it from running.
_INTRUDERS = """
[...document.querySelectorAll('*')].filter((each) =>
  ['BASE', 'OBJECT', 'EMBED', 'VIDEO', 'MATH'].includes(each.tagName.toUpperCase())
  || each.attributes.srcdoc || each.attributes['http-equiv']?.value === 'refresh'
  || (each.tagName === 'SCRIPT' && !OWN_SCRIPT)
  || [...each.attributes].some((attribute) => /^on|^hx-on/.test(attribute.name)
      || (/^(href|src|action|formaction|data|xlink:href)$/.test(attribute.name)
          && /^\\s*(javascript|data|vbscript):/i.test(attribute.value)))
).map((each) => each.outerHTML.slice(0, 200))
"""


def hostile(field, number):
    """One of the texts, for a field with a number from 0 to 99."""
    return PAYLOADS[number % len(PAYLOADS)].replace("N", f"7{field:02}{number % len(PAYLOADS):03}")


def all_hostile(field):
    """All of the texts, for a field."""
    return [hostile(field, number) for number in range(len(PAYLOADS))]


def fields_in(text):
    """Which texts of which fields a page shows: a set of numbers by field."""
    found = {}
    for each in _NUMBER.findall(text):
        if int(each[3:]) < len(PAYLOADS):
            found.setdefault(int(each[1:3]), set()).add(int(each[3:]))
    return found


class WatchedPage:
    """A `BrowserPage` that sees what becomes a script or markup in it; `own_script` says what a script of ours is."""

    def __init__(self, page, *, own_script="each.src.startsWith(`${location.origin}/static/`)"):
        self.page = page
        self._intruders = _INTRUDERS.replace("OWN_SCRIPT", own_script)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def attacks(self):
        """What ran, was refused by the policy, or became markup in the document that the window shows."""
        found = self.page.value(f"[...window.pwned, ...{self._intruders}]")
        return [*found, *(json.dumps(each)[:300] for each in self.page.dialogs)]
