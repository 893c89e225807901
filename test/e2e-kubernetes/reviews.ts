import { Clientset } from '@kgen/kubernetes';
import { type ClusterConfig, isForbidden, isInvalid } from '@kgen/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of review kinds, which are never stored: identity, permissions, and tokens. */
export function reviewTests(env: Env): void {
  describe('a review', () => {
    it('returns the user', async () => {
      const reviews = env.clientset.authenticationV1.selfSubjectReviews();
      const own = await reviews.create({});
      expect(own.status?.userInfo?.groups).toContain('system:masters');
      const impersonate = { user: 'eve', groups: ['guests'], extra: { 'example.com/team': ['red'] } };
      const other = await reviews.create({}, { impersonate });
      expect(other.status?.userInfo).toMatchObject({
        username: 'eve',
        groups: ['guests', 'system:authenticated'],
        extra: { 'example.com/team': ['red'] },
      });
    });

    it('returns the permissions of the user', async () => {
      const reviews = env.clientset.authorizationV1.selfSubjectAccessReviews();
      const resourceAttributes = { verb: 'delete', resource: 'pods', namespace: 'default' };
      const allowed = await reviews.create({ spec: { resourceAttributes } });
      expect(allowed.status?.allowed).toBe(true);
      const denied = await reviews.create({ spec: { resourceAttributes } }, { impersonate: { user: 'eve' } });
      expect(denied.status?.allowed).toBe(false);
      const version = { nonResourceAttributes: { verb: 'get', path: '/version' } };
      expect((await reviews.create({ spec: version })).status?.allowed).toBe(true);
    });

    it('returns the permissions of other users, in a namespace and everywhere', async () => {
      const namespace = await env.namespace();
      const { authorizationV1, rbacV1 } = env.clientset;
      const user = unique('user');
      await rbacV1.roleBindings(namespace).create({
        metadata: { name: 'viewers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'User', name: user }],
      });
      const spec = { user, resourceAttributes: { verb: 'list', resource: 'pods', namespace } };
      const local = authorizationV1.localSubjectAccessReviews(namespace);
      const allowed = async () => (await local.create({ spec })).status?.allowed;
      await expect.poll(allowed, deadline).toBe(true);
      const { metadata } = await local.create({ spec });
      expect(metadata?.namespace).toBe(namespace);
      const everywhere = { user, resourceAttributes: { verb: 'list', resource: 'pods' } };
      const { status } = await authorizationV1.subjectAccessReviews().create({ spec: everywhere });
      expect(status?.allowed).toBe(false);
      const elsewhere = { ...spec, resourceAttributes: { ...spec.resourceAttributes, namespace: 'default' } };
      await apiErrorOf(isInvalid, local.create({ spec: elsewhere }));
    });

    it('returns the rules of a namespace', async () => {
      const { status } = await env.clientset.authorizationV1
        .selfSubjectRulesReviews()
        .create({ spec: { namespace: 'default' } });
      expect(status?.resourceRules).toContainEqual({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] });
    });
  });

  tokenTests(env);
}

function tokenTests(env: Env): void {
  it('authenticates a token of a service account with fewer permissions', async () => {
    const namespace = await env.namespace();
    const accounts = env.clientset.coreV1.serviceAccounts(namespace);
    await accounts.create({ metadata: { name: 'robot' } });
    const request = await accounts.createToken('robot', { spec: { expirationSeconds: 3600 } });
    const token = request.status?.token;
    if (token === undefined) throw new Error('the response has no token');
    const robot = clientsetOf(env.config, token);
    const { status } = await robot.authenticationV1.selfSubjectReviews().create({});
    const username = `system:serviceaccount:${namespace}:robot`;
    expect(status?.userInfo?.username).toBe(username);
    const error = await apiErrorOf(isForbidden, robot.coreV1.secrets(namespace).list());
    expect(error.message).toContain(`User "${username}" cannot list resource "secrets"`);
    const review = await env.clientset.authenticationV1.tokenReviews().create({ spec: { token } });
    expect(review.status).toMatchObject({ authenticated: true, user: { username } });
    const short = accounts.createToken('robot', { spec: { expirationSeconds: 1 } });
    await apiErrorOf(isInvalid, short);
  });
}

/** Creates a clientset of another user on the same server, with a token and without a certificate. */
function clientsetOf({ server, tls: { ca } = {} }: ClusterConfig, token: string): Clientset {
  const clientset = new Clientset({ server, ...(ca !== undefined && { tls: { ca } }), auth: { token } });
  onTestFinished(() => clientset.close());
  return clientset;
}
