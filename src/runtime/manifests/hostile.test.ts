/** Servers that respond to a request of `applyManifests` or `deleteManifests` with JSON of any shape. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  expectNamedErrors,
  limitMs,
  load,
  requestsOf,
  type Scenario,
} from '../../../test/support/runtime/hostile-responses.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { applyManifests, deleteManifests } from './manifests.ts';
import { FakeServer } from './server.fixture.ts';

const text = `
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { app: web } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ovens.example.com, labels: { app: web } }
spec: { group: example.com, names: { kind: Oven, plural: ovens } }
status: { conditions: [{ type: Established, status: "True" }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web, labels: { app: web } }
`;
const old = `
apiVersion: v1
kind: ConfigMap
metadata: { name: old, labels: { app: web } }
`;
const limits = { timeoutMs: limitMs, definitionTimeoutMs: limitMs / 4, namespace: 'shop' };
const apply = { fieldManager: 'me', ...limits };
const prune = { labelSelector: 'app=web' };

/** A server with what earlier runs have applied. */
async function server(...texts: readonly string[]): Promise<FakeServer['send']> {
  const fake = new FakeServer();
  for (const one of texts) await applyManifests(fake.rest, one, { fieldManager: 'me', namespace: 'shop' });
  fake.lines.length = 0;
  return fake.send;
}

const scenarios: Readonly<Record<string, Scenario & { readonly requests: number }>> = {
  'applyManifests that prunes': {
    server: () => server(old),
    call: (rest) => applyManifests(rest, text, { ...apply, prune }),
    requests: 11,
  },
  'applyManifests as a dry run': {
    server: () => server(old),
    call: (rest) => applyManifests(rest, text, { ...apply, prune, dryRun: 'All' }),
    requests: 8,
  },
  deleteManifests: {
    server: () => server(old),
    call: (rest) => deleteManifests(rest, old, limits),
    requests: 3,
  },
};

describe.each(Object.entries(scenarios))('%s', { timeout: 60_000 }, (name, scenario) => {
  beforeAll(() => load(scenario));
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('sends requests of each kind', async () => {
    expect([...(await requestsOf(scenario)).keys()]).toHaveLength(scenario.requests);
  });

  it('settles, with an error of this package if any, whatever one of its responses is', async () => {
    await expectNamedErrors(scenario, new Seeded(name.length), { values: 5, places: 4 });
  });
});
