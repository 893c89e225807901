import type { rbacV1 } from '@kgen/kubernetes';
import { hasStatusCause, isConflict, isForbidden, isInvalid } from '@kgen/runtime';
import { describe, expect, it, vi } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const readPods: rbacV1.PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] };
const readMaps: rbacV1.PolicyRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };

/** Registers tests of roles and bindings. */
export function rbacTests(env: Env): void {
  describe('a cluster role', () => {
    it('aggregates the rules of selected roles', async () => {
      const roles = env.clientset.rbacV1.clusterRoles();
      const name = unique('sum');
      const labels = { sum: name };
      await roles.create({
        metadata: { name },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      });
      await roles.create({ metadata: { name: `${name}-pods`, labels }, rules: [readPods] });
      await roles.create({ metadata: { name: `${name}-maps`, labels }, rules: [readMaps] });
      const sum = await roles.waitFor(name, (role) => role?.rules?.length === 2);
      expect(sum?.rules).toEqual(expect.arrayContaining([readPods, readMaps]));
      expect((await roles.list({ labelSelector: labels })).items).toHaveLength(2);
    });

    it('is listed beside those of the server', async () => {
      const names: string[] = [];
      for await (const { metadata } of env.clientset.rbacV1.clusterRoles().iterate({ pageSize: 20 })) {
        names.push(metadata.name);
      }
      expect(names).toEqual(
        expect.arrayContaining(['admin', 'cluster-admin', 'edit', 'view', 'system:discovery']),
      );
      expect(names).toEqual([...names].sort());
    });
  });

  bindingTests(env);
}

function bindingTests(env: Env): void {
  describe('a role binding', () => {
    it('grants a role to a user until it is deleted', async () => {
      const namespace = await env.namespace();
      const { rbacV1, coreV1 } = env.clientset;
      const user = unique('user');
      const pods = coreV1.pods(namespace);
      const impersonate = { user };
      const error = await apiErrorOf(isForbidden, pods.list({ impersonate }));
      expect(error.message).toContain(`User "${user}" cannot list resource "pods"`);
      await rbacV1.roles(namespace).create({ metadata: { name: 'reader' }, rules: [readPods] });
      const bindings = rbacV1.roleBindings(namespace);
      const created = await bindings.create({
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'User', name: user }],
      });
      expect(created.subjects).toEqual([{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }]);
      const list = await vi.waitFor(() => pods.list({ impersonate }), deadline);
      expect(list.items).toEqual([]);
      await apiErrorOf(isForbidden, pods.delete('web', { impersonate }));
    });

    it('rejects a change of its role', async () => {
      const bindings = env.clientset.rbacV1.roleBindings(await env.namespace());
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
      const created = await bindings.create({ metadata: { name: 'viewers' }, roleRef });
      const error = await apiErrorOf(
        isInvalid,
        bindings.update({ ...created, roleRef: { ...roleRef, name: 'edit' } }),
      );
      expect(causesOf(error)).toEqual(['roleRef: FieldValueInvalid']);
    });

    it('is applied', async () => {
      const bindings = env.clientset.rbacV1.roleBindings(await env.namespace());
      const intent = (name: string) => ({
        metadata: { name: 'viewers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'Group', name }],
      });
      const applied = await bindings.apply(intent('guests'), { fieldManager: 'one' });
      expect(applied.subjects?.[0]?.name).toBe('guests');
      const error = await apiErrorOf(isConflict, bindings.apply(intent('friends'), { fieldManager: 'two' }));
      // The subjects are one atomic value, owned by the manager that applies them.
      expect(causesOf(error)).toEqual(['.subjects: FieldManagerConflict']);
      expect(hasStatusCause(error, 'FieldManagerConflict')).toBe(true);
    });
  });
}
