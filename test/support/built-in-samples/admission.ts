import type { Sample, Samples } from './types.ts';

const group = 'admissionregistration.k8s.io';
const rule = {
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['things'],
};
const matchResources = {
  resourceRules: [{ ...rule, resourceNames: ['one'] }],
  namespaceSelector: { matchLabels: { a: 'b' } },
  objectSelector: {},
};

const mutatingPolicy: Sample = () => ({
  spec: {
    matchConstraints: matchResources,
    reinvocationPolicy: 'Never',
    failurePolicy: 'Ignore',
    variables: [{ name: 'text', expression: "'a'" }],
    matchConditions: [{ name: 'always', expression: 'true' }],
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: "[JSONPatch{op: 'test', path: '/kind', value: 'Thing'}]" },
      },
    ],
  },
});

const validatingPolicy: Sample = () => ({
  spec: {
    matchConstraints: matchResources,
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    variables: [{ name: 'text', expression: "'a'" }],
    validations: [
      { expression: "variables.text == 'a'", message: '', reason: 'Forbidden', messageExpression: "'no'" },
    ],
    auditAnnotations: [{ key: 'why', valueExpression: "'because'" }],
  },
});

const binding = (validationActions?: readonly string[]): Sample => {
  return () => ({
    spec: {
      policyName: 'nowhere',
      matchResources,
      paramRef: { name: 'settings', namespace: 'default', parameterNotFoundAction: 'Allow' },
      ...(validationActions && { validationActions }),
    },
  });
};

function webhooks(own: Readonly<Record<string, unknown>>): Sample {
  return ({ authority }) => ({
    webhooks: [
      {
        name: 'one.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        timeoutSeconds: 1,
        rules: [{ ...rule, scope: 'Namespaced' }],
        clientConfig: {
          caBundle: Buffer.from(authority).toString('base64'),
          service: { namespace: 'default', name: 'nobody', path: '/a', port: 443 },
        },
        ...own,
      },
      {
        name: 'two.example.com',
        admissionReviewVersions: ['v1', 'v1beta1'],
        sideEffects: 'NoneOnDryRun',
        rules: [],
        clientConfig: { url: 'https://nobody.example.com/' },
      },
    ],
  });
}

/** Samples of admission kinds, configured for a kind without objects. */
export const admissionSamples: Samples = {
  [`${group}/v1/MutatingWebhookConfiguration`]: webhooks({ reinvocationPolicy: 'IfNeeded' }),
  [`${group}/v1/ValidatingWebhookConfiguration`]: webhooks({ matchConditions: [] }),
  ...Object.fromEntries(
    ['v1', 'v1beta1', 'v1alpha1'].flatMap((version) => [
      [`${group}/${version}/MutatingAdmissionPolicy`, mutatingPolicy],
      [`${group}/${version}/MutatingAdmissionPolicyBinding`, binding()],
      [`${group}/${version}/ValidatingAdmissionPolicy`, validatingPolicy],
      [`${group}/${version}/ValidatingAdmissionPolicyBinding`, binding(['Deny', 'Audit'])],
    ]),
  ),
};
