import { ApiError, type KubernetesObject, type Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { RunWrite } from '../client/run-scope.ts';
import { CauseLog } from '../runs/causes.ts';
import { additionOf, isFailedTest, objectPath, removalOf } from '../runs/finalizer.ts';
import { checkedKey, idOf, keyText } from '../runs/key.ts';
import { Run, type RunEnd } from './run.ts';
import { nextCheckMs, StaleGate } from './stale-gate.ts';

// Fields of the server that finalizers do not read are missing.
const object = (finalizers?: readonly string[]): Stored<KubernetesObject> =>
  ({ metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', finalizers } }) as never;

describe('finalizers', () => {
  it('are added behind foreign ones, to the version that was read', () => {
    expect(additionOf(object(['other/x']), 'a/b')).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'u' },
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/finalizers', value: ['other/x', 'a/b'] },
    ]);
    expect(additionOf(object(), 'a/b')?.at(-1)).toMatchObject({ value: ['a/b'] });
    expect(additionOf(object(['a/b']), 'a/b')).toBeUndefined();
  });

  it('are removed at their position only', () => {
    expect(removalOf(object(['other/x', 'a/b', 'c/d']), 'a/b')).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'u' },
      { op: 'test', path: '/metadata/finalizers/1', value: 'a/b' },
      { op: 'remove', path: '/metadata/finalizers/1' },
    ]);
    expect(removalOf(object(['other/x']), 'a/b')).toBeUndefined();
    expect(removalOf(object(), 'a/b')).toBeUndefined();
  });

  it('of former versions are removed with the addition of the present one, or without one', () => {
    const former = ['a/old', 'a/older'];
    const next = (finalizers: readonly string[] | undefined, finalizer: string | undefined) =>
      additionOf(object(finalizers), finalizer, former)?.at(-1);
    expect(next(['a/old', 'other/x'], 'a/b')).toMatchObject({ value: ['other/x', 'a/b'] });
    expect(next(['a/b', 'a/older'], 'a/b')).toMatchObject({ value: ['a/b'] });
    expect(next(['a/old'], undefined)).toMatchObject({ value: [] });
    expect([next(['a/b'], 'a/b'), next(['other/x'], undefined), next(undefined, undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are removed together from the end of the list', () => {
    expect(removalOf(object(['a/old', 'other/x', 'a/b']), 'a/b', ['a/old'])).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'u' },
      { op: 'test', path: '/metadata/finalizers/0', value: 'a/old' },
      { op: 'test', path: '/metadata/finalizers/2', value: 'a/b' },
      { op: 'remove', path: '/metadata/finalizers/2' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ]);
  });

  it.each<readonly [string, unknown, boolean]>([
    ['a failed test', new ApiError({ code: 422, reason: 'Invalid' }), true],
    ['a violated rule', new ApiError({ code: 422, details: { causes: [{ field: 'x' }] } }), false],
    ['a conflict', new ApiError({ code: 409 }), false],
    ['another error', new Error('x'), false],
  ])('distinguish %s', (_, error, expected) => {
    expect(isFailedTest(error)).toBe(expected);
  });

  it.each([
    ['my.domain', 'shop', '/apis/my.domain/v1/namespaces/shop/myapps/web'],
    ['', 'shop', '/api/v1/namespaces/shop/myapps/web'],
    ['my.domain', undefined, '/apis/my.domain/v1/myapps/web'],
  ])('are those of an object of group %o in namespace %o', (group, namespace, path) => {
    const { metadata } = object();
    const resource = { group, version: 'v1', resource: 'myapps' };
    expect(objectPath(resource, { metadata: { ...metadata, namespace } } as never)).toBe(path);
  });
});

describe('keys', () => {
  it.each([
    [{ namespace: 'shop', name: 'web' }, 'shop/web', 'shop/web'],
    [{ namespace: '', name: 'web' }, '/web', 'web'],
    [{ cluster: 'a/b', namespace: 'shop', name: 'web' }, 'a/b/shop/web', 'shop/web in cluster a/b'],
  ])('%o have an identity and a text', (key, id, text) => {
    expect([idOf(key), keyText(key)]).toEqual([id, text]);
  });

  it.each([
    undefined,
    null,
    5,
    'shop/web',
    {},
    { name: '' },
    { name: 5 },
    { namespace: 'a/b', name: 'c' },
    { name: 'a', cluster: 1 },
  ])('%o is refused', (key) => {
    expect(() => checkedKey(key)).toThrow(TypeError);
  });
});

