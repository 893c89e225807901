/** Table tests of operators that run as service accounts. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { resource } from '@kgen/runtime';
import { deleted, stored, tableTests } from '@kgen/testing';
import { expect, test } from 'vitest';
import { operator as fooOperator } from '../../examples/operators/foo/src/operator.ts';
import { foos } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
import { operatorRoles } from '../support/operator-roles.ts';

const rbac = operatorRoles('foo');
const testsWith = (manifests: string) =>
  tableTests(fooOperator, { crds: ['crds/foo.yaml'], as: { yaml: manifests } });
const foo = stored(foos, { metadata: { name: 'a' }, spec: { image: 'web', replicas: 1 } });

test('a table test runs as the service account, and lists the rules that no test has needed', async () => {
  const { given, permissions } = testsWith(rbac);
  await given(foo).reconciled().when(deleted(deployments, 'a')).run();
  // The change of a test is that of an administrator.
  await given()
    .when((rest) => resource(rest, deployments).list())
    .run();
  const { account, forbidden, unused } = await permissions();
  expect({ account, forbidden }).toEqual({ account: 'foo-operator/foo-operator', forbidden: [] });
  expect(unused.map(({ verb, resource: plural }) => `${verb} ${plural}`)).toEqual([
    'create tokenreviews',
    'create subjectaccessreviews',
    'get leases',
    'update leases',
    'create leases',
  ]);
});

test('a table test fails for a request that no rule allows, with its line and the rule', async () => {
  const { given } = testsWith(rbac.replace('[create, list, patch, watch]', '[list, patch, watch]'));
  await expect(given(foo).run()).rejects.toThrow(
    /forbidden: create deployments\.apps a in namespace default, .* at .*foo\/src\/controllers\/foo\.ts:\d+\n {2}allowed by/,
  );
});

test('permissions needs the option as', async () => {
  await expect(tableTests(fooOperator).permissions()).rejects.toThrow(TypeError);
});
