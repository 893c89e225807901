/**
 * The Kubernetes API through `@kgen/kubernetes` alone, on a real API server, with the types that a program
 * uses. Each test works in a namespace of its own, or on cluster-scoped objects with unique names, and waits
 * for conditions, never for a fixed time.
 */
import { controlPlaneAvailability } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { accessTests } from './access.ts';
import { admissionTests } from './admission.ts';
import { certificateTests } from './certificates.ts';
import { clusterTests } from './cluster.ts';
import { configurationTests } from './configuration.ts';
import { coordinationTests } from './coordination.ts';
import { definitionTests } from './definitions.ts';
import { controlPlaneOptions, useControlPlane } from './env.ts';
import { namespacedTests } from './namespaced.ts';
import { namespaceTests } from './namespaces.ts';
import { podTests } from './pods.ts';
import { rbacTests } from './rbac.ts';
import { restPathTests } from './rest-paths.ts';
import { reviewTests } from './reviews.ts';
import { selectableFieldTests } from './selectable-fields.ts';
import { workloadTests } from './workloads.ts';

const availability = controlPlaneAvailability(controlPlaneOptions);

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('the Kubernetes API', { timeout: 180_000 }, () => {
    describe('short tests', () => {
      const env = useControlPlane();
      namespaceTests(env);
      configurationTests(env);
      selectableFieldTests(env);
      workloadTests(env);
      podTests(env);
      namespacedTests(env);
      clusterTests(env);
      rbacTests(env);
      reviewTests(env);
      coordinationTests(env);
      certificateTests(env);
      admissionTests(env);
      definitionTests(env);
      accessTests(env);
      restPathTests(env);
    });

    it('leaves no connection open', async () => {
      await expect.poll(openConnections, deadline).toEqual([]);
    });
  });
} else {
  describe.skip(`the Kubernetes API: ${availability.reason}`, () => {
    it('requires a real API server', () => undefined);
  });
}

function openConnections(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => /^(TCP|TLS)/.test(resource));
}
