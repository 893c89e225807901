/** Needs of the functions and helpers of the runtime that a program calls. */

import { loadAll } from 'js-yaml';
import { ts } from 'ts-morph';
import { append } from '../../common/problems.ts';
import { isObject } from '../../input/json.ts';
import { webhookFunctions } from '../webhooks/webhook-needs.ts';
import { scanDependent, scanRegistration } from './controllers.ts';
import type { NeedScope } from './needs.ts';
import { type Receiver, receiverOf } from './receivers.ts';
import {
  clientFunctions,
  fixedFunctions,
  logMembers,
  manifestFunctions,
  methodVerbs,
  objectAccess,
} from './requests.ts';
import type { ResourceId } from './resources.ts';
import type { Scan } from './scan.ts';
import { optionScopes, ownNamespace, scopesOf, wholeCluster } from './scopes.ts';
import { memberOf, origin, stringOf, stringsOf } from './values.ts';

/** Adds the needs of a call of a function of the runtime. */
export function scanCall(scan: Scan, call: ts.CallExpression): void {
  const declaration = scan.checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return;
  if (createsInformer(scan, call, declaration)) {
    informer(scan, call);
    return;
  }
  if (!scan.isOwn(declaration)) return;
  const { parent } = declaration;
  const isHelper = ts.isInterfaceDeclaration(parent) && watchHelpers.has(parent.name.text);
  if (isHelper) watchHelper(scan, call);
  else if (ts.isFunctionDeclaration(declaration)) scanFunction(scan, call, declaration.name?.text ?? '');
}

const watchHelpers: ReadonlySet<string> = new Set(['ClusterWatchHelper', 'NamespacedWatchHelper']);

function scanFunction(scan: Scan, call: ts.CallExpression, name: string): void {
  if (isRequestFunction(name)) functionScans[name]?.(scan, call, name);
}

/** Returns whether a function of the runtime or of the controllers has permissions of its own. */
export const isRequestFunction = (name: string): boolean => Object.hasOwn(functionScans, name);

type FunctionScan = (scan: Scan, call: ts.CallExpression, name: string) => void;

const functionScans: Readonly<Record<string, FunctionScan>> = {
  ...scansOf(fixedFunctions, (scan, call, name, fixed) => {
    const scopes = optionScopes(scan.checker, call.arguments.at(-1)) ?? wholeCluster;
    for (const scope of scopes) scan.addFixed(call, fixed, scope, name);
  }),
  ...scansOf(clientFunctions, clientFunction),
  ...scansOf(manifestFunctions, manifests),
  streamLogs: (scan, call, name) => clientFunction(scan, call, name, logMembersOf(scan, call)),
  connectRequest: (scan, call) => connection(scan, call),
  ...webhookFunctions,
  listWatch: (scan, call) => target(scan, call),
  leaseRequests: (scan, call) => leases(scan, call),
  withImpersonation: (scan, call) => impersonation(scan, call),
  migrateStorage: storageMigration,
  storageMigration,
  registerWebhooks: (scan, call) => scanRegistration(scan, call, ['create', 'delete', 'get', 'patch']),
  unregisterWebhooks: (scan, call) => scanRegistration(scan, call, ['delete']),
  dependent: (scan, call) => scanDependent(scan, call.arguments[0], call),
  ownerReference: (scan, call) => ownerReference(scan, call, call.arguments[0], call.arguments[1], false),
  setOwnerReference: (scan, call) => ownerReference(scan, call, call.arguments[1], call.arguments[2], false),
  setControllerReference: (scan, call) =>
    ownerReference(scan, call, call.arguments[1], call.arguments[2], true),
};

function scansOf<T>(
  rows: Readonly<Record<string, T>>,
  scanRow: (scan: Scan, call: ts.CallExpression, name: string, row: T) => void,
): Readonly<Record<string, FunctionScan>> {
  const scans = Object.entries(rows).map(([name, row]): [string, FunctionScan] => [
    name,
    (scan, call) => scanRow(scan, call, name, row),
  ]);
  return Object.fromEntries(scans);
}

