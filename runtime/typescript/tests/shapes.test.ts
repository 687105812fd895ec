import assert from 'node:assert/strict';
import { test } from 'node:test';

import { shapes } from '../src/index.js';

const { anything, arrayOf, boolean, either, integer, mapOf, model, number, setOf, string } = shapes;

interface Tag {
  Key?: string | undefined;
  Value?: string | undefined;
}
interface Node {
  Name?: string | undefined;
  Secret?: string | undefined;
  Children?: Node[] | undefined;
  Tags?: Tag[] | undefined;
  Labels?: { [key: string]: { [key: string]: number } } | undefined;
}

const Tag: shapes.Model<Tag> = model('Tag', () => ({ Key: string, Value: string }));
const Node: shapes.Model<Node> = model(
  'Node',
  () => ({
    Name: string,
    Secret: string,
    Children: arrayOf(Node),
    Tags: setOf(Tag),
    Labels: mapOf(mapOf(integer)),
  }),
  { writeOnly: ['Secret'] },
);
const Open = model<object>('Open', () => ({ Known: integer }), { open: true });

function pointer(read: () => unknown): string {
  try {
    read();
  } catch (problem) {
    assert.ok(problem instanceof shapes.Misfit, String(problem));
    return problem.toString();
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

test('scalars are read typed and as text', () => {
  assert.equal(integer.read('5'), 5);
  assert.equal(integer.read('5.0'), 5);
  assert.equal(number.read('-2.5e3'), -2500);
  assert.equal(boolean.read('TRUE'), true);
  assert.equal(string.read(5), '5');
  assert.equal(string.read(true), 'true');
  for (const each of [integer, number, boolean, string, anything]) assert.equal(each.read(null), undefined);
});

test('what does not fit is refused, and the value is not shown', () => {
  for (const wrong of ['1_000', ' 5', '٥', '', 'five', '0x10', true, [], {}]) {
    assert.match(pointer(() => integer.read(wrong)), /^expected an integer, found a/);
  }
  assert.match(pointer(() => integer.read(1.5)), /fraction/);
  assert.match(pointer(() => number.read('1e999')), /JSON cannot write/);
  assert.match(pointer(() => boolean.read('no')), /neither/);
  assert.match(pointer(() => string.read({})), /an object/);
});

test('integers that JavaScript cannot hold are refused, not rounded', () => {
  assert.equal(integer.read('9007199254740991'), 2 ** 53 - 1);
  assert.equal(integer.read(-(2 ** 53) + 1), -(2 ** 53) + 1);
  // JSON.stringify(2 ** 60) is 1152921504606847000: what can be read exactly can't all be written so.
  for (const wrong of ['9007199254740993', '1152921504606846976', 2 ** 53, -(2 ** 60), 1e21, '1e21']) {
    assert.match(pointer(() => integer.read(wrong)), /without losing digits/);
  }
});

test('unions take the first scalar that fits', () => {
  const flag = either<boolean | number>(boolean, integer);
  assert.deepEqual([flag.read('true'), flag.read('5'), flag.read(7)], [true, 5, 7]);
  assert.match(pointer(() => flag.read('x')), /one of the declared types/);
});

test('models of models', () => {
  const value = { Name: 'a', Children: [{ Name: 'b' }], Labels: { x: { y: '1' } }, Tags: [] };
  assert.deepEqual(Node.read(value), { ...value, Labels: { x: { y: 1 } } });
  assert.deepEqual(Node.read({}), {});
  assert.equal(Node.read(null), undefined);
  assert.deepEqual(Node.read({ Name: null }), {}, 'null is absent');
});

test('misfits say where', () => {
  assert.equal(pointer(() => Node.read({ Children: [{}, { Nope: 1 }] })), 'unknown property at /Children/1/Nope');
  assert.match(pointer(() => Node.read({ Labels: { 'a/b': { '~': 'x' } } })), /at \/Labels\/a~1b\/~0$/);
  assert.match(pointer(() => Node.read({ Tags: 'x' })), /expected an array, found a string at \/Tags/);
});

test('sets keep one of equal items, in the order they came', () => {
  const tags = [{ Key: 'b' }, { Key: 'a', Value: '1' }, { Value: '1', Key: 'a' }];
  assert.deepEqual(Node.read({ Tags: tags })?.Tags, [{ Key: 'b' }, { Key: 'a', Value: '1' }]);
});

test('open models keep what they do not name as it is; a null is absent where it is named', () => {
  const other = { Other: ['2', null], Kept: null };
  assert.deepEqual(Open.read({ Known: '1', ...other }), { Known: 1, ...other });
  assert.deepEqual(Open.read({ Known: null, ...other }), other);
});

test('names that JavaScript has other plans for', () => {
  const hostile = model<object>('Hostile', () => ({ ['__proto__']: string, constructor: string, toString: string }));
  const value: unknown = JSON.parse('{"__proto__": "p", "constructor": "c", "toString": "t"}');
  const read = hostile.read(value);
  assert.equal(JSON.stringify(read), '{"__proto__":"p","constructor":"c","toString":"t"}');
  assert.match(pointer(() => Tag.read(value)), /unknown property/);
  const map: unknown = JSON.parse('{"__proto__": 1}');
  assert.equal(JSON.stringify(mapOf(integer).read(map)), '{"__proto__":1}');
});

test('the secrets of write-only properties are found at any depth', () => {
  assert.deepEqual([...Node.secrets({ Secret: 's1', Children: [{ Secret: 's2', Name: 'n' }] })], ['s1', 's2']);
});
