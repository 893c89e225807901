import { describe, expect, it } from 'vitest';
import type { Env } from './env.ts';
import { record } from './recording.ts';

/** Bookmarks: how far a watch has come when nothing happens. Real servers send one a minute. */
export function bookmarkTests(env: Env): void {
  describe('a bookmark', () => {
    it('says from where to go on, and nothing else', async ({ onTestFinished }) => {
      const foos = env.clientset.samplecontrollerV1alpha1.foos(await env.namespace());
      const spec = { image: 'x' };
      const a = await foos.create({ metadata: { name: 'a' }, spec });
      const watch = record(onTestFinished, (signal) => foos.watch({ bookmarks: true, signal }));
      await watch.until((events) => events.some(({ type }) => type === 'BOOKMARK'));
      const [first, second] = watch.events;
      expect(first).toEqual({ type: 'ADDED', object: a });
      expect(Object.keys(second?.object ?? {})).toEqual(['metadata']);
      const resourceVersion = second?.object.metadata.resourceVersion;
      expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(a.metadata.resourceVersion));
      await watch.end();
      await foos.create({ metadata: { name: 'b' }, spec });
      const next = record(onTestFinished, (signal) => foos.watch({ resourceVersion, signal }));
      await next.until((events) => events.length >= 1);
      expect(next.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED b']);
      await next.end();
    });
  });
}
