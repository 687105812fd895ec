/**
 * Mutants of TypeScript sources, by the `typescript` package itself.
 *
 * node typescript.cjs FOLDER-OF-THE-PACKAGE FILE … -- FILE …: one line of JSON per file, {"compiled", "mutants":
 * [{"scope", "change", "compiled"}]}; `compiled` is JavaScript, transpiled without a look at the types. The files after
 * the -- are compiled only.
 */
'use strict';

const { readFileSync } = require('node:fs');

const ts = require(process.argv[2]);

const OPPOSITES = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);
const BOUNDARIES = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);
const LOGICAL = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.QuestionQuestionToken, undefined],
]);
const MEMBERS = new Map(
  Object.entries({
    'Action.CREATE': 'UPDATE',
    'Action.UPDATE': 'CREATE',
    'Action.DELETE': 'READ',
    'Action.READ': 'LIST',
    'Action.LIST': 'DELETE',
    'HookInvocationPoint.CREATE_PRE_PROVISION': 'UPDATE_PRE_PROVISION',
    'HookInvocationPoint.UPDATE_PRE_PROVISION': 'DELETE_PRE_PROVISION',
    'HookInvocationPoint.DELETE_PRE_PROVISION': 'CREATE_PRE_PROVISION',
    'ProgressEvent.success': 'inProgress',
    'ProgressEvent.inProgress': 'success',
  }),
);
const LONGEST = 90;

class Finder {
  constructor(file) {
    this.source = ts.createSourceFile('mutant.ts', readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
    this.edits = [];
    this.scopes = [];
    this.statement = undefined;
    this.visit(this.source);
  }

  code(node) {
    return node.getText(this.source);
  }

  add(start, end, text, change) {
    const head = this.statement && shortened(this.code(this.statement).split('\n')[0]);
    const scope = this.scopes.join('.') || 'module';
    this.edits.push({ scope, start, end, text, change: head ? `${change} in \`${head}\`` : change });
  }

  edit(node, text, change) {
    const what = change ?? `\`${shortened(this.code(node))}\` → \`${shortened(text)}\``;
    this.add(node.getStart(this.source), node.getEnd(), text, what);
  }

  delete(statement, text = ';') {
    const around = this.statement;
    this.statement = undefined;
    this.edit(statement, text, `delete \`${shortened(this.code(statement))}\``);
    this.statement = around;
  }

  condition(node) {
    this.edit(node, `!(${this.code(node)})`, `negate \`${shortened(this.code(node))}\``);
    if (ts.isBinaryExpression(node) && LOGICAL.get(node.operatorToken.kind)) {
      this.condition(node.left);
      this.condition(node.right);
    }
  }

  value(node) {
    if (this.code(node) !== 'undefined') this.edit(node, 'undefined');
  }

  /** Leave out one of several parts, and the comma beside it. */
  without(whole, parts) {
    if (parts.length < 1) return;
    parts.forEach((part, place) => {
      const next = parts[place + 1];
      const start = !next && place ? parts[place - 1].getEnd() : part.getStart(this.source);
      const end = next ? next.getStart(this.source) : part.getEnd();
      this.add(start, end, '', `\`${shortened(this.code(whole))}\` without \`${shortened(this.code(part))}\``);
    });
  }

  visit(node) {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) return;
    const [scope, around] = [scopeOf(node), this.statement];
    if (scope) this.scopes.push(scope);
    if (ts.isStatement(node) && !ts.isBlock(node)) this.statement = node;
    if (ts.isStatement(node) && !ts.isBlock(node)) this.delete(node);
    if (ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) this.delete(node, '');
    this.mutate(node);
    ts.forEachChild(node, (each) => this.visit(each));
    this.statement = around;
    if (scope) this.scopes.pop();
  }

