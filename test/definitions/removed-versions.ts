/** Objects that are stored in a version that their definition no longer has. */
import { type ClusterConfig, isApiError, RESTClient } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { createManifests } from '@kgen/runtime/manifests';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { crd } from '../support/crd.ts';

const group = 'removed.example.com';
const path = `/apis/${group}/v1/namespaces/default/relics`;
const name = `relics.${group}`;
const old = { apiVersion: `${group}/v1alpha1`, kind: 'Relic', metadata: { name: 'old' } };
const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const withVersions = (...names: readonly string[]): object =>
  crd({ kind: 'Relic', group, versions: names.map((each) => ({ name: each, schema })) });

const message = `request to convert CR from an invalid group/version: ${group}/v1alpha1`;
const converts = { code: 500, reason: 'Unknown', message };
const starts = `storage is (re)initializing: failed to list ${group}/v1, Kind=Relic: ${message}`;
const waits = { code: 429, reason: 'TooManyRequests', message: starts };

/** Registers the tests for a server. */
export function removedVersionsSuite(config: () => ClusterConfig): void {
  describe('an object that is stored in a removed version', () => {
    let rest: RESTClient;
    const relics = (version: string) =>
      new DynamicClient(rest).resource({ group, version, resource: 'relics', scope: 'Namespaced' });
    const definitions = () =>
      new DynamicClient(rest).resource({
        ...{ group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
        scope: 'Cluster',
      });
    const change = (...versions: readonly string[]) =>
      definitions().patch(name, withVersions(...versions), { type: 'merge' });

    /** Sends one request, and returns the status of its failure. */
    async function failure(method: 'GET' | 'PATCH' | 'DELETE', target: string): Promise<unknown> {
      const body = method === 'PATCH' ? JSON.stringify({ spec: { size: 1 } }) : undefined;
      const headers = { 'content-type': 'application/merge-patch+json' };
      const sent = { method, path: `${path}${target}`, maxRetries: 0, body, headers };
      try {
        return await rest.request(sent);
      } catch (error) {
        if (!isApiError(error)) throw error;
        return { code: error.code, reason: error.reason, message: error.status.message };
      }
    }

    beforeAll(async () => {
      rest = new RESTClient(config());
      await createManifests(rest, JSON.stringify(withVersions('v1alpha1', 'v1')), {});
      await vi.waitFor(() => relics('v1alpha1').namespace('default').create(old), deadline);
      await change('v1', 'v1alpha1');
      await definitions().patchStatus(name, { status: { storedVersions: ['v1'] } }, { type: 'merge' });
      await change('v1');
      await vi.waitFor(async () => expect(await failure('GET', '/old')).toEqual(converts), deadline);
    }, 60_000);
    afterAll(async () => {
      // Its objects cannot be deleted without their version.
      await change('v1', 'v1alpha1');
      await vi.waitFor(() => relics('v1').namespace('default').delete('old'), deadline);
      await definitions().delete(name);
      await rest.close();
    });

    it.each([
      ['GET', '/old', converts],
      ['PATCH', '/old', converts],
      ['DELETE', '/old', converts],
      ['DELETE', '', converts],
      ['GET', '?limit=1', converts],
      ['GET', '', waits],
      ['GET', '?resourceVersion=0', waits],
      ['GET', '?watch=true', waits],
      ['GET', '?watch=true&resourceVersion=0', waits],
    ] as const)('fails %s of relics%s', async (method, target, expected) => {
      expect(await failure(method, target)).toEqual(expected);
    });
  });
}
