/** Webhooks of configurations, each with several invalid fields. */

const valid = {
  name: 'a.b.c',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://a/b' },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
};
export const invalidWebhooks: Readonly<Record<string, readonly object[]>> = {
  all: [
    {
      name: 'a',
      admissionReviewVersions: [],
      clientConfig: {},
      rules: [{}],
      failurePolicy: 'X',
      matchPolicy: 'Y',
      timeoutSeconds: 31,
      namespaceSelector: { matchExpressions: [{ key: 'a b', operator: 'Q' }] },
      objectSelector: { matchLabels: { 'a b': 'c d' } },
      matchConditions: [
        { name: '', expression: '' },
        { name: 'a b', expression: 'a ==' },
      ],
    },
  ],
  config: [
    { ...valid, clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } } },
    { ...valid, name: 'b.b.c', clientConfig: { url: 'http://u:p@a/?b=c#d' } },
    {
      ...valid,
      name: 'c.b.c',
      clientConfig: { service: { name: '', namespace: '', path: 'a//B c', port: 0 } },
    },
    { ...valid, name: 'd.b.c', clientConfig: { url: 'x' } },
    { ...valid, name: 'e.b.c', clientConfig: { service: { name: 'a', namespace: 'b', path: '/a/./b//c' } } },
  ],
  rules: [
    {
      ...valid,
      rules: [
        { apiGroups: [], apiVersions: [], resources: [], operations: [] },
        {
          apiGroups: ['*', 'a'],
          apiVersions: ['*', 'v1'],
          resources: ['*', 'pods'],
          operations: ['*', 'CREATE'],
          scope: 'X',
        },
        { apiGroups: ['a'], apiVersions: [''], resources: [''], operations: ['X'] },
        {
          apiGroups: ['a'],
          apiVersions: ['v1'],
          resources: ['pods/*', 'pods/status'],
          operations: ['CREATE'],
        },
        {
          apiGroups: ['a'],
          apiVersions: ['v1'],
          resources: ['*/status', 'pods/status'],
          operations: ['CREATE'],
        },
        { apiGroups: ['a'], apiVersions: ['v1'], resources: ['*/*', 'pods/status'], operations: ['CREATE'] },
        { apiGroups: ['a'], apiVersions: ['v1'], resources: ['*', '*/*'], operations: ['CREATE'] },
      ],
    },
  ],
  twice: [valid, valid],
  conditions: [
    {
      ...valid,
      matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
    },
  ],
  effects: [
    { ...valid, sideEffects: 'Some' },
    { ...valid, name: 'b.b.c', sideEffects: 'X', reinvocationPolicy: 'X' },
    { ...valid, name: 'c.b.c', admissionReviewVersions: ['v2'] },
    { ...valid, name: 'd.b.c', admissionReviewVersions: ['v1', 'v1'] },
    { ...valid, name: 'e.b.c', admissionReviewVersions: ['V 1'] },
    {
      ...valid,
      name: 'f.b.c',
      timeoutSeconds: 0,
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: '1' },
      ],
    },
    { ...valid, name: '', rules: undefined },
    { ...valid, name: 'A.b.c', sideEffects: undefined, admissionReviewVersions: undefined },
  ],
};
