/** Stories of admission policies, whose expressions are checked against the kinds that they match. */
import type { admissionregistrationV1 } from '@kgen/kubernetes';
import type { Story } from './scene.ts';

type Spec = admissionregistrationV1.ValidatingAdmissionPolicySpec;

const operations = ['CREATE'];
const deployments = { apiGroups: ['apps'], apiVersions: ['v1'], operations, resources: ['deployments'] };
const workloads = { ...deployments, resources: ['statefulsets', 'deployments', 'deployments/scale'] };

/** Returns a story of a policy without a binding. */
function policy(rule: typeof deployments, spec: Partial<Spec>): Story {
  return async ({ clientset, namespace, settled }) => {
    await clientset.admissionregistrationV1.validatingAdmissionPolicies().create({
      metadata: { name: namespace },
      spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
    });
    await settled();
  };
}

const confused = [
  { expression: "object.spec.replicas > '1'", messageExpression: "'replicas: ' + object.spec.replicas" },
  { expression: 'object.spec.replica > 1' },
  { expression: "object.metadata.labels['app'] == 'web' && object.metadata.name.startsWith('a')" },
];

/** Stories by title. */
export const policyStories: Readonly<Record<string, Story>> = {
  'a policy with correct expressions has no warnings': policy(deployments, {
    validations: [{ expression: 'object.spec.replicas > 1' }],
  }),
  'a policy with confused types has warnings': policy(deployments, { validations: confused }),
  'a policy of several kinds has warnings for each': policy(workloads, { validations: confused }),
  'a policy with variables has warnings': policy(deployments, {
    variables: [{ name: 'replicas', expression: 'object.spec.replicas' }],
    validations: [{ expression: "variables.replicas == 'many'" }],
  }),
  'a policy with parameters has warnings': policy(deployments, {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: "params.data['a'] == 1" }, { expression: "params.date['a'] == 'b'" }],
  }),
  'a policy of all kinds has no warnings': policy(
    { apiGroups: ['*'], apiVersions: ['*'], operations, resources: ['*'] },
    { validations: confused },
  ),
  'a policy of definitions, whose schema contains itself, has warnings': policy(
    {
      apiGroups: ['apiextensions.k8s.io'],
      apiVersions: ['v1'],
      operations,
      resources: ['customresourcedefinitions'],
    },
    { validations: [{ expression: 'object.spec.group == 1' }] },
  ),
};
