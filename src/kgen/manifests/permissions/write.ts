/** The part of permissions that `kgen manifests` loads if there is a program. */
export { permissionsOf } from './permissions.ts';
export { rbacFiles } from './roles/rbac-files.ts';
