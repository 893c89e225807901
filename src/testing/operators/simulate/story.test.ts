import { expect, test } from 'vitest';
import type { Entry } from './history.ts';
import { flippingFields } from './run/flips.ts';
import { SimulationError, type StoryRun, storyOf } from './story.ts';

const request = {
  method: 'PATCH',
  path: '',
  query: {},
  userAgent: '',
  user: '',
  verb: 'patch',
  group: '',
  resource: 'configmaps',
  subresource: '',
  namespace: 'shop',
  name: '',
  time: 0,
  status: 200,
  matched: false,
} as const;

/** A write of the operator. */
function write(name: string, site: string): Entry {
  const logged = { ...request, name, headers: {}, body: undefined };
  return { kind: 'request', atMs: 0, replica: 'replica-1', request: logged, name, site, faults: [] };
}

function note(text: string): Entry {
  return { kind: 'note', atMs: 0, text };
}

function changed(object: { readonly [key: string]: number }, previous: typeof object): Entry {
  const change = {
    type: 'MODIFIED',
    resource: 'configmaps',
    key: 'shop/a',
    revision: 1,
    object,
    previous,
  } as const;
  return { kind: 'change', atMs: 0, change };
}

const context = { original: 9, repetition: 'Repeat it with KGEN_SEED=7.' };

function runOf(entries: readonly Entry[], errors: readonly string[] = []): StoryRun {
  return { schedule: { seed: 7, replicas: 1, steps: [] }, entries, errors };
}

test('a story has at most 25 lines, with all steps and the writes to objects in its details', () => {
  const steps = [1, 2, 3].map((number): Entry => ({ kind: 'step', atMs: 0, text: `step ${number}` }));
  const others = Array.from({ length: 100 }, (_, index) => write(`other-${index}`, '/app.ts:1'));
  const entries = [...steps, ...others.slice(50), write('wrong', '/app.ts:2'), ...others.slice(0, 50)];
  const message = ['configmaps shop/wrong: data.a is 1', ...others.map((_, index) => `line ${index}`)].join(
    '\n',
  );
  const errors = ['a\n  at x', 'b', 'c', 'd', 'e'];
  const lines = storyOf(runOf(entries, errors), { check: 'convergence', message }, context).split('\n');
  expect(lines).toHaveLength(25);
  for (const shown of ['step 1', 'step 2', 'step 3', 'configmaps shop/wrong (200) at /app.ts:2'])
    expect(lines.filter((line) => line.endsWith(shown))).toHaveLength(1);
  expect(lines).toContain('  … and 95 more');
  expect(lines).toContain('after (0 of 9 steps, 11 of 104 events):');
  expect(lines.at(-1)).toBe('Repeat it with KGEN_SEED=7.');
});

test('a story shows the creation of an additional object with a generated name', () => {
  const change = { type: 'ADDED', resource: 'configmaps', revision: 1, object: {} } as const;
  const created = (name: string): Entry => ({
    kind: 'change',
    atMs: 0,
    change: { ...change, key: `shop/${name}` },
  });
  const message = 'configmaps shop/a-* (2) should not exist: a-2; a-1 may';
  const story = storyOf(runOf([created('a-1'), created('a-2')]), { check: 'convergence', message }, context);
  expect(story).toContain('configmaps shop/a-2 is created');
  expect(story).not.toContain('a-1 is created');
});

test.each([
  ['a line in the details', 'rejection', 'Error: broken at /app.ts:9', '/app.ts:9'],
  [
    'the last write to an object in the details',
    'convergence',
    'configmaps shop/a: data.x is 1',
    '/app.ts:1',
  ],
  [
    'the last write before the deletion of all objects',
    'convergence',
    'configmaps shop/z is missing',
    '/app.ts:2',
  ],
  ['the last write', 'deletion', 'secrets shop/z still exists', '/app.ts:3'],
] as const)('the line of a failure is %s', (_, check, message, site) => {
  const end = note('the user deletes everything');
  const run = runOf([write('a', '/app.ts:1'), write('b', '/app.ts:2'), end, write('c', '/app.ts:3')]);
  expect(new SimulationError('', { check, message }, run).site).toBe(site);
});

test('two writers of a field are named with their values', () => {
  const round = [
    write('a', '/app.ts:1'),
    changed({ size: 2 }, { size: 1 }),
    write('a', '/app.ts:2'),
    changed({ size: 1 }, { size: 2 }),
  ];
  expect(flippingFields([...round, ...round])).toEqual([
    'configmaps shop/a: size changes 4 times: to 2 at /app.ts:1, to 1 at /app.ts:2',
  ]);
});

test('another client that fights with the operator is named', () => {
  const round = [
    write('a', '/app.ts:1'),
    changed({ size: 2 }, { size: 1 }),
    changed({ size: 1 }, { size: 2 }),
  ];
  expect(flippingFields([...round, ...round])).toEqual([
    'configmaps shop/a: size changes 4 times: to 2 at /app.ts:1, to 1 by another client',
  ]);
});

test('one writer of a field is named with the last two values', () => {
  const entries = [1, 2, 3, 4].flatMap((count) => [
    write('a', '/app.ts:1'),
    changed({ count, size: 1 }, { count: count - 1, size: 1 }),
  ]);
  expect(flippingFields(entries)).toEqual([
    'configmaps shop/a: count changes 4 times: to 3 at /app.ts:1, to 4 at /app.ts:1',
  ]);
  expect(flippingFields(entries.slice(2))).toEqual([]);
});
