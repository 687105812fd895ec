// One stream of changes per browser: all tabs share this worker, since a browser opens six connections to a host.
"use strict";

const ports = new Set();
let source = null;
let state = "connecting";

function tell(message) {
  for (const port of ports) port.postMessage(message);
}

function listen() {
  source = new EventSource("/changes");
  source.onopen = () => {
    state = "live";
    tell({ state });
  };
  source.onerror = () => {
    state = source.readyState === EventSource.CLOSED ? "ended" : "connecting";
    tell({ state });
    if (state === "ended") source = null;
  };
  source.addEventListener("change", (event) => tell({ state: "live", change: JSON.parse(event.data) }));
}

self.onconnect = (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = (message) => {
    if (message.data === "leave") ports.delete(port);
    if (ports.size === 0 && source !== null) {
      source.close();
      source = null;
    }
  };
  port.start();
  port.postMessage({ state });
  if (source === null) listen();
};
