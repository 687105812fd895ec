/*
 * The program of a Node handler process: loads the handler, then asks the Runtime API for events until it is killed.
 *
 * Run as `node bootstrap.cjs` with Lambda's variables. Node 20 and later, no dependencies. It speaks HTTP over a
 * plain socket: the only server it ever talks to is the one that started it.
 */
'use strict';

const net = require('node:net');
const path = require('node:path');
const fs = require('node:fs');
const { format } = require('node:util');

const SEPARATOR = Buffer.from('\r\n\r\n');

/** A connection to the Runtime API; one call at a time. */
class RuntimeApi {
  constructor(address) {
    const [place, secret] = address.split('/');
    const colon = place.lastIndexOf(':');
    this.start = `${secret ? `/${secret}` : ''}/2018-06-01/runtime/`;
    this.received = Buffer.alloc(0);
    this.waiting = null;
    this.socket = net.connect(Number(place.slice(colon + 1)), place.slice(0, colon).replace(/[[\]]/g, ''));
    this.socket.setNoDelay(true);
    this.socket.on('data', (data) => {
      this.received = this.received.length === 0 ? data : Buffer.concat([this.received, data]);
      this.advance();
    });
    this.socket.on('error', () => process.exit(0)); // the process that started this one has ended
    this.socket.on('close', () => process.exit(0));
  }

  next() {
    return this.call('GET', 'invocation/next', '');
  }

  post(where, body, errorType = '', more = '') {
    const kind = errorType.replace(/[^\x20-\x7e]/g, ' ');
    return this.call('POST', where, body, (kind && `Lambda-Runtime-Function-Error-Type: ${kind}\r\n`) + more);
  }

  call(method, where, body, extra = '') {
    const content = Buffer.from(body, 'utf8');
    const start = `${method} ${this.start}${where} HTTP/1.1\r\nHost: localhost\r\n`;
    const head = Buffer.from(`${start}${extra}Content-Length: ${content.length}\r\n\r\n`, 'latin1');
    this.socket.write(content.length === 0 ? head : Buffer.concat([head, content]));
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.advance();
    });
  }

  advance() {
    const end = this.received.indexOf(SEPARATOR);
    if (this.waiting === null || end < 0) return;
    const [status, ...lines] = this.received.toString('latin1', 0, end).split('\r\n');
    if (status.split(' ')[1] === '410') process.exit(0);
    const headers = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const from = end + SEPARATOR.length;
    const to = from + Number(headers['content-length'] ?? 0);
    if (this.received.length < to) return;
    const body = this.received.toString('utf8', from, to);
    this.received = this.received.subarray(to);
    const resolve = this.waiting;
    this.waiting = null;
    resolve({ headers, body });
  }
}

/** An error of the function rather than of its code; `kind` is Lambda's errorType. */
class RuntimeError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = kind;
  }
}

let requestId = '';

