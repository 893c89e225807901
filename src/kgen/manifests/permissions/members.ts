/** Needs of the members of clients that a program uses, whether it calls them or passes them on. */
import { ts } from 'ts-morph';
import { pathRequest } from './paths.ts';
import { type Receiver, receiverOf } from './receivers.ts';
import {
  isClientInterface,
  isCollectionMember,
  isObjectArgument,
  isRestricted,
  type MemberAccess,
  objectAccess,
  objectInterfaces,
  subresourceInterfaces,
  subresourceVerb,
} from './requests.ts';
import type { Scan } from './scan.ts';
import { ownNamespace, scopesOf, wholeCluster } from './scopes.ts';
import { viewsOf } from './unseen/views.ts';
import { memberOf, stringsOf } from './values.ts';

/** A member of a client, where a program refers to it. */
interface Reference {
  readonly node: ts.Node;
  /** Interface that declares it. */
  readonly owner: string;
  readonly name: string;
  /** Client; absent if it is destructured from a pattern. */
  readonly client?: ts.Expression | undefined;
  readonly type: ts.Type;
  readonly call?: ts.CallExpression | undefined;
}

/** Adds the needs of a client that is passed on as a type of the program: of the members that it has. */
export function scanPassedClient(scan: Scan, node: ts.Expression): void {
  for (const { name, owner, type, isDirect } of viewsOf(scan, node)) {
    const access = objectAccess(name) ?? [];
    objectRequest(scan, { node, owner, name, client: isDirect ? node : undefined, type }, access);
  }
}

/** Adds the needs of a member to which a node refers. */
export function scanMember(scan: Scan, node: ts.Node): void {
  for (const reference of referencesAt(scan, node)) scanReference(scan, reference);
}

function scanReference(scan: Scan, reference: Reference): void {
  const { node, owner, name } = reference;
  const access = objectInterfaces.has(owner) ? objectAccess(name) : undefined;
  if (access !== undefined) objectRequest(scan, reference, access);
  else if (subresourceInterfaces.has(owner)) subresourceRequest(scan, reference);
  else if (owner === 'ScaleVerbs') scaleRequest(scan, reference);
  else if (owner === 'ObjectsClient') unstructuredRequest(scan, reference);
  else if (owner === 'RESTClient') pathRequest(scan, name, reference);
  else if (owner === 'OwnedDependents' && name === 'finalize') scan.hasDeletions = true;
  else if ((owner === 'RegardingEvents' || owner === 'EventRecorder') && name === 'event') events(scan, node);
}

function events(scan: Scan, node: ts.Node): void {
  const event = { group: 'events.k8s.io', resource: 'events', verbs: ['create', 'patch'] };
  scan.addFixed(node, [event], { type: 'watched' }, 'event');
}

function referencesAt(scan: Scan, node: ts.Node): readonly Reference[] {
  const { checker } = scan;
  const client =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
      ? node.expression
      : destructured(node);
  if (client === undefined) return [];
  const type = checker.getTypeAtLocation(client);
  const names = memberNames(scan, node);
  if (names === undefined) {
    computedMember(scan, node, type);
    return [];
  }
  const call = isCallee(node) ? node.parent : undefined;
  const value = ts.isExpression(client) ? client : undefined;
  return names.flatMap((name) => {
    const owner = scan.ownerOf(checker.getNonNullableType(type).getProperty(name));
    return owner === undefined ? [] : [{ node: nameNode(node), owner, name, client: value, type, call }];
  });
}

/** `client[name]`, whose name the program computes. */
function computedMember(scan: Scan, node: ts.Node, type: ts.Type): void {
  const { checker } = scan;
  const isClient = checker.getPropertiesOfType(checker.getNonNullableType(type)).some((member) => {
    const owner = scan.ownerOf(member);
    return owner !== undefined && isClientInterface(owner);
  });
  if (isClient)
    scan.unseen(node, 'the member of the client is not known at compile time, nor are its requests');
}

/** Returns the value of `const { get } = value` and `({ get } = value)`, or a pattern without a value. */
function destructured(node: ts.Node): ts.Node | undefined {
  if (ts.isBindingElement(node)) {
    if (!ts.isObjectBindingPattern(node.parent)) return undefined;
    const { parent: variable } = node.parent;
    return (ts.isVariableDeclaration(variable) ? variable.initializer : undefined) ?? node.parent;
  }
  if (!ts.isShorthandPropertyAssignment(node) && !ts.isPropertyAssignment(node)) return undefined;
  const { parent: assignment } = node.parent;
  const isTarget =
    ts.isBinaryExpression(assignment) &&
    assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    assignment.left === node.parent;
  return isTarget ? assignment.right : undefined;
}

