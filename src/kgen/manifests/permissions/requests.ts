/** Tables of the verbs that the API server checks for members of clients, functions and paths. */

/** Permissions of one member of a client. */
export interface MemberAccess {
  readonly verbs: readonly string[];
  /** Default: the resource itself. */
  readonly subresource?: string;
}

const followed: MemberAccess = { verbs: ['list', 'watch'] };

/**
 * Kubernetes checks `get` for the request that opens a WebSocket, and since 1.35 also `create`, as for the
 * other protocols.
 */
const connected = (subresource: string): MemberAccess => ({ verbs: ['create', 'get'], subresource });

/** Members of the interfaces of an object's client, with their permissions. */
const objectMembers: Readonly<Record<string, readonly MemberAccess[]>> = {
  get: [{ verbs: ['get'] }],
  find: [{ verbs: ['get'] }],
  getTable: [{ verbs: ['get'] }],
  list: [{ verbs: ['list'] }],
  iterate: [{ verbs: ['list'] }],
  table: [{ verbs: ['list'] }],
  watch: [followed],
  watchTable: [followed],
  waitFor: [followed],
  create: [{ verbs: ['create'] }],
  update: [{ verbs: ['update'] }],
  patch: [{ verbs: ['patch'] }],
  // An apply creates an object that does not exist.
  apply: [{ verbs: ['create', 'patch'] }],
  delete: [{ verbs: ['delete'] }],
  deleteAndWait: [{ verbs: ['delete', 'list', 'watch'] }],
  deleteCollection: [{ verbs: ['deletecollection'] }],
  evict: [{ verbs: ['create'], subresource: 'eviction' }],
  bind: [{ verbs: ['create'], subresource: 'binding' }],
  createToken: [{ verbs: ['create'], subresource: 'token' }],
  finalize: [{ verbs: ['update'], subresource: 'finalize' }],
  exec: [connected('exec')],
  execText: [connected('exec')],
  attach: [connected('attach')],
  portForward: [connected('portforward')],
  portForwardStream: [connected('portforward')],
  getLog: [{ verbs: ['get'], subresource: 'log' }],
  streamLog: [{ verbs: ['get'], subresource: 'log' }],
};

/** Interfaces of clients of objects, whose type parameters name the resource. */
export const objectInterfaces: ReadonlySet<string> = new Set([
  'Apply',
  'ApplyObject',
  'Attach',
  'Bind',
  'Create',
  'CreateAction',
  'CreateOnly',
  'CreateToken',
  'CustomPatch',
  'CustomWriteStatus',
  'Delete',
  'DeleteCollection',
  'DynamicResourceClient',
  'Evict',
  'Exec',
  'ExplicitPatch',
  'ExplicitPatchWriteStatus',
  'Finalize',
  'Get',
  'List',
  'ListVirtual',
  'LogPods',
  'Patch',
  'PortForward',
  'ReadLog',
  'ReadVirtual',
  'RolloutPatcher',
  'RolloutWatcher',
  'Update',
  'WaitFor',
  'Watch',
  'Watched',
  'WriteApproval',
  'WriteEphemeralContainers',
  'WriteResize',
  'WriteScale',
  'WriteStatus',
]);

const ofSubresource = /^(get|update|patch|apply)(Status|Scale|EphemeralContainers|Resize|Approval)$/;

/** Returns the permissions of a member of an object's client; `undefined` if it sends no request. */
export function objectAccess(member: string): readonly MemberAccess[] | undefined {
  const [, action, subresource] = ofSubresource.exec(member) ?? [];
  if (action === undefined || subresource === undefined)
    return Object.hasOwn(objectMembers, member) ? objectMembers[member] : undefined;
  // The object of a subresource exists.
  const verb = action === 'apply' ? 'patch' : action;
  return [{ verbs: [verb], subresource: subresource.toLowerCase() }];
}

/** Interfaces of clients of one subresource. */
export const subresourceInterfaces: ReadonlySet<string> = new Set([
  'SubresourceClient',
  'SubresourceText',
  'UnstructuredSubresource',
]);

/** Returns whether an interface of the runtime has members that send requests. */
export const isClientInterface = (name: string): boolean =>
  objectInterfaces.has(name) ||
  subresourceInterfaces.has(name) ||
  ['ObjectsClient', 'RESTClient', 'ScaleVerbs'].includes(name);

