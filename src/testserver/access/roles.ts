/** Roles and bindings in the store of a server. */
import type { Store } from '../store/store.ts';
import type { RoleSource } from './rbac.ts';

const group = 'rbac.authorization.k8s.io';

/** Keys of the kinds in the store. */
export const roleStorage = {
  roles: `roles.${group}`,
  roleBindings: `rolebindings.${group}`,
  clusterRoles: `clusterroles.${group}`,
  clusterRoleBindings: `clusterrolebindings.${group}`,
};

/** Returns the roles and bindings that a store contains. */
export function storedRoles(store: Store): RoleSource {
  return {
    role: (namespace, name) =>
      namespace === ''
        ? store.get(roleStorage.clusterRoles, name)
        : store.get(roleStorage.roles, `${namespace}/${name}`),
    bindings: (namespace) => {
      const found =
        namespace === ''
          ? store.list(roleStorage.clusterRoleBindings)
          : store.list(roleStorage.roleBindings, `${namespace}/`);
      return found.map(([, binding]) => binding);
    },
  };
}
