/** Methods of the classes of client-node by their names, and their positional parameters before 1.0. */
import { type GroupVersion, groupOfClass, type Kind } from './groups.ts';

/** Verbs of methods. */
export type Verb = 'list' | 'read' | 'create' | 'replace' | 'patch' | 'delete' | 'deleteCollection';

/** A method of a class, such as `listNamespacedPod`. */
export interface Method {
  readonly group: GroupVersion;
  readonly kind: Kind;
  readonly verb: Verb;
  /** Whether the method has the parameter `namespace`. */
  readonly isNamespaced: boolean;
  /** Name after the kind, such as `Status`; empty for the object itself. */
  readonly subresource: string;
}

/** Returns the method of a class; `undefined` if @kgen/kubernetes does not have its kind. */
export function methodOf(className: string, name: string): Method | undefined {
  const group = groupOfClass(className);
  const parts = /^(list|read|create|replace|patch|deleteCollection|delete)(Namespaced)?([A-Z]\w*)$/.exec(
    name,
  );
  if (group === undefined || parts === null) return undefined;
  const [, verb, namespaced, tail = ''] = parts;
  const isAll = tail.endsWith('ForAllNamespaces');
  const rest = isAll ? tail.slice(0, -'ForAllNamespaces'.length) : tail;
  const [kind] = [...group.kinds.values()]
    .filter((each) => rest.startsWith(each.kind))
    .sort((a, b) => b.kind.length - a.kind.length);
  if (kind === undefined || (kind.isNamespaced && namespaced === undefined && !isAll)) return undefined;
  return {
    group,
    kind,
    // seam: the pattern has these names only
    verb: verb as Verb,
    isNamespaced: namespaced !== undefined,
    subresource: rest.slice(kind.kind.length),
  };
}

const reading = 'fieldSelector labelSelector limit';
const versions = 'resourceVersion resourceVersionMatch sendInitialEvents timeoutSeconds';
const writing = 'dryRun fieldManager fieldValidation';

/** Returns the names of the positional parameters of a method in releases before 1.0. */
export function positionalNames({ verb, kind, isNamespaced, subresource }: Method): readonly string[] {
  const namespace = isNamespaced ? 'namespace' : '';
  const object = `name ${namespace}`;
  const lists =
    kind.isNamespaced && !isNamespaced
      ? `allowWatchBookmarks _continue ${reading} pretty ${versions} watch`
      : `${namespace} pretty allowWatchBookmarks _continue ${reading} ${versions} watch`;
  const table: Readonly<Record<Verb, string>> = {
    list: lists,
    read: `${object} pretty`,
    create: subresource === '' ? `${namespace} body pretty ${writing}` : `${object} body ${writing} pretty`,
    replace: `${object} body pretty ${writing}`,
    patch: `${object} body pretty ${writing} force options`,
    delete: `${object} pretty dryRun gracePeriodSeconds orphanDependents propagationPolicy body`,
    deleteCollection: `${namespace} pretty _continue dryRun fieldSelector gracePeriodSeconds labelSelector limit orphanDependents propagationPolicy ${versions} body`,
  };
  const log =
    'name namespace container follow insecureSkipTLSVerifyBackend limitBytes pretty previous sinceSeconds tailLines timestamps';
  return (subresource === 'Log' ? log : table[verb]).split(' ').filter((name) => name !== '');
}

/** Methods of kgen for subresources, by verb and name of the subresource. */
const subresourceMethods: Readonly<Record<string, string>> = {
  'read Log': 'getLog',
  'read Status': 'getStatus',
  'replace Status': 'updateStatus',
  'patch Status': 'patchStatus',
  'read Scale': 'getScale',
  'replace Scale': 'updateScale',
  'patch Scale': 'patchScale',
  'read Ephemeralcontainers': 'getEphemeralContainers',
  'replace Ephemeralcontainers': 'updateEphemeralContainers',
  'patch Ephemeralcontainers': 'patchEphemeralContainers',
  'read Resize': 'getResize',
  'replace Resize': 'updateResize',
  'patch Resize': 'patchResize',
  'read Approval': 'getApproval',
  'replace Approval': 'updateApproval',
  'patch Approval': 'patchApproval',
  'replace Finalize': 'finalize',
  'create Eviction': 'evict',
  'create Binding': 'bind',
  'create Token': 'createToken',
};

const verbs: Readonly<Record<Verb, string>> = {
  list: 'list',
  read: 'get',
  create: 'create',
  replace: 'update',
  patch: 'patch',
  delete: 'delete',
  deleteCollection: 'deleteCollection',
};

/** Returns the name of the method of kgen; `undefined` if kgen has none. */
export function verbOf({ verb, subresource }: Method): string | undefined {
  return subresource === '' ? verbs[verb] : subresourceMethods[`${verb} ${subresource}`];
}

/** Parameters of client-node that are options of kgen, with their names there. */
export const optionNames: ReadonlyMap<string, string> = new Map([
  ...'fieldSelector labelSelector limit resourceVersion resourceVersionMatch timeoutSeconds dryRun fieldManager fieldValidation gracePeriodSeconds propagationPolicy preconditions container follow insecureSkipTLSVerifyBackend limitBytes previous sinceSeconds sinceTime tailLines timestamps stream'
    .split(' ')
    .map((name) => [name, name] as const),
  ['_continue', 'continue'],
]);

/** Parameters without an effect on the result, which kgen sets by itself or the server ignores. */
export const ignoredParameters: ReadonlySet<string> = new Set([
  'pretty',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'force',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'exact',
  '_export',
]);
