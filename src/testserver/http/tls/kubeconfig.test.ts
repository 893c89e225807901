import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { kubeconfigOf } from './kubeconfig.ts';

const server = 'https://127.0.0.1:1';

it.each([
  { given: { server }, cluster: { server }, user: {} },
  {
    given: { server, tls: { ca: 'C', cert: 'D', key: 'K' } },
    cluster: { server, 'certificate-authority-data': 'Qw==' },
    user: { 'client-certificate-data': 'RA==', 'client-key-data': 'Sw==' },
  },
  { given: { server, auth: { token: 'true' } }, cluster: { server }, user: { token: 'true' } },
  { given: { server, namespace: 'shop' }, cluster: { server }, user: {}, context: { namespace: 'shop' } },
])('kubeconfigOf($given)', ({ given, cluster, user, context }) => {
  expect(load(kubeconfigOf(given))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', ...context } }],
    'current-context': 'test',
  });
});
