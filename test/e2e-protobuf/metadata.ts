import { type GroupVersionResource, isExpired, isNotFound } from '@kgen/runtime';
import { MetadataClient } from '@kgen/runtime/dynamic';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, failure } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';
import { otherThanProtobuf, traffic } from './traffic.ts';

interface Case {
  readonly resource: GroupVersionResource;
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly [member: string]: unknown };
}

const cases: Readonly<Record<string, Case>> = {
  'a built-in kind': {
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    object: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
  },
  'a custom kind': {
    resource: { group: 'my.domain', version: 'v1', resource: 'myapps' },
    object: { apiVersion: 'my.domain/v1', kind: 'MyApp', spec: { appName: 'a', version: '1' } },
  },
};

/** Registers tests of metadata-only requests, which servers support in protobuf for every kind. */
export function metadataTests(env: Env): void {
  describe('metadata in protobuf', () => {
    it.each(Object.entries(cases))(
      'of %s is read, watched, patched and deleted',
      async (_, { resource, object }) => {
        const userAgent = unique('metadata');
        const ours = new MetadataClient(env.plane.config, { userAgent });
        const other = new MetadataClient(env.plane.config, { encoding: 'json' });
        onTestFinished(() => Promise.all([ours.close(), other.close()]).then(() => undefined));
        const seen = traffic(userAgent);
        const { namespace } = await env.home();
        const [mine, same] = [ours, other].map((client) => client.resource(resource).namespace(namespace));
        if (mine === undefined || same === undefined) throw new Error('two clients are needed');
        const labels = { app: 'web' };
        const metadata = { name: 'web', labels, annotations: { text: '\u{1F600}' } };
        await env.direct
          .resource(resource)
          .namespace(namespace)
          .create({ ...object, metadata });
        expect(await mine.get('web')).toStrictEqual(await same.get('web'));
        expect((await mine.list({ labelSelector: labels })).items).toStrictEqual(
          (await same.list({ labelSelector: labels })).items,
        );
        const watches = [mine, same].map((client) =>
          record(onTestFinished, (signal) => client.watch({ signal, labelSelector: labels })),
        );
        for (const watch of watches) await watch.until((events) => events.length === 1);
        const patched = await mine.patch('web', { metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
        expect(patched).toStrictEqual(await same.get('web'));
        await mine.delete('web');
        for (const watch of watches) await watch.until((events) => events.length === 3);
        expect(watches[0]?.events).toStrictEqual(watches[1]?.events);
        const error = await apiErrorOf(isNotFound, mine.get('web'));
        expect(error.status).toStrictEqual((await apiErrorOf(isNotFound, same.get('web'))).status);
        for (const watch of watches) await watch.end();
        expect(seen.length).toBeGreaterThanOrEqual(6);
        // Servers send errors of these requests as JSON.
        expect(otherThanProtobuf(seen).filter(({ status }) => status < 300)).toEqual([]);
      },
    );

    expiryTests(env);
  });
}

/**
 * Registers tests of expired watches. The server keeps the history of a custom kind only since its
 * definition, which version 1 precedes.
 */
function expiryTests(env: Env): void {
  it('is not watched from an expired resource version', async () => {
    const userAgent = unique('metadata');
    const client = new MetadataClient(env.plane.config, { userAgent });
    onTestFinished(() => client.close());
    const seen = traffic(userAgent);
    const apps = client.resource({ group: 'my.domain', version: 'v1', resource: 'myapps' });
    const watch = record(onTestFinished, (signal) => apps.watch({ signal, resourceVersion: '1' }));
    const error = await failure(watch.until(() => false));
    expect(isExpired(error)).toBe(true);
    expect(error).toMatchObject({ code: 410, message: expect.stringContaining('too old resource version') });
    expect(otherThanProtobuf(seen)).toEqual([]);
  });
}
