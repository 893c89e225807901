import { isBadRequest } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { RedisClusterClient } from '../../generated/crds/cache.example.com/v1/index.ts';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

async function shop(env: Env): Promise<RedisClusterClient> {
  const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
  const requested = [
    { name: 'cart', version: '7.2', labels: { tier: 'web', region: 'eu' } },
    { name: 'jobs', version: '7.4', labels: { tier: 'batch', region: 'eu' } },
    { name: 'plain', version: '7.4' },
    { name: 'sessions', version: '7.4', labels: { tier: 'web', region: 'us' } },
  ];
  for (const { name, version, labels } of requested) {
    await clusters.create({ metadata: { name, ...(labels && { labels }) }, spec: { version } });
  }
  return clusters;
}

/** Registers tests of label and field selectors, in lists and in the loop over pages. */
export function selectorTests(env: Env): void {
  describe('a selector', () => {
    it.each([
      { labelSelector: 'tier=web', want: ['cart', 'sessions'] },
      { labelSelector: { tier: 'web', region: 'us' }, want: ['sessions'] },
      { labelSelector: 'tier!=web', want: ['jobs', 'plain'] },
      { labelSelector: 'tier in (web,batch),region=eu', want: ['cart', 'jobs'] },
      { labelSelector: '!tier', want: ['plain'] },
      {
        labelSelector: {
          matchExpressions: [
            { key: 'tier', operator: 'NotIn', values: ['batch'] },
            { key: 'region', operator: 'Exists' },
          ],
        },
        want: ['cart', 'sessions'],
      },
      { fieldSelector: 'metadata.name=jobs', want: ['jobs'] },
      { fieldSelector: { 'spec.version': '7.2' }, want: ['cart'] },
      { fieldSelector: 'spec.version!=7.2', want: ['jobs', 'plain', 'sessions'] },
      { fieldSelector: { 'spec.version': '7.4' }, labelSelector: { region: 'eu' }, want: ['jobs'] },
      { fieldSelector: { 'spec.version': '6.0' }, want: [] },
    ])('selects $want', async ({ want, ...selectors }) => {
      const clusters = await shop(env);
      const { items } = await clusters.list(selectors);
      expect(items.map(({ metadata }) => metadata.name)).toEqual(want);
      const seen: string[] = [];
      for await (const { metadata } of clusters.iterate({ ...selectors, pageSize: 1 }))
        seen.push(metadata.name);
      expect(seen).toEqual(want);
    });

    scopeTests(env);
  });
}

function scopeTests(env: Env): void {
  it('selects over all namespaces', async () => {
    const shopLabel = unique('shop');
    const namespaces = [await env.namespace(), await env.namespace()].sort();
    for (const namespace of namespaces) {
      const apps = env.clientset.myV1.myApps(namespace);
      await apps.create({
        metadata: { name: 'app', labels: { shop: shopLabel } },
        spec: { appName: 'app', version: '1' },
      });
    }
    const { items } = await env.clientset.myV1.myApps().list({ labelSelector: { shop: shopLabel } });
    expect(items.map(({ metadata }) => metadata.namespace)).toEqual(namespaces);
  });

  it('selects cluster-scoped objects by their own fields', async () => {
    const group = unique('group');
    const showcases = env.clientset.featuresV2.showcases();
    for (const [color, flag] of [
      ['red', true],
      ['green', true],
      ['red', false],
    ] as const) {
      const name = unique(`${color}-${flag}`);
      await showcases.create({
        metadata: { name, labels: { group } },
        spec: { color, flag, nothing: null },
      });
    }
    const { items } = await showcases.list({
      labelSelector: { group },
      fieldSelector: { 'spec.color': 'red', 'spec.flag': 'true' },
    });
    expect(items.map(({ spec }) => [spec?.color, spec?.flag])).toEqual([['red', true]]);
  });

  it.each([
    { selector: 'a field that cannot be selected by', options: { fieldSelector: 'spec.replicas=3' } },
    { selector: 'nonsense for labels', options: { labelSelector: 'a===b' } },
  ])('rejects $selector', async ({ options }) => {
    const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
    await apiErrorOf(isBadRequest, clusters.list(options));
  });
}
