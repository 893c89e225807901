/**
 * Operators under simulation as service accounts: those of examples/ have all permissions, and no others but
 * those of their servers of metrics and webhooks, which do not listen in a simulation.
 */
import { SimulationError, simulate, simulationReport } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { operatorRoles, rolesOfController } from '../support/operator-roles.ts';
import { foo, myApp, redisCluster } from './example-operators.ts';

/** An object of others that has the name of a dependent: the operator reports it with each reconcile. */
const foreign = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'object-1' },
  spec: { ports: [{ port: 80 }] },
};

describe('the operator of', () => {
  test.each([
    ['MyApps', rolesOfController('myapp'), myApp, []],
    ['Foos', rolesOfController('foo'), foo, []],
    ['RedisClusters', rolesOfController('rediscluster'), redisCluster, [foreign]],
  ])(
    '%s needs each of its rules, and no other',
    { timeout: 600_000 },
    async (_, yaml, { operator, options }, objects) => {
      const report = await simulate(operator, { ...options, as: { yaml }, objects, seeds: 2 });
      expect(report.permissions?.print().split('\n').slice(1)).toEqual(['']);
      expect(() => report.permissions?.expect({ strict: true })).not.toThrow();
      expect(simulationReport(report, 'text')).not.toContain('Rules of the service account');
    },
  );

  const rbac = operatorRoles('foo');
  const sample = {
    apiVersion: 'samplecontroller.c9g.io/v1alpha1',
    kind: 'Foo',
    metadata: {},
    spec: { image: 'a' },
  };
  const simulated = (old: string, changed: string) =>
    simulate(foo.operator, {
      ...foo.options,
      samples: [sample],
      seeds: [],
      as: { yaml: rbac.replace(old, changed) },
    });

  test('Foos fails without a permission, with the rule that grants it', { timeout: 600_000 }, async () => {
    const old = 'resources: [deployments]\n    verbs: [create, list, patch, watch]';
    const simulation = simulated(old, old.replace('create, list, ', ''));
    const error = await simulation.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SimulationError);
    expect(error).toMatchObject({
      check: 'permissions',
      details: [
        expect.stringMatching(/^forbidden: list deployments\.apps, .*, for streams of lists/),
        '  allowed by {apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"]} in a ClusterRole',
        expect.stringMatching(
          /^forbidden: create deployments\.apps object-1 in namespace default, .* at .*foo\/src\/controllers\/foo\.ts:\d+$/,
        ),
        expect.stringMatching(
          /^ {2}allowed by .* verbs: \["create"\]\} in a Role of default, or a ClusterRole$/,
        ),
      ],
      message: expect.stringContaining('needs permissions that no rule of its service account grants'),
    });
  });

  test('Foos has unused rules as notes in the report of a simulation', { timeout: 600_000 }, async () => {
    const report = await simulated('[create, list, patch, watch]', '[create, delete, list, patch, watch]');
    const unused = 'ClusterRole foo-operator: delete deployments.apps';
    expect(report.permissions?.print()).toContain(`unused: ${unused}`);
    const title = 'Rules of the service account that no request needed:';
    expect(simulationReport(report, 'text')).toContain(`${title}\n  ${unused}`);
    expect(simulationReport(report, 'html')).toContain(`[${JSON.stringify(unused)}]`);
    const { permissions } = JSON.parse(simulationReport(report, 'json')) as typeof report;
    expect(permissions).toMatchObject({ account: 'foo-operator/foo-operator', forbidden: [] });
  });
});
