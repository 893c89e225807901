import { expect, test } from 'vitest';
import { literalOf } from './literals.ts';
import { testText } from './test-text.ts';

test('a test repeats the actions and expects the fields of the operator', async () => {
  const text = testText({
    ...{ crds: ['config/crd'], hasAccount: true, hasSamples: true },
    steps: [
      { code: 'await end();\nstart();' },
      { code: "server.faults.failNext({ status: 409, match: { verb: 'update' } });" },
      { code: `await cluster.create(${literalOf({ kind: 'Cart', spec: { text: 'a\nb'.repeat(60) } })});` },
    ],
    expected: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        fields: { spec: { replicas: 2 } },
      },
      { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop', fields: { spec: {} } },
    ],
  });
  await expect(text).toMatchFileSnapshot('test-text.golden.txt');
});

test.each<readonly [unknown, string]>([
  [{ a: 1, 'b-c': [true, null, 12n], d: undefined }, "{ a: 1, 'b-c': [true, null, 12n] }"],
  ['it\'s "quoted"\n`x`\\\u2028', "'it\\'s \"quoted\"\\n`x`\\\\\\u2028'"],
  [JSON.parse('{"__proto__":{"x":1}}'), "{ ['__proto__']: { x: 1 } }"],
  [{ "x'; process.exit(); '": 1 }, "{ 'x\\'; process.exit(); \\'': 1 }"],
])('prints the value %#', (value, expected) => {
  expect(literalOf(value)).toBe(expected);
});
