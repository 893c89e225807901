/** A recorder and an informer in memory. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Informer, KubernetesObject } from '@kgen/runtime';
import { onTestFinished } from 'vitest';
import { member } from '../members.ts';
import { SecretValues } from '../secrecy/secret-values.ts';
import { FlightRecorder, type FlightRecorderParts } from './flight-recorder.ts';

/** A reconcile. */
export const context = {
  controller: 'c',
  worker: 1,
  key: { namespace: 'shop', name: 'web' },
  reconcileID: '1',
  attempt: 1,
  isLastAttempt: false,
  cause: [],
};

/** A reconcile of another object. */
export const otherContext = { ...context, key: { namespace: 'shop', name: 'other' } };

/** A recorder, and the lines of its file. */
export async function recorderInMemory(parts: Partial<FlightRecorderParts> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-recorder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const recorder = new FlightRecorder({
    program: 'p',
    maxBytes: 1024 * 1024,
    includeSecrets: false,
    secrets: new SecretValues(),
    ...parts,
  });
  const file = join(folder, 'recording.jsonl');
  const linesOf = async (): Promise<readonly Record<string, unknown>[]> => {
    await recorder.write(file);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  return { recorder, linesOf };
}

/** An informer whose changes the test makes. */
export function fakeInformer() {
  type Handlers = Parameters<Informer<KubernetesObject>['handle']>[0];
  let handlers: Handlers = {};
  const objects = new Map<string, KubernetesObject>();
  const informer = {
    stats: () => ({ objects: objects.size, synced: true, queued: 0, lagMs: 0, quietMs: undefined }),
    resource: { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
    find: ({ name }: { readonly name: string }) => objects.get(name),
    handle: (given: Handlers) => {
      handlers = given;
      return { remove: () => undefined };
    },
  };
  const nameOf = (object: object): string => String(member(member(object, 'metadata'), 'name'));
  const stored = (object: object) => {
    const given = object as Parameters<NonNullable<Handlers['add']>>[0]; // seam: objects of the tests
    objects.set(nameOf(given), given);
    return given;
  };
  return {
    informer: informer as unknown as Informer<KubernetesObject>, // seam: what a recorder uses of an informer
    add: (object: object) => handlers.add?.(stored(object), { isInitial: false }),
    update: (object: object) => {
      const old = stored(objects.get(nameOf(object)) ?? {});
      handlers.update?.(stored(object), old);
    },
    /** Changes the cache; the returned function calls the handler. */
    change: (object: object) => {
      const old = stored(objects.get(nameOf(object)) ?? {});
      const present = stored(object);
      return () => handlers.update?.(present, old);
    },
    remove: (name: string) => {
      const last = stored(objects.get(name) ?? {});
      objects.delete(name);
      return () => handlers.delete?.(last, { missed: false });
    },
  };
}
