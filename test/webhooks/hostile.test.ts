/**
 * Reviews that no API server sends: each is refused or denied, and none ends the process. `KGEN_FUZZ_SEED`
 * and `KGEN_FUZZ_ROUNDS` select them; 5,000 with all seeds.
 */

import {
  converts,
  defaults,
  pathOf,
  type ReviewRecord,
  reviewService,
  validates,
} from '@kgen/controller/webhooks';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaign, type Random, randomOf } from '../support/random.ts';

interface Ring {
  metadata?: { name?: string; labels?: Record<string, string> };
  spec?: { size?: number; items?: { name: string }[] };
}

const shared = {
  ...{ group: 'example.com', kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' },
  ...({ scope: 'Namespaced', verbs: [] } as const),
};
const rings = defineResource<NamespacedResource<Ring, unknown, unknown>>({ ...shared, version: 'v1' });
const oldRings = defineResource<NamespacedResource<Ring, unknown, unknown>>({
  ...shared,
  version: 'v1alpha1',
});

const webhooks = [
  defaults(rings, {
    handle: (ring) => ({
      metadata: { labels: { ...ring.metadata.labels, size: `${ring.spec?.size}` } },
      spec: { ...ring.spec, items: [...(ring.spec?.items ?? []), { name: 'last' }] },
    }),
  }),
  validates(rings, {
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    handle: (ring, { warn, audit, old }) => {
      warn(`size ${ring.spec?.size} of ${ring.spec?.items?.map(({ name }) => name.trim())}`);
      audit('old', `${old?.metadata.name}`);
    },
  }),
  converts(rings, {
    versions: {
      v1alpha1: {
        resource: oldRings,
        toHub: ({ spec }) => ({ spec: { items: spec?.items?.map(({ name }) => ({ name })) ?? [] } }),
        fromHub: ({ spec }) => ({ spec: { size: spec?.size ?? 0 } }),
      },
    },
  }),
] as const;

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const clock = { now: () => 0, timer: () => () => undefined };
const service = reviewService(webhooks, { log: silent, clock });

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

const keys = [
  'spec',
  'metadata',
  'request',
  'object',
  'oldObject',
  'size',
  '__proto__',
  'constructor',
  'toJSON',
  'then',
  'a/b~c',
  '',
];

/** A value of JSON of any type, as text. */
function anyValue(random: Random, depth = 0): string {
  const kind = random.int(depth > 3 ? 7 : 10);
  if (kind < 6)
    return random.pick([
      'null',
      'true',
      '-0',
      '9007199254740993',
      '1e999',
      '"\\ud800"',
      '""',
      '{}',
      '[]',
      '1.5e-7',
    ]);
  if (kind === 6) return JSON.stringify('\u0000é😀'.repeat(random.int(50)));
  const parts = Array.from({ length: random.int(4) }, () => anyValue(random, depth + 1));
  if (kind === 7) return `[${parts.join()}]`;
  return `{${parts.map((part) => `${JSON.stringify(random.pick(keys as [string]))}:${part}`).join()}}`;
}

/** A value that exceeds limits. */
function largeValue(random: Random): string {
  const depth = random.pick([100, 2000, 10_000]);
  return random.pick([
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    JSON.stringify('x'.repeat(1_000_000)),
    `[${'{},'.repeat(50_000)}1]`,
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  ]);
}

const ring =
  '{"apiVersion":"example.com/v1","kind":"Ring","metadata":{"name":"one","namespace":"shop"},"spec":{"size":1,"items":[{"name":"a"}]}}';

/** A valid review as text. */
function validReview(random: Random, isConversion: boolean): string {
  const version = random.pick(['v1', 'v1beta1']);
  if (isConversion)
    return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}","request":{"uid":"u","desiredAPIVersion":"example.com/v1alpha1","objects":[${ring},${ring}]}}`;
  const operation = random.pick(['CREATE', 'UPDATE']);
  const old = operation === 'CREATE' ? 'null' : ring;
  return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":{"uid":"u","kind":{"group":"example.com","version":"v1","kind":"Ring"},"resource":{"group":"example.com","version":"v1","resource":"rings"},"name":"one","namespace":"shop","operation":"${operation}","userInfo":{"username":"a","groups":["b"],"extra":{"c":["d"]}},"object":${ring},"oldObject":${old},"dryRun":false}}`;
}

