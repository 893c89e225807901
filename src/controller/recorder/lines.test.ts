import { describe, expect, it } from 'vitest';
import type { EventToRecord } from '../events/event.ts';
import { SecretValues } from '../secrecy/secret-values.ts';
import { context, fakeInformer, recorderInMemory } from './recorder.fixture.ts';

const web = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop', uid: 'u' } };
const event: EventToRecord = {
  ...{ regarding: web, type: 'Warning', reason: 'Failed', action: 'Reconcile', note: 'it failed' },
};
const leader = { lease: 'leader', isHeld: true, holder: 'me' };

describe('an Event of the program', () => {
  it.each([
    ['in a reconcile', true, 1],
    ['outside of reconciles', false, undefined],
  ])('is recorded %s', async (_, isInRun, run) => {
    const { recorder, linesOf } = await recorderInMemory();
    if (isInRun) recorder.started(context).reported?.(event);
    else recorder.reported(event);
    const lines = (await linesOf()).filter(({ type }) => type === 'event');
    const regarding = { apiVersion: 'v1', kind: 'ConfigMap', name: 'web', namespace: 'shop', uid: 'u' };
    const { type: eventType, reason, action, note } = event;
    const at = expect.any(Number);
    const entry = { type: 'event', at, regarding, eventType, reason, action, note };
    expect(lines).toEqual([run === undefined ? entry : { ...entry, run }]);
  });

  it('is not recorded if it is invalid', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    recorder.reported({ ...event, reason: '' });
    expect((await linesOf()).map(({ type }) => type)).not.toContain('event');
  });

  it.each([
    ['a value of a Secret', event, 'the password is correct-horse-7', 'the password is (redacted)'],
    ['a Secret', { ...event, regarding: { ...web, kind: 'Secret' } }, 'it begins with corr', '(redacted)'],
  ])('has a note without %s', async (_, reported, note, shown) => {
    const secrets = new SecretValues();
    const { recorder, linesOf } = await recorderInMemory({ secrets });
    recorder.reported({ ...reported, note });
    secrets.keep(['correct-horse-7']);
    expect((await linesOf()).find(({ type }) => type === 'event')).toMatchObject({ note: shown });
  });
});

describe('the state of a lease', () => {
  it('is recorded once for each change', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    for (const isHeld of [false, false, true, true, false]) recorder.leased({ ...leader, isHeld });
    recorder.leased({ lease: 'shard ring', isHeld: true, holder: 'me', shards: 128, members: 2 });
    const leases = (await linesOf()).filter(({ type }) => type === 'lease');
    expect(leases.map(({ lease, isHeld }) => [lease, isHeld])).toEqual([
      ['leader', false],
      ['leader', true],
      ['leader', false],
      ['shard ring', true],
    ]);
  });

  it('precedes the entries of a recording, if its entry was dropped', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    recorder.follow(fakeInformer().informer);
    recorder.leased({ ...leader, isHeld: false });
    recorder.leased(leader);
    for (let number = 0; number < 10_000; number += 1) recorder.started(context);
    const lines = await linesOf();
    expect(lines.slice(0, 4).map(({ type }) => type)).toEqual([
      'kgen recording',
      'informer',
      'lease',
      'start',
    ]);
    expect(lines[2]).toMatchObject({ ...leader, at: lines[3]?.['at'] });
    // The header, the informer and the end are not counted.
    expect(lines.at(-1)).toMatchObject({ type: 'end of recording', entries: lines.length - 3 });
  });
});

describe('a recording', () => {
  it('has the worker of a reconcile, and the impersonated user of a request', async () => {
    const { recorder, linesOf } = await recorderInMemory({ user: 'operator' });
    const run = recorder.started({ ...context, worker: 3 });
    for (const impersonate of [undefined, { user: 'jane' }])
      run.requested({
        ...{ request: { path: '/a', impersonate }, verb: 'get', target: undefined },
        ...{ isWrite: false, before: undefined },
      })({ type: 'response', response: {} });
    const lines = await linesOf();
    expect(lines.find(({ type }) => type === 'start')).toMatchObject({ worker: 3 });
    expect(lines.filter(({ type }) => type === 'request').map(({ user }) => user)).toEqual([
      'operator',
      'jane',
    ]);
  });

  it('has the state of the queues', async () => {
    const queue = { controller: 'c', workers: 1, running: [], waiting: [], more: 0 };
    const { linesOf } = await recorderInMemory({ queues: () => [queue] });
    expect((await linesOf()).at(-2)).toMatchObject({ type: 'state', queues: [queue], informers: [] });
  });
});
