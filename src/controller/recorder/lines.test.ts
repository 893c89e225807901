import { describe, expect, it, onTestFinished } from 'vitest';
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

describe('a line of the log', () => {
  const error = new Error('no');
  const secretError = new Error('is correct-horse-7');

  it.each<readonly [string, boolean, object, string]>([
    ['in a reconcile, without the members of the reconcile', true, { name: 'web', size: 2n }, '{"size":2}'],
    ['outside of reconciles', false, { name: 'web', err: error }, '{"name":"web","err":"no"}'],
    ['without members', true, { reconcileID: '1' }, ''],
    ['with long members', false, { text: 'x'.repeat(10_000) }, `{"text":"${'x'.repeat(1_991)}`],
    ['without values of Secrets', true, { err: secretError }, '{"err":"is (redacted)"}'],
  ])('is recorded %s', async (_, isInRun, fields, text) => {
    const secrets = new SecretValues();
    secrets.keep(['correct-horse-7']);
    const { recorder, linesOf } = await recorderInMemory({ secrets });
    const entry = { level: 'warn', fields, message: 'message' } as const;
    if (isInRun) recorder.started(context).logged?.(entry);
    else recorder.logged(entry);
    const line = (await linesOf()).find(({ type }) => type === 'log');
    expect(line).toEqual({
      ...{ type: 'log', at: expect.any(Number), level: 'warn', message: 'message', fields: text },
      ...(isInRun && { run: 1 }),
    });
  });
});

describe('the line of the program', () => {
  const request = {
    ...{ request: { path: '/a' }, verb: 'get', target: undefined, isWrite: false, before: undefined },
  };

  it.each<readonly [string, unknown, string | undefined]>([
    ['that the command determines', () => '/program.ts:7', '/program.ts:7'],
    ['is absent without one', () => '', undefined],
    ['is absent in other processes', undefined, undefined],
  ])('of a request %s', async (_, find, site) => {
    const name = Symbol.for('kgen.callSite');
    Reflect.set(globalThis, name, find);
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
    const { recorder, linesOf } = await recorderInMemory();
    recorder.started(context).requested(request);
    expect((await linesOf()).find(({ type }) => type === 'request')?.['site']).toBe(site);
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
