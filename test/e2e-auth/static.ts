import { createAuthority } from '@kgen/certificates/authority';
import {
  anonymous,
  isForbidden,
  isUnauthorized,
  loadConfig,
  withImpersonation,
  withToken,
} from '@kgen/runtime';
import { kubeconfigOf } from '@kgen/testserver';
import { describe, expect, it } from 'vitest';
import { longAgo } from '../support/certificates.ts';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { clientsetOf, type Env, whoIs } from './env.ts';

/** Registers tests of credentials stored in a kubeconfig. */
export function staticTests(env: Env): void {
  describe('static credentials', () => {
    it('authenticate with a client certificate', async ({ onTestFinished }) => {
      const config = await env.controlPlane.addUser('jane', ['developers']);
      const { username, groups } = await whoIs(clientsetOf(config, onTestFinished));
      expect({ username, groups }).toEqual({
        username: 'jane',
        groups: ['developers', 'system:authenticated'],
      });
    });

    it('authenticate with a client certificate in files', async ({ onTestFinished }) => {
      const { server, tls } = await env.controlPlane.addUser('mary');
      env.file('mary.crt', tls?.cert ?? '');
      env.file('mary.key', tls?.key ?? '');
      env.file('server.crt', tls?.ca ?? '');
      const kubeconfig = env.file(
        'mary.yaml',
        `
current-context: c
contexts: [{ name: c, context: { cluster: c, user: mary } }]
clusters: [{ name: c, cluster: { server: "${server}", certificate-authority: server.crt } }]
users: [{ name: mary, user: { client-certificate: mary.crt, client-key: ./mary.key } }]
`,
      );
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      expect((await whoIs(clientset)).username).toBe('mary');
    });

    it('reject an expired client certificate with a clear error', async ({ onTestFinished }) => {
      const config = await longAgo(() => env.controlPlane.addUser('jane'));
      const error = await apiErrorOf(isUnauthorized, whoIs(clientsetOf(config, onTestFinished)));
      expect(error.message).toMatch(
        /^create selfsubjectreviews: 401 Unauthorized: Unauthorized; the client certificate expired on \d{4}-/,
      );
    });

    it('reject a client certificate of another authority', async ({ onTestFinished }) => {
      const authority = await createAuthority();
      const { server, tls } = env.controlPlane.config;
      const config = {
        server,
        tls: { ...(tls?.ca !== undefined && { ca: tls.ca }), ...(await authority.issueClient('jane', [])) },
      };
      const error = await apiErrorOf(isUnauthorized, whoIs(clientsetOf(config, onTestFinished)));
      expect(error.message).toBe(
        'create selfsubjectreviews: 401 Unauthorized: Unauthorized; is the client certificate signed by an authority that this server trusts?',
      );
    });

    it('authenticate with a token', async ({ onTestFinished }) => {
      const clientset = clientsetOf(env.controlPlane.tokenConfig, onTestFinished);
      expect((await whoIs(clientset)).username).toBe('token-admin');
    });

    it('authenticate with a token file, which is read again after a 401', async ({ onTestFinished }) => {
      const { auth, ...rest } = env.controlPlane.tokenConfig;
      const tokenFile = env.file('static-token', 'nonsense');
      const clientset = clientsetOf({ ...rest, auth: { tokenFile } }, onTestFinished);
      await apiErrorOf(isUnauthorized, whoIs(clientset));
      env.file('static-token', `${auth?.token}\n`);
      expect((await whoIs(clientset)).username).toBe('token-admin');
    });

    it('reject an unknown token without a retry', async ({ onTestFinished }) => {
      const config = { ...env.controlPlane.tokenConfig, auth: { token: 'nonsense' } };
      const error = await apiErrorOf(isUnauthorized, whoIs(clientsetOf(config, onTestFinished)));
      expect(error.message).toMatch('create selfsubjectreviews: 401 Unauthorized');
      expect(error.message).not.toContain('nonsense');
    });

    it('reject a password, which servers no longer support', async ({ onTestFinished }) => {
      const auth = { username: 'jane', password: 'sesame' };
      const clientset = clientsetOf({ ...env.controlPlane.tokenConfig, auth }, onTestFinished);
      const error = await apiErrorOf(isForbidden, whoIs(clientset));
      expect(error.message).toContain('system:anonymous');
    });

    it('survive being written to a kubeconfig', async ({ onTestFinished }) => {
      const config = await env.controlPlane.addUser(unique('joe'), ['developers']);
      const kubeconfig = env.file('joe.yaml', kubeconfigOf(config));
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      expect((await whoIs(clientset)).groups).toContain('developers');
    });
  });

  describe('a credential that replaces the certificate of a kubeconfig', () => {
    it('is used for authentication', async ({ onTestFinished }) => {
      const { auth } = env.controlPlane.tokenConfig;
      const token = auth?.token ?? '';
      const user = await env.controlPlane.addUser(unique('ann'), ['system:masters']);
      const config = await loadConfig({ kubeconfig: env.file('ann.yaml', kubeconfigOf(user)) });
      const own = clientsetOf(config, onTestFinished);
      const reviews = own.authenticationV1.selfSubjectReviews();
      const replaced = [withToken(config, token), { ...config, auth: { token } }];
      for (const given of replaced) {
        expect((await whoIs(clientsetOf(given, onTestFinished))).username).toBe('token-admin');
      }
      expect((await whoIs(own)).username).toMatch(/^ann/);
      const headers = { authorization: `Bearer ${token}` };
      expect((await reviews.create({}, { headers })).status?.userInfo?.username).toBe('token-admin');
      expect((await whoIs(own)).username).toMatch(/^ann/);
      const as = withImpersonation(config, { user: 'somebody' });
      expect((await whoIs(clientsetOf(as, onTestFinished))).username).toBe('somebody');
      const error = await apiErrorOf(isForbidden, whoIs(clientsetOf(anonymous(config), onTestFinished)));
      expect(error.message).toContain('system:anonymous');
    });
  });

  describe('impersonation', () => {
    const want = {
      username: 'somebody',
      uid: '42',
      groups: ['system:authenticated', 'system:masters', 'testers'],
      extra: expect.objectContaining({ 'example.com/reason': ['a test', 'another'] }),
    };

    it('applies to every request of a client', async ({ onTestFinished }) => {
      const impersonate = {
        user: 'somebody',
        uid: '42',
        groups: ['testers', 'system:masters'],
        extra: { 'example.com/Reason': ['a test', 'another'] },
      };
      const config = { ...env.controlPlane.config, impersonate };
      expect(await whoIs(clientsetOf(config, onTestFinished))).toEqual(want);
    });

    it('supports any characters in the name', async () => {
      const impersonate = {
        user: 'jürgen ☃ østergård',
        groups: ['größe', 'system:masters'],
        extra: { ärger: ['ö'] },
      };
      const { status } = await env.admin.authenticationV1.selfSubjectReviews().create({}, { impersonate });
      expect(status?.userInfo).toMatchObject({ username: impersonate.user, extra: { ärger: ['ö'] } });
      expect(status?.userInfo?.groups).toContain('größe');
    });

    it('applies to one request only', async () => {
      const reviews = env.admin.authenticationV1.selfSubjectReviews();
      const requested = await reviews.create(
        {},
        { impersonate: { user: 'somebody', groups: ['system:masters'] } },
      );
      expect(requested.status?.userInfo?.username).toBe('somebody');
      expect((await whoIs(env.admin)).username).not.toBe('somebody');
    });

    it('requires a permission', async ({ onTestFinished }) => {
      const config = await env.controlPlane.addUser(unique('jane'));
      const clientset = clientsetOf({ ...config, impersonate: { user: 'somebody' } }, onTestFinished);
      const error = await apiErrorOf(isForbidden, whoIs(clientset));
      expect(error.message).toMatch(/cannot impersonate/);
    });
  });
}
