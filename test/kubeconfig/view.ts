/** Output of `kubectl config view --raw` for a kubeconfig that the runtime has read. */
import type { Kubeconfig } from '@kgen/runtime/kubeconfig';

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members of each entry that kubectl writes; it drops unknown ones. */
const members: Readonly<Record<'cluster' | 'context' | 'user' | 'exec', readonly string[]>> = {
  cluster: [
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority',
    'certificate-authority-data',
    'proxy-url',
    'disable-compression',
    'extensions',
  ],
  context: ['cluster', 'user', 'namespace', 'extensions'],
  user: [
    'client-certificate',
    'client-certificate-data',
    'client-key',
    'client-key-data',
    'token',
    'tokenFile',
    'as',
    'as-uid',
    'as-groups',
    'as-user-extra',
    'username',
    'password',
    'auth-provider',
    'exec',
    'extensions',
  ],
  exec: ['command', 'args', 'env', 'apiVersion', 'installHint', 'provideClusterInfo', 'interactiveMode'],
};

function known(kind: keyof typeof members, fields: Json): Json {
  return Object.fromEntries(
    members[kind].filter((name) => name in fields).map((name) => [name, fields[name]]),
  );
}

function knownOfUser(fields: Json): Json {
  const user = known('user', fields);
  const exec = user['exec'];
  return isJson(exec) ? { ...user, exec: known('exec', exec) } : user;
}

/** Returns the value without empty members, which kubectl writes or omits depending on its structs. */
export function essential(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essential);
  if (!isJson(value)) return value;
  const parts = Object.entries(value)
    .map(([name, part]): [string, unknown] => [name, essential(part)])
    .filter(([, part]) => !isEmpty(part))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(parts);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Returns the view with its lists sorted by name, whose order kubectl does not keep, and without top-level
 * extensions.
 */
export function comparable(view: unknown): unknown {
  if (!isJson(view)) return view;
  const sorted = ['clusters', 'contexts', 'users'].map((list) => {
    const entries = view[list];
    const named = Array.isArray(entries) ? entries : [];
    return [list, named.toSorted((left, right) => (left.name < right.name ? -1 : 1))];
  });
  return essential({ ...view, ...Object.fromEntries(sorted), extensions: null });
}

type Entries = ReadonlyMap<string, Json>;

function listOf(
  entries: Entries,
  kind: string,
  fieldsOf: (fields: Json) => Json,
  only?: string,
): readonly Json[] {
  return [...entries]
    .filter(([name]) => only === undefined || name === only)
    .map(([name, fields]) => ({ name, [kind]: fieldsOf(structuredClone(fields)) }));
}

/** Returns the view of all entries or, with `minify`, of the current context alone. */
export function viewOf(kubeconfig: Kubeconfig, { minify = false }: { minify?: boolean } = {}): unknown {
  const { currentContext, contexts, clusters, users } = kubeconfig;
  const context = contexts.get(currentContext);
  const only = (name: string | undefined): string | undefined => (minify ? (name ?? '') : undefined);
  return comparable({
    kind: 'Config',
    apiVersion: 'v1',
    clusters: listOf(clusters, 'cluster', (fields) => known('cluster', fields), only(context?.cluster)),
    contexts: listOf(contexts, 'context', (fields) => known('context', fields), only(currentContext)),
    users: listOf(users, 'user', knownOfUser, only(context?.user)),
    'current-context': currentContext,
  });
}
