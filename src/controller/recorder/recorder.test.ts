import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunNotes } from '../records/run-notes.ts';
import { FlightRecorder } from './flight-recorder.ts';
import { redacted } from './redaction.ts';
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
    const recorder = new FlightRecorder({ program: 'p', maxBytes: 1024 * 1024, includeSecrets: false });
    const key = { namespace: 'shop', name: 'web' };
    const context = { key, reconcileID: '1', attempt: 1, isLastAttempt: false, cause: [] };
    const run = recorder.started('c', context);
    const request = {
      request: { method: 'GET', path } as const,
      verb: 'get',
      target,
      isWrite: false,
      before: undefined,
    };
    const error = new Error('invalid value hunter2');
    const notes = new RunNotes();
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