describe('causes', () => {
  it('are unique, at most ten, and taken once', () => {
    const log = new CauseLog();
    log.add('a', 7, { type: 'retry' });
    log.add('a', 5, { type: 'retry' });
    for (let number = 0; number < 20; number += 1) log.add('a', 9, { type: 'update', object: `o${number}` });
    expect(log.take('b')).toBe(undefined);
    expect(log.peek('a')?.since).toBe(5);
    const { wakes = [], omitted } = log.take('a') ?? {};
    expect([wakes.length, omitted]).toEqual([10, 11]);
    expect(wakes.filter(({ cause }) => cause.type === 'retry')).toEqual([
      { cause: { type: 'retry' }, count: 2 },
    ]);
    expect(log.take('a')).toBe(undefined);
  });

  it('join changes of one object to its first and last state', () => {
    const log = new CauseLog();
    const cause = { type: 'update', informer: 'pods', object: 'shop/web' } as const;
    const name = { group: '', resource: 'pods', namespace: 'shop', name: 'web' };
    const states = [1, 2, 3].map((version) => ({ version }));
    log.add('a', 0, cause, { change: { object: name, before: states[0], after: states[1] } });
    log.add('a', 0, cause, { change: { object: name, before: states[1], after: states[2] } });
    const change = { object: name, before: states[0], after: states[2] };
    expect(log.take('a')?.wakes).toEqual([{ cause, count: 2, change }]);
  });
});

/** Returns the end of a successful run. */
function endOf(writes: readonly RunWrite[]): RunEnd {
  const isOver = { isTimedOut: false, isStopped: false, isRefused: false };
  return { outcome: { type: 'success' }, ...isOver, writes };
}

describe('creations that no cache shows', () => {
  const write = (changes: Partial<RunWrite> = {}): RunWrite => ({
    verb: 'create',
    target: { group: '', version: 'v1', resource: 'pods', namespace: 'shop' },
    object: { metadata: { name: 'web-x', resourceVersion: '9' } },
    isNameGenerated: true,
    isVisible: false,
    fieldManager: undefined,
    before: undefined,
    isCreation: true,
    isDeletion: false,
    ...changes,
  });

  const key = (name: string) => ({ namespace: 'shop', name });
  const ended = (...writes: readonly RunWrite[]) => ({ key: key('a'), end: endOf(writes), endedAt: 0 });

  it.each<readonly [string, Partial<RunWrite>, boolean]>([
    ['a generated name', {}, true],
    ['a lost response', { object: undefined }, true],
    ['a visible object', { isVisible: true }, false],
    ['a fixed name', { isNameGenerated: false }, false],
  ])('delay their key: %s', (_, changes, waits) => {
    const gate = new StaleGate();
    gate.ends(ended(write(changes)));
    expect(gate.pending(key('a'), () => false, 1) !== undefined).toBe(waits);
    expect(gate.pending(key('b'), () => false, 1)).toBeUndefined();
  });

  it('delay until they are seen, or for five seconds', () => {
    const gate = new StaleGate();
    gate.ends(ended(write()));
    expect(gate.pending(key('a'), ({ resourceVersion }) => resourceVersion === '9', 1)).toBeUndefined();
    gate.ends(ended(write()));
    expect(gate.pending(key('a'), () => false, 4999)).toBeDefined();
    expect(gate.pending(key('a'), () => false, 5000)).toBeUndefined();
    expect(gate.pending(key('a'), () => false, 5001)).toBeUndefined();
  });

  it('are checked rarely, and at the end of the wait', () => {
    const gate = new StaleGate();
    gate.ends(ended(write()));
    const times: number[] = [];
    for (
      let now = 0, unseen = gate.pending(key('a'), () => false, now);
      unseen;
      unseen = gate.pending(key('a'), () => false, now)
    ) {
      now += nextCheckMs(unseen, now);
      times.push(now);
    }
    expect(times.at(-1)).toBe(5000);
    expect(times.length).toBeLessThan(10);
  });
});

it('a defect of an observer affects neither the requests of a run nor its other observers', () => {
  const run = new Run({
    controller: 'c',
    key: { namespace: '', name: 'a' },
    timeoutMs: 1,
    environment: { clock: { now: () => 0, timer: () => () => undefined }, random: () => 0 },
    skippedWrite: () => undefined,
  });
  const fail = (): never => {
    throw new Error('defect');
  };
  const ends: string[] = [];
  run.observe({ requested: fail });
  run.observe({ requested: () => fail });
  run.observe({ requested: () => (end) => void ends.push(end.type) });
  const request = { request: { path: '/version' }, verb: 'get', target: undefined, isWrite: false };
  run.requested({ ...request, before: undefined })({ type: 'response', response: {} });
  expect(ends).toEqual(['response']);
  expect(run.notes.reads).toHaveLength(1);
});