/** Servers check users, groups, uids and extra values one by one. Names that are not known need all. */
function impersonation(scan: Scan, call: ts.CallExpression): void {
  const { checker } = scan;
  const [, identity] = call.arguments;
  const value = identity === undefined ? undefined : origin(checker, identity);
  const isLiteral = value !== undefined && ts.isObjectLiteralExpression(value);
  const add = (plural: string, group: string, names?: readonly string[], namespace?: string): void => {
    const resources = [{ group, plural, isNamespaced: namespace !== undefined }];
    const scopes: readonly NeedScope[] =
      namespace === undefined ? wholeCluster : [{ type: 'namespace', name: namespace }];
    scan.add(call, ['impersonate'], { resources, scopes, names }, 'withImpersonation');
  };
  const users = stringsOf(checker, memberOf(checker, value, 'user'));
  const accounts = accountsOf(users);
  for (const { namespace, name } of accounts) add('serviceaccounts', '', [name], namespace);
  if (accounts.length === 0) add('users', '', users);
  for (const [member, plural, group] of [
    ['groups', 'groups', ''],
    ['uid', 'uids', 'authentication.k8s.io'],
  ] as const) {
    const given = memberOf(checker, value, member);
    if (given !== undefined || !isLiteral) add(plural, group, stringsOf(checker, given));
  }
  const extra = value && checker.getTypeAtLocation(value).getProperty('extra');
  const keys = extra && checker.getNonNullableType(checker.getTypeOfSymbol(extra));
  if (keys?.getStringIndexType() !== undefined) scan.unknown(call, 'the extra values of withImpersonation');
  for (const key of keys?.getProperties() ?? []) add(`userextras/${key.getName()}`, 'authentication.k8s.io');
}

function accountsOf(
  users: readonly string[] = [],
): readonly { readonly namespace: string; readonly name: string }[] {
  return users.flatMap((user) => {
    const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  });
}

/** A migration writes all objects of a resource, and the status of its definition. */
function storageMigration(scan: Scan, call: ts.CallExpression, name: string): void {
  const [, resource] = call.arguments;
  const resources = resource === undefined ? [] : scan.resources.ofName(resource);
  scan.add(call, ['list', 'patch'], { resources, scopes: wholeCluster }, name);
  const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };
  const target = {
    resources: [{ ...definitions, isNamespaced: false }],
    scopes: wholeCluster,
    names: resources.map(({ group, plural }) => `${plural}.${group}`),
  };
  scan.add(call, ['get'], target, name);
  scan.add(call, ['patch'], target, name, 'status');
}

/** A reference that blocks the deletion of its owner needs the permission to set the owner's finalizers. */
function ownerReference(
  scan: Scan,
  call: ts.CallExpression,
  owner: ts.Expression | undefined,
  options: ts.Expression | undefined,
  isBlocking: boolean,
): void {
  const option = memberOf(scan.checker, options, 'blockOwnerDeletion');
  const blocks =
    option === undefined ? isBlocking : origin(scan.checker, option).kind !== ts.SyntaxKind.FalseKeyword;
  if (!blocks || owner === undefined) return;
  const resources = scan.resources.ofObject(owner);
  scan.add(
    call,
    ['update'],
    { resources, scopes: [{ type: 'watched' }] },
    'an owner reference that blocks deletion',
    'finalizers',
  );
}

function createsInformer(scan: Scan, call: ts.CallExpression, declaration: ts.SignatureDeclaration): boolean {
  const { checker } = scan;
  const symbol = checker.getNonNullableType(checker.getTypeAtLocation(call)).getSymbol();
  if (symbol?.getName() !== 'Informer' || symbol.declarations?.some((each) => scan.isOwn(each)) !== true)
    return false;
  // Methods of generated factories: `informers.coreV1.pods()`.
  const { parent } = declaration;
  return (
    scan.isOwn(declaration) || (ts.isInterfaceDeclaration(parent) && parent.name.text.endsWith('Informers'))
  );
}

function informer(scan: Scan, call: ts.CallExpression): void {
  const { checker, resources: all } = scan;
  const [first, second] = call.arguments;
  const named = first === undefined ? [] : all.ofName(first);
  const typed = all.ofType(checker.getTypeAtLocation(call));
  // `of(pods)` has the resource as argument, the accessors of generated factories have none.
  const resources = named.length > 0 ? named : typed;
  const options = named.length > 0 || typed.length === 0 ? second : first;
  const factory = ts.isPropertyAccessExpression(call.expression)
    ? factoryOptions(scan, call.expression)
    : undefined;
  const scopes = optionScopes(checker, options) ?? optionScopes(checker, factory) ?? wholeCluster;
  for (const { isNamespaced } of resources) {
    if (isNamespaced) append(scan.caches, scopes);
    else scan.hasClusterCache = true;
  }
  scan.add(call, ['list', 'watch'], { resources, scopes }, 'informer');
}

/** Returns the options of the factory that an expression like `informers.coreV1.pods` begins with. */
function factoryOptions({ checker }: Scan, node: ts.Expression): ts.Expression | undefined {
  let root = node;
  while (ts.isPropertyAccessExpression(root) && !ts.isNewExpression(origin(checker, root)))
    root = root.expression;
  const factory = origin(checker, root);
  if (!ts.isNewExpression(factory)) return undefined;
  const [source, options] = factory.arguments ?? [];
  if (options !== undefined || source === undefined) return options;
  return undefined;
}

