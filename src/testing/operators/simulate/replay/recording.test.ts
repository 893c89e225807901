import { describe, expect, it } from 'vitest';
import { bodyDifferences, isUrl } from './compare.ts';
import { parseRecording } from './recording.ts';

const header = {
  type: 'kgen recording',
  version: 1,
  program: 'p',
  reason: 'r',
  from: '2026-01-01T00:00:00Z',
};
const informer = { type: 'informer', informer: 0, group: '', version: 'v1', resource: 'pods', kind: 'Pod' };
const change = { type: 'change', at: 1, informer: 0, change: 'add', object: { metadata: { name: 'a' } } };
const request = { type: 'request', at: 1, run: 1, request: 1, method: 'GET', path: '/', query: [['a', 'b']] };
const fetched = {
  ...{ type: 'fetched', at: 1, run: 1, request: 1, result: 'response', status: 200, hasBody: true },
  headers: { 'content-type': 'text/plain' },
};
const fetchedBody = { type: 'fetched body', at: 1, run: 1, request: 1, encoding: 'base64', body: 'AP8=' };
const end = { type: 'end of recording', entries: 1 };

const file = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

describe('a recording', () => {
  it('is read with its informers, objects and entries', () => {
    const { informers, entries, from } = parseRecording('f', file(header, informer, change, end));
    expect([informers.length, entries.length, from]).toEqual([1, 1, Date.UTC(2026)]);
    expect(entries[0]).toMatchObject({ line: 3, type: 'change', isDeletion: false });
  });

  it('has requests by fetch, with their responses', () => {
    const sent = { type: 'fetch', at: 1, run: 1, request: 1, method: 'GET', url: 'http://a/' };
    const { entries } = parseRecording('f', file(header, sent, fetched, fetchedBody, { ...end, entries: 3 }));
    expect(entries).toMatchObject([
      { type: 'fetch', method: 'GET', url: 'http://a/', body: undefined },
      { type: 'fetched', head: { status: 200, statusText: '', hasBody: true } },
      { type: 'fetched body', content: Buffer.from([0, 255]), error: undefined },
    ]);
  });

  it('may have entries and members that replay does not need', () => {
    const lines = [
      { type: 'lease', at: 1, lease: 'leader', isHeld: true, holder: 'a' },
      { ...change, other: true },
      { type: 'event', at: 1, eventType: 'Normal' },
      { type: 'unreadable', at: 1, error: 'x' },
      { type: 'state', at: 1, queues: [], informers: [] },
      { type: 'of a later version' },
    ];
    const { entries } = parseRecording('f', file(header, informer, ...lines, { ...end, entries: 6 }));
    expect(entries.map(({ type }) => type)).toEqual(['change']);
  });

  it.each([
    ['', 'f:1: the file is empty'],
    ['hello\n', 'f:1: not JSON'],
    ['[1]\n', 'f:1: not a JSON object'],
    ['{}\n', 'f:1: the file is not a recording'],
    [file({ ...header, version: 2 }), 'f:1: the format has version 2, and this @kgen/testing reads 1'],
    [file({ ...header, from: 'x' }), 'f:1: from is not a time'],
    [file(header, informer, change), 'f:3: the file is truncated'],
    [file(header, informer, change, end).slice(0, -1), 'f:4: the file is truncated'],
    [file(header, informer, '{"type":"cha'), 'f:3: not JSON; the file is truncated'],
    [file(header, informer, end), 'f:3: 1 entries expected, 0 found'],
    [file(header, informer, change, end, change), 'f:5: the recording has ended'],
    [file(header, change, end), 'f:2: informer 0 does not exist'],
    [file(header, informer, { ...change, object: 7 }), 'f:3: object has no metadata.name'],
    [file(header, informer, { ...change, at: -1 }), 'f:3: at is not an integer'],
    [file(header, { ...informer, informer: 5 }), 'f:2: informers are not numbered'],
    [file(header, { ...request, query: [1] }), 'f:2: query must consist of pairs'],
    [file(header, { ...request, type: 'response', result: 'x' }), 'f:2: unknown result "x"'],
    [file(header, { ...request, type: 'fetch' }), 'f:2: url is not a string'],
    [file(header, { ...request, type: 'fetch', url: 'a', body: 1 }), 'f:2: body is not a string'],
    [file(header, { ...fetched, result: 'skipped' }), 'f:2: unknown result "skipped"'],
    [file(header, { ...fetched, run: 'x' }), 'f:2: run is not an integer'],
    [file(header, { ...fetched, status: 101 }), 'f:2: status must be between 200 and 599, got 101'],
    [file(header, { ...fetched, status: 600 }), 'f:2: status must be between 200 and 599, got 600'],
    [file(header, { ...fetched, statusText: 'a\r\nb' }), 'f:2: statusText has invalid characters'],
    [file(header, { ...fetched, headers: { 'a b': 'x' } }), 'f:2: header "a b" is not a valid header'],
    [file(header, { ...fetched, headers: { a: 'x\ny' } }), 'f:2: header "a" is not a valid header'],
    [file(header, { ...fetched, headers: { a: 7 } }), 'f:2: header "a" is not a valid header'],
    [file(header, { ...fetchedBody, encoding: 'hex' }), 'f:2: encoding must be utf8 or base64'],
    [file(header, { ...fetchedBody, body: {} }), 'f:2: body is not a string'],
  ])('that is invalid is refused with line and reason: %#', (content, message) => {
    expect(() => parseRecording('f', content)).toThrow(message);
  });
});

