/** External services of simulated operators: their faults, their state and their deadlines. */
import { resource } from '@kgen/runtime';
import { type Operator, type SimulateOptions, simulate, simulation } from '@kgen/testing';
import { expect, test } from 'vitest';
import { plainOptions, siteOperator, sites, withStatus } from './sites.ts';

const options: SimulateOptions = { ...plainOptions, seeds: 12 };

/** Returns an operator that keeps one item for each site. */
function operator(url: string, init: () => RequestInit = () => ({})): Operator {
  return siteOperator(({ own, rest }) => ({
    owns: [],
    reconcile: async (site) => {
      const { namespace, uid } = site.metadata;
      const live = await resource(rest, sites).in(namespace).find(site.metadata.name);
      if (live?.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) return;
      const response = await fetch(`${url}/${uid}`, { method: 'PUT', body: site.spec.image, ...init() });
      if (!response.ok) throw new Error(`status ${response.status}`);
      if (site.status?.message !== 'published')
        await own.in(namespace).updateStatus(withStatus(site, { message: 'published' }));
    },
    finalize: async (site) => {
      const { status } = await fetch(`${url}/${site.metadata.uid}`, { method: 'DELETE' });
      if (status >= 400 && status !== 404) throw new Error(`status ${status}`);
      return undefined;
    },
  }));
}

const api = 'https://api.example.com/v1/items';

const items = simulation.service(
  'items',
  {
    'PUT /:uid': ({ params, body }, all) => all.set(params.uid, { image: body }),
    'DELETE /:uid': ({ params }, all) => new Response(null, { status: all.delete(params.uid) ? 204 : 404 }),
  },
  { url: api },
);

test('an operator with an external service meets its faults, and is silent at rest', async () => {
  const deadline = (): RequestInit => ({ signal: AbortSignal.timeout(2_000) });
  const report = await simulate(operator(api, deadline), { ...options, services: [items], seeds: 40 });
  const put = report.coverage.find(({ verb }) => verb === 'PUT');
  expect(put).toMatchObject({ resource: 'items', site: expect.stringMatching(/services\.test\.ts:\d+$/) });
  expect(Object.keys(put?.met ?? {})).toEqual(expect.arrayContaining(['throttled', 'lost', 'crash before']));
  expect(put?.unmet).not.toContain('conflict');
});

test('an operator may give up a late request, and repeat it', async () => {
  const patient = siteOperator(() => ({
    owns: [],
    reconcile: async (site) => {
      const init = { method: 'PUT', body: site.spec.image, signal: AbortSignal.timeout(2_000) };
      const response = await fetch(`${api}/${site.metadata.uid}`, init).catch(() => undefined);
      return response?.ok ? undefined : { requeueAfterMs: 1_000 };
    },
  }));
  const kept = { ...items, options: { url: api, outlives: () => true } };
  await simulate(patient, { ...options, services: [kept], seeds: 40 });
});

test('items that are left are a failure', async () => {
  const keeping = simulation.service(
    'items',
    {
      'PUT /:uid': ({ params, body }, all) => all.set(params.uid, body),
      'DELETE /:uid': () => undefined,
    },
    { url: api },
  );
  await expect(simulate(operator(api), { ...options, services: [keeping] })).rejects.toThrow(
    /the deletion leaves objects behind\n.*\n {2}items \(service\) [\da-f-]+ still exists/,
  );
  const outlives = { ...keeping, options: { url: api, outlives: () => true } };
  await simulate(operator(api), { ...options, services: [outlives] });
});

test('a request without a service fails, and names the option', async () => {
  await expect(simulate(operator(api), options)).rejects.toThrow(
    "services: [simulation.service('api.example.com', { 'PUT /v1/items/",
  );
});