function watchHelper(scan: Scan, call: ts.CallExpression): void {
  const resources = scan.resources.ofType(scan.checker.getTypeAtLocation(call.expression));
  const created = origin(scan.checker, call.expression);
  const named = ts.isCallExpression(created) ? created.arguments[0] : undefined;
  const scopes = optionScopes(scan.checker, call.arguments[1]) ?? wholeCluster;
  const found = resources.length > 0 || named === undefined ? resources : scan.resources.ofName(named);
  scan.add(call, ['list', 'watch'], { resources: found, scopes }, 'watch');
}

function clientFunction(scan: Scan, call: ts.CallExpression, name: string, members: readonly string[]): void {
  const [client, second] = call.arguments;
  if (client === undefined) return;
  const found = receiverOf(scan, client);
  const { resources, scopes, names } =
    found.resources.length > 0 ? { ...found, names: undefined } : byConnection(scan, call, name);
  const object = name.startsWith('rollout') ? (names ?? stringsOf(scan.checker, second)) : undefined;
  for (const member of members) {
    for (const { verbs, subresource } of objectAccess(member) ?? []) {
      scan.add(call, verbs, { resources, scopes, names: object }, name, subresource);
      if (resources.length === 0) return;
    }
  }
}

function logMembersOf({ checker }: Scan, call: ts.CallExpression): readonly string[] {
  const [, options] = call.arguments;
  if (memberOf(checker, options, 'pod') !== undefined) return logMembers.one;
  const follow = memberOf(checker, options, 'follow');
  const isFollowed = follow !== undefined && origin(checker, follow).kind !== ts.SyntaxKind.FalseKeyword;
  return isFollowed ? logMembers.followed : logMembers.selected;
}

const kindsOfNames: Readonly<Record<string, string>> = {
  deploy: 'deployments',
  deployment: 'deployments',
  deployments: 'deployments',
  ds: 'daemonsets',
  daemonset: 'daemonsets',
  daemonsets: 'daemonsets',
  sts: 'statefulsets',
  statefulset: 'statefulsets',
  statefulsets: 'statefulsets',
};

/** Objects of a function whose first argument is a connection. */
function byConnection(
  { checker }: Scan,
  call: ts.CallExpression,
  name: string,
): Receiver & { readonly names: readonly string[] | undefined } {
  const scopes = optionScopes(checker, call.arguments.at(-1)) ?? ownNamespace;
  if (name === 'until' || name === 'untilObjects') return { resources: [], scopes, names: undefined };
  if (!name.startsWith('rollout'))
    return { resources: [{ group: '', plural: 'pods', isNamespaced: true }], scopes, names: undefined };
  const [kind = '', object = ''] = stringOf(checker, call.arguments[1])?.split('/') ?? [];
  const plural = Object.hasOwn(kindsOfNames, kind) ? kindsOfNames[kind] : undefined;
  if (plural === undefined) return { resources: [], scopes, names: undefined };
  return { resources: [{ group: 'apps', plural, isNamespaced: true }], scopes, names: [object] };
}

/** `connectRequest(podProxy, …)`: a connection to a subresource. */
function connection(scan: Scan, call: ts.CallExpression): void {
  const [descriptor, options] = call.arguments;
  const { checker } = scan;
  const text = descriptor === undefined ? undefined : connectTypeName(checker, descriptor);
  const found = text === undefined ? undefined : connectable[text];
  if (found === undefined) {
    scan.unknown(call, 'a connection');
    return;
  }
  const method = stringOf(checker, memberOf(checker, options, 'method')) ?? 'GET';
  const [verb] = methodVerbs[method] ?? ['get'];
  const { plural, subresource, isNamespaced } = found;
  const verbs = subresource === 'proxy' ? [verb] : [...new Set([verb, 'create'])];
  const scopes = scopesOf(checker, memberOf(checker, options, 'namespace'));
  const names = stringsOf(checker, memberOf(checker, options, 'name'));
  scan.add(
    call,
    verbs,
    { resources: [{ group: '', plural, isNamespaced }], scopes, names },
    'connectRequest',
    subresource,
  );
}

/** Types of the options of connections. Rules compare the whole name, as `https:web:8443` of a proxy. */
const connectable: Readonly<
  Record<string, { readonly plural: string; readonly subresource: string; readonly isNamespaced: boolean }>
