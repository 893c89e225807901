import { setInt64 } from '@kgen/runtime/objects';
import { describe, expect, it, test } from 'vitest';
import { bodyOf } from '../client/write-request.ts';
import { NoopWrites, type WriteRequest } from './noop-writes.ts';

const identity = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' };
const applyOf = (body: object): WriteRequest => ({ verb: 'apply', ...identity, fieldManager: 'me', body });
const statusOf = (body: object): WriteRequest => ({ ...applyOf(body), verb: 'updateStatus' });

const ownedBy = (manager: string, fieldsV1: object, subresource?: string): object => ({
  managedFields: [{ manager, operation: 'Apply', apiVersion: 'apps/v1', fieldsV1, subresource }],
});

const stored = (rest: object, metadata: object = {}): object => ({
  metadata: { name: 'web', uid: 'u1', resourceVersion: '5', ...ownedBy('me', { 'f:spec': {} }), ...metadata },
  ...rest,
});
const later = (rest: object, metadata: object = {}): object =>
  stored(rest, { resourceVersion: '6', ...metadata });

type Decision = 'send' | 'skip';

function decisionOf(
  writes: NoopWrites,
  request: WriteRequest,
  cached: object | undefined,
  isWhole = true,
): Decision {
  return writes.decide(request, cached, isWhole) === 'send' ? 'send' : 'skip';
}

/** Sends a request, whatever is decided, and records its response. */
function send(writes: NoopWrites, request: WriteRequest, response: unknown, cached?: object): void {
  expect(writes.decide(request, cached)).toBe('send');
  writes.record(request, response);
}

/** Decides about a request again after its response. */
function again(request: WriteRequest, response: object, cached: object, isWhole = true): Decision {
  const writes = new NoopWrites();
  send(writes, request, response);
  return decisionOf(writes, request, cached, isWhole);
}

