import { isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { RedisClusterSpec } from '../../generated/crds/cache.example.com/v1/index.ts';
import type { ShowcaseSpec } from '../../generated/crds/features.example.com/v2/index.ts';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf, messagesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of defaults that the server sets, and of values that the schema or its rules reject. */
export function validationTests(env: Env): void {
  describe('defaults', () => {
    it('are filled in, also in nested objects and items', async () => {
      const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
      const spec = { version: '7.4', users: [{ name: 'app', passwordSecret: { name: 'app' } }] };
      const created = await clusters.create({ metadata: { name: 'cart' }, spec });
      expect(created.spec).toEqual({
        version: '7.4',
        replicas: 3,
        evictionPolicy: 'noeviction',
        users: [{ name: 'app', passwordSecret: { name: 'app', key: 'password' } }],
      });
    });

    it('make a required field optional in writes', async () => {
      const lists = { keyed: [{ port: 80 }, { port: 80, protocol: 'UDP' }] };
      const { spec } = await env.clientset.featuresV2
        .showcases()
        .create({ metadata: { name: unique('filled') }, spec: { color: 'red', nothing: null, lists } });
      expect(spec).toEqual({
        color: 'red',
        nothing: null,
        filled: 'full',
        filledOrNothing: 'auto',
        defaults: { small: 1, quiet: true, tags: ['a', 'b'], labels: { from: 'default' } },
        lists: {
          keyed: [
            { port: 80, protocol: 'TCP' },
            { port: 80, protocol: 'UDP' },
          ],
        },
      });
    });
  });

  redisClusterRules(env);
  ruleMessages(env);
  typeRules(env);
  showcaseRules(env);
}

function redisClusterRules(env: Env): void {
  const unsupported: object = { evictionPolicy: 'never' };
  it.each<{ what: string; spec: Partial<RedisClusterSpec>; want: readonly string[] }>([
    { what: 'a value above the maximum', spec: { replicas: 10 }, want: ['spec.replicas: FieldValueInvalid'] },
    { what: 'a value below the minimum', spec: { replicas: 0 }, want: ['spec.replicas: FieldValueInvalid'] },
    {
      what: 'a text of another pattern',
      spec: { version: 'new' },
      want: ['spec.version: FieldValueInvalid'],
    },
    {
      what: 'a value outside an enum',
      spec: unsupported,
      want: ['spec.evictionPolicy: FieldValueNotSupported'],
    },
    { what: 'a value that a CEL rule rejects', spec: { minReady: 4 }, want: ['spec: FieldValueInvalid'] },
    {
      what: 'two list items with one key',
      spec: { users: [{ name: 'app' }, { name: 'app' }] },
      want: ['spec.users[1]: FieldValueDuplicate'],
    },
    {
      what: 'a duplicate item of a set',
      spec: { users: [{ name: 'app', commands: ['get', 'get'] }] },
      want: ['spec.users[0].commands[1]: FieldValueDuplicate'],
    },
    {
      what: 'several mistakes at once',
      spec: { replicas: 10, version: 'new' },
      want: ['spec.replicas: FieldValueInvalid', 'spec.version: FieldValueInvalid'],
    },
  ])('rejects $what on create and update', async ({ spec, want }) => {
    const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
    const bad = { metadata: { name: 'bad' }, spec: { version: '7.4', ...spec } };
    const refused = await apiErrorOf(isInvalid, clusters.create(bad));
    expect(refused).toMatchObject({ code: 422, details: { kind: 'RedisCluster', name: 'bad' } });
    expect(causesIn('spec', refused)).toEqual(want);
    const good = await clusters.create({ metadata: { name: 'good' }, spec: { version: '7.4' } });
    const spoilt = { ...good, spec: { ...good.spec, ...spec } };
    expect(causesIn('spec', await apiErrorOf(isInvalid, clusters.update(spoilt)))).toEqual(want);
    expect(causesIn('spec', await apiErrorOf(isInvalid, clusters.patch('good', { spec })))).toEqual(want);
    expect(await clusters.get('good')).toEqual(good);
  });
}

function ruleMessages(env: Env): void {
  it('rejects with the message of a CEL rule', async () => {
    const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
    const bad = { metadata: { name: 'bad' }, spec: { version: '7.4', minReady: 4 } };
    const error = await apiErrorOf(isInvalid, clusters.create(bad));
    expect(messagesOf(error, 'FieldValueInvalid').join()).toContain('minReady must not exceed replicas');
    expect(error.message).toContain('create redisclusters');
    expect(error.message).toContain('minReady must not exceed replicas');
  });

  it('validates a status with its schema', async () => {
    const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
    const created = await clusters.create({ metadata: { name: 'cart' }, spec: { version: '7.4' } });
    // @ts-expect-error a phase that does not exist
    const update = clusters.updateStatus({ ...created, status: { phase: 'Lost' } });
    const error = await apiErrorOf(isInvalid, update);
    expect(causesIn('status', error)).toEqual(['status.phase: FieldValueNotSupported']);
  });
}

function typeRules(env: Env): void {
  it('reports missing and wrongly typed fields together', async () => {
    const apps = env.clientset.myV1.myApps(await env.namespace());
    // @ts-expect-error a number instead of a string, and no version
    const creation = apps.create({ metadata: { name: 'bad' }, spec: { appName: 3 } });
    const error = await apiErrorOf(isInvalid, creation);
    expect(causesIn('spec', error)).toEqual([
      'spec.appName: FieldValueTypeInvalid',
      'spec.version: FieldValueRequired',
    ]);
    // @ts-expect-error no spec
    const empty = await apiErrorOf(isInvalid, apps.create({ metadata: { name: 'bad' } }));
    expect(causesOf(empty)).toEqual(['spec: FieldValueRequired']);
    const blank = apps.create({ metadata: { name: 'bad' }, spec: { appName: '', version: '1' } });
    expect(causesIn('spec', await apiErrorOf(isInvalid, blank))).toHaveLength(1);
  });

  it('rejects a negative number of Foos', async () => {
    const foos = env.clientset.samplecontrollerV1alpha1.foos(await env.namespace());
    const error = await apiErrorOf(
      isInvalid,
      foos.create({ metadata: { name: 'bad' }, spec: { image: 'x', replicas: -1 } }),
    );
    expect(causesOf(error)).toEqual(['spec.replicas: FieldValueInvalid']);
  });

  it('validates a name', async () => {
    const apps = env.clientset.myV1.myApps(await env.namespace());
    const bad = apps.create({ metadata: { name: 'Not_A_Name' }, spec: { appName: 'a', version: '1' } });
    expect(causesOf(await apiErrorOf(isInvalid, bad))).toEqual(['metadata.name: FieldValueInvalid']);
  });
}

function showcaseRules(env: Env): void {
  it.each<{ what: string; spec: Partial<ShowcaseSpec>; want: readonly string[] }>([
    { what: 'one of two ways', spec: { oneWay: { file: 'a' } }, want: [] },
    { what: 'low up to high', spec: { range: { low: 1, high: 2, step: 10 } }, want: [] },
    { what: 'low above high', spec: { range: { low: 3, high: 2 } }, want: ['spec.range: FieldValueInvalid'] },
    {
      what: 'a step outside a bound of `allOf`',
      spec: { range: { low: 1, high: 2, step: 11 } },
      want: ['spec.range.step: FieldValueInvalid'],
    },
    {
      what: 'an excluded maximum',
      spec: { numbers: { count: 100 } },
      want: ['spec.numbers.count: FieldValueInvalid'],
    },
    {
      what: 'no multiple',
      spec: { numbers: { ratio: 0.3 } },
      want: ['spec.numbers.ratio: FieldValueInvalid'],
    },
    {
      what: 'a list that is too long',
      spec: { lists: { plain: ['a', 'b', 'c', 'd'] } },
      want: ['spec.lists.plain: FieldValueTooMany'],
    },
    { what: 'a port with a name', spec: { port: 'http', barePort: '50%', ports: [80, 'http'] }, want: [] },
    {
      what: 'a port of another pattern',
      spec: { barePort: 'half' },
      want: ['spec.barePort: FieldValueInvalid'],
    },
    {
      what: 'a map with too few entries',
      spec: { maps: { texts: {} } },
      want: ['spec.maps.texts: FieldValueInvalid'],
    },
    {
      what: 'bytes that are not base64',
      spec: { texts: { bytes: '%' } },
      want: ['spec.texts.bytes: FieldValueTypeInvalid'],
    },
    {
      what: 'a moment that is none',
      spec: { texts: { moment: 'noon' } },
      want: ['spec.texts.moment: FieldValueTypeInvalid'],
    },
  ])('returns $want for $what in a Showcase', async ({ spec, want }) => {
    const object = {
      metadata: { name: unique('case') },
      spec: { color: 'red', nothing: null, ...spec } as const,
    };
    const result = env.clientset.featuresV2.showcases().create(object);
    if (want.length > 0) expect(causesIn('spec', await apiErrorOf(isInvalid, result))).toEqual(want);
    else expect((await result).spec).toMatchObject(spec);
  });
}

/**
 * Returns the causes at or below a field: servers add a cause without a field if they stop validation early.
 */
function causesIn(field: 'spec' | 'status', error: Parameters<typeof causesOf>[0]): readonly string[] {
  return causesOf(error).filter((cause) => cause.startsWith(`${field}.`) || cause.startsWith(`${field}:`));
}
