import { describe, expect, test } from 'vitest';
import { decodeContinue, encodeContinue } from './continue.ts';
import { type Change, Store } from './store.ts';

function filled(): Store {
  const store = new Store();
  store.put('foos', 'b', { v: 1 });
  store.put('foos', 'a', { v: 1 });
  store.put('bars', 'a', { v: 1 });
  store.put('foos', 'b', { v: 2 });
  store.remove('foos', 'a');
  return store;
}

describe('Store', () => {
  test('assigns the next revision to every change', () => {
    const store = filled();
    expect(store.revision).toBe(6);
    expect(store.get('foos', 'b')).toEqual({ v: 2, metadata: { resourceVersion: '5' } });
    expect(store.remove('foos', 'nope')).toBeUndefined();
    expect(store.revision).toBe(6);
  });

  test('lists by key within the prefix', () => {
    const store = new Store();
    for (const key of ['team/b', 'other/a', 'team/a']) store.put('foos', key, {});
    expect(store.list('foos', 'team/').map(([key]) => key)).toEqual(['team/a', 'team/b']);
  });

  test.each<[number, readonly string[]]>([
    [1, []],
    [2, ['b=1']],
    [3, ['a=1', 'b=1']],
    [5, ['a=1', 'b=2']],
    [6, ['b=2']],
  ])('returns the state at revision %i', (revision, want) => {
    const state = filled().listAt('foos', '', revision) ?? [];
    expect(state.map(([key, value]) => `${key}=${String(value['v'])}`)).toEqual(want);
  });

  test('returns changes since a revision, and throws for compacted revisions', () => {
    const store = filled();
    expect(store.since('foos', 3)?.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'MODIFIED b',
      'DELETED a',
    ]);
    store.compact();
    expect([store.since('foos', 5), store.listAt('foos', '', 5)]).toEqual([undefined, undefined]);
    expect([store.since('foos', 6), store.listAt('foos', '', 6)?.length]).toEqual([[], 1]);
  });

  // Changes at 0 (2), 4 (3), 6 (4) and 21 (5) minutes.
  test.each<[number, number]>([
    [6, 1],
    [9, 1],
    [10, 3],
    [14, 3],
    [15, 4],
    [20, 4],
    [22, 4],
    [30, 5],
  ])('after %i minutes, the oldest state is that at revision %i', (minutes, oldest) => {
    let now = 0;
    const store = new Store(() => now * 60_000);
    for (const time of [0, 4, 6, 21].filter((each) => each <= minutes)) {
      now = time;
      store.put('foos', 'a', { v: time });
    }
    now = minutes;
    const known = [1, 2, 3, 4, 5].filter(
      (revision) => revision <= store.revision && store.listAt('foos', '', revision) !== undefined,
    );
    expect(known[0]).toBe(oldest);
    expect(known.at(-1)).toBe(store.revision);
    expect(store.since('foos', 1)?.length).toBe(store.revision - 1);
  });

  test('calls subscribers for changes until they unsubscribe', () => {
    const store = new Store();
    const seen: Change['type'][] = [];
    const leave = store.subscribe((change) => seen.push(change.type));
    store.put('foos', 'a', {});
    leave();
    store.put('foos', 'a', { v: 1 });
    expect(seen).toEqual(['ADDED']);
  });
});

test('parses its continue tokens and rejects others', () => {
  const token = { revision: 7, start: 'a\u0000' };
  expect(decodeContinue(encodeContinue(token))).toEqual(token);
  for (const broken of [
    'x',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ]) {
    expect(() => decodeContinue(broken)).toThrow('invalid continue token');
  }
});
