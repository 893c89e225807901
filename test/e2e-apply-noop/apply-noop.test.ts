/** Applies without an effect are recognized, and no others, in built-in kinds of a real API server. */

import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NoopWrites, type WriteRequest } from '../../src/controller/apply/noop-writes.ts';
import { unique } from '../support/cluster-tests.ts';
import { type ApplyCase, cases } from './cases.ts';

/** Time limit of the first start, which builds the servers. */
const startTimeout = 1_200_000;
const fieldManager = 'operator';

interface Metadata {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly managedFields?: readonly object[];
}

interface Stored {
  readonly metadata: Metadata;
}

describe('applies of built-in kinds on a real API server', () => {
  let plane: ControlPlane;
  let rest: RESTClient;
  beforeAll(async () => {
    plane = await startControlPlane();
    rest = new RESTClient(plane.config);
  }, startTimeout);
  afterAll(async () => {
    await rest?.close();
    await plane?.stop();
  });

  const pathOf = ({ group, version, resource, name }: WriteRequest): string =>
    `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/default/${resource}/${name}`;

  const apply = async (request: WriteRequest): Promise<Stored> =>
    (await rest.patch(pathOf(request), {
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager, force: true },
      body: request.body,
    })) as Stored;

  const read = async (request: WriteRequest): Promise<Stored> => (await rest.get(pathOf(request))) as Stored;

  it.each(cases.map((row) => [`${row.kind}: ${row.title}`, row] as const))(
    'are skipped until another manager changes a field, for %s',
    async (_title, row) => {
      const writes = new NoopWrites();
      const request = requestOf(row);
      expect(writes.decide(request, undefined)).toBe('send');
      const created = await apply(request);
      writes.record(request, created);

      // At rest: the cache has no managedFields, and a repeated request would not change the object.
      expect(writes.decide(request, asCached(await read(request)))).not.toBe('send');
      // Only the time of an entry of managedFields may change.
      expect(withoutFields(await apply(request))).toEqual(withoutFields(created));

      // Unrelated changes of another manager are not reverted.
      await rest.patch(pathOf(request), { body: { metadata: { labels: { 'example.com/other': 'x' } } } });
      const related = asCached(await read(request));
      if (writes.decide(request, related) === 'send') writes.record(request, await apply(request));
      expect(writes.decide(request, asCached(await read(request)))).not.toBe('send');

      const contentType = row.group === 'apps' ? 'application/strategic-merge-patch+json' : undefined;
      await rest.patch(pathOf(request), { body: row.foreign, contentType, query: { fieldManager: 'other' } });
      const changed = await read(request);
      const decision = writes.decide(request, asCached(changed));
      const repaired = await apply(request);
      // No write is lost: a skipped request would not have changed the object.
      if (decision !== 'send') expect(withoutFields(repaired)).toEqual(withoutFields(changed));
      else writes.record(request, repaired);
      expect(writes.decide(request, asCached(await read(request)))).not.toBe('send');
    },
  );

  it.each(cases.map((row) => [`${row.kind}: ${row.title}`, row] as const))(
    'are recognized by managedFields without a request before, for %s',
    async (_title, row) => {
      const request = requestOf(row);
      await apply(request);
      const live = await read(request);
      expect(new NoopWrites().decide(request, live) !== 'send').toBe(row.isRecognized);
      await rest.patch(pathOf(request), {
        body: row.foreign,
        contentType: row.group === 'apps' ? 'application/strategic-merge-patch+json' : undefined,
        query: { fieldManager: 'other' },
      });
      const changed = await read(request);
      const decision = new NoopWrites().decide(request, changed);
      const repaired = await apply(request);
      if (decision !== 'send') expect(withoutFields(repaired)).toEqual(withoutFields(changed));
    },
  );
});

function requestOf({ group, version, resource, kind, intent }: ApplyCase): WriteRequest {
  const name = unique('noop');
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const metadata = { ...(intent['metadata'] ?? {}), name };
  const body = { ...intent, apiVersion, kind, metadata };
  return { verb: 'apply', group, version, resource, namespace: 'default', name, fieldManager, body };
}

/** Returns an object as informers store it. */
function asCached(object: Stored): Stored {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withoutFields(object: Stored): object {
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}