const subresourceMembers: Readonly<Record<string, string>> = {
  get: 'get',
  create: 'create',
  update: 'update',
  patch: 'patch',
  apply: 'patch',
  delete: 'delete',
  getText: 'get',
  streamText: 'get',
};

/** Returns the verb of a member of a subresource's client. */
export function subresourceVerb(member: string): string | undefined {
  return Object.hasOwn(subresourceMembers, member) ? subresourceMembers[member] : undefined;
}

/** Verbs for whose requests a rule may name objects. A request that creates one has no name. */
const namedVerbs: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);
/** Members whose lists and watches select one object by its name, which the server compares with rules. */
const singleMembers: ReadonlySet<string> = new Set(['waitFor', 'deleteAndWait']);

/** Returns whether a rule for a verb of a member may be restricted to names. */
export function isRestricted(member: string, { subresource }: MemberAccess, verb: string): boolean {
  if (subresource !== undefined) return true;
  return namedVerbs.has(verb) || (singleMembers.has(member) && verb !== 'create');
}

/** Returns whether the first argument of a member is an object, in place of its name. */
export const isObjectArgument = (member: string): boolean =>
  /^(create|update|apply)(Status|Scale|EphemeralContainers|Resize|Approval)?$|^finalize$/.test(member);
/** Returns whether a member is one of a collection, whose arguments name no object. */
export const isCollectionMember = (member: string): boolean =>
  /^(list|iterate|watch|table|watchTable|deleteCollection)$/.test(member);

/** Verbs of HTTP methods for one object and for a collection. */
export const methodVerbs: Readonly<Record<string, readonly [object: string, collection: string]>> = {
  GET: ['get', 'list'],
  HEAD: ['get', 'list'],
  OPTIONS: ['get', 'list'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['delete', 'deletecollection'],
};

/** A resource whose requests do not depend on the types of a program. */
export interface FixedAccess extends MemberAccess {
  readonly group: string;
  readonly resource: string;
}

const core = (resource: string, ...verbs: string[]): FixedAccess => ({ group: '', resource, verbs });

/** Functions whose resources do not depend on their arguments. */
export const fixedFunctions: Readonly<Record<string, readonly FixedAccess[]>> = {
  cordon: [core('nodes', 'patch')],
  drain: [
    core('nodes', 'patch'),
    core('pods', 'get', 'list'),
    core('pods/eviction', 'create'),
    { group: 'apps', resource: 'daemonsets', verbs: ['get'] },
  ],
  topPods: [{ group: 'metrics.k8s.io', resource: 'pods', verbs: ['list'] }],
  topNodes: [{ group: 'metrics.k8s.io', resource: 'nodes', verbs: ['list'] }, core('nodes', 'list')],
};

/** Functions whose first argument is a client of the objects, or a connection. */
export const clientFunctions: Readonly<Record<string, readonly string[]>> = {
  copyFrom: ['exec'],
  copyTo: ['exec'],
  rolloutRestart: ['get', 'patch'],
  rolloutStatus: ['get', 'waitFor'],
  until: ['watch'],
  untilObjects: ['watch'],
};

/** Members that `streamLogs` uses for one pod, for selected ones, and if it follows them. */
export const logMembers: Readonly<Record<'one' | 'selected' | 'followed', readonly string[]>> = {
  one: ['find', 'streamLog'],
  selected: ['list', 'streamLog'],
  followed: ['find', 'watch', 'streamLog'],
};

/** Functions that send the objects of manifests, with their verbs. */
export const manifestFunctions: Readonly<Record<string, readonly string[]>> = {
  applyManifests: ['create', 'get', 'patch'],
  createManifests: ['create'],
  deleteManifests: ['delete'],
};

/** Verbs of the Leases of an election: one Lease, which must be created, and a ring of Leases. */
export const leaseVerbs: Readonly<Record<'named' | 'ring', readonly string[]>> = {
  named: ['get', 'update'],
  ring: ['create', 'delete', 'list', 'update'],
};

/** Paths that every authenticated user may read by the default roles of Kubernetes. */
export const publicPath: RegExp = /^\/(api|apis|openapi|version|healthz|livez|readyz)(\/|$)/;