describe('the address of a request', () => {
  it.each([
    ['http://a/b?c=d', 'http://a/b?c=d', true],
    ['http://a/b?c=d', 'http://a/b?c=d#part', true],
    ['http://a/b', 'http://a/bc', false],
    ['http://a/(redacted)', 'http://a/token', true],
    ['http://a/(redacted)/b?c=(redacted)&d=1', 'http://a/x/b?c=y&d=1', true],
    ['http://a/(redacted)/b?c=(redacted)&d=1', 'http://a/x/b?c=y&d=2', false],
    ['http://a/(redacted)/b/(redacted)', 'http://a/x/c/y', false],
    ['http://a/(redacted)a', 'http://a/a', true],
    ['http://a/b(redacted)b', 'http://a/b', false],
    [`${'(redacted)'.repeat(50_000)}x`, `${'('.repeat(50_000)}y`, false],
  ])('%.60s is that of %.60s: %s', (recorded, actual, expected) => {
    expect(isUrl(recorded, actual)).toBe(expected);
  });
});

describe('bodies', () => {
  it.each<
    readonly [
      string,
      Parameters<typeof bodyDifferences>[0],
      Parameters<typeof bodyDifferences>[1],
      readonly string[],
    ]
  >([
    ['equal', { a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, []],
    [
      'a changed field',
      { spec: { replicas: 2 } },
      { spec: { replicas: 3 } },
      ['.spec.replicas is 3, recorded 2'],
    ],
    ['a missing field', { a: 1 }, {}, ['.a is (absent), recorded 1']],
    ['a redacted value', { data: { a: 'KHJlZGFjdGVkKQ==' } }, { data: { a: 'eA==' } }, []],
    ['times within 2 s', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T00:00:02Z' }, []],
    [
      'other times',
      { at: '2026-01-01T00:00:00Z' },
      { at: '2026-01-01T00:00:03Z' },
      ['.at is "2026-01-01T00:00:03Z", recorded "2026-01-01T00:00:00Z"'],
    ],
    ['an integer of 64 bits', { a: 9007199254740992 }, { a: 9007199254740993n }, []],
    [
      'another integer of 64 bits',
      { a: 9007199254740992 },
      { a: 9007199254740999n },
      ['.a is 9007199254740999, recorded 9007199254740992'],
    ],
    ['lists of other lengths', [1], [1, 2], ['body is [1,2], recorded [1]']],
  ])('are compared: %s', (_, recorded, actual, want) => {
    expect(bodyDifferences(recorded, actual)).toEqual(want);
  });
});
