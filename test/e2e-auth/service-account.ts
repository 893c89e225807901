import { dirname } from 'node:path';
import { inClusterConfig, isForbidden, isUnauthorized } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { clientsetOf, type Env, whoIs } from './env.ts';

interface Account {
  readonly namespace: string;
  readonly username: string;
  /** Returns a new token. */
  token(): Promise<string>;
  /** Deletes the account, which invalidates its tokens. */
  remove(): Promise<void>;
}

async function makeAccount({ admin }: Env): Promise<Account> {
  const { name: namespace } = (
    await admin.coreV1.namespaces().create({ metadata: { name: unique('robots') } })
  ).metadata;
  const accounts = admin.coreV1.serviceAccounts(namespace);
  await accounts.create({ metadata: { name: 'robot' } });
  return {
    namespace,
    username: `system:serviceaccount:${namespace}:robot`,
    token: async () => {
      const request = await accounts.createToken('robot', { spec: { audiences: [] } });
      return request.status?.token ?? '';
    },
    remove: async () => accounts.deleteAndWait('robot'),
  };
}

/** Creates the environment of a pod: the folder that a kubelet fills, and two variables. */
async function podOf(env: Env, account: Account) {
  const { server, tls } = env.controlPlane.config;
  const { hostname, port } = new URL(server);
  env.file('ca.crt', tls?.ca ?? '');
  env.file('namespace', account.namespace);
  const dir = dirname(env.file('token', `${await account.token()}\n`));
  return { dir, env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port } };
}

/** Registers tests of the configuration in a pod. */
export function serviceAccountTests(env: Env): void {
  describe('a service account in its pod', () => {
    it('authenticates as itself and has its own namespace', async ({ onTestFinished }) => {
      const account = await makeAccount(env);
      const clientset = clientsetOf(await inClusterConfig(await podOf(env, account)), onTestFinished);
      const { username, groups } = await whoIs(clientset);
      expect(username).toBe(account.username);
      expect(groups).toContain(`system:serviceaccounts:${account.namespace}`);
      expect(clientset.rest.namespace).toBe(account.namespace);
    });

    it('has exactly the permissions of RBAC', async ({ onTestFinished }) => {
      const account = await makeAccount(env);
      const clientset = clientsetOf(await inClusterConfig(await podOf(env, account)), onTestFinished);
      const { namespace, username } = account;
      const maps = clientset.coreV1.configMaps(namespace);
      const error = await apiErrorOf(isForbidden, maps.list());
      expect(error.message).toMatch(`list configmaps in namespace ${namespace}: 403 Forbidden: `);
      expect(error.message).toContain(username);
      const rbac = env.admin.rbacV1;
      await rbac.roles(namespace).create({
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
      });
      await rbac.roleBindings(namespace).create({
        metadata: { name: 'reader' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
      });
      await expect.poll(() => maps.list().then(({ items }) => items, String), deadline).toEqual([]);
      await apiErrorOf(isForbidden, maps.create({ metadata: { name: 'web' } }));
    });

    it('continues with the next token after a 401', async ({ onTestFinished }) => {
      const first = await makeAccount(env);
      const clientset = clientsetOf(await inClusterConfig(await podOf(env, first)), onTestFinished);
      expect((await whoIs(clientset)).username).toBe(first.username);
      const second = await makeAccount(env);
      await first.remove();
      env.file('token', await second.token());
      // The server caches the user of a token for some seconds.
      await expect
        .poll(() => whoIs(clientset).then(({ username }) => username), deadline)
        .toBe(second.username);
    });

    it('rejects with 401 without a new token', async ({ onTestFinished }) => {
      const account = await makeAccount(env);
      const clientset = clientsetOf(await inClusterConfig(await podOf(env, account)), onTestFinished);
      env.file('token', 'not-a-token');
      await account.remove();
      await expect.poll(() => whoIs(clientset).then(() => undefined, isUnauthorized), deadline).toBe(true);
    });
  });
}
