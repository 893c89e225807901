import { describe, expect, test } from 'vitest';
import { entriesWithSecrets, recordingEntries, recordingText } from './recording.fixture.ts';
import { viewOfRecording } from './recording.ts';

const start = Date.parse('2026-01-05T10:00:00.000Z');
const document = viewOfRecording(recordingText());
const [run] = document.runs;

test('the document has the program, the reason and the entries that are missing', () => {
  expect(document).toMatchObject({ type: 'kgen view', version: 1, title: 'shop: recording' });
  expect(document.facts).toEqual([
    'Written because of: request',
    '3 older entries were dropped: the recorder keeps the last ones',
  ]);
  expect(run).toMatchObject({ clock: 'utc', from: start, to: start + 10_000 });
});

test('objects at the beginning and changes are states of objects, with their kinds', () => {
  const target = { group: 'example.com', resource: 'apps', namespace: 'shop', name: 'web' };
  expect(run?.events.filter((event) => event.kind === 'change' && event.target.group !== '')).toMatchObject([
    {
      at: start,
      change: 'existing',
      target,
      content: { apiVersion: 'example.com/v1', kind: 'App', spec: { size: 1 } },
    },
    { at: start + 1_000, change: 'update', target, content: { spec: { size: 2 } } },
  ]);
});

test('values of Secrets are not in the document, also if the recording has them', () => {
  expect(recordingText()).toContain('aHVudGVyMg');
  expect(JSON.stringify(document)).not.toContain('aHVudGVyMg');
});

test('requests have their verb, their object, and the result of their response', () => {
  const configMap = { group: '', resource: 'configmaps', namespace: 'shop', name: 'web' };
  expect(run?.events.filter(({ kind }) => kind === 'request')).toMatchObject([
    { verb: 'apply', target: configMap, until: start + 1_120, result: 'done', isWrite: true, reconcile: 1 },
    {
      verb: 'create',
      target: { group: 'batch', resource: 'jobs', name: 'backup' },
      result: 'failed',
      status: 409,
    },
    { verb: 'delete', target: { resource: 'namespaces', namespace: '', name: 'shop' }, result: 'lost' },
    {
      ...{ verb: 'PUT', isWrite: true, result: 'failed', status: 503, until: start + 1_148, reconcile: 1 },
      target: { group: '', resource: 'https://dns.example.com', name: '/records/web?ttl=60' },
      ...{ body: { address: '10.0.0.1' }, content: 'busy' },
    },
    {
      ...{ verb: 'GET', isWrite: false, result: 'failed', error: 'TypeError: fetch failed' },
      target: { resource: 'https://dns.example.com', name: '' },
    },
  ]);
});

test.each<readonly [string, object, string]>([
  ['an apply with the manager of the client', { query: [['force', 'false']], body: {} }, 'apply'],
  ['an apply whose body is not recorded', { query: [['force', 'true']] }, 'apply'],
  ['a patch with a manager', { query: [['fieldManager', 'a']], body: { spec: {} } }, 'patch'],
  ['a patch', { query: [], body: { apiVersion: 'v1' } }, 'patch'],
])('the verb of %s', (_, more, verb) => {
  const path = '/api/v1/namespaces/shop/configmaps/a';
  const [header = {}] = recordingEntries;
  const text = recordingText([
    header,
    { type: 'request', at: 1, request: 1, method: 'PATCH', path, ...more },
  ]);
  expect(viewOfRecording(text).runs[0]?.events).toMatchObject([{ verb }]);
});

