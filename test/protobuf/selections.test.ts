/** Selected fields of objects in protobuf equal those of the whole objects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Projection } from '../../src/runtime/codec/projection/projection.ts';
import { parseEnvelope } from '../../src/runtime/protobuf/envelope.ts';
import type { Message } from '../../src/runtime/protobuf/types.ts';
import { fieldFilter } from '../../src/runtime/protobuf/wire/field-filter.ts';
import { Reader } from '../../src/runtime/protobuf/wire/reader.ts';
import { corpus } from '../support/emitted.ts';
import { randomSelection } from '../support/random-selection.ts';
import { Seeded } from '../support/runtime/random.ts';
import { rounds } from '../support/seeds.ts';
import { allCodecs, encode } from './codec.ts';
import { seed } from './settings.ts';

const kinds = await allCodecs();
const reader = new Reader({ unknown: 'refuse' });

/** Returns the selected fields, read as a whole and read selectively. */
function bothOf(bytes: Uint8Array, projection: Projection): readonly [whole: Message, selective: Message] {
  const { apiVersion, kind, start, end } = parseEnvelope(bytes);
  const codec = kinds.get(`${apiVersion} ${kind}`);
  if (codec === undefined) throw new Error(`no codec for ${apiVersion} ${kind}`);
  const context = { apiVersion, kind };
  const whole = reader.read(codec.read, bytes, start, end, context);
  const selective = reader.read(codec.read, bytes, start, end, {
    ...context,
    filter: fieldFilter(projection),
  });
  return [projection.pick(whole), projection.pick(selective)];
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u1',
    resourceVersion: '7',
    creationTimestamp: '2026-01-31T12:00:00Z',
    labels: { app: 'web', tier: 'front' },
    annotations: { note: 'x' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u2', controller: true },
    ],
  },
  spec: {
    nodeName: 'n1',
    containers: [
      {
        name: 'a',
        image: 'nginx:1',
        resources: { limits: { cpu: '1' }, requests: { memory: '1Gi' } },
        env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'map', key: 'k' } } }],
        livenessProbe: { httpGet: { port: 'http', path: '/' }, periodSeconds: 10 },
      },
      { name: 'b', image: 'redis', resources: {}, readinessProbe: { httpGet: { port: 8080 } } },
    ],
    volumes: [{ name: 'v', configMap: { name: 'map', items: [{ key: 'a', path: 'b' }] } }],
    terminationGracePeriodSeconds: 30,
  },
  status: { phase: 'Running', podIP: '10.0.0.1', startTime: '2026-01-31T12:00:01Z' },
};

describe('a pod in protobuf', () => {
  it.each<[name: string, select: object, want: object]>([
    ['nothing', {}, {}],
    ['labels', { metadata: { labels: true } }, { metadata: { labels: { app: 'web', tier: 'front' } } }],
    ['one label', { metadata: { labels: { app: true } } }, { metadata: { labels: { app: 'web' } } }],
    ['an empty part', { spec: {} }, { spec: {} }],
    [
      'fields of items',
      { spec: { nodeName: true, containers: { image: true, resources: true } }, status: { phase: true } },
      {
        spec: {
          nodeName: 'n1',
          containers: [
            { image: 'nginx:1', resources: { limits: { cpu: '1' }, requests: { memory: '1Gi' } } },
            { image: 'redis', resources: {} },
          ],
        },
        status: { phase: 'Running' },
      },
    ],
    [
      'inlined messages and numbers or strings',
      {
        spec: {
          containers: {
            env: { valueFrom: { configMapKeyRef: { name: true } } },
            livenessProbe: { httpGet: { port: true } },
            readinessProbe: { httpGet: { port: true } },
          },
          volumes: { configMap: { items: { path: true } } },
        },
      },
      {
        spec: {
          containers: [
            {
              env: [{ valueFrom: { configMapKeyRef: { name: 'map' } } }],
              livenessProbe: { httpGet: { port: 'http' } },
            },
            { readinessProbe: { httpGet: { port: 8080 } } },
          ],
          volumes: [{ configMap: { items: [{ path: 'b' }] } }],
        },
      },
    ],
  ])('is reduced to %s', async (_, select, want) => {
    const projection = Projection.of(Object(select));
    const [whole, selective] = bothOf(await encode(pod), projection);
    expect(selective).toStrictEqual(whole);
    const { name, namespace, uid, resourceVersion, creationTimestamp } = pod.metadata;
    const { metadata, ...rest }: { metadata?: object } = Object(want);
    expect(JSON.parse(JSON.stringify(selective))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp, ...metadata },
      ...rest,
    });
  });
});

if (corpus === undefined) {
  describe.skip('golden objects: KGEN_CORPUS is not set', () => {
    it('requires KGEN_CORPUS', () => undefined);
  });
} else {
  const folder = join(corpus, 'golden');
  const version = readdirSync(folder).sort().at(-1) ?? '';
  const files = readdirSync(join(folder, version)).filter((name) => name.endsWith('.pb'));

  it.each(files.filter((name) => name !== 'core.v1.WatchEvent.pb'))('random fields of %s', (name) => {
    const bytes = readFileSync(join(folder, version, name));
    const { apiVersion, kind, start, end } = parseEnvelope(bytes);
    const codec = kinds.get(`${apiVersion} ${kind}`);
    if (codec === undefined) return;
    const whole = new Reader({ unknown: 'keep' }).read(codec.read, bytes, start, end, { apiVersion, kind });
    const json = JSON.parse(JSON.stringify(whole));
    const random = new Seeded(seed);
    for (let round = 0; round < rounds(200, 5); round += 1) {
      const select = randomSelection(json, random);
      const [expected, got] = bothOf(bytes, Projection.of(select));
      expect(got, JSON.stringify(select)).toStrictEqual(expected);
    }
  });
}