/** Replaces one value of a text of JSON. */
function altered(text: string, random: Random, value: string): string {
  const places = [...text.matchAll(/"[\w.]+":("[^"]*"|null|true|false|[\d.]+|\{|\[)/g)];
  const place = places[random.int(places.length)];
  if (place === undefined) return text;
  const [whole, old = ''] = place;
  const start = place.index + whole.length - old.length;
  const end = old === '{' || old === '[' ? closingOf(text, start) : start + old.length;
  return `${text.slice(0, start)}${value}${text.slice(end)}`;
}

function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if ('{['.includes(text.charAt(at))) depth += 1;
    else if ('}]'.includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function hostileBody(random: Random, isConversion: boolean): Buffer {
  const review = validReview(random, isConversion);
  switch (random.int(8)) {
    case 0:
      return Buffer.from(anyValue(random));
    case 1:
      return Buffer.from(review.slice(0, random.int(review.length)));
    case 2: {
      const bytes = Buffer.from(review);
      for (let count = 1 + random.int(5); count > 0; count -= 1)
        bytes[random.int(bytes.length)] = random.int(256);
      return bytes;
    }
    case 3:
      return random.chance(0.2)
        ? Buffer.from(altered(review, random, largeValue(random)))
        : Buffer.alloc(random.int(100), 0xff);
    case 4:
      return Buffer.from(altered(altered(review, random, anyValue(random)), random, anyValue(random)));
    default:
      return Buffer.from(altered(review, random, anyValue(random)));
  }
}

it('refuses or denies hostile reviews', { timeout: 600_000 }, async () => {
  const seen = new Set<string>();
  const inherited = Reflect.ownKeys(Object.prototype);
  const { signal } = new AbortController();
  const send = async (path: string, body: Buffer): Promise<readonly [ReviewRecord | undefined, unknown]> => {
    let record: ReviewRecord | undefined;
    const observe = (each: ReviewRecord): void => {
      record = each;
    };
    const { status, body: text } = await service.respond(path, body, { signal, observe });
    const value = JSON.parse(text);
    if (status === 200) {
      expect(value.response).toHaveProperty('uid');
      const isAllowed = value.response.allowed ?? value.response.result.status === 'Success';
      expect(isAllowed).toBe(record?.outcome === 'allowed');
    } else expect(value).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    seen.add(`${path.split('/')[1]} ${record?.outcome}`);
    return [record, value];
  };
  for (const seed of campaign('hostile reviews', { rounds: 5000, few: 300 })) {
    const random = randomOf(seed);
    const webhook = random.pick(webhooks);
    const isConversion = webhook.type === 'converts';
    const [record, value] = await send(pathOf(webhook), hostileBody(random, isConversion));
    expect(record, `seed ${seed}: ${JSON.stringify(value).slice(0, 300)}`).toBeDefined();
    expect(Reflect.ownKeys(Object.prototype), `seed ${seed}`).toEqual(inherited);
    // The next review is processed as before.
    const [next] = await send(pathOf(webhook), Buffer.from(validReview(random, isConversion)));
    expect(next?.outcome, `after seed ${seed}`).toBe('allowed');
  }
  expect(unhandled).toEqual([]);
  for (const type of ['defaults', 'validates', 'convert'])
    for (const outcome of ['allowed', 'refused']) expect(seen).toContain(`${type} ${outcome}`);
  expect(seen).toContain('convert failed');
});

it.each([
  ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['10,000 lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
])('denies an object of %s, and continues', async (_, deep) => {
  const { signal } = new AbortController();
  for (const webhook of webhooks) {
    const text = validReview(randomOf(1), webhook.type === 'converts').replaceAll(
      '"size":1',
      `"size":${deep}`,
    );
    const response = await service.respond(pathOf(webhook), Buffer.from(text), { signal });
    const { allowed = false, status, result } = JSON.parse(response.body).response;
    expect(allowed).toBe(false);
    expect((status ?? result).message).toContain('more than 1,000 levels of objects and lists');
  }
});
