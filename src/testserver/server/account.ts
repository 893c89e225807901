/** The service account as which an operator runs in tests, with the manifests of its permissions. */
import { array, isObject, type JsonObject, object, text } from '@kgen/schema/values/json';
import { boundRoles } from '../access/permissions.ts';
import { storedRoles } from '../access/roles.ts';
import type { ServiceAccountName } from '../identity/user.ts';
import type { Store } from '../store/store.ts';
import { describeObject, loadObjects } from './objects.ts';
import type { ObjectSource, SourcedObject } from './sources.ts';

/**
 * Manifests of a service account with its roles and bindings, from the same sources as `objects`. The name of
 * the account, as `namespace/name`, is needed if they contain several.
 */
export type AccountSource =
  | ObjectSource
  | readonly ObjectSource[]
  | { readonly manifests: ObjectSource | readonly ObjectSource[]; readonly serviceAccount?: string };

/** A service account with its manifests. */
export interface LoadedAccount {
  readonly account: ServiceAccountName;
  /** In the order of creation. */
  readonly objects: readonly SourcedObject[];
  /** Namespaces of the objects. */
  readonly namespaces: readonly string[];
}

/**
 * Loads the manifests of a service account.
 * @throws {Error} if they cannot be read or do not determine the account
 */
export async function loadAccount(source: AccountSource): Promise<LoadedAccount> {
  const { manifests, serviceAccount } = isChoice(source)
    ? source
    : { manifests: source, serviceAccount: undefined };
  const objects = await loadObjects(isList(manifests) ? manifests : [manifests], 'as');
  const namespaces = objects.map(({ value }) => text(value, 'metadata', 'namespace'));
  return {
    account: chosenAccount(objects, serviceAccount),
    objects,
    namespaces: [...new Set(namespaces.filter((namespace) => namespace !== ''))],
  };
}

function isChoice(source: AccountSource): source is Extract<AccountSource, { readonly manifests: unknown }> {
  return typeof source === 'object' && 'manifests' in source;
}

function isList(source: ObjectSource | readonly ObjectSource[]): source is readonly ObjectSource[] {
  return Array.isArray(source);
}

function chosenAccount(objects: readonly SourcedObject[], chosen: string | undefined): ServiceAccountName {
  const accounts = objects
    .filter(({ value }) => isCore(value, 'ServiceAccount'))
    .map(({ value }) => nameOf(value));
  const names = accounts.map(({ namespace, name }) => `${namespace}/${name}`);
  const found = accounts[chosen === undefined ? 0 : names.indexOf(chosen)];
  if (chosen === undefined && accounts.length > 1)
    throw new Error(
      `as: the manifests have ${accounts.length} ServiceAccounts: choose one with { manifests, serviceAccount: ` +
        `'${names[0]}' }, or of ${names.slice(1).join(', ')}`,
    );
  if (found !== undefined) return found;
  const requested = chosen === undefined ? '' : ` ${chosen}`;
  const present = names.length === 0 ? '' : `; they have ${names.join(', ')}`;
  throw new Error(`as: the manifests have no ServiceAccount${requested}${present}`);
}

/**
 * Checks the roles and bindings of the manifests, once they exist on a server.
 * @throws {Error} for a binding of a role or service account that does not exist, a role that is not bound,
 *   and an account without a role; names the file and line
 */
export function checkAccount(store: Store, { account, objects }: LoadedAccount): void {
  const bindings = objects.filter(
    ({ value }) => isRbac(value, 'RoleBinding') || isRbac(value, 'ClusterRoleBinding'),
  );
  const bound = new Set(bindings.map((binding) => checkBinding(store, binding)));
  for (const { place, value } of objects) {
    if (!isRbac(value, 'Role') && !isRbac(value, 'ClusterRole')) continue;
    const { namespace, name } = nameOf(value);
    if (bound.has(roleText(text(value, 'kind'), namespace, name)) || isForAggregation(value)) continue;
    throw new Error(`${place}: ${describeObject(value)} is not bound: ${unboundAdvice}`);
  }
  if (boundRoles(store, account).length > 0) return;
  throw new Error(`as: no binding grants a role to the ServiceAccount ${account.namespace}/${account.name}`);
}

const unboundAdvice =
  'add a binding; a ClusterRole for people can have a label such as ' +
  'rbac.authorization.k8s.io/aggregate-to-view: "true" instead, or a file that `as` does not include';

/** Returns the bound role. */
function checkBinding(store: Store, { place, value }: SourcedObject): string {
  const home = text(value, 'kind') === 'ClusterRoleBinding' ? '' : nameOf(value).namespace;
  const [kind, name] = [text(value, 'roleRef', 'kind'), text(value, 'roleRef', 'name')];
  const role = roleText(kind, home, name);
  const binding = `${place}: ${describeObject(value)} names the`;
  if (storedRoles(store).role(kind === 'Role' ? home : '', name) === undefined)
    throw new Error(`${binding} ${role}, which does not exist`);
  for (const subject of array(value, 'subjects').filter(isObject)) {
    if (text(subject, 'kind') !== 'ServiceAccount') continue;
    const key = `${text(subject, 'namespace')}/${text(subject, 'name')}`;
    // A controller creates the default account of each namespace.
    if (text(subject, 'name') === 'default' || store.get('serviceaccounts', key) !== undefined) continue;
    throw new Error(
      `${binding} ServiceAccount ${key}, which does not exist: add it to the manifests or to \`objects\``,
    );
  }
  return role;
}

function roleText(kind: string, namespace: string, name: string): string {
  return kind === 'Role' ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}

function isForAggregation(role: JsonObject): boolean {
  return Object.keys(object(role, 'metadata', 'labels')).some((label) =>
    label.startsWith('rbac.authorization.k8s.io/aggregate-to-'),
  );
}

function nameOf(value: JsonObject): ServiceAccountName {
  const metadata = object(value, 'metadata');
  return { namespace: text(metadata, 'namespace') || 'default', name: text(metadata, 'name') };
}

function isCore(value: JsonObject, kind: string): boolean {
  return text(value, 'apiVersion') === 'v1' && text(value, 'kind') === kind;
}

function isRbac(value: JsonObject, kind: string): boolean {
  return text(value, 'apiVersion').startsWith('rbac.authorization.k8s.io/') && text(value, 'kind') === kind;
}
