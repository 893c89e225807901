/** Conversions of random objects to another version and back, with random edits between. */
import { converts, pathOf, reviewService } from '@kgen/controller/webhooks';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { expect, it } from 'vitest';
import { campaign, type Random, randomOf, shuffle } from '../support/random.ts';

interface Hub {
  spec?: {
    size?: { count?: number; zone?: string; limits?: Record<string, number> };
    ports?: { name: string; port: number; protocol?: string }[];
    hosts?: { host: string; weight?: number }[];
    big?: number;
  };
}
interface Old {
  spec?: {
    count?: number;
    ports?: { name: string; port: number; alias?: string }[];
    hosts?: string[];
    legacy?: object;
  };
}

const shared = {
  ...{ group: 'example.com', kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' },
  ...({ scope: 'Namespaced', verbs: [] } as const),
};
const rings = defineResource<NamespacedResource<Hub, unknown, unknown>>({ ...shared, version: 'v1' });
const oldRings = defineResource<NamespacedResource<Old, unknown, unknown>>({
  ...shared,
  version: 'v1alpha1',
});

const webhook = converts(rings, {
  versions: {
    v1alpha1: {
      resource: oldRings,
      toHub: ({ spec = {} }) => ({
        spec: {
          ...(spec.count === undefined ? {} : { size: { count: spec.count } }),
          ...(spec.ports && { ports: spec.ports.map(({ name, port }) => ({ name, port })) }),
          ...(spec.hosts && { hosts: spec.hosts.map((host) => ({ host })) }),
        },
      }),
      fromHub: ({ spec = {} }) => ({
        spec: {
          ...(spec.size?.count === undefined ? {} : { count: spec.size.count }),
          ...(spec.ports && { ports: spec.ports.map(({ name, port }) => ({ name, port })) }),
          ...(spec.hosts && { hosts: spec.hosts.map(({ host }) => host) }),
        },
      }),
    },
  },
});

const names = ['a', 'b', 'c', '__proto__'] as const;

function hubSpec(random: Random): Hub['spec'] {
  const maybe = <T>(part: T): T | Record<string, never> => (random.chance(0.7) ? part : {});
  return {
    ...maybe({
      size: {
        ...maybe({ count: random.int(9) }),
        ...maybe({ zone: random.pick(['x', 'y']) }),
        ...maybe({ limits: { [random.pick(names)]: random.int(3) } }),
      },
    }),
    ...maybe({
      ports: random
        .some(names, 4)
        .map((name) => ({ name, port: random.int(3), ...maybe({ protocol: 'UDP' }) })),
    }),
    ...maybe({
      hosts: Array.from({ length: random.int(4) }, () => ({
        host: random.pick(names),
        ...maybe({ weight: random.int(3) }),
      })),
    }),
    ...maybe({ big: 7 }),
  };
}

function oldSpec(random: Random): Old['spec'] {
  const maybe = <T>(part: T): T | Record<string, never> => (random.chance(0.7) ? part : {});
  return {
    ...maybe({ count: random.int(9) }),
    ...maybe({
      ports: random.some(names, 4).map((name) => ({ name, port: random.int(3), ...maybe({ alias: 'z' }) })),
    }),
    ...maybe({ hosts: [...random.some(names, 3)] }),
    ...maybe({ legacy: { [random.pick(names)]: [1, null] } }),
  };
}

/** Changes fields that both versions have, in the older one. */
function edited(spec: NonNullable<Old['spec']>, random: Random): Old['spec'] {
  const { count: _, ...rest } = spec;
  switch (random.int(4)) {
    case 0:
      return random.chance(0.5) ? { ...rest, count: random.int(9) } : rest;
    case 1:
      return { ...spec, ports: [...shuffle(spec.ports ?? [], random)].slice(random.int(2)) };
    case 2:
      return { ...spec, ports: (spec.ports ?? []).map((port) => ({ ...port, port: random.int(3) })) };
    default:
      return { ...spec, hosts: [...shuffle([...(spec.hosts ?? []), random.pick(names)], random)] };
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const service = reviewService([webhook], {
  log: silent,
  clock: { now: () => 0, timer: () => () => undefined },
});

interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: unknown;
}

const made = (version: string, spec: unknown): Made => ({
  apiVersion: `example.com/${version}`,
  kind: 'Ring',
  metadata: { name: 'one', namespace: 'shop', labels: { a: 'b' } },
  spec,
});

async function converted(object: Made, version: string): Promise<Made> {
  const request = { uid: 'u', desiredAPIVersion: `example.com/${version}`, objects: [object] };
  const review = { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request };
  const { signal } = new AbortController();
  const { body } = await service.respond(pathOf(webhook), Buffer.from(JSON.stringify(review)), { signal });
  const { response } = JSON.parse(body);
  expect(response.result).toEqual({ metadata: {}, status: 'Success' });
  return response.convertedObjects[0];
}

it('lose no field, and keep what was edited in the other version', async () => {
  for (const seed of campaign('conversions', { rounds: 2000, few: 300 })) {
    const random = randomOf(seed);
    const hub = made('v1', hubSpec(random));
    const older = await converted(hub, 'v1alpha1');
    expect(await converted(older, 'v1'), `hub, seed ${seed}`).toEqual(hub);

    const old = made('v1alpha1', oldSpec(random));
    expect(await converted(await converted(old, 'v1'), 'v1alpha1'), `old, seed ${seed}`).toEqual(old);

    const edit = { ...older, spec: edited(Object(older.spec), random) };
    const stored = await converted(edit, 'v1');
    const read = await converted(stored, 'v1alpha1');
    expect(read.spec, `edited, seed ${seed}`).toEqual(edit.spec);
    expect(await converted(read, 'v1'), `again, seed ${seed}`).toEqual(stored);
  }
});
