import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import type { Fields } from '../../common/fields.ts';
import { hideCluster, hideContext, hideUser } from './redact-entries.ts';

const cases: readonly [name: string, given: Fields, shown: readonly string[]][] = [
  [
    'a user with a plugin',
    hideUser({
      as: 'jane',
      later: 'sesame',
      extensions: [{ name: 'x', extension: 'sesame' }],
      exec: {
        command: 'plugin',
        args: ['sesame-login', '-p', 'sesame', '-wsesame'],
        env: [{ name: 'API_KEY', value: 'sesame' }, 'sesame'],
        later: 'sesame',
      },
    }),
    ['jane', 'plugin', 'API_KEY'],
  ],
  [
    'a user with a provider',
    hideUser({
      'auth-provider': { name: 'oidc', later: 'sesame', config: { 'client-id': 'me', 'id-token': 'sesame' } },
      token: 'sesame',
      exec: 'sesame',
    }),
    ['oidc', 'me'],
  ],
  [
    'a cluster',
    hideCluster({
      server: 'https://a',
      'proxy-url': 'http://me:sesame@proxy',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'sesame' } }],
    }),
    ['https://a', 'http://hidden@proxy/'],
  ],
  ['a context', hideContext({ cluster: 'c', user: 'u', later: 'sesame' }), ['c', 'u']],
];

it.each(cases)('%s of a kubeconfig prints without its secrets, and keeps them', (_, given, shown) => {
  for (const text of [inspect(given, { depth: null }), JSON.stringify(given)]) {
    expect(text).not.toContain('sesame');
    for (const part of shown) expect(text).toContain(part);
  }
  expect(JSON.stringify(structuredClone(given))).toContain('sesame');
});
