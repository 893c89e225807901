import { describe, expect, it } from 'vitest';
import { established } from '../support/sample-definitions.ts';
import type { Env } from './env.ts';

/** Registers tests that an accepted definition is served under the names in its spec. */
export function definitionTests(env: Env): void {
  describe('installation', () => {
    it.each([
      { name: 'myapps.my.domain', plural: 'myapps', kind: 'MyApp', stored: ['v1'] },
      { name: 'foos.samplecontroller.c9g.io', plural: 'foos', kind: 'Foo', stored: ['v1alpha1'] },
      {
        name: 'redisclusters.cache.example.com',
        plural: 'redisclusters',
        kind: 'RedisCluster',
        stored: ['v1'],
      },
      { name: 'showcases.features.example.com', plural: 'showcases', kind: 'Showcase', stored: ['v2'] },
    ])('$name is established', async ({ name, plural, kind, stored }) => {
      const { status } = await established(env.clientset.rest, name);
      expect(status?.acceptedNames).toMatchObject({ plural, kind });
      expect(status?.storedVersions).toEqual(stored);
    });
  });
}
