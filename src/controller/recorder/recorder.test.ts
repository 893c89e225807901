import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { metadataString } from '../members.ts';
import { RunNotes } from '../records/run-notes.ts';
import { redacted } from '../secrecy/redaction.ts';
import { markSecretError } from '../secrecy/secret-errors.ts';
import { SecretValues } from '../secrecy/secret-values.ts';
import { FlightRecorder } from './flight-recorder.ts';
import { context, fakeInformer, otherContext, recorderInMemory } from './recorder.fixture.ts';
import { Ring } from './ring.ts';

const hidden = '(redacted)';
const hiddenBase64 = 'KHJlZGFjdGVkKQ==';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const secret = { kind: 'Secret', metadata: { name: 's' }, data: { a: 'eA==' }, stringData: { b: 'y' } };
const shown = { ...secret, data: { a: hiddenBase64 }, stringData: { b: hidden } };

describe('a redacted value', () => {
  it.each<readonly [string, unknown, boolean, unknown]>([
    ['a Secret', secret, false, shown],
    ['a Secret without its kind', { data: { a: 'eA==' } }, true, { data: { a: hiddenBase64 } }],
    ['a removed value of a Secret', { data: { a: null } }, true, { data: { a: null } }],
    ['a list of Secrets', { items: [secret] }, true, { items: [shown] }],
    ['a SecretList', { kind: 'SecretList', items: [secret] }, false, { kind: 'SecretList', items: [shown] }],
    [
      'a JSON patch of a Secret',
      [{ op: 'add', path: '/data/a', value: 'eA==' }],
      true,
      [{ op: 'add', path: '/data/a', value: hidden }],
    ],
    ['text of a Secret', 'data: eA==', true, hidden],
    ['a number for a Secret', 7, true, hidden],
    [
      'a JSON patch of the annotations of an object',
      [
        { op: 'add', path: '/metadata', value: { annotations: { [lastApplied]: '{}', a: 'x' } } },
        { op: 'replace', path: '', value: { metadata: { annotations: { [lastApplied]: '{}' } } } },
        { op: 'add', path: '/metadata/annotations', value: { [lastApplied]: '{}' } },
        { op: 'remove', path: '/spec' },
      ],
      false,
      [
        { op: 'add', path: '/metadata', value: { annotations: { [lastApplied]: hidden, a: 'x' } } },
        { op: 'replace', path: '', value: { metadata: { annotations: { [lastApplied]: hidden } } } },
        { op: 'add', path: '/metadata/annotations', value: hidden },
        { op: 'remove', path: '/spec' },
      ],
    ],
    [
      'members of a Secret that the API does not have',
      {
        type: 'Opaque',
        metadata: { name: 's', annotations: 'x' },
        items: [{ data: 'x' }],
        other: { a: 'x' },
      },
      true,
      {
        type: 'Opaque',
        metadata: { name: 's', annotations: hidden },
        items: [{ data: hiddenBase64 }],
        other: { a: hidden },
      },
    ],
    [
      'rows of a table of Secrets',
      { kind: 'Table', rows: [{ object: secret }] },
      true,
      { kind: 'Table', rows: hidden },
    ],
    [
      'a Status',
      { kind: 'Status', message: 'x', details: { uid: 'u', causes: [{ field: 'data', message: 'x' }] } },
      true,
      {
        kind: 'Status',
        message: hidden,
        details: { uid: 'u', causes: [{ field: 'data', message: hidden }] },
      },
    ],
    [
      'annotations of a Secret',
      { kind: 'Secret', metadata: { annotations: { a: 'x' } } },
      false,
      { kind: 'Secret', metadata: { annotations: { a: hidden } } },
    ],
    [
      'the annotation of kubectl apply',
      { metadata: { annotations: { [lastApplied]: '{}', a: 'x' } } },
      false,
      { metadata: { annotations: { [lastApplied]: hidden, a: 'x' } } },
    ],
    [
      'a token',
      { kind: 'TokenRequest', status: { token: 'x' } },
      false,
      {
        kind: 'TokenRequest',
        status: { token: hidden },
      },
    ],
    [
      'another object',
      { kind: 'ConfigMap', data: { a: 'x' } },
      false,
      { kind: 'ConfigMap', data: { a: 'x' } },
    ],
    ['nothing', undefined, true, undefined],
  ])('has no secrets: %s', (_, value, isSecret, want) => {
    expect(redacted(value, isSecret)).toEqual(want);
  });
});