describe('a repeated apply', () => {
  test.each<[title: string, text: string, metadata: object, decision: Decision, isRead: boolean]>([
    ['an equal text is not read', '{"spec":{"a":1,"b":2}}', {}, 'skip', false],
    ['a text in another order is read', '{"spec":{"b":2,"a":1}}', {}, 'skip', true],
    ['another text is read', '{"spec":{"a":1,"b":3}}', {}, 'send', true],
    ['a condition is read', '{"metadata":{"uid":"u1"},"spec":{"a":1,"b":2}}', {}, 'skip', true],
    ['an equal text is not read after a change', '{"spec":{"a":1,"b":2}}', { uid: 'u2' }, 'send', false],
  ])('%s', (_, text, metadata, decision, isRead) => {
    const writes = new NoopWrites();
    const spec = { a: 1, b: 2 };
    send(writes, { ...applyOf({ spec }), text: JSON.stringify({ spec }) }, stored({ spec }));
    let reads = 0;
    const request = {
      ...applyOf({}),
      text,
      get body(): unknown {
        reads += 1;
        return JSON.parse(text);
      },
    };
    expect(decisionOf(writes, request, stored({ spec }, metadata), false)).toBe(decision);
    expect(reads > 0).toBe(isRead);
  });

  /**
   * Body, spec of the response, spec of a later cached object that the apply would not change, and one that
   * it would, or may.
   */
  test.each<[title: string, desired: object, response: object, same: object, changed: object]>([
    ['quantities', { cpu: '1000m' }, { cpu: '1' }, { cpu: '1' }, { cpu: '1000m' }],
    ['defaults', { a: {} }, { a: { d: 1 } }, { a: { d: 1 } }, { a: { d: 2 } }],
    ['empty lists', { env: [] }, {}, {}, { env: [{ name: 'A' }] }],
    // Another process may have added it with the same field manager.
    ['a field that was added', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1, b: 1 }],
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
  ])('compares with the response: %s', (_title, desired, response, same, changed) => {
    const request = applyOf({ spec: desired });
    expect(again(request, stored({ spec: response }), later({ spec: same }))).toBe('skip');
    expect(again(request, stored({ spec: response }), later({ spec: changed }))).toBe('send');
  });

  it.each<[title: string, change: object, Decision]>([
    ['the status', { status: { ready: 1 } }, 'skip'],
    ['the spec', { spec: { a: 1, b: 1 } }, 'send'],
    ['another member', { data: {} }, 'send'],
  ])('compares everything but the status: a change of %s', (_title, change, decision) => {
    const body = { spec: { a: 1 } };
    const cached = later(structuredClone({ ...body, ...change }));
    expect(again(applyOf(body), stored(body), cached)).toBe(decision);
    const status = { ...applyOf(body), subresource: 'status' };
    expect(again(status, stored(body), cached)).toBe('send');
  });

  it.each<[title: string, metadata: object, Decision]>([
    ['labels', { labels: { a: 'b' } }, 'send'],
    ['annotations', { annotations: { a: 'b' } }, 'send'],
    ['owner references', { ownerReferences: [{ uid: 'o' }] }, 'send'],
    ['the generation', { generation: 2 }, 'skip'],
    // Another manager may have changed a field and changed it back, and own it now.
    ['no managedFields', { managedFields: undefined }, 'send'],
    ['other owned fields', ownedBy('me', { 'f:spec': { 'f:a': {} } }), 'send'],
    ['fields of another manager', ownedBy('you', { 'f:spec': {} }), 'send'],
  ])('compares the metadata that clients write: %s', (_title, metadata, decision) => {
    const body = { spec: { a: 1 } };
    expect(again(applyOf(body), stored(body), later(structuredClone(body), metadata))).toBe(decision);
  });

  it('compares the whole object if the server stores a value elsewhere, as stringData', () => {
    const request = applyOf({ stringData: { a: 'x' } });
    const owned = ownedBy('me', { 'f:stringData': { 'f:a': {} } });
    const response = stored({ data: { a: 'eA==' } }, owned);
    expect(again(request, response, later({ data: { a: 'eA==' } }, owned))).toBe('skip');
    expect(again(request, response, later({ data: { a: 'eQ==' } }, owned))).toBe('send');
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

  it('distinguishes integers beyond 2^53 in texts', () => {
    const sentOf = (digits: string): WriteRequest => {
      const text = `{"spec":{"n":${digits}}}`;
      return { ...applyOf({}), text, body: bodyOf({ body: text }) };
    };
    const writes = new NoopWrites();
    const response = stored({ spec: { n: 0 } });
    send(writes, sentOf('9007199254740993'), response);
    expect(decisionOf(writes, sentOf('9007199254740993'), response)).toBe('skip');
    expect(decisionOf(writes, sentOf('9007199254740992'), response)).toBe('send');
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

  it('is sent after another body without a response, and then once for each later version', () => {
    const writes = new NoopWrites();
    const [first, second] = [applyOf({ spec: { a: 1 } }), applyOf({ spec: { a: 1, b: 1 } })];
    send(writes, first, stored({ spec: { a: 1 } }));
    expect(decisionOf(writes, second, later({ spec: { a: 1 } }))).toBe('send');
    expect(decisionOf(writes, first, later({ spec: { a: 1 } }))).toBe('send');
    writes.record(second, stored({ spec: { a: 1, b: 1 } }));
    writes.record(first, later({ spec: { a: 1 } }));
    expect(decisionOf(writes, first, later({ spec: { a: 1 } }))).toBe('skip');
    const next = later({ spec: { a: 1 }, status: {} }, { resourceVersion: '7' });
    send(writes, first, next, next);
    expect(decisionOf(writes, first, later({ spec: { a: 1 } }, { resourceVersion: '8' }))).toBe('skip');
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

  it('is sent once the object is among the least recently used, or after forget', () => {
    const writes = new NoopWrites({ capacity: 2 });
    const requests = ['a', 'b', 'c'].map((name) => ({ ...applyOf(body), name }));
    for (const request of requests) send(writes, request, stored(body));
    const cached = later(structuredClone(body));
    const decisions = [...requests].reverse().map((request) => decisionOf(writes, request, cached));
    expect(decisions).toEqual(['skip', 'skip', 'send']);
    writes.forget();
    expect(writes.decide({ ...applyOf(body), name: 'c' }, later(body))).toBe('send');
    expect(() => new NoopWrites({ capacity: 0 })).toThrow(RangeError);
  });
});

describe('the memory of an object', () => {
  const body = { spec: { a: 1 } };
  const other = { spec: { a: 1, b: 1 } };

  it('is that of all versions of its kind', () => {
    const writes = new NoopWrites();
    const v2 = { ...applyOf(other), version: 'v2' };
    send(writes, applyOf(body), stored(body));
    send(writes, v2, later(other));
    send(writes, applyOf(body), stored(body, { resourceVersion: '7' }), later(body));
    expect(decisionOf(writes, v2, stored(other, { resourceVersion: '7' }))).toBe('send');
  });

  it('is that of both groups of events', () => {
    const writes = new NoopWrites();
    const event = { ...applyOf(body), resource: 'events' };
    send(writes, { ...event, group: '' }, stored(body));
    send(writes, { ...event, group: 'events.k8s.io', body: other }, later(other));
    expect(decisionOf(writes, { ...event, group: '' }, later(body))).toBe('send');
  });

  it.each<[title: string, change: Partial<WriteRequest>]>([
    ['an apply in YAML', { body: undefined }],
    ['another patch', { verb: 'other', body: { spec: { b: 1 } } }],
    ['a write of a subresource', { verb: 'other', subresource: 'scale', body: undefined }],
    ['a deletion', { verb: 'other', body: undefined }],
  ])('ends with a write that is not comparable: %s', (_title, change) => {
    const writes = new NoopWrites();
    send(writes, applyOf(body), stored(body));
    const opaque = { ...applyOf(body), ...change };
    send(writes, opaque, stored(body));
    expect(decisionOf(writes, applyOf(body), stored(body))).toBe('send');
  });

  it('does not contain a response that overlaps with a write that is not comparable', () => {
    for (const order of ['before', 'after']) {
      const writes = new NoopWrites();
      const [apply, patch] = [applyOf(body), { ...applyOf([{}]), verb: 'other' } as const];
      expect(decisionOf(writes, apply, undefined)).toBe('send');
      expect(decisionOf(writes, patch, undefined)).toBe('send');
      if (order === 'before') writes.record(patch, stored(body));
      writes.record(apply, stored(body));
      if (order === 'after') writes.record(patch, stored(body));
      expect(decisionOf(writes, applyOf(body), stored(body))).toBe('send');
    }
  });

  it('does not trust the cache after a write of several objects', () => {
    const cached = stored({ status: { ready: 1 } });
    const request = (): WriteRequest => statusOf(structuredClone(cached));
    const writes = new NoopWrites();
    expect(decisionOf(writes, request(), cached)).toBe('skip');
    writes.forget();
    expect(decisionOf(writes, request(), cached)).toBe('send');
  });

  it('ends with the ownership of its scope', () => {
    const writes = new NoopWrites();
    const [first, second] = [{}, {}];
    const inScope = (scope: object, rest = body): WriteRequest => ({ ...applyOf(rest), scope });
    send(writes, inScope(first), stored(body));
    expect(decisionOf(writes, inScope(first), stored(body))).toBe('skip');
    send(writes, inScope(second), stored(body), stored(body));
    // Two shards of one process that apply one body to the same object.
    expect(decisionOf(writes, inScope(first), stored(body))).toBe('skip');
    expect(decisionOf(writes, inScope(second), stored(body))).toBe('skip');
    send(writes, inScope(second, other), later(other), stored(body));
    expect(decisionOf(writes, inScope(first), later(body))).toBe('send');
  });

  it('shows nothing about the cache in a scope without an own write', () => {
    const status = stored({ status: { ready: 1 } });
    const request = (scope: object): WriteRequest => ({ ...statusOf(structuredClone(status)), scope });
    const writes = new NoopWrites();
    const scope = {};
    send(writes, request(scope), status, status);
    expect(decisionOf(writes, request(scope), status)).toBe('skip');
    expect(decisionOf(writes, request({}), status)).toBe('send');
  });
});

describe('a status update', () => {
  const status = { ready: 1, conditions: [{ type: 'Ready', status: 'True' }] };

  test.each<[title: string, body: object, cached: object, Decision]>([
    ['the status is equal', stored({ status }), stored({ status }), 'skip'],
    ['only the spec differs', stored({ spec: 1, status }), stored({ spec: 2, status }), 'skip'],
    ['the body is older', stored({ status }), later({ status }), 'send'],
    ['the body is newer', later({ status }), stored({ status }), 'send'],
    ['the body has no version', { metadata: { name: 'web' }, status }, stored({ status }), 'send'],
    ['an item is removed', stored({ status: { ready: 1, conditions: [] } }), stored({ status }), 'send'],
    ['a member is removed', stored({ status: { ready: 1 } }), stored({ status }), 'send'],
    ['labels are changed', stored({ status }, { labels: { a: 'b' } }), stored({ status }), 'send'],
    ['labels are removed', stored({ status }), stored({ status }, { labels: { a: 'b' } }), 'send'],
    ['both are empty', stored({ status: {} }), stored({ status: {} }), 'skip'],
    ['it becomes empty, and was absent', stored({ status: {} }), stored({}), 'send'],
    ['the uid differs', stored({ status }, { uid: 'u0' }), stored({ status }), 'send'],
    ['the kind differs', stored({ kind: 'Scale', status }), stored({ kind: 'Web', status }), 'send'],
    ['the name differs', stored({ status }, { name: 'other' }), stored({ status }), 'send'],
  ])('is compared with the cache: %s', (_title, body, cached, decision) => {
    expect(decisionOf(new NoopWrites(), statusOf(structuredClone(body)), cached)).toBe(decision);
  });

  it('is compared with the response to the last one', () => {
    const of = (version: string): WriteRequest =>
      statusOf(stored({ status: { ready: 0, conditions: [] } }, { resourceVersion: version }));
    const writes = new NoopWrites();
    send(writes, of('5'), stored({ status: {} }), stored({ status: { ready: 1 } }));
    expect(decisionOf(writes, of('6'), later({ status: {} }))).toBe('skip');
    const changed = stored({ status: { ready: 1 } }, { resourceVersion: '7' });
    expect(decisionOf(writes, of('7'), changed)).toBe('send');
  });

  it('is sent with metadata that differ from those of the last one, and with an older version', () => {
    const writes = new NoopWrites();
    send(writes, statusOf(stored({ status: {} })), later({ status }), stored({ status }));
    const body = (metadata: object): WriteRequest => statusOf(later({ status: {} }, metadata));
    expect(decisionOf(writes, body({ annotations: { a: '1' } }), later({ status }))).toBe('send');
    expect(decisionOf(writes, body({ resourceVersion: '5' }), later({ status }))).toBe('send');
  });

  it('is sent until a write succeeds after one without a response', () => {
    for (const lost of [statusOf(stored({ status: {} })), { ...applyOf([{}]), verb: 'other' } as const]) {
      const writes = new NoopWrites();
      const desired = statusOf(structuredClone(stored({ status })));
      expect(decisionOf(writes, lost, stored({ status }))).toBe('send');
      writes.failed(lost, { isRefused: false });
      for (const isRefused of [true, false, true]) {
        const request = { ...desired };
        expect(decisionOf(writes, request, stored({ status }))).toBe('send');
        writes.failed(request, { isRefused });
      }
      send(writes, { ...desired }, later({ status }), stored({ status }));
      const current = statusOf(later({ status }));
      expect(decisionOf(writes, current, later({ status }))).toBe('skip');
    }
  });

  it.each<[title: string, cached: object, isWhole: boolean, Decision]>([
    ['the version of the response', later({ status: { ready: 1 } }), false, 'skip'],
    ['another version', stored({ status }, { resourceVersion: '7' }), false, 'send'],
    ['another version of a whole object', stored({ status }, { resourceVersion: '7' }), true, 'skip'],
  ])('is compared with a reduced object by version: %s', (_title, cached, isWhole, decision) => {
    const request = (version: string): WriteRequest =>
      statusOf(structuredClone(stored({ status }, { resourceVersion: version })));
    const writes = new NoopWrites();
    expect(decisionOf(writes, request('5'), stored({ status }), false)).toBe('send');
    writes.record(request('5'), later({ status }));
    const first = request('5');
    writes.decide(first, undefined);
    writes.record(first, later({ status }));
    const version = String(Reflect.get(Object(Reflect.get(cached, 'metadata')), 'resourceVersion'));
    expect(decisionOf(writes, request(version), cached, isWhole)).toBe(decision);
  });

  it.each<[title: string, bodyOf: (cached: Record<string, unknown>) => object]>([
    ['the cached object', (cached) => cached],
    ['its status', (cached) => ({ ...cached })],
    ['a part of its status', (cached) => ({ ...cached, status: { ...Object(cached['status']) } })],
  ])('is sent if its body shares with the cache %s, unless that is frozen', (_title, bodyOf) => {
    const cached = { ...structuredClone(stored({ status })) };
    expect(decisionOf(new NoopWrites(), statusOf(bodyOf(cached)), cached)).toBe('send');
    Object.freeze(Object.freeze(Reflect.get(cached, 'status')).conditions);
    Object.freeze(cached);
    expect(decisionOf(new NoopWrites(), statusOf(bodyOf(cached)), cached)).toBe('skip');
  });
});

describe('a patch without a change', () => {
  const request: WriteRequest = { ...applyOf({}), verb: 'patch' };

  it('is skipped only if the object certainly exists', () => {
    const writes = new NoopWrites();
    expect(decisionOf(writes, request, undefined)).toBe('send');
    writes.failed(request, { isRefused: true });
    expect(decisionOf(writes, request, stored({}))).toBe('send');
    writes.record(request, stored({}));
    expect(decisionOf(writes, request, stored({}))).toBe('skip');
    const deletion: WriteRequest = { ...request, verb: 'other', body: undefined };
    send(writes, deletion, stored({}, { uid: undefined, resourceVersion: undefined }), stored({}));
    expect(decisionOf(writes, request, stored({}))).toBe('send');
  });
});