function isCallee(node: ts.Node): node is ts.Node & { readonly parent: ts.CallExpression } {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

function nameNode(node: ts.Node): ts.Node {
  return ts.isPropertyAccessExpression(node) ? node.name : node;
}

/** Returns the names of a member; `undefined` if the program computes it. */
function memberNames({ checker }: Scan, node: ts.Node): readonly string[] | undefined {
  if (ts.isPropertyAccessExpression(node)) return [node.name.text];
  if (ts.isElementAccessExpression(node)) return stringsOf(checker, node.argumentExpression);
  const name = ts.isBindingElement(node) ? (node.propertyName ?? node.name) : namedMember(node);
  if (name === undefined) return [];
  if (ts.isComputedPropertyName(name)) return stringsOf(checker, name.expression);
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? [name.text] : [];
}

function namedMember(node: ts.Node): ts.PropertyName | undefined {
  return ts.isShorthandPropertyAssignment(node) || ts.isPropertyAssignment(node) ? node.name : undefined;
}

function objectRequest(scan: Scan, reference: Reference, accesses: readonly MemberAccess[]): void {
  const { name } = reference;
  const { resources, scopes } = receiver(scan, reference);
  const names = namesOf(scan, reference);
  for (const access of accesses) {
    const named = names === undefined ? [] : access.verbs.filter((verb) => isRestricted(name, access, verb));
    const others = access.verbs.filter((verb) => !named.includes(verb));
    const { subresource } = access;
    for (const [verbs, objects] of [
      [others, { resources, scopes }],
      [named, { resources, scopes, names }],
    ] as const)
      if (verbs.length > 0) scan.add(reference.node, verbs, objects, name, subresource);
    if (resources.length === 0) return;
  }
  if (name === 'portForward' || name === 'portForwardStream') forwarded(scan, reference, scopes);
}

function receiver(scan: Scan, { client, type, call }: Reference): Receiver {
  const typed = scan.resources.ofType(type);
  const known: Receiver =
    client === undefined ? { resources: typed, scopes: wholeCluster } : receiverOf(scan, client);
  const found = known.resources.length === 0 ? { ...known, resources: typed } : known;
  if (found.resources.length > 0 || call === undefined) return found;
  // Clients of a type of the program: the response names the resource.
  const response = scan.checker.getTypeAtLocation(call);
  return { ...found, resources: scan.resources.ofType(response) };
}

/** Returns the names of the objects of a call, if they are literals. */
function namesOf({ checker }: Scan, { name, call }: Reference): readonly string[] | undefined {
  const [first] = call?.arguments ?? [];
  if (first === undefined || isCollectionMember(name)) return undefined;
  if (!isObjectArgument(name)) return stringsOf(checker, first);
  return stringsOf(checker, memberOf(checker, memberOf(checker, first, 'metadata'), 'name'));
}

/** Objects that are read to find the pod and the port of a port-forward. */
function forwarded(scan: Scan, { node, name, call }: Reference, scopes: Receiver['scopes']): void {
  const [target, port] = call?.arguments ?? [];
  const { checker } = scan;
  const read = (resource: string, group: string, verb: string): void => {
    for (const scope of scopes) scan.addFixed(node, [{ group, resource, verbs: [verb] }], scope, name);
  };
  const isName = target !== undefined && isText(checker.getTypeAtLocation(target));
  const ports = port && (memberOf(checker, port, 'ports') ?? port);
  const hasNamedPort =
    ports === undefined || stringsOf(checker, ports)?.every((each) => /^[\d:]+$/.test(each)) !== true;
  if (isName) {
    const isNumber = ports !== undefined && areNumbers(checker, ports);
    if (hasNamedPort && !isNumber) read('pods', '', 'get');
    return;
  }
  read('pods', '', 'list');
  const kinds = {
    service: ['services', ''],
    deployment: ['deployments', 'apps'],
    statefulSet: ['statefulsets', 'apps'],
  } as const;
  for (const [member, [resource, group]] of Object.entries(kinds)) {
    const type = target && checker.getTypeAtLocation(target);
    const types = type?.isUnion() ? type.types : [type];
    if (type === undefined || types.some((each) => each?.getProperty(member) !== undefined))
      read(resource, group, 'get');
  }
}

const isText = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.StringLike) !== 0;

function areNumbers(checker: ts.TypeChecker, ports: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(ports);
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
  const members = item.isUnion() ? item.types : [item];
  return members.every(({ flags }) => (flags & ts.TypeFlags.NumberLike) !== 0);
}

function subresourceRequest(scan: Scan, reference: Reference): void {
  const verb = subresourceVerb(reference.name);
  if (verb === undefined) return;
  const { resources, scopes, subresource } = receiver(scan, reference);
  const [first] = reference.call?.arguments ?? [];
  const names = stringsOf(scan.checker, first);
  const reason = `${reference.name} of the subresource ${subresource ?? ''}`.trimEnd();
  if (subresource === undefined) {
    scan.unknown(reference.node, reason);
    return;
  }
  scan.add(reference.node, [verb], { resources, scopes, names }, reason, subresource);
}

function scaleRequest(scan: Scan, { node, name, call }: Reference): void {
  const [resource, object] = call?.arguments ?? [];
  const { checker } = scan;
  const resources = resource === undefined ? [] : scan.resources.ofName(resource);
  const metadata = memberOf(checker, object, 'metadata') ?? object;
  const place = memberOf(checker, metadata, 'namespace');
  const names = stringsOf(checker, memberOf(checker, metadata, 'name'));
  const verb = name === 'apply' ? 'patch' : name;
  scan.add(
    node,
    [verb],
    { resources, scopes: scopesOf(checker, place), names },
    `${name} of a scale`,
    'scale',
  );
}

function unstructuredRequest(scan: Scan, { node, name, call }: Reference): void {
  const access = objectAccess(name);
  if (access === undefined) return;
  const [object] = call?.arguments ?? [];
  const { checker } = scan;
  const metadata = memberOf(checker, object, 'metadata');
  const place = memberOf(checker, metadata, 'namespace');
  const resources = object === undefined ? [] : scan.resources.ofObject(object);
  const scopes = place === undefined && metadata !== undefined ? ownNamespace : scopesOf(checker, place);
  const names = stringsOf(checker, memberOf(checker, metadata, 'name'));
  for (const { verbs } of access) {
    const restricted = names === undefined ? [] : verbs.filter((verb) => verb !== 'create');
    const others = verbs.filter((verb) => !restricted.includes(verb));
    if (others.length > 0) scan.add(node, others, { resources, scopes }, name);
    if (restricted.length > 0) scan.add(node, restricted, { resources, scopes, names }, name);
    if (resources.length === 0) return;
  }
}
