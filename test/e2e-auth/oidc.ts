import { readFileSync } from 'node:fs';
import { isConfigError, loadConfig } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { failure } from '../support/errors.ts';
import { clientsetOf, type Env, whoIs } from './env.ts';

/** Returns a kubeconfig whose user has tokens of the issuer. */
function kubeconfigOf(env: Env, tokens: Readonly<Record<string, string>>): string {
  const { server, tls } = env.controlPlane.config;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const { issuer } = env;
  const config = {
    'idp-issuer-url': issuer.url,
    'client-id': issuer.clientId,
    'idp-certificate-authority-data': base64(issuer.ca),
    ...tokens,
  };
  const cluster = { server, 'certificate-authority-data': base64(tls?.ca ?? '') };
  return env.file(
    `${unique('oidc')}.yaml`,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { 'auth-provider': { name: 'oidc', config } } }],
    }),
  );
}

/** Registers tests of tokens of an OpenID Connect issuer. */
export function oidcTests(env: Env): void {
  describe('an OpenID Connect issuer', () => {
    const claims = { sub: 'jane', groups: ['developers'] };
    const over = { ...claims, exp: 1_000_000_000 };

    it('is not requested while the token is valid', async ({ onTestFinished }) => {
      const kubeconfig = kubeconfigOf(env, { 'id-token': env.issuer.idToken(claims) });
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      const { username, groups } = await whoIs(clientset);
      expect({ username, groups }).toEqual({
        username: 'oidc:jane',
        groups: ['developers', 'system:authenticated'],
      });
    });

    it('is requested once after the expiry, and the token is written to the kubeconfig', async ({
      onTestFinished,
    }) => {
      const { issuer } = env;
      const kubeconfig = kubeconfigOf(env, {
        'id-token': issuer.idToken(over),
        'refresh-token': issuer.refreshToken(claims),
      });
      const before = issuer.requested.filter(({ endpoint }) => endpoint === 'token').length;
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      const identities = await Promise.all(Array.from({ length: 10 }, () => whoIs(clientset)));
      expect(new Set(identities.map(({ username }) => username))).toEqual(new Set(['oidc:jane']));
      expect(issuer.requested.filter(({ endpoint }) => endpoint === 'token')).toHaveLength(before + 1);
      // A refresh token of this issuer can be used once: another process needs the token that was written to
      // the kubeconfig.
      const another = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      expect((await whoIs(another)).username).toBe('oidc:jane');
      expect(readFileSync(kubeconfig, 'utf8')).not.toContain(issuer.idToken(over).split('.')[1]);
    });

    it('causes a 401 if it returns the same token', async ({ onTestFinished }) => {
      const kubeconfig = kubeconfigOf(env, {
        'id-token': env.issuer.idToken(over),
        'refresh-token': 'sesame',
      });
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      const error = await failure(whoIs(clientset));
      expect(isConfigError(error), String(error)).toBe(true);
      expect(String(error)).not.toContain('sesame');
    });
  });
}