  mutate(node) {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) this.condition(node.expression);
    else if (ts.isConditionalExpression(node)) this.condition(node.condition);
    else if (ts.isReturnStatement(node) && node.expression) this.value(node.expression);
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) this.value(node.body);
    else if (ts.isVariableDeclaration(node) && node.initializer) this.value(node.initializer);
    else if (ts.isParameter(node) && node.initializer) this.value(node.initializer);
    else if (ts.isBinaryExpression(node)) this.binary(node);
    else if (ts.isNumericLiteral(node)) [-1, 1].forEach((by) => this.edit(node, String(Number(node.text) + by)));
    else if (ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent)) {
      this.edit(node, node.text ? "''" : "'x'");
    } else if (ts.isTemplateExpression(node)) this.edit(node, "''");
    else if (node.kind === ts.SyntaxKind.TrueKeyword) this.edit(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) this.edit(node, 'true');
    else if (ts.isNewExpression(node)) this.error(node);
    else if (ts.isObjectLiteralExpression(node)) this.without(node, node.properties);
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) this.without(node, node.elements);
    else if (ts.isCallExpression(node)) this.call(node);
    else if (ts.isPropertyAccessExpression(node)) {
      const other = MEMBERS.get(this.code(node));
      if (other) this.edit(node, `${this.code(node.expression)}.${other}`);
    }
  }

  binary(node) {
    const [left, right] = [this.code(node.left), this.code(node.right)];
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.EqualsToken) return this.value(node.right);
    if (BOUNDARIES.has(kind)) this.edit(node, `(${left}) ${BOUNDARIES.get(kind)} (${right})`);
    if (OPPOSITES.has(kind) && !isCondition(node)) this.edit(node, `(${left}) ${OPPOSITES.get(kind)} (${right})`);
    if (!LOGICAL.has(kind)) return;
    this.edit(node, `(${left})`);
    this.edit(node, `(${right})`);
    if (LOGICAL.get(kind)) this.edit(node, `(${left}) ${LOGICAL.get(kind)} (${right})`);
  }

  error(node) {
    const name = this.code(node.expression);
    if (!name.startsWith('exceptions.')) return;
    const other = name === 'exceptions.InvalidRequest' ? "NotFound('x', 'y')" : "InvalidRequest('x')";
    this.edit(node, `new exceptions.${other}`);
  }

  call(node) {
    const receiver = ts.isPropertyAccessExpression(node.expression) && this.code(node.expression.expression);
    if (node.arguments.length === 1) this.edit(node, `(${this.code(node.arguments[0])})`);
    if (receiver && receiver !== 'ProgressEvent') this.edit(node, `(${receiver})`);
  }

  mutants() {
    const text = this.source.text;
    return this.edits
      .sort((one, other) => one.start - other.start || one.end - other.end)
      .map(({ scope, change, start, end, text: put }) => ({
        scope,
        change,
        compiled: compile(text.slice(0, start) + put + text.slice(end)),
      }));
  }
}

/** Whether the node is a whole condition: it is negated, which its opposite operator would be once more. */
function isCondition(node) {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return ts.isBinaryExpression(parent) && Boolean(LOGICAL.get(parent.operatorToken.kind)) && isCondition(parent);
}

function scopeOf(node) {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node)) {
    return node.name.text;
  }
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const called = ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer);
  const isHandler = called && node.initializer.arguments.some(ts.isArrowFunction);
  return isHandler && ts.isSourceFile(node.parent.parent.parent) ? node.name.getText() : undefined;
}

function shortened(code) {
  const line = code.split(/\s+/).join(' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

function compile(text) {
  const { module, target } = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(text, { compilerOptions: { module, target, esModuleInterop: true } }).outputText;
}

let mutating = true;
for (const file of process.argv.slice(3)) {
  if (file === '--') {
    mutating = false;
    continue;
  }
  const compiled = compile(readFileSync(file, 'utf8'));
  const mutants = mutating ? new Finder(file).mutants() : [];
  process.stdout.write(`${JSON.stringify({ compiled, mutants })}\n`);
}
