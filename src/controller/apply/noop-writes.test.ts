import { setInt64 } from '@kgen/runtime/objects';
import { describe, expect, it, test } from 'vitest';
import { NoopWrites, type WriteRequest } from './noop-writes.ts';

const identity = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' };
const applyOf = (body: object): WriteRequest => ({ verb: 'apply', ...identity, fieldManager: 'me', body });
const statusOf = (body: object): WriteRequest => ({ ...applyOf(body), verb: 'updateStatus' });

const stored = (rest: object, metadata: object = {}): object => ({
  metadata: { name: 'web', uid: 'u1', resourceVersion: '5', ...metadata },
  ...rest,
});
const later = (rest: object, metadata: object = {}): object =>
  stored(rest, { resourceVersion: '6', ...metadata });

const ownedBy = (manager: string, fieldsV1: object, subresource?: string): object => ({
  managedFields: [{ manager, operation: 'Apply', apiVersion: 'apps/v1', fieldsV1, subresource }],
});

/** Decides about a request again after its response. */
function again(request: WriteRequest, response: object, cached: object): 'send' | 'skip' {
  const writes = new NoopWrites();
  expect(writes.decide(request, undefined)).toBe('send');
  writes.record(request, response);
  return writes.decide(request, cached) === 'send' ? 'send' : 'skip';
}

describe('a repeated apply', () => {
  /**
   * Body, spec of the response, spec of the cached object that the apply would not change, and one that it
   * would.
   */
  test.each<[title: string, wanted: object, response: object, same: object, changed: object]>([
    ['quantities', { cpu: '1000m' }, { cpu: '1' }, { cpu: '1', other: 1 }, { cpu: '1000m' }],
    ['defaults', { a: {} }, { a: { d: 1 } }, { a: { d: 1 } }, { a: { d: 2 } }],
    ['empty lists', { env: [] }, {}, { other: 1 }, { env: [{ name: 'A' }] }],
    ['null', { a: null, b: 1 }, { b: 1 }, { b: 1 }, { b: 2 }],
    ['int-or-string', { port: '80' }, { port: '80' }, { port: '80' }, { port: 80 }],
    [
      'lists as a whole',
      { l: [{ n: 1 }] },
      { l: [{ n: 1, d: 2 }] },
      { l: [{ d: 2, n: 1 }] },
      { l: [{ n: 1, d: 3 }] },
    ],
    ['more items', { l: ['a'] }, { l: ['a'] }, { l: ['a'] }, { l: ['a', 'b'] }],
    [
      'duplicate keys',
      { l: [{ name: 'a' }] },
      { l: [{ name: 'a' }] },
      { l: [{ name: 'a' }] },
      { l: [{ name: 'a' }, { name: 'a' }] },
    ],
    [
      'a field named __proto__',
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":2}}'),
    ],
  ])('compares with the response: %s', (_title, wanted, response, same, changed) => {
    const request = applyOf({ spec: wanted });
    expect(again(request, stored({ spec: response }), later({ spec: same }))).toBe('skip');
    expect(again(request, stored({ spec: response }), later({ spec: changed }))).toBe('send');
  });

  /** Owned fields and items of the response, and items of the cached object with the decision. */
  test.each<[title: string, items: readonly object[], 'send' | 'skip']>([
    ['an item of another manager', [{ name: 'a', v: 1 }, { name: 'x' }, { name: 'b' }], 'skip'],
    [
      'a field of another manager',
      [
        { name: 'a', v: 1 },
        { name: 'b', v: 9 },
      ],
      'skip',
    ],
    ['another order', [{ name: 'b' }, { name: 'a', v: 1 }], 'send'],
    ['a changed field', [{ name: 'a', v: 2 }, { name: 'b' }], 'send'],
    ['a missing item', [{ name: 'a', v: 1 }], 'send'],
    ['a duplicate of an owned item', [{ name: 'a', v: 1 }, { name: 'b' }, { name: 'a', v: 2 }], 'send'],
  ])('compares owned items of lists by key: %s', (_title, items, decision) => {
    const list = [{ name: 'a', v: 1 }, { name: 'b' }];
    const item = { '.': {}, 'f:name': {} };
    const fields = {
      'f:spec': { 'f:l': { 'k:{"name":"a"}': { ...item, 'f:v': {} }, 'k:{"name":"b"}': item } },
    };
    const response = stored({ spec: { l: list } }, ownedBy('me', fields));
    expect(again(applyOf({ spec: { l: list } }), response, later({ spec: { l: items } }))).toBe(decision);
  });

  it('compares the whole object if the server stores a value elsewhere, as stringData', () => {
    const request = applyOf({ stringData: { a: 'x' } });
    const response = stored({ data: { a: 'eA==' } }, ownedBy('me', { 'f:stringData': { 'f:a': {} } }));
    expect(again(request, response, later({ data: { a: 'eA==' } }))).toBe('skip');
    expect(again(request, response, later({ data: { a: 'eQ==' } }))).toBe('send');
  });

  it('distinguishes integers beyond 2^53', () => {
    const long = (digits: bigint): object => {
      const spec = { n: 0 };
      setInt64(spec, ['n'], digits);
      return { spec };
    };
    const request = applyOf(long(9007199254740993n));
    const response = stored(long(9007199254740993n));
    expect(again(request, response, later(long(9007199254740993n)))).toBe('skip');
    expect(again(request, response, later(long(9007199254740992n)))).toBe('send');
  });

  const body = { spec: { a: 1 } };
  test.each<[title: string, request: WriteRequest, cached: object | undefined]>([
    ['the object was created again', applyOf(body), later(body, { uid: 'u2' })],
    ['the object does not exist', applyOf(body), undefined],
    [
      'the body has another resourceVersion',
      applyOf({ metadata: { resourceVersion: '4' }, ...body }),
      later(body),
    ],
    ['the body has another uid', applyOf({ metadata: { uid: 'u0' }, ...body }), later(body)],
    ['the request is a dry run', { ...applyOf(body), dryRun: true }, later(body)],
    ['another field manager writes', { ...applyOf(body), fieldManager: 'you' }, later(body)],
    ['another subresource is written', { ...applyOf(body), subresource: 'status' }, later(body)],
    ['the body changes', applyOf({ spec: { a: 1, b: 2 } }), later(body)],
    ['the managed fields change', applyOf(body), later(body, ownedBy('me', { 'f:spec': { 'f:b': {} } }))],
  ])('is sent if %s', (_title, request, cached) => {
    const writes = new NoopWrites();
    writes.decide(applyOf(body), undefined);
    writes.record(applyOf(body), stored(body, ownedBy('me', { 'f:spec': { 'f:a': {} } })));
    expect(writes.decide(request, cached)).toBe('send');
  });

  it('is sent after another body without a response, and then compares the whole object', () => {
    const writes = new NoopWrites();
    const [first, second] = [applyOf({ spec: { a: 1 } }), applyOf({ spec: { a: 1, b: 1 } })];
    writes.decide(first, undefined);
    writes.record(first, stored({ spec: { a: 1 } }));
    expect(writes.decide(second, later({ spec: { a: 1 } }))).toBe('send');
    expect(writes.decide(first, later({ spec: { a: 1 } }))).toBe('send');
    writes.record(second, stored({ spec: { a: 1, b: 1 } }));
    writes.record(first, stored({ spec: { a: 1 } }));
    expect(writes.decide(first, later({ spec: { a: 1 } }))).not.toBe('send');
    expect(writes.decide(first, later({ spec: { a: 1, b: 1 } }, { resourceVersion: '7' }))).toBe('send');
  });

  it('is repeated once if the server removed a map that the body sets', () => {
    const writes = new NoopWrites();
    const request = applyOf({ spec: { map: {} } });
    expect(writes.decide(request, stored({ spec: { map: { a: 1 } } }))).toBe('send');
    writes.record(request, stored({ spec: {} }, { resourceVersion: '6' }));
    const cached = stored({ spec: {} }, { resourceVersion: '6' });
    expect(writes.decide(request, cached)).toBe('send');
    writes.record(request, cached);
    expect(writes.decide(request, cached)).toEqual({ skip: cached });
  });

  it('is sent once the object is among the least recently used, or after clear', () => {
    const writes = new NoopWrites({ capacity: 2 });
    const requests = ['a', 'b', 'c'].map((name) => ({ ...applyOf(body), name }));
    for (const request of requests) {
      writes.decide(request, undefined);
      writes.record(request, stored(body));
    }
    const sent = [...requests].reverse().map((request) => writes.decide(request, later(body)) === 'send');
    expect(sent).toEqual([false, false, true]);
    writes.clear();
    expect(writes.decide({ ...applyOf(body), name: 'c' }, later(body))).toBe('send');
    expect(() => new NoopWrites({ capacity: 0 })).toThrow(RangeError);
  });
});