describe('a recording with secrets', () => {
  const path = '/api/v1/namespaces/shop/configmaps/copy';
  const request = { type: 'request', at: start + 2_000, run: 1, request: 6, method: 'PUT', path };
  const fetched = { type: 'fetched body', run: 1, request: 7, encoding: 'utf8' };
  const quotes = [
    { ...request, body: { metadata: { name: 'copy' }, data: { url: 'db://me:pass-word 1@db' } } },
    { type: 'response', request: 6, result: 'error', error: { name: 'E', message: 'refused "pass-word 1"' } },
    { type: 'fetch', run: 1, request: 7, method: 'GET', url: 'https://a/token' },
    { type: 'fetched', run: 1, request: 7, result: 'response', status: 200 },
    { ...fetched, body: '{"access_token":"of-a-service"}' },
    { type: 'review', path: '/validates', status: 400 },
    { type: 'start', at: start + 2_000, run: 2, controller: 'apps', key: {}, attempt: 1, cause: [] },
    {
      type: 'end',
      at: start + 2_100,
      run: 2,
      outcome: { type: 'retry' },
      error: 'pass-word 1, pass-word%201',
    },
  ];

  test.each<readonly [string, object]>([
    ['data', { kind: 'Secret', data: { password: btoa('pass-word 1') } }],
    ['stringData', { kind: 'Secret', stringData: { password: 'pass-word 1' } }],
    ['a list', { kind: 'SecretList', items: [{ data: { password: btoa('pass-word 1') } }] }],
  ])('is shown without the values of its Secrets, and without bodies of services: %s', (_, body) => {
    const secret = { type: 'response', run: 1, request: 2, result: 'response', body };
    const shown = viewOfRecording(recordingText([...entriesWithSecrets, ...quotes, secret]));
    const text = JSON.stringify(shown);
    expect(text).not.toMatch(/pass-word|of-a-service|aHVudGVyMg|cGFzcy13b3JkIDE/);
    expect(shown.runs[0]?.reconciles[1]?.error).toBe('(redacted), (redacted)');
    expect(shown.runs[0]?.events).toContainEqual(
      expect.objectContaining({
        body: { metadata: { name: 'copy' }, data: { url: 'db://me:(redacted)@db' } },
        error: 'E: refused "(redacted)"',
      }),
    );
  });

  test('hides values of operations on Secrets', () => {
    const path = '/api/v1/namespaces/shop/secrets/db';
    const body = [{ op: 'add', path: '/data/password', value: btoa('pass-word 1') }];
    const patch = { type: 'request', run: 1, request: 8, method: 'PATCH', path, body };
    const text = JSON.stringify(viewOfRecording(recordingText([...entriesWithSecrets, ...quotes, patch])));
    expect(text).not.toMatch(/pass-word|cGFzcy13b3JkIDE/);
  });
});

test('a Secret in a response to fetch has no values', () => {
  const body = JSON.stringify({ items: [{ data: { password: 'aHVudGVyMg==' } }] });
  const text = recordingText([
    ...recordingEntries,
    { type: 'fetch', run: 1, request: 7, method: 'GET', url: 'https://a/api/v1/secrets?limit=5' },
    { type: 'fetched', run: 1, request: 7, result: 'response', status: 200 },
    { type: 'fetched body', run: 1, request: 7, encoding: 'utf8', body },
  ]);
  expect(viewOfRecording(text).runs[0]?.events.at(-1)).toMatchObject({
    content: { items: [{ data: { password: '(12 characters)' } }] },
  });
});

test('a reconcile has its causes with the change, its reads, and its outcome', () => {
  expect(run?.reconciles).toEqual([
    {
      ...{ number: 1, controller: 'apps', namespace: 'shop', name: 'web', attempt: 2 },
      ...{ from: start + 1_100, until: start + 1_150, outcome: 'retry', afterMs: 500, error: 'ApiError: no' },
      causes: [
        { type: 'update', object: 'apps.example.com shop/web', event: 2 },
        { type: 'retry', object: '' },
      ],
      reads: [{ resource: 'apps.example.com', namespace: 'shop', name: 'web', found: '2' }],
    },
  ]);
});

test('a cause is the change before the reconcile, not a later one', () => {
  const [change] = recordingEntries.filter((entry) => Reflect.get(entry, 'type') === 'change');
  const later = { ...change, at: start + 5_000 };
  const [first] = viewOfRecording(recordingText([...recordingEntries, later])).runs[0]?.reconciles ?? [];
  expect(first?.causes[0]?.event).toBe(2);
});

test('a review of a webhook is a note', () => {
  expect(run?.events.at(-1)).toMatchObject({ kind: 'note', text: 'review of the webhook /validates: 200' });
});

test('a recording that ends early is shown as far as it reaches', () => {
  const text = recordingText();
  const part = viewOfRecording(text.slice(0, text.indexOf('"type":"end","at"') + 5));
  expect(part.facts).toContain('The end of the recording is missing');
  expect(part.runs[0]?.reconciles).toMatchObject([{ outcome: '' }]);
  expect(part.runs[0]?.reconciles[0]).not.toHaveProperty('until');
});

test.each([
  ['another file', '{"type":"other"}', 'line 1: this is not a recording'],
  [
    'a newer version',
    '{"type":"kgen recording","version":2}',
    'line 1: version 2 of recordings needs a newer kgen',
  ],
  [
    'a line that is not JSON',
    `${JSON.stringify(recordingEntries[0])}\nno\n{}\n`,
    'line 2: this is not an entry',
  ],
])('%s is refused with its line', (_, text, message) => {
  expect(() => viewOfRecording(text)).toThrow(message);
});
