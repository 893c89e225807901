import { describe, expect, test } from 'vitest';
import { type AdmissionPolicyOptions, admissionPolicy, policyObjects } from './admission-policy.ts';

const things = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
} as const;
const limits = { ...things, kind: 'Limit', plural: 'limits', scope: 'Cluster' } as const;
const rules = { name: 'p', validations: [{ expression: 'true' }] };

function faultOf(resource: typeof things | typeof limits, options: AdmissionPolicyOptions): string {
  try {
    return JSON.stringify(policyObjects(admissionPolicy(resource, options)));
  } catch (error) {
    return String(error);
  }
}

describe('policies', () => {
  test.each<[string, AdmissionPolicyOptions, (typeof things | typeof limits)?]>([
    ['the policy p has no rules', { name: 'p', validations: [] }],
    [
      'the binding b has no kind: add params',
      { ...rules, bindings: [{ name: 'b', paramRef: { name: 'a' } }] },
    ],
    ['no binding has a paramRef', { ...rules, params: limits }],
    ['no binding has a paramRef', { ...rules, params: limits, bindings: [{}] }],
    [
      'the binding has a namespace, but limits are cluster-scoped',
      { ...rules, params: limits, bindings: [{ paramRef: { name: 'a', namespace: 'b' } }] },
    ],
    [
      'the binding has no namespace',
      { ...rules, params: things, bindings: [{ paramRef: { name: 'a' } }] },
      limits,
    ],
    [
      'the audit annotation "a/b" of the policy p: a valid label key',
      { name: 'p', auditAnnotations: [{ key: 'a/b', valueExpression: "''" }] },
    ],
  ])('are refused: %s', (fault, options, resource = things) => {
    expect(faultOf(resource, options)).toContain(fault);
  });

  test('have parameters by the labels of a kind, and may consist of audit annotations', () => {
    const auditAnnotations = [{ key: 'k', valueExpression: 'params.a' }];
    const paramRef = { selector: {}, namespace: 'b', parameterNotFoundAction: 'Allow' } as const;
    const options = { name: 'p', params: things, auditAnnotations, bindings: [{ paramRef }, {}] };
    const [policy, binding, other] = policyObjects(admissionPolicy(limits, options));
    expect(policy?.spec).toMatchObject({
      paramKind: { apiVersion: 'example.com/v1', kind: 'Thing' },
      auditAnnotations,
    });
    expect(binding?.spec).toEqual({ policyName: 'p', paramRef, validationActions: ['Deny'] });
    expect(other?.spec).toEqual({ policyName: 'p', validationActions: ['Deny'] });
  });
});
