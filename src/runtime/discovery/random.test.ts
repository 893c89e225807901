import { describe, expect, test } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { DiscoveryClient } from './client.ts';
import { resourceText, tabulate } from './mapping/mappings.ts';
import { RESTMapper } from './mapping/rest-mapper.ts';
import { parseAggregated } from './reading/aggregated.ts';
import { getting } from './reading/discovery-request.ts';
import { parseGroups, parseResourceList, parseVersions } from './reading/legacy.ts';
import {
  aggregatedRoutes,
  type Given,
  type GivenGroups,
  groupList,
  legacyRoutes,
  StubServer,
} from './server.fixture.ts';
import type { RESTMapping } from './types.ts';

const seeds = Array.from({ length: 40 }, (_, i) => 7919 * (i + 1));
const stems = ['alpha', 'beta', 'gamma', 'delta'];
const groups = ['a.io', 'b.io', 'b.io.more', 'c'];
const versions = ['v2', 'v1', 'v1beta1'];

/** Uses few names, so that they collide often. */
function randomResource(random: Seeded): Given {
  const stem = random.pick(stems) ?? '';
  const kind = random.pick(stems) ?? '';
  return {
    resource: random.chance(0.8) ? `${stem}s` : stem,
    kind: kind.replace(/^./, (letter) => letter.toUpperCase()),
    singular: random.chance(0.7) ? stem : '',
    scope: random.chance(0.5) ? 'Namespaced' : 'Cluster',
    shortNames: random.chance(0.4) ? [stem.slice(0, 2)] : [],
    categories: random.chance(0.3) ? ['all'] : [],
  };
}

function randomCluster(random: Seeded): GivenGroups {
  const given: Record<string, readonly Given[]> = {};
  for (const group of ['', ...groups]) {
    if (random.chance(0.2)) continue;
    for (const version of group === '' ? ['v1'] : versions) {
      if (random.chance(0.3)) continue;
      const resources = Array.from({ length: 1 + random.below(4) }, () => randomResource(random));
      const unique = new Map(resources.map((one) => [one.resource, one]));
      given[group === '' ? version : `${group}/${version}`] = [...unique.values()];
    }
  }
  return given;
}

async function mappingsOf(given: GivenGroups): Promise<readonly RESTMapping[]> {
  const server = new StubServer(aggregatedRoutes(given));
  const { groups: found, resources } = await new DiscoveryClient(server.rest).serverGroupsAndResources();
  return tabulate(found, resources).all;
}

async function settled<T>(call: Promise<T>): Promise<T | string> {
  return call.catch((error: Error) => `${error.name}: ${error.message}`);
}

describe.each(seeds)('a random cluster, seed %i', (seed) => {
  test('resolves every resource and kind by its full name', async () => {
    const given = randomCluster(new Seeded(seed));
    const mapper = new RESTMapper(new DiscoveryClient(new StubServer(aggregatedRoutes(given)).rest));
    for (const mapping of await mappingsOf(given)) {
      const { resource, kind } = mapping;
      expect((await mapper.mappingsFor(resource))[0]).toEqual(mapping);
      expect(await mapper.mappingFor(resourceText(mapping))).toEqual(mapping);
      const ofKind = await mapper.mappings(kind);
      expect(ofKind).toContainEqual(mapping);
      expect(new Set(ofKind.map((one) => one.kind.version))).toEqual(new Set([kind.version]));
      const anyVersion = await mapper.mappings({ group: kind.group, kind: kind.kind });
      expect(anyVersion).toEqual(expect.arrayContaining([...ofKind]));
      const one = await settled(mapper.mapping(kind));
      const expected = ofKind.length === 1 ? mapping : expect.stringMatching(/^AmbiguousMatchError: /);
      expect(one).toEqual(expected);
    }
  });

  test('resolves every name alike in every format', async () => {
    const given = randomCluster(new Seeded(seed));
    const [one, other] = [aggregatedRoutes(given), legacyRoutes(given)].map(
      (routes) =>
        new RESTMapper(new DiscoveryClient(new StubServer(routes).rest), { onWarning: () => undefined }),
    );
    const names = [
      ...stems,
      ...stems.map((stem) => `${stem}s`),
      'al',
      'be',
      'alphas.b',
      'beta.b.io',
      'gammas.v1.c',
    ];
    for (const name of names) {
      const found = await settled(one?.mappingFor(name) ?? Promise.reject(new Error('no mapper')));
      expect(await settled(other?.mappingFor(name) ?? Promise.reject(new Error('no mapper')))).toEqual(found);
    }
  });

  test('rejects or reads a corrupted response without additional resources', () => {
    const random = new Seeded(seed);
    const operation = getting('/apis');
    const nonsense: readonly unknown[] = [null, 1, '', '..', '__proto__', [], {}, [null], true, 'x/../y'];
    const spoil = (value: unknown): unknown => {
      if (random.chance(0.05)) return random.pick(nonsense);
      if (Array.isArray(value)) return value.map(spoil);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item)]));
    };
    const parsers = [
      parseAggregated,
      parseGroups,
      parseVersions,
      (value: unknown) => parseResourceList(value, 'a.io/v1', operation),
    ];
    for (let round = 0; round < 20; round += 1) {
      const given = spoil(groupList(randomCluster(random)));
      for (const parse of parsers) {
        try {
          const found: unknown = parse(given, operation);
          expect(JSON.stringify(found)).not.toContain('"x/../y"');
        } catch (error) {
          expect(error).toMatchObject({ name: 'DecodeError' });
        }
      }
    }
  });
});
