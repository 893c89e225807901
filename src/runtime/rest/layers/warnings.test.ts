import { expect, it, vi } from 'vitest';
import { notifyAll, parseWarnings } from './warning-header.ts';
import { observingWarnings, once, printWarning, type ServerWarning } from './warnings.ts';

const cases: readonly [header: string, want: readonly ServerWarning[]][] = [
  ['299 - "v1alpha1 is deprecated"', [{ agent: '-', text: 'v1alpha1 is deprecated' }]],
  [
    '299 - "one", 299 k8s "two, with \\"quotes\\""',
    [
      { agent: '-', text: 'one' },
      { agent: 'k8s', text: 'two, with "quotes"' },
    ],
  ],
  ['299 - "dated" "Wed, 21 Oct 2026 07:28:00 GMT"', [{ agent: '-', text: 'dated' }]],
  ['199 - "other code", 299 - "ours"', [{ agent: '-', text: 'ours' }]],
  ['299 - ""', []],
  ['299 - "bell \u0007"', []],
  ['nonsense', []],
  [
    '299 - "one", nonsense, 299 - "two"',
    [
      { agent: '-', text: 'one' },
      { agent: '-', text: 'two' },
    ],
  ],
  ['299 - "unterminated, 299 - "two"', [{ agent: '-', text: 'two' }]],
  ['299 - "one, with a comma"', [{ agent: '-', text: 'one, with a comma' }]],
  ['299 - "a \\\\ b"', [{ agent: '-', text: 'a \\ b' }]],
  ['299 - "turned \u202e around"', []],
  ['2990 - "code"', []],
  ['299 "no agent"', []],
  ['', []],
];

it.each(cases)('%s', (header, want) => {
  expect(parseWarnings(header)).toEqual(want);
});

it('parses a malicious header in linear time', () => {
  expect(parseWarnings(`299 - "${'\\"'.repeat(30_000)}`)).toEqual([]);
  expect(parseWarnings(' '.repeat(60_000))).toEqual([]);
  expect(parseWarnings(','.repeat(60_000))).toEqual([]);
  expect(parseWarnings('299 - ",'.repeat(8_000))).toHaveLength(100);
  expect(parseWarnings('299 - "a",'.repeat(8_000))).toHaveLength(100);
});

it('remembers the newest thousand warnings', () => {
  const seen: string[] = [];
  const handle = once(({ text }) => seen.push(text));
  const operation = { verb: 'get', resource: 'pods' };
  for (let index = 0; index < 1500; index += 1) handle({ text: `t${index}`, agent: '-' }, operation);
  handle({ text: 't1499', agent: '-' }, operation);
  expect(seen).toHaveLength(1500);
  handle({ text: 't0', agent: '-' }, operation);
  expect(seen).toHaveLength(1501);
});

const write = { verb: 'update', resource: 'deployments', namespace: 'shop', name: 'web' };

it('prints a warning about a field with verb, resource and object, once per verb and resource', () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const given: readonly [text: string, operation: typeof write][] = [
    ['unknown field "spec.replica"', write],
    ['unknown field "spec.replica"', { ...write, name: 'other' }],
    ['unknown field "spec.replica"', { ...write, resource: 'statefulsets' }],
    ['unknown field "spec.replica"', { ...write, verb: 'patch' }],
    ['duplicate field "spec.replicas"', write],
    ['apps/v1beta1 Deployment is deprecated', write],
    ['apps/v1beta1 Deployment is deprecated', { ...write, verb: 'patch' }],
  ];
  for (const [text, operation] of given) notifyAll(`299 - ${JSON.stringify(text)}`, printWarning, operation);
  expect(emitted.mock.calls.map(([text]) => text)).toEqual([
    'update deployments shop/web: unknown field "spec.replica"',
    'update statefulsets shop/web: unknown field "spec.replica"',
    'patch deployments shop/web: unknown field "spec.replica"',
    'update deployments shop/web: duplicate field "spec.replicas"',
    'apps/v1beta1 Deployment is deprecated',
  ]);
  emitted.mockRestore();
});

it('passes a warning about a field unchanged to a handler, with the operation', () => {
  const seen: unknown[] = [];
  const handle = once((warning, operation) => seen.push([warning, operation]));
  const text = 'unknown field "spec.replica"';
  const warning = { text, agent: '-', message: expect.stringMatching(/s shop\/web: unknown field/) };
  const other = { ...write, resource: 'statefulsets' };
  for (const operation of [write, write, other])
    notifyAll(`299 - ${JSON.stringify(text)}`, handle, operation);
  expect(seen).toEqual([
    [warning, write],
    [warning, other],
  ]);
});

it('passes the warnings of a response to the handler, each text once', async () => {
  const seen: string[] = [];
  const response = {
    status: 200,
    headers: { warning: '299 - "a", 299 - "b", 299 - "a"' },
    body: (async function* () {})(),
    cancel: () => undefined,
  };
  const send = observingWarnings(
    () => Promise.resolve(response),
    once(({ text }, { resource }) => seen.push(`${resource}: ${text}`)),
  );
  const operation = { verb: 'get', resource: 'pods' };
  await send({ method: 'GET', path: '/', query: [], headers: {}, operation });
  await send({ method: 'GET', path: '/', query: [], headers: {}, operation });
  expect(seen).toEqual(['pods: a', 'pods: b']);
});

it.each([
  () => {
    throw new Error('full disk');
  },
  async () => {
    throw new Error('full disk');
  },
])('does not fail a request when the handler throws', async (handler) => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const response = {
    status: 200,
    headers: { warning: '299 - "a"' },
    body: (async function* () {})(),
    cancel: () => undefined,
  };
  const send = observingWarnings(() => Promise.resolve(response), handler);
  const operation = { verb: 'create', resource: 'pods' };
  expect(await send({ method: 'POST', path: '/', query: [], headers: {}, operation })).toBe(response);
  await expect
    .poll(() => emitted.mock.calls.map(([text]) => text))
    .toEqual(['a handler of warnings failed: full disk']);
  emitted.mockRestore();
});

it.each([
  ['UTF-8, as servers write it', Buffer.from('299 - "unknown field \\"łąka 😀\\""').toString('latin1')],
  ['characters, as another transport may provide it', '299 - "unknown field \\"łąka 😀\\""'],
])('reads %s', (_, header) => {
  const seen: string[] = [];
  notifyAll(header, ({ text }) => seen.push(text), { verb: 'create', resource: 'pods' });
  expect(seen).toEqual(['unknown field "łąka 😀"']);
});

it('returns a header that is not UTF-8 unchanged', () => {
  const seen: string[] = [];
  notifyAll('299 - "caf\u00e9"', ({ text }) => seen.push(text), { verb: 'create', resource: 'pods' });
  expect(seen).toEqual(['café']);
});
