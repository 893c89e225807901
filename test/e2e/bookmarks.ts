import { describe, expect, it } from 'vitest';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';

/**
 * Registers tests of bookmarks, which carry the version of a watch without events. Real servers send one per
 * minute.
 */
export function bookmarkTests(env: Env): void {
  describe('a bookmark', () => {
    it('contains only the resource version to resume from', async ({ onTestFinished }) => {
      const foos = env.clientset.samplecontrollerV1alpha1.foos(await env.namespace());
      const spec = { image: 'x' };
      const a = await foos.create({ metadata: { name: 'a' }, spec });
      const watch = record(onTestFinished, (signal) => foos.watch({ bookmarks: true, signal }));
      // The initial objects, the bookmark after them, and the first periodic bookmark of the server.
      await watch.until((events) => events.length >= 3);
      const [first, second, third] = watch.events;
      expect(first).toEqual({ type: 'ADDED', object: a });
      const end = { 'k8s.io/initial-events-end': 'true' };
      expect(second).toMatchObject({ type: 'BOOKMARK', object: { metadata: { annotations: end } } });
      expect(third).toMatchObject({ type: 'BOOKMARK' });
      for (const bookmark of [second, third])
        expect(Object.keys(bookmark?.object ?? {})).toEqual(['metadata']);
      const [created, listed, resourceVersion] = watch.events.map(
        ({ object }) => object.metadata.resourceVersion,
      );
      expect(Number(listed)).toBeGreaterThanOrEqual(Number(created));
      expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(listed));
      expect(third?.object.metadata).toEqual({ resourceVersion });
      await watch.end();
      await foos.create({ metadata: { name: 'b' }, spec });
      const next = record(onTestFinished, (signal) => foos.watch({ resourceVersion, signal }));
      await next.until((events) => events.length >= 1);
      expect(next.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED b']);
      await next.end();
    });
  });
}
