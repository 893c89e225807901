import { expect, it } from 'vitest';
import { currentRun } from '../client/run-scope.ts';
import { AttachedController } from './attached-controller.ts';
import { attach, Controller } from './controller.ts';
import type { RunListener } from './run-listener.ts';
import { FakeInformer, FakeWorld, fakeHost, settle } from './world.fixture.ts';

/** Runs a controller of one object with listeners. Returns the entries of its log. */
async function runWith(listeners: readonly RunListener[], reconcile: () => void): Promise<readonly string[]> {
  const { clock, apps } = new FakeWorld({ reconcile });
  const stopping = new AbortController();
  const entries: string[] = [];
  const controller = new Controller({ name: 'test', for: apps.informer, reconcile });
  const host = fakeHost({
    environment: { clock, random: () => 0.5 },
    stopping: stopping.signal,
    listeners,
    logged: (entry) => void entries.push(entry),
  });
  const attached = attach(controller, host);
  apps.put('a');
  const ended = attached.run(stopping.signal);
  await settle();
  clock.advance(5);
  await settle();
  stopping.abort();
  await ended;
  attached.detach();
  expect(controller.reconciles().length).toBeGreaterThan(0);
  return entries;
}

const read = { resource: { group: '', resource: 'pods' }, namespace: 'shop', name: 'a', objects: [] };

it('calls the listeners of a run in their order, around its function', async () => {
  const calls: string[] = [];
  const listener = (name: string): RunListener => ({
    begins: ({ key, attempt, notes }) => {
      calls.push(`${name} begins ${key.name} ${attempt} ${notes.reads.length}`);
      return {
        read: ({ name: object }) => calls.push(`${name} read ${object}`),
        requested: () => () => undefined,
      };
    },
    ends: ({ end, attempt, startedAt, endedAt }) =>
      calls.push(`${name} ends ${end.outcome.type} ${attempt} ${endedAt - startedAt}`),
  });
  await runWith([listener('one'), { ends: () => calls.push('two ends') }, listener('three')], () => {
    calls.push('function');
    currentRun()?.read(read);
    if (calls.length < 8) throw new Error('fails once');
  });
  const run = (attempt: number, outcome: string): readonly string[] => [
    `one begins a ${attempt} 1`,
    `three begins a ${attempt} 1`,
    'function',
    'one read a',
    'three read a',
    `one ends ${outcome} ${attempt} 0`,
    'two ends',
    `three ends ${outcome} ${attempt} 0`,
  ];
  expect(calls).toEqual([...run(1, 'retry'), ...run(2, 'success')]);
});

it('logs what a listener throws, and runs, retries and calls other listeners as without it', async () => {
  const ends: string[] = [];
  const throwing: RunListener = {
    begins: () => {
      throw new Error('begins');
    },
    ends: () => {
      throw new Error('ends');
    },
  };
  const failing: RunListener = {
    begins: () => ({
      read: () => {
        throw new Error('read');
      },
      requested: () => {
        throw new Error('requested');
      },
    }),
    ends: ({ end }) => ends.push(end.outcome.type),
  };
  const entries = await runWith([throwing, failing], () => {
    currentRun()?.read(read);
    if (ends.length === 0) throw new Error('fails once');
  });
  expect(ends).toEqual(['retry', 'success']);
  const failed = 'error a listener of test failed for shop/a';
  expect(entries.filter((entry) => entry === failed)).toHaveLength(4);
  expect(entries).toContain('error reconcile failed: fails once');
});

it('attaches a controller once, and none of another copy of the package', () => {
  const controller = new Controller({
    name: 'test',
    for: new FakeInformer('a', 'A').informer,
    reconcile: () => {},
  });
  const { clock } = new FakeWorld({ reconcile: () => {} });
  const stopping = new AbortController().signal;
  const host = fakeHost({ environment: { clock, random: () => 0.5 }, stopping });
  expect(attach(controller, host)).toBeInstanceOf(AttachedController);
  expect(() => attach(controller, host)).toThrow('belongs to a manager already');
  const { name, needsLeadership, informers, running } = controller;
  const other = {
    name,
    needsLeadership,
    informers,
    running,
    explain: () => undefined as never,
    reconciles: () => [],
  };
  expect(() => attach(other, host)).toThrow('another copy of @kgen/controller');
});
