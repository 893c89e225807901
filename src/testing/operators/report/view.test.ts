import { expect, test } from 'vitest';
import { timelineEntryOf } from '../simulate/history.ts';
import type { FailedDocument, PassedDocument } from './document.ts';
import { commandOf, viewOfReport } from './view.ts';

const logged = {
  ...{ method: 'PATCH', path: '', query: {}, userAgent: '', user: '', verb: 'patch', group: 'my.domain' },
  ...{ resource: 'myapps', subresource: 'status', namespace: 'shop', name: 'a', time: 0, status: undefined },
  ...{ matched: false, headers: {}, body: undefined },
} as const;
const secret = { kind: 'Secret', metadata: { name: 'a' }, data: { password: 'aHVudGVyMg==' } };

const timeline = [
  timelineEntryOf({ kind: 'step', atMs: 1, text: 'a step' }),
  timelineEntryOf({
    ...{ kind: 'request', atMs: 2, replica: 'replica-1', request: logged, name: 'a' },
    ...{ site: '/app.ts:7', faults: ['lost'] },
  }),
  timelineEntryOf({
    ...{ kind: 'change', atMs: 3 },
    change: { type: 'ADDED', resource: 'secrets', key: 'shop/a', revision: 1, object: secret },
  }),
  timelineEntryOf({ kind: 'note', atMs: 4, text: 'violated: deletion' }),
];
const content = { seed: 7, check: 'deletion', site: '/app.ts:7', story: 'seed 7: …', timeline } as const;
const failed: FailedDocument = {
  formatVersion: 1,
  passed: false,
  ...content,
  reference: timeline.slice(0, 1),
};

test('a failure has its run, and the run without faults', () => {
  const { title, failures, runs } = viewOfReport(failed);
  expect(title).toBe('Seed 7 violates deletion');
  expect(failures).toMatchObject([
    { seed: 7, seeds: [7], run: 0, reference: 1, command: 'KGEN_SEED=7 npm test' },
  ]);
  expect(runs.map(({ name, clock, to }) => [name, clock, to])).toEqual([
    ['seed 7', 'virtual', 4],
    ['seed 7 without faults', 'virtual', 1],
  ]);
});

test('events have their objects, lines and faults, and no value of a Secret', () => {
  const [run] = viewOfReport(failed).runs;
  expect(run?.events).toMatchObject([
    { kind: 'step', at: 1, text: 'a step' },
    {
      ...{ kind: 'request', process: 'replica-1', verb: 'patch', subresource: 'status', isWrite: true },
      ...{ target: { group: 'my.domain', resource: 'myapps', namespace: 'shop', name: 'a' } },
      ...{ result: 'lost', site: '/app.ts:7', faults: ['lost'] },
    },
    { kind: 'change', change: 'create', content: { data: { password: '(12 characters)' } } },
    { kind: 'note', isViolation: true },
  ]);
});

test('a failure without a run without faults has no reference', () => {
  const { failures, runs } = viewOfReport({ ...failed, reference: [] });
  expect(runs).toHaveLength(1);
  expect(failures[0]).not.toHaveProperty('reference');
});

test('a simulation that continued has all of its failures', () => {
  const counts = {
    seeds: 3,
    requests: 1,
    uses: [],
    coverage: [],
    interleavings: [],
    chance: [],
    permissions: undefined,
  };
  const failures = [
    { ...content, reference: timeline, seeds: [7, 8] },
    { ...content, seed: 0, reference: [], seeds: [0] },
  ];
  const view = viewOfReport(
    { formatVersion: 1, passed: false, ...counts, failures },
    'npx kgen simulate a.ts',
  );
  expect(view.title).toBe('2 distinct failures, 2 of 5 seeds failed');
  expect(view.failures.map(({ run, reference, command }) => [run, reference, command])).toEqual([
    [0, 1, 'npx kgen simulate a.ts --seed 7'],
    [2, undefined, 'npx kgen simulate a.ts'],
  ]);
});

test('a simulation that passed has its writes and lists as tables', () => {
  const write = {
    verb: 'patch',
    resource: 'myapps',
    site: '/app.ts:7',
    count: 2,
    met: { lost: 1 },
    unmet: ['failed'],
  };
  const interleavings = [{ between: write, write, count: 3 }];
  const report = {
    seeds: 9,
    requests: 4,
    uses: ['Date.now'],
    coverage: [write],
    interleavings,
    chance: [],
    permissions: undefined,
  };
  // seam: a part of a report.
  const { title, facts, tables } = viewOfReport({
    formatVersion: 1,
    passed: true,
    ...report,
  } as PassedDocument);
  expect([title, facts]).toEqual(['9 seeds passed', ['The operator has sent 4 requests']]);
  expect(tables.map(({ rows }) => rows)).toEqual([
    [['patch myapps', '/app.ts:7', '2', 'lost 1', 'failed']],
    [['patch myapps', '/app.ts:7', 'patch myapps', '/app.ts:7', '3']],
    [['Date.now']],
  ]);
});

test.each([
  [{ file: 'a.ts' }, 'npx kgen simulate a.ts'],
  [
    { file: 'a b.ts', export: 'one', crds: ["it's.yaml"] },
    `npx kgen simulate 'a b.ts' --export one --crds 'it'\\''s.yaml'`,
  ],
  [{ file: 'a.ts', objects: 2, steps: 5, seeds: 9, from: 3 }, 'npx kgen simulate a.ts --objects 2 --steps 5'],
])('the command of %j repeats one seed', (options, command) => {
  expect(commandOf({ command: 'simulate', ...options })).toBe(command);
});