/** Lambda's form of console lines: time, request, level, words. */
function patchConsole() {
  const levels = { trace: 'TRACE', debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' };
  for (const [name, level] of Object.entries(levels)) {
    console[name] = (...words) => {
      const message = format(...words).replace(/\n/g, '\r');
      log(`${new Date().toISOString()}\t${requestId || 'undefined'}\t${level}\t${message}`);
    };
  }
}

function log(text) {
  try {
    fs.writeSync(1, `${text}\n`);
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(`${text}\n`); // the pipe is full
  }
}

/** The context object of an invocation. */
function contextOf(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  const client = headers['lambda-runtime-client-context'];
  return {
    callbackWaitsForEmptyEventLoop: true,
    awsRequestId: requestId,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: client ? JSON.parse(client) : undefined,
    identity: undefined,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

/** The function that a handler's name means: `folder/file.export`, with further dots for members of exports. */
async function load(name) {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.indexOf('.', slash);
  if (dot <= slash || dot === name.length - 1) {
    throw new RuntimeError('Runtime.MalformedHandlerName', `Bad handler '${name}': it is no FILE.EXPORT`);
  }
  const file = path.resolve(process.env.LAMBDA_TASK_ROOT, name.slice(0, dot));
  const found = ['', '.js', '.mjs', '.cjs'].map((suffix) => file + suffix).find((each) => isFile(each));
  if (found === undefined) {
    throw new RuntimeError('Runtime.ImportModuleError', `Error: Cannot find module '${name.slice(0, dot)}'`);
  }
  const module = await importFile(found);
  let handler = module;
  for (const step of name.slice(dot + 1).split('.')) handler = handler?.[step] ?? handler?.default?.[step];
  if (handler === undefined || handler === null) {
    throw new RuntimeError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  }
  if (typeof handler !== 'function') {
    throw new RuntimeError('Runtime.HandlerNotFound', `${name} is not a function`);
  }
  return handler;
}

function isFile(name) {
  return fs.statSync(name, { throwIfNoEntry: false })?.isFile() === true;
}

async function importFile(file) {
  try {
    if (!file.endsWith('.mjs')) return require(file);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw asLoadError(error);
  }
  try {
    return await import(require('node:url').pathToFileURL(file).href);
  } catch (error) {
    throw asLoadError(error);
  }
}

function asLoadError(error) {
  if (error instanceof SyntaxError) return rename(error, 'Runtime.UserCodeSyntaxError');
  const missing = error?.code === 'MODULE_NOT_FOUND' || error?.code === 'ERR_MODULE_NOT_FOUND';
  return missing ? rename(error, 'Runtime.ImportModuleError') : error;
}

function rename(error, name) {
  const made = new RuntimeError(name, `${error.name}: ${error.message.split('\n')[0]}`);
  made.stack = error.stack;
  return made;
}

/** What the handler answers, by promise or by callback; null where nothing is left that could answer. */
function call(handler, event, context) {
  return new Promise((resolve, reject) => {
    const callback = (error, result) => (error ? reject(error) : resolve(result));
    const settled = {
      done: callback,
      succeed: (result) => callback(null, result),
      fail: (error) => callback(error ?? new Error('handled')),
    };
    process.once('beforeExit', () => resolve(null));
    const result = handler(event, Object.assign(context, settled), callback);
    if (typeof result?.then === 'function') result.then(resolve, reject);
  });
}

/** An error as Lambda's Node runtime writes it. */
function documentOf(error) {
  if (error instanceof Error) {
    return { errorType: error.name, errorMessage: error.message, trace: String(error.stack ?? '').split('\n') };
  }
  return { errorType: typeof error, errorMessage: show(error), trace: [] };
}

function show(value) {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return 'a value that cannot be shown';
  }
}

function report(what, error) {
  const { errorType, errorMessage, trace } = documentOf(error);
  console.error(`${what}\t${JSON.stringify({ errorType, errorMessage, stack: trace })}`);
}

async function main() {
  const { AWS_LAMBDA_RUNTIME_API: address, FORMWORK_AWS_GATE: gate, _HANDLER: name } = process.env;
  patchConsole();
  if (gate) require('./aws_gate.cjs').install(JSON.parse(gate));
  const api = new RuntimeApi(address);
  const crash = (kind) => async (error) => {
    report('Uncaught Exception', error);
    const body = JSON.stringify({ ...documentOf(error), ...(kind && { errorType: kind }) });
    const where = requestId ? `invocation/${requestId}/error` : 'init/error';
    await api.post(where, body, kind || documentOf(error).errorType, 'Connection: close\r\n');
    process.exit(kind ? 128 : 129);
  };
  process.on('uncaughtException', crash(''));
  process.on('unhandledRejection', crash('Runtime.UnhandledPromiseRejection'));
  let handler;
  try {
    handler = await load(name);
  } catch (error) {
    report('Init Error', error);
    await api.post('init/error', JSON.stringify(documentOf(error)), documentOf(error).errorType);
    process.exit(1);
  }
  for (;;) {
    const { headers, body } = await api.next();
    requestId = headers['lambda-runtime-aws-request-id'];
    process.env._X_AMZN_TRACE_ID = headers['lambda-runtime-trace-id'] ?? '';
    await answer(api, handler, headers, body);
    process.removeAllListeners('beforeExit');
    requestId = '';
  }
}

async function answer(api, handler, headers, body) {
  const where = `invocation/${requestId}`;
  let response;
  try {
    api.socket.unref(); // what is waited for is the handler's alone
    const result = await call(handler, JSON.parse(body), contextOf(headers)).finally(() => api.socket.ref());
    response = JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch (error) {
    report('Invoke Error', error);
    const document = documentOf(error);
    await api.post(`${where}/error`, JSON.stringify(document), document.errorType);
    return;
  }
  await api.post(`${where}/response`, response);
}

void main();
