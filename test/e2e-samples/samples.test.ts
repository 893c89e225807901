/** Samples on a real API server, in dry runs. */
import { catalog } from '@kgen/kubernetes/catalog';
import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, controlPlaneAvailability, sampleOf, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitionsIn, mistakes, pathOf, resourcesOf, served } from '../support/custom-samples.ts';
import { rounds, rows } from '../support/seeds.ts';

const corpus = process.env['KGEN_CORPUS'];
const own = ['myapp', 'foo', 'rediscluster', 'showcase'].map((name) => `crds/${name}.yaml`);
const published =
  corpus === undefined
    ? []
    : rows(
        [
          'cert-manager/deploy__crds__cert-manager.io_certificates.yaml',
          'gateway-api/config__crd__experimental__gateway.networking.k8s.io_gatewayclasses.yaml',
          'argo-cd/manifests__crds__appproject-crd.yaml',
          'cert-manager/deploy__crds__cert-manager.io_issuers.yaml',
          'gateway-api/config__crd__experimental__gateway.networking.k8s.io_backendtlspolicies.yaml',
          'gateway-api/config__crd__experimental__gateway.networking.k8s.io_referencegrants.yaml',
        ],
        (_, index) => index < 2,
      ).map((path) => `${corpus}/crds/${path}`);

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.runIf(isAvailable)('samples on a real API server', { timeout: 240_000 }, () => {
  let plane: ControlPlane;
  let rest: RESTClient;

  beforeAll(async () => {
    const apiServerFlags = ['--runtime-config=api/all=true', '--disable-admission-plugins=ServiceAccount'];
    plane = await startControlPlane({ apiServerFlags });
    rest = new RESTClient(plane.config);
  }, 60_000);
  afterAll(() => plane.stop());

  test.each([...own, ...published])(
    'accepts valid samples and refuses invalid ones at their path: %s',
    async (file) => {
      for (const definition of definitionsIn(file)) {
        await rest.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
        for (const resource of resourcesOf(definition)) {
          await served(rest, resource);
          for (let seed = 1; seed <= rounds(2, 1); seed += 1) {
            expect(await mistakes(rest, resource, { seed, most: rounds(300, 40) })).toEqual([]);
          }
        }
      }
    },
  );

  test('accepts samples of every built-in kind', async () => {
    const refused: string[] = [];
    for (const [key, load] of Object.entries(catalog)) {
      const resource = await load();
      // A binding refers to an existing pod.
      if (!resource.verbs.includes('create') || resource.kind === 'Binding') continue;
      for (let seed = 1; seed <= rounds(40, 3); seed += 1) {
        const body = await sampleOf(resource, { seed });
        const query = { dryRun: 'All', fieldValidation: 'Strict' };
        await rest.post(pathOf(resource), { body, query }).catch((error: unknown) => {
          refused.push(`${key} ${seed}: ${String(error)}`);
        });
      }
    }
    expect(refused).toEqual([]);
  });
});
