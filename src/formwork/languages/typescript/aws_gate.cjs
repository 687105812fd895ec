/*
 * Leads a Node process's calls for AWS itself to the gate (aws_gate.py), which answers them by what stands in for AWS.
 *
 * Node's clients take no proxy from the environment. All of them (http, https, http2, fetch) open their connections by
 * net.Socket's connect: the host is replaced there, after TLS has taken down the host's name and before it is looked
 * up. NODE_EXTRA_CA_CERTS has the process trust the gate's certificates.
 */
'use strict';

const http = require('node:http');
const net = require('node:net');

const HTTP_PORTS = new Set([80, 443]);

/** `gate`: its URL with the secret, patterns of AWS's hosts, and whether it answers calls for AWS's APIs. */
function install({ url, api, sites, open }) {
  const gate = new URL(url);
  const [apis, others] = [api, sites].map((pattern) => new RegExp(`^(?:${pattern})$`, 'i'));
  const connect = net.Socket.prototype.connect;

  function redirected(...given) {
    const [options, ...rest] = normalized(given);
    const host = String(options.host ?? '');
    const port = Number(options.port);
    if (options.path || !(apis.test(host) || others.test(host))) return connect.apply(this, given);
    if (open && apis.test(host) && HTTP_PORTS.has(port)) {
      const { lookup, ...kept } = options;
      return connect.call(this, { ...kept, host: gate.hostname, port: Number(gate.port) }, ...rest);
    }
    const words = `Formwork refused this call: ${host} is AWS itself and --aws says otherwise`;
    const refusal = Object.assign(new Error(words), { code: 'FormworkNoAws' });
    const refuse = (_host, _options, callback) => report(gate, host, port, () => callback(refusal));
    return connect.call(this, { ...options, lookup: refuse }, ...rest); // as for a host that is not found
  }

  net.Socket.prototype.connect = redirected;
}

/** The options and the listener of a call of `connect`, whose arguments come in four forms. */
function normalized(given) {
  if (Array.isArray(given[0])) return given[0]; // by net.connect and tls.connect
  if (typeof given[0] === 'object' && given[0] !== null) return given;
  const [port, host, ...rest] = given;
  return typeof host === 'string' ? [{ port, host }, ...rest] : [{ port, host: 'localhost' }, host, ...rest];
}

/** Sends the call to the gate, a proxy that refuses and reports it. Then calls `done`. */
function report(gate, host, port, done) {
  const authorization = Buffer.from(`${gate.username}:${gate.password}`).toString('base64');
  const request = http.request({
    host: gate.hostname,
    port: gate.port,
    method: 'CONNECT',
    path: `${host}:${port}`,
    headers: { 'Proxy-Authorization': `Basic ${authorization}` },
    agent: false,
  });
  request.on('connect', (_response, socket) => socket.destroy());
  request.on('response', (response) => response.resume());
  request.on('error', () => {}); // the run is over
  request.on('close', done);
  request.end();
}

module.exports = { install };