> = {
  NodeProxyOptions: { plural: 'nodes', subresource: 'proxy', isNamespaced: false },
  PodAttachOptions: { plural: 'pods', subresource: 'attach', isNamespaced: true },
  PodExecOptions: { plural: 'pods', subresource: 'exec', isNamespaced: true },
  PodPortForwardOptions: { plural: 'pods', subresource: 'portforward', isNamespaced: true },
  PodProxyOptions: { plural: 'pods', subresource: 'proxy', isNamespaced: true },
  ServiceProxyOptions: { plural: 'services', subresource: 'proxy', isNamespaced: true },
};

function connectTypeName(checker: ts.TypeChecker, node: ts.Expression): string | undefined {
  const type = checker.getTypeAtLocation(node);
  const text = checker.typeToString(type);
  return /^ConnectResource<(\w+)>$/.exec(text)?.[1];
}

/** `listWatch(rest, { resource, namespace })`. */
function target(scan: Scan, call: ts.CallExpression): void {
  const [, place] = call.arguments;
  const resource = memberOf(scan.checker, place, 'resource');
  const resources = resource === undefined ? [] : scan.resources.ofName(resource);
  const scopes = scopesOf(scan.checker, memberOf(scan.checker, place, 'namespace'));
  scan.add(call, ['list', 'watch'], { resources, scopes }, 'listWatch');
}

function leases(scan: Scan, call: ts.CallExpression): void {
  const verbs = ['create', 'delete', 'get', 'list', 'update'];
  const place = memberOf(scan.checker, call.arguments[1], 'namespace');
  for (const scope of scopesOf(scan.checker, place))
    scan.addFixed(
      call,
      [{ group: 'coordination.k8s.io', resource: 'leases', verbs }],
      scope,
      'leaseRequests',
    );
}

function manifests(scan: Scan, call: ts.CallExpression, name: string, verbs: readonly string[]): void {
  const [, input, options] = call.arguments;
  const objects = input === undefined ? undefined : manifestObjects(scan, input);
  if (objects === undefined) {
    scan.unknown(call, name);
    return;
  }
  const isPruning = memberOf(scan.checker, options, 'prune') !== undefined;
  const byOption = optionScopes(scan.checker, options) ?? ownNamespace;
  for (const { resource, scopes, names } of objects) {
    const place = { resources: resource === undefined ? [] : [resource], scopes: scopes ?? byOption };
    const isDefinition = resource?.plural === 'customresourcedefinitions' && name !== 'deleteManifests';
    const open = [...verbs.filter((verb) => verb === 'create'), ...(isPruning ? ['list', 'delete'] : [])];
    const named = [...verbs.filter((verb) => verb !== 'create'), ...(isDefinition ? ['list', 'watch'] : [])];
    if (open.length > 0) scan.add(call, open, place, name);
    if (named.length > 0 && resource !== undefined) scan.add(call, named, { ...place, names }, name);
  }
}

interface ManifestObject {
  readonly resource: ResourceId | undefined;
  /** Absent if the object has no namespace. */
  readonly scopes: readonly NeedScope[] | undefined;
  readonly names: readonly string[] | undefined;
}

/** Returns the objects of manifests that the program contains. */
function manifestObjects(scan: Scan, input: ts.Expression): readonly ManifestObject[] | undefined {
  const { checker } = scan;
  const text = stringOf(checker, input);
  if (text !== undefined) return writtenObjects(scan, text);
  const value = origin(checker, input);
  if (memberOf(checker, value, 'files') !== undefined) return undefined;
  const items = ts.isArrayLiteralExpression(value) ? value.elements : [value];
  return items.map((item) => {
    const [resource] = scan.resources.ofObject(item);
    const object = origin(checker, item);
    const literal = ts.isCallExpression(object) ? object.arguments.at(-1) : object;
    const metadata = memberOf(checker, literal, 'metadata');
    const place = memberOf(checker, metadata, 'namespace');
    const names = stringsOf(checker, memberOf(checker, metadata, 'name'));
    return { resource, scopes: place === undefined ? undefined : scopesOf(checker, place), names };
  });
}

function writtenObjects(scan: Scan, text: string): readonly ManifestObject[] | undefined {
  try {
    const documents: unknown[] = loadAll(text);
    return documents.filter(isObject).map((object) => {
      const metadata = isObject(object['metadata']) ? object['metadata'] : {};
      const [name, namespace] = [metadata['name'], metadata['namespace']];
      const resource = scan.resources.ofKind(String(object['apiVersion']), String(object['kind']));
      return {
        resource,
        scopes: typeof namespace === 'string' ? [{ type: 'namespace', name: namespace }] : undefined,
        names: typeof name === 'string' ? [name] : undefined,
      };
    });
  } catch {
    return undefined;
  }
}
