import { isExpired } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { type ServerUnderTest, useServer } from './env.ts';
import { foos } from './samples.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Registers tests of long lists, and of pages whose state is compacted meanwhile. */
export function pagingTests(server: ServerUnderTest): void {
  describe(`lists from ${server.name}`, () => {
    const env = useServer(server);
    const filled = async () => {
      const client = foos.client(env.clientset, await env.namespace());
      for (const name of names) await client.create(foos.make(name, 1));
      return client;
    };

    it('continue in a newer state if their token has expired, and report it', async () => {
      const client = await filled();
      const iteration = client.iterate({ pageSize: 2, timeoutSeconds: 60 });
      const seen: string[] = [];
      let first: string | undefined;
      for await (const foo of iteration) {
        seen.push(foo.metadata.name);
        if (seen.length !== 2) continue;
        first = iteration.resourceVersion;
        expect(iteration.consistent).toBe(true);
        await client.create(foos.make('cc', 1));
        await env.forget();
      }
      expect(seen).toEqual(['a', 'b', 'c', 'cc', 'd', 'e', 'f']);
      expect(iteration.consistent).toBe(false);
      expect(Number(iteration.resourceVersion)).toBeGreaterThan(Number(first));
    });

    it('have one state while it exists, and the requested page size', async () => {
      const client = await filled();
      const iteration = client.iterate({ pageSize: 4 });
      const seen: string[] = [];
      for await (const foo of iteration) {
        if (seen.length === 0) await client.create(foos.make('bb', 1));
        seen.push(foo.metadata.name);
      }
      expect(seen).toEqual(names);
      expect(iteration.consistent).toBe(true);
    });

    it('are returned complete for any length', async () => {
      const namespace = await env.namespace();
      const client = foos.client(env.clientset, namespace);
      const text = 'ä'.repeat(4000);
      for (const index of Array.from({ length: 100 }).keys()) {
        const foo = foos.make(`foo-${index}`, index);
        await client.create({ ...foo, metadata: { ...foo.metadata, annotations: { text } } });
      }
      const path = `/apis/samplecontroller.c9g.io/v1alpha1/namespaces/${namespace}/foos`;
      const { body } = await env.clientset.rest.stream({
        method: 'GET',
        path,
        query: [],
        headers: { accept: 'application/json' },
        operation: { verb: 'list', resource: 'foos' },
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      // Shorter responses are not decoded as they arrive.
      expect(bytes.length).toBeGreaterThan(512 * 1024);
      expect(await client.list()).toEqual(JSON.parse(bytes.toString()));
    });

    it('that are fetched page by page have remainingItemCount, and reject an expired token', async () => {
      const client = await filled();
      const { metadata } = await client.list({ limit: 2 });
      expect(metadata.remainingItemCount).toBe(4);
      await client.create(foos.make('g', 1));
      await env.forget();
      const failure: unknown = await client
        .list({ limit: 2, continue: metadata.continue })
        .catch((error: unknown) => error);
      expect(isExpired(failure)).toBe(true);
    });
  });
}
