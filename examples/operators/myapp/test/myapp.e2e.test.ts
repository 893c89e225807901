import { RESTClient, resource } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { test } from 'vitest';
import { myApps } from '../generated/my.domain/v1/index.js';
import { operator } from '../src/operator.js';

const { available } = controlPlaneAvailability(); // etcd and kube-apiserver in KUBEBUILDER_ASSETS

test.skipIf(!available)('runs on a real API server', { timeout: 120_000 }, async () => {
  const plane = await startControlPlane();
  const stop = new AbortController();
  const apply = (files: string) => applyManifests(plane.config, { files }, { fieldManager: 'test' });
  // All objects of kgen deploy. The operator runs here in place of its Pods, with their service account.
  const { config, serveWebhooks } = await plane.deploy('config/install.yaml');
  const options = { metrics: undefined, health: undefined, serveWebhooks };
  const running = operator(config, options).run({ signal: stop.signal });
  await apply('samples');
  const objects = resource(new RESTClient(plane.config), myApps).in('default');
  await objects.waitFor('web', (object) => object?.status?.observedGeneration === 1);
  stop.abort();
  await running;
  await plane.stop();
});