describe('a ring', () => {
  it('drops its oldest entries, and keeps to its limit', () => {
    const ring = new Ring<{ readonly line: string; readonly more: number }>(100_000);
    for (let number = 0; number < 10_000; number += 1) ring.push({ line: `entry ${number}`, more: 10 });
    const entries = ring.entries();
    expect(ring.bytes).toBeLessThanOrEqual(100_000);
    expect(entries.at(-1)?.line).toBe('entry 9999');
    expect(entries[0]?.line).toBe(`entry ${ring.dropped}`);
    expect(entries).toHaveLength(10_000 - ring.dropped);
    ring.push({ line: 'x'.repeat(100_000), more: 0 });
    expect([ring.entries(), ring.bytes]).toEqual([[], 0]);
  });
});

describe('an error of a request for a Secret', () => {
  const target = { group: '', version: 'v1', resource: 'secrets', namespace: 'shop', name: 's' };
  const path = '/api/v1/namespaces/shop/secrets/s';

  it.each([
    ['itself', (error: Error) => error],
    [
      'as the cause of another one',
      (error: Error) => new Error(`failed: ${error.message}`, { cause: error }),
    ],
  ])('is recorded without its message: %s', async (_, thrown) => {
    const folder = await mkdtemp(join(tmpdir(), 'kgen-recorder-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const recorder = new FlightRecorder({
      program: 'p',
      maxBytes: 1024 * 1024,
      includeSecrets: false,
      secrets: new SecretValues(),
    });
    const key = { namespace: 'shop', name: 'web' };
    const context = {
      controller: 'c',
      worker: 1,
      key,
      reconcileID: '1',
      attempt: 1,
      isLastAttempt: false,
      cause: [],
    };
    const run = recorder.started(context);
    const request = {
      request: { method: 'GET', path } as const,
      verb: 'get',
      target,
      isWrite: false,
      before: undefined,
    };
    const error = new Error('invalid value hunter2');
    const notes = new RunNotes();
    markSecretError(error);
    notes.responded(request, { type: 'error', error });
    run.requested(request)({ type: 'error', error });
    run.ended({ type: 'retry', error: thrown(error) }, notes);
    const file = join(folder, 'recording.jsonl');
    await recorder.write(file, recorder.messageOf(thrown(error)));
    const content = await readFile(file, 'utf8');
    expect(content).not.toContain('hunter2');
    expect(content.match(/\(redacted\)/g)).toHaveLength(4);
  });
});

