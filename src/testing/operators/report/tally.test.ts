import type { Need } from '@kgen/testserver/internal/request/needs';
import { expect, test } from 'vitest';
import { Counter, countedReport, joined, nothingCounted, type Tally } from './tally.ts';

const needOf = (verb: string, count: number, site = ''): Need => ({
  ...{ verb, group: '', resource: 'pods', subresource: '', namespace: 'default', name: '' },
  ...{ isAllowed: true, purpose: '', count, userAgent: '', site },
});

/** An interleaving of a write of pods by another verb, and `write`. */
const pairOf = (verb: string, count: number) => ({ between: { ...write, verb }, write, count });

const write = { verb: 'patch', resource: 'pods', site: '/a.ts:1' };

test('adds up the counts of two processes, in the order of their seeds', () => {
  const one: Tally = {
    requests: 3,
    uses: ['a', 'b'],
    writes: [{ ...write, count: 2, met: { lost: 1 } }],
    interleavings: [pairOf('create', 2)],
    needs: [needOf('get', 2, '/a.ts:1')],
    chance: ['pods: z'],
  };
  const other: Tally = {
    requests: 4,
    uses: ['c', 'a'],
    writes: [
      { ...write, verb: 'create', count: 1, met: {} },
      { ...write, count: 5, met: { conflict: 1, lost: 2 } },
    ],
    interleavings: [pairOf('delete', 1), pairOf('create', 3)],
    needs: [needOf('list', 1), needOf('get', 5, '/a.ts:2')],
    chance: ['pods: a', 'pods: z'],
  };
  expect(joined(one, other)).toEqual({
    requests: 7,
    uses: ['a', 'b', 'c'],
    writes: [
      { ...write, count: 7, met: { lost: 3, conflict: 1 } },
      { ...write, verb: 'create', count: 1, met: {} },
    ],
    interleavings: [pairOf('create', 5), pairOf('delete', 1)],
    needs: [needOf('get', 7, '/a.ts:1'), needOf('list', 1)],
    chance: ['pods: a', 'pods: z'],
  });
  expect(joined(nothingCounted, one)).toEqual(one);
});

test('a report has the faults that each write has not met, and the rules that no need has used', () => {
  const rule = (verb: string) => ({
    ...{ apiGroups: [''], resources: ['pods'], resourceNames: [], nonResourceURLs: [], verbs: [verb] },
  });
  const roles = [{ role: 'Role default/app', scopes: ['default'], rules: [rule('get'), rule('list')] }];
  const tally = {
    ...nothingCounted,
    writes: [{ ...write, count: 1, met: { lost: 1 } }],
    interleavings: [pairOf('create', 2)],
    needs: [needOf('get', 1)],
  };
  const facts = {
    possible: ['lost', 'failed'],
    account: { namespace: 'default', name: 'app' },
    roles,
    interleavings: [pairOf('delete', 0), pairOf('create', 0)],
  } as const;
  const { coverage, interleavings, permissions } = countedReport(tally, facts);
  expect(coverage).toMatchObject([{ unmet: ['failed'] }]);
  expect(interleavings).toEqual([pairOf('create', 2), pairOf('delete', 0)]);
  expect(permissions?.unused).toMatchObject([{ verb: 'list', role: 'Role default/app' }]);
  expect(countedReport(tally, { ...facts, account: undefined }).permissions).toBeUndefined();
});

test('counts runs since the last call', () => {
  let needs = [needOf('get', 1)];
  const counter = new Counter({ all: () => needs });
  counter.add({
    requests: 2,
    uses: ['a'],
    writes: [{ write, faults: ['lost'], change: undefined, controller: 'apps' }],
    interleavings: [pairOf('create', 1), pairOf('create', 1)],
  });
  expect(counter.take([])).toMatchObject({
    requests: 2,
    uses: ['a'],
    writes: [{ count: 1 }],
    interleavings: [{ count: 2 }],
    needs,
  });
  needs = [needOf('get', 4), needOf('list', 1)];
  expect(counter.take(['pods: z'])).toEqual({
    ...nothingCounted,
    needs: [needOf('get', 3), needOf('list', 1)],
    chance: ['pods: z'],
  });
  expect(counter.take([])).toEqual(nothingCounted);
});