describe('a status update', () => {
  const status = { ready: 1, conditions: [{ type: 'Ready', status: 'True' }] };

  test.each<[title: string, body: object, cached: object, 'send' | 'skip']>([
    ['the status is equal', stored({ status }), stored({ status: { ...status } }), 'skip'],
    ['only the spec differs', stored({ spec: 1, status }), stored({ spec: 2, status }), 'skip'],
    ['the body is older', stored({ status }, { labels: {} }), later({ status }), 'skip'],
    ['the body is newer', later({ status }), stored({ status }), 'send'],
    ['the body has no version', { metadata: { name: 'web' }, status }, stored({ status }), 'skip'],
    ['an item is removed', stored({ status: { ready: 1, conditions: [] } }), stored({ status }), 'send'],
    ['a member is removed', stored({ status: { ready: 1 } }), stored({ status }), 'send'],
    ['labels are changed', stored({ status }, { labels: { a: 'b' } }), stored({ status }), 'send'],
    ['both are empty', stored({ status: {} }), stored({}), 'skip'],
    ['the uid differs', stored({ status }, { uid: 'u0' }), stored({ status }), 'send'],
  ])('is compared with the cache: %s', (_title, body, cached, decision) => {
    const decided = new NoopWrites().decide(statusOf(body), cached);
    expect(decided).toEqual(decision === 'send' ? 'send' : { skip: cached });
  });

  it('is compared with the response to the last one', () => {
    const request = statusOf(stored({ status: { ready: 0, conditions: [] } }));
    expect(again(request, stored({ status: {} }), later({ status: {} }))).toBe('skip');
    expect(again(request, stored({ status: {} }), later({ status: { ready: 1 } }))).toBe('send');
  });
});

test.each<[body: unknown, cached: object | undefined, 'send' | 'skip']>([
  [{}, stored({}), 'skip'],
  [[], stored({}), 'skip'],
  [[{ op: 'test', path: '', value: 1 }], stored({}), 'send'],
  [{ spec: {} }, stored({}), 'send'],
  [{}, undefined, 'send'],
])('a patch %j is skipped only if it is empty', (body, cached, decision) => {
  const decided = new NoopWrites().decide({ ...applyOf({}), verb: 'patch', body }, cached);
  expect(decided).toEqual(decision === 'send' ? 'send' : { skip: cached });
});
