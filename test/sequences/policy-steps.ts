/** Admission policies and bindings that a server refuses. */
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import type { Step } from './step.ts';

const group = 'admissionregistration.k8s.io/v1';

/** A rule without its operations. */
const target = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const matchConstraints = { resourceRules: [{ ...target, operations: ['CREATE'] }] };
const valid = { expression: 'true' };
const param = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Members of ValidatingAdmissionPolicies that replace those of a valid one. */
const validating: readonly JsonObject[] = [
  { matchConstraints: null },
  { matchConstraints: {} },
  { matchConstraints: { ...matchConstraints, matchPolicy: 'Some' } },
  { matchConstraints: { ...matchConstraints, namespaceSelector: { matchLabels: { 'a b': 'c' } } } },
  { matchConstraints: { resourceRules: [{ ...target, operations: [] }] } },
  { matchConstraints: { resourceRules: [{ ...target, operations: ['*', 'X'] }] } },
  {
    matchConstraints: { resourceRules: [{ ...target, operations: ['*'], resourceNames: ['a', 'a', 'b/c'] }] },
  },
  { failurePolicy: 'Some' },
  ...['a/b/c', '/', 'a_b/v1', 'apps/1'].map((apiVersion) => ({ paramKind: { ...param, apiVersion } })),
  ...['', 'A b'].map((kind) => ({ paramKind: { ...param, kind } })),
  ...['', ' ', 'object.x', '1', 'params == null', 'variables.a', 'object.('].map((expression) => ({
    matchConditions: [{ name: 'a', expression }],
  })),
  {
    matchConditions: [
      { name: 'a', ...valid },
      { name: 'a', ...valid },
      { name: 'a b', ...valid },
    ],
  },
  ...['', 'in', 'a-b', '1'].map((name) => ({ variables: [{ name, expression: '1' }] })),
  ...['', '1 +', 'variables.b', 'params'].map((expression) => ({ variables: [{ name: 'a', expression }] })),
  {
    variables: [{ name: 'a', expression: '1' }],
    validations: [{ expression: 'variables.a' }, { expression: 'variables.b == 1' }],
  },
  { validations: [] },
  ...['', ' ', '1', 'object.spec.replicas', 'foo', '[true]', 'params.data.a == "b"'].map((expression) => ({
    validations: [{ expression }],
  })),
  ...[' ', '1', 'authorizer == null', 'object.x'].map((messageExpression) => ({
    validations: [{ ...valid, messageExpression }],
  })),
  ...[' ', 'a\nb'].map((message) => ({ validations: [{ ...valid, message }] })),
  ...['Some', 'Unauthorized'].map((reason) => ({ validations: [{ ...valid, reason }] })),
  ...['', '1', 'object.x', '["a"]'].map((valueExpression) => ({
    auditAnnotations: [{ key: 'a', valueExpression }],
  })),
  { auditAnnotations: ['a b', 'a', 'a'].map((key) => ({ key, valueExpression: '"a"' })) },
  {
    auditAnnotations: Array.from({ length: 21 }, (_, index) => ({
      key: `a${index}`,
      valueExpression: 'null',
    })),
  },
];

const apply = (expression: string): JsonObject => ({
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
});
const patch = (expression: string): JsonObject => ({
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
});

/** Members of MutatingAdmissionPolicies that replace those of a valid one. */
const mutating: readonly JsonObject[] = [
  { matchConstraints: { resourceRules: [{ ...target, operations: ['DELETE', 'CREATE'] }] } },
  { reinvocationPolicy: '' },
  { reinvocationPolicy: 'Some' },
  { mutations: [] },
  { mutations: [{}, { patchType: 'Some' }, { patchType: 'JSONPatch' }] },
  { mutations: [{ patchType: 'JSONPatch', applyConfiguration: valid, jsonPatch: { expression: '1' } }] },
  { variables: [{ name: 'a', expression: 'Object{}' }] },
  ...['', '1', 'object', 'Object{spec: 1}', 'Object{a: Object.b{}}'].map(apply),
  ...['', '1', '[]', '[JSONPatch{op: 1}]', '[Object{}]', 'variables.a'].map(patch),
];

/** Members of bindings that replace those of a valid one. */
const bindings: readonly JsonObject[] = [
  { policyName: '' },
  { policyName: 'A b' },
  { paramRef: {} },
  { paramRef: { name: 'a', parameterNotFoundAction: 'Some' } },
  { paramRef: { name: 'a/b', selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'Deny' } },
  { matchResources: { resourceRules: [{}] } },
  { matchResources: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Some' }] } } },
];

/** Actions of ValidatingAdmissionPolicyBindings. */
const actions: readonly Json[] = [
  [],
  ['Some'],
  ['Deny', 'Deny'],
  ['Deny', 'Warn'],
  ['Audit', 'Warn', 'Audit'],
];

function creates(
  kind: string,
  plural: string,
  base: JsonObject,
  changes: readonly JsonObject[],
): readonly Step[] {
  return changes.map((change) => ({
    method: 'POST',
    path: `/apis/${group}/${plural}`,
    query: { dryRun: 'All' },
    body: { apiVersion: group, kind, metadata: { name: 'a' }, spec: { ...base, ...change } },
  }));
}

/** All requests. */
export const policySteps: readonly Step[] = [
  ...creates(
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    { matchConstraints, validations: [valid] },
    validating,
  ),
  ...creates(
    'MutatingAdmissionPolicy',
    'mutatingadmissionpolicies',
    {
      ...{ matchConstraints, reinvocationPolicy: 'Never' },
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test"}]' } }],
    },
    mutating,
  ),
  ...creates(
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    { policyName: 'a', validationActions: ['Deny'] },
    [...bindings, ...actions.map((validationActions) => ({ validationActions }))],
  ),
  ...creates('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings', { policyName: 'a' }, [
    ...bindings,
    { matchResources: { resourceRules: [{ ...target, operations: ['DELETE'] }] } },
  ]),
];
