/** Manifests of a large Helm chart on a real API server. */
import { isForbidden } from '@kgen/runtime';
import { DiscoveryClient } from '@kgen/runtime/discovery';
import { DynamicClient } from '@kgen/runtime/dynamic';
import {
  applyManifests,
  deleteManifests,
  isManifestsError,
  type ManifestResult,
  type ManifestsError,
} from '@kgen/runtime/manifests';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shop } from './sample-manifests.ts';

const availability = controlPlaneAvailability({});
const available = availability.available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const title = availability.available ? 'charts' : `charts: ${availability.reason}`;
const options = { fieldManager: 'chart', timeoutMs: 90_000 };

let server: ControlPlane | undefined;

function config(): ControlPlane['config'] {
  if (server === undefined) throw new Error('the server does not run');
  return server.config;
}

function actions(results: readonly ManifestResult[]): readonly string[] {
  return results.map(({ action, object }) => `${action} ${object?.kind ?? '?'} ${object?.name ?? '?'}`);
}

async function failure(work: Promise<unknown>): Promise<ManifestsError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isManifestsError(error)) throw new Error('it should have failed', { cause: error });
  return error;
}

function configMap(name: string, namespace: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace}, labels: { of: ${namespace} } }\n---\n`;
}

const access = `
apiVersion: v1
kind: Namespace
metadata: { name: limited }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: maps, namespace: limited }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [get, create, patch, list, delete] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: maps, namespace: limited }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: maps }
subjects: [{ kind: User, name: jane, apiGroup: rbac.authorization.k8s.io }]
`;

const unanswered = `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: { name: v1.down.example.com }
spec:
  group: down.example.com
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: { name: gone, namespace: default }
`;

describe.skipIf(!available)(title, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startControlPlane({});
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('applies cluster-scoped objects with a namespace, and lists of one kind', async () => {
    const text = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: nothing, namespace: default }
rules: []
---
apiVersion: v1
kind: ConfigMapList
items: [{ metadata: { name: listed, namespace: default } }]
`;
    const results = await applyManifests(config(), text, options);
    expect(actions(results)).toEqual(['created ConfigMap listed', 'created ClusterRole nothing']);
    expect(actions(await deleteManifests(config(), text))).toEqual([
      'deleted ClusterRole nothing',
      'deleted ConfigMap listed',
    ]);
  });

  it('applies with impersonation, continues after 403, and then does not prune', async () => {
    await applyManifests(config(), access, options);
    const jane = {
      ...options,
      impersonate: { user: 'jane' },
      prune: { labelSelector: { of: 'limited' } },
    };
    await applyManifests(config(), configMap('old', 'limited'), jane);
    const secret = configMap('no', 'limited').replace('ConfigMap', 'Secret').replace('no,', '"no",');
    const text = configMap('first', 'limited') + secret + configMap('last', 'limited');
    const { results } = await failure(applyManifests(config(), text, jane));
    expect(actions(results)).toEqual([
      'failed Secret no',
      'created ConfigMap first',
      'created ConfigMap last',
    ]);
    expect(isForbidden(results[0]?.error)).toBe(true);
    const mended = await applyManifests(config(), text.replace(secret, ''), jane);
    expect(actions(mended)).toEqual([
      'unchanged ConfigMap first',
      'unchanged ConfigMap last',
      'pruned ConfigMap old',
    ]);
  });

  it('resumes after an abort', async () => {
    const text = `${shop('ended', 'ended.example.com')}---\n${configMap('more', 'ended')}`;
    const controller = new AbortController();
    const reason = new Error('ended');
    const reported: ManifestResult[] = [];
    const onResult = (result: ManifestResult): void => {
      reported.push(result);
      if (result.object?.kind === 'Deployment') controller.abort(reason);
    };
    const all = { ...options, namespace: 'ended' };
    const work = applyManifests(config(), text, { ...all, onResult, signal: controller.signal });
    await expect(work).rejects.toBe(reason);
    expect(reported.filter(({ action }) => action === 'created')).toHaveLength(reported.length);
    expect(reported.map(({ object }) => object?.kind)).not.toContain('Oven');
    const again = await applyManifests(config(), text, all);
    for (const { object } of reported) {
      expect(again.find((result) => result.object?.name === object?.name)?.action).toBe('unchanged');
    }
    expect(actions(again)).toContain('created Oven big');
  });

  it('continues without an API service that does not respond, and names it', async () => {
    await applyManifests(config(), unanswered, options);
    const dynamic = new DynamicClient(config());
    const services = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
    await dynamic
      .resource(services)
      .waitFor(
        'v1.down.example.com',
        (object): object is NonNullable<typeof object> => object?.['status'] !== undefined,
        { timeoutMs: 60_000 },
      );
    const discovery = new DiscoveryClient(dynamic.rest);
    // Another controller updates discovery.
    const failed = async () => [...(await discovery.serverGroups()).failed.keys()];
    await expect.poll(failed).toContain('down.example.com/v1');
    const thing = 'apiVersion: down.example.com/v1\nkind: Thing\nmetadata: { name: x }\n---\n';
    const { results } = await failure(
      applyManifests(config(), thing + configMap('fine', 'default'), options),
    );
    expect(actions(results)).toEqual(['created ConfigMap fine', 'failed Thing x']);
    expect(results[1]?.error?.message).toContain(
      'may be in a group version whose discovery failed: down.example',
    );
    // Its existence is unknown.
    expect(actions((await failure(deleteManifests(config(), thing))).results)).toEqual(['failed Thing x']);
    await dynamic.resource(services).delete('v1.down.example.com');
    await dynamic.close();
  });
});