describe('an entry that exceeds half of the ring', () => {
  const target = { group: '', version: 'v1', resource: 'configmaps', namespace: 'shop', name: 'a' };
  const path = '/api/v1/namespaces/shop/configmaps/a';
  const padding = 'x'.repeat(300_000);

  it('is recorded with its size in place of its content, and the others remain', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    informer.add({ kind: 'ConfigMap', metadata: { name: 'small', namespace: 'shop', resourceVersion: '1' } });
    const large = { name: 'large', namespace: 'shop', resourceVersion: '2' };
    informer.add({ kind: 'ConfigMap', metadata: large, data: { padding } });
    informer.update({ kind: 'ConfigMap', metadata: { ...large, resourceVersion: '3' }, data: {} });
    const run = recorder.started(context);
    const body = { metadata: { name: 'a' }, data: { padding } };
    const request = { request: { method: 'PUT', path, object: body } as const, verb: 'update', target };
    const ended = run.requested({ ...request, isWrite: true, before: undefined });
    ended({ type: 'response', response: body });
    run.requested({ ...request, isWrite: true, before: undefined })({
      type: 'error',
      error: new Error(padding),
    });
    const lines = await linesOf();
    const entries = lines.filter(({ type }) => type !== 'informer' && type !== 'kgen recording');
    expect(entries.map(({ type, omittedBytes }) => [type, omittedBytes !== undefined])).toEqual([
      ['change', false],
      ['change', true],
      ['change', false],
      ['start', false],
      ['request', true],
      ['response', true],
      ['request', true],
      ['response', true],
      ['state', false],
      ['end of recording', false],
    ]);
    expect(entries[1]).toMatchObject({ object: { metadata: large } });
    expect(entries[1]?.['omittedBytes']).toBeGreaterThan(300_000);
    expect(lines[0]).toMatchObject({ dropped: 0, omittedObjects: 0 });
    expect(JSON.stringify(lines)).not.toContain('x'.repeat(501));
  });

  it('is left out of the cached objects at the beginning', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    const metadata = { name: 'large', namespace: 'shop' };
    informer.add({ kind: 'ConfigMap', metadata, data: { padding } });
    informer.add({ kind: 'ConfigMap', metadata: { name: 'small', namespace: 'shop' } });
    for (let number = 0; number < 10_000; number += 1) recorder.started(context);
    informer.update({ kind: 'ConfigMap', metadata, data: {} });
    const lines = await linesOf();
    expect(lines[0]).toMatchObject({ omittedObjects: 1 });
    const objects = lines.filter(({ type }) => type === 'object');
    expect(objects).toMatchObject([{ object: { metadata: { name: 'small' } } }]);
  });
});

describe('a state of the cache whose handlers have not been called', () => {
  const metadata = { name: 'web', namespace: 'shop' };
  const objectOf = (resourceVersion: string) => ({
    kind: 'ConfigMap',
    metadata: { ...metadata, resourceVersion },
  });
  const target = { group: '', version: 'v1', resource: 'configmaps', ...metadata };
  const request = { request: { path: '/a' }, verb: 'get', target, isWrite: false, before: undefined };
  type Recorder = Awaited<ReturnType<typeof recorderInMemory>>['recorder'];

  it.each([
    ['the start of a run', (recorder: Recorder) => void recorder.started(context)],
    [
      'a request for the object',
      (recorder: Recorder) => void recorder.started(otherContext).requested(request),
    ],
    [
      'a read of the object',
      (recorder: Recorder) => {
        const { namespace, name } = metadata;
        recorder.started(otherContext).read?.({ resource: target, namespace, name, objects: [] });
      },
    ],
    [
      'a list',
      (recorder: Recorder) => {
        const list = { resource: target, namespace: undefined, name: undefined, objects: [] };
        recorder.started(otherContext).read?.(list);
      },
    ],
  ])('is recorded once, before %s', async (_, use) => {
    const { recorder, linesOf } = await recorderInMemory();
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    informer.add(objectOf('1'));
    const calls = [informer.change(objectOf('2')), informer.change(objectOf('3'))];
    use(recorder);
    for (const call of calls) call();
    informer.update(objectOf('4'));
    const lines = await linesOf();
    const changes = lines.filter(({ type }) => type === 'change');
    expect(changes.map(({ object }) => metadataString(object, 'resourceVersion'))).toEqual(['1', '3', '4']);
    const uses = lines.findIndex(({ type }) => type === 'request' || type === 'end of recording');
    expect(lines.indexOf(changes[1] ?? {})).toBeLessThan(uses);
  });

  it('is recorded once if it is a deletion', async () => {
    const { recorder, linesOf } = await recorderInMemory();
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    informer.add(objectOf('1'));
    const call = informer.remove('web');
    recorder.started(context);
    call();
    const changes = (await linesOf()).filter(({ type }) => type === 'change' || type === 'start');
    expect(changes.map(({ type, change }) => change ?? type)).toEqual(['add', 'delete', 'start']);
  });
});
