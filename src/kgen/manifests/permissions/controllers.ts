/** Needs of managers, controllers, dependents and elections. */
import { ts } from 'ts-morph';
import { append } from '../../common/problems.ts';
import { leaseVerbs } from './requests.ts';
import { type ResourceId, typeArguments } from './resources.ts';
import type { Scan } from './scan.ts';
import { optionScopes, ownNamespace, wholeCluster } from './scopes.ts';
import { bare, hasMember, memberOf, origin, stringOf, stringsOf, symbolAt } from './values.ts';

type Creation = ts.NewExpression | ts.CallExpression;

/** Adds the needs of an object that a program creates, also by `super(…)` of a subclass. */
export function scanCreation(scan: Scan, node: Creation): void {
  const isSuper = node.expression.kind === ts.SyntaxKind.SuperKeyword;
  if (ts.isCallExpression(node) && !isSuper) return;
  const name = createdClass(scan, scan.checker.getTypeAtLocation(isSuper ? node.expression : node));
  const [first, second] = node.arguments ?? [];
  const options = name === 'Manager' ? second : name === 'Controller' ? first : undefined;
  if (options !== undefined && !ts.isObjectLiteralExpression(origin(scan.checker, options)))
    scan.unseen(options, `the options of the ${name} are not known at compile time, nor are their requests`);
  if (name === 'Manager') manager(scan, second);
  else if (name === 'Controller') controller(scan, node, first);
  else if (name === 'OwnedDependents') ownedDependents(scan, node, first);
  else if (name === 'LeaderElector') election(scan, second, node);
}

/** Returns the class of the runtime or of the controllers that a constructor initializes. */
function createdClass(scan: Scan, type: ts.Type): string | undefined {
  const symbol = type.getSymbol();
  if (symbol?.declarations?.some((each) => scan.isOwn(each))) return symbol.getName();
  const hasConstructor = symbol?.declarations?.some(
    (each) => ts.isClassLike(each) && each.members.some(ts.isConstructorDeclaration),
  );
  // `super(…)` of the constructor has the arguments.
  if (hasConstructor !== false || !type.isClassOrInterface()) return undefined;
  const [base] = scan.checker.getBaseTypes(type);
  return base === undefined ? undefined : createdClass(scan, base);
}

function manager(scan: Scan, options: ts.Expression | undefined): void {
  const { checker } = scan;
  const elected = memberOf(checker, options, 'leaderElection');
  if (elected !== undefined) election(scan, elected, elected.parent);
  const ring = memberOf(checker, options, 'sharding');
  // The first of them is the name, as in the constructor of the manager.
  const node = [options, elected, ring]
    .map((each) => memberOf(checker, each, 'name'))
    .find((each) => each !== undefined);
  const name = stringOf(checker, node);
  if (node !== undefined && name !== undefined) scan.managers.push({ name, node });
  if (ring !== undefined) {
    const leases = { group: 'coordination.k8s.io', resource: 'leases', verbs: leaseVerbs.ring };
    for (const scope of optionScopes(checker, ring) ?? ownNamespace)
      scan.addFixed(ring.parent, [leases], scope, 'sharding');
  }
  const metrics = memberOf(checker, options, 'metrics');
  if (metrics !== undefined) served(scan, metrics);
}

function served(scan: Scan, metrics: ts.Expression): void {
  const { checker } = scan;
  const port = memberOf(checker, metrics, 'port');
  const tls = memberOf(checker, metrics, 'tls');
  const authorized = memberOf(checker, metrics, 'authorize');
  const isSecure = tls !== undefined && origin(checker, tls).getText() !== 'undefined';
  const isSet = (node: ts.Expression | undefined): boolean =>
    node !== undefined && origin(checker, node).kind !== ts.SyntaxKind.FalseKeyword;
  const isAuthorized = isSet(authorized);
  const hasRecording = isSet(memberOf(checker, metrics, 'recording'));
  const stated = port && origin(checker, port);
  const known = stated !== undefined && ts.isNumericLiteral(stated) ? Number(stated.text) : 0;
  // A port that the program computes is that of the manifests by default.
  scan.metrics ??= { port: known || (isSecure ? 8443 : 8080), isSecure, isAuthorized, hasRecording };
  if (authorized === undefined || !isAuthorized) return;
  const reviews = [
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'] },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'] },
  ];
  scan.addFixed(authorized.parent, reviews, { type: 'cluster' }, 'access to the metrics');
}

/** RBAC cannot restrict the creation of a Lease to its name. */
function election(scan: Scan, options: ts.Expression | undefined, node: ts.Node): void {
  const { checker } = scan;
  const lease: ResourceId = { group: 'coordination.k8s.io', plural: 'leases', isNamespaced: true };
  const names = stringsOf(checker, memberOf(checker, options, 'name'));
  const objects = { resources: [lease], scopes: optionScopes(checker, options) ?? ownNamespace };
  scan.add(node, ['create'], objects, 'leader election');
  scan.add(node, leaseVerbs.named, { ...objects, names }, 'leader election');
}

const watched = [{ type: 'watched' }] as const;

/** Finalizers are patched. Lists and watches are those of the informers. */
function controller(scan: Scan, node: Creation, options: ts.Expression | undefined): void {
  const { checker } = scan;
  const finalizes = ['finalize', 'finalizer', 'formerFinalizers'].some((name) =>
    hasMember(checker, options, name),
  );
  if (!finalizes) return;
  const resources = primaryOf(scan, node, memberOf(checker, options, 'for'));
  scan.add(node, ['patch'], { resources, scopes: watched }, 'finalizer of the controller');
}

/** Returns the resources of the type of the reconciled objects, or of the informers. */
function primaryOf(scan: Scan, node: Creation, sources: ts.Expression | undefined): readonly ResourceId[] {
  const typed = firstArgument(scan, node);
  if (typed.length > 0 || sources === undefined) return typed;
  const value = origin(scan.checker, sources);
  const items = ts.isArrayLiteralExpression(value) ? [...value.elements] : [value];
  return items.flatMap((item) => informerResources(scan, memberOf(scan.checker, item, 'informer') ?? item));
}

function firstArgument({ checker, resources }: Scan, node: Creation): readonly ResourceId[] {
  const [first] = typeArguments(checker, checker.getTypeAtLocation(node));
  return first === undefined ? [] : resources.ofType(first);
}

function informerResources({ checker, resources }: Scan, node: ts.Expression): readonly ResourceId[] {
  const typed = resources.ofType(checker.getTypeAtLocation(node));
  if (typed.length > 0) return typed;
  const call = origin(checker, node);
  const [named] = ts.isCallExpression(call) ? call.arguments : [];
  return named === undefined ? [] : resources.ofName(named);
}

/** The owner of dependents is in references that block its deletion. */
function ownedDependents(scan: Scan, node: Creation, list: ts.Expression | undefined): void {
  const value = list === undefined ? undefined : origin(scan.checker, list);
  const items = value !== undefined && ts.isArrayLiteralExpression(value) ? [...value.elements] : [];
  const declarations = items.map((item) => declarationOf(scan, item));
  const isLabelled = declarations.length > 0 && declarations.every((each) => isTrackedByLabels(scan, each));
  if (isLabelled) return;
  const resources = firstArgument(scan, node);
  const reason = 'owner references of dependents, which block deletion';
  scan.add(node, ['update'], { resources, scopes: watched }, reason, 'finalizers');
}

function declarationOf({ checker }: Scan, item: ts.Expression): ts.Expression {
  const value = origin(checker, item);
  return ts.isCallExpression(value) ? (value.arguments[0] ?? value) : value;
}

function isTrackedByLabels({ checker }: Scan, declaration: ts.Expression): boolean {
  return stringsOf(checker, memberOf(checker, declaration, 'trackedBy'))?.join() === 'labels';
}

/** Adds the needs of a literal that is a dependent by the type that is expected of it. */
export function scanDependentLiteral(scan: Scan, node: ts.ObjectLiteralExpression): void {
  const symbol = scan.checker.getContextualType(node)?.getSymbol();
  if (
    symbol?.getName() !== 'OwnedDependent' ||
    symbol.declarations?.some((each) => scan.isOwn(each)) !== true
  )
    return;
  const call = ts.isCallExpression(node.parent) ? scan.checker.getResolvedSignature(node.parent) : undefined;
  // `dependent({ … })` is a function of its own.
  const isFunction =
    call?.declaration?.kind === ts.SyntaxKind.FunctionDeclaration && scan.isOwn(call.declaration);
  if (!isFunction) scanDependent(scan, node, node);
}

/** Adds the needs of a dependent, which is created and then applied. */
export function scanDependent(scan: Scan, declaration: ts.Expression | undefined, node: ts.Node): void {
  const { checker } = scan;
  const informer = memberOf(checker, declaration, 'informer');
  if (declaration === undefined || informer === undefined) {
    scan.unknown(node, 'a dependent');
    return;
  }
  const objects = { resources: informerResources(scan, informer), scopes: watched };
  scan.add(node, ['create', 'patch'], objects, 'dependent');
  if (isReplaced(scan, declaration))
    scan.add(node, ['delete'], objects, 'dependent that is not always desired');
  else append(scan.deletions, scan.needsOf(node, ['delete'], objects, 'dependent that `finalize` deletes'));
}

/** Returns whether objects of a dependent may be deleted while the primary object exists. */
function isReplaced({ checker }: Scan, declaration: ts.Expression): boolean {
  const recreate = memberOf(checker, declaration, 'recreate');
  if (recreate !== undefined && origin(checker, recreate).kind !== ts.SyntaxKind.FalseKeyword) return true;
  if (hasMember(checker, declaration, 'precondition') || hasMember(checker, declaration, 'dependsOn'))
    return true;
  const type = checker.getTypeAtLocation(declaration).getProperty('desired');
  const [signature] = type === undefined ? [] : checker.getTypeOfSymbol(type).getCallSignatures();
  if (signature === undefined || mayBeUndefined(signature.getReturnType())) return true;
  return !isNamedByOwner(checker, signature.declaration);
}

function mayBeUndefined(type: ts.Type): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.some(({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0);
}

/**
 * Returns whether the name of the object that a function returns depends on the identity of its argument
 * only. Otherwise a change of the primary object leaves an object with the former name, which is deleted.
 */
function isNamedByOwner(checker: ts.TypeChecker, declaration: ts.Node | undefined): boolean {
  const objects = returnedObjects(declaration);
  return objects.length > 0 && objects.every((object) => isConstant(checker, nameIn(checker, object)));
}

function returnedObjects(declaration: ts.Node | undefined): readonly ts.Expression[] {
  if (declaration === undefined || !ts.isFunctionLike(declaration)) return [];
  if (!('body' in declaration) || declaration.body === undefined) return [];
  const { body } = declaration;
  if (!ts.isBlock(body)) return [bare(body)];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(bare(node.expression));
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

function nameIn(checker: ts.TypeChecker, object: ts.Expression): ts.Expression | undefined {
  const metadata = memberOf(checker, called(checker, object), 'metadata');
  return metadata && memberOf(checker, called(checker, metadata), 'name');
}

/** Returns the object that a function of the program returns, for its call. */
function called(checker: ts.TypeChecker, node: ts.Expression): ts.Expression {
  const value = origin(checker, node);
  if (!ts.isCallExpression(value)) return value;
  // `setControllerReference(object, owner)` and similar functions return their argument.
  const [object] = returnedObjects(checker.getResolvedSignature(value)?.declaration);
  return object ?? value.arguments[0] ?? value;
}

/** Returns whether an expression is a literal, or the name, namespace or uid of an object. */
function isConstant(checker: ts.TypeChecker, node: ts.Expression | undefined): boolean {
  if (node === undefined) return false;
  const value = origin(checker, node);
  if (ts.isStringLiteralLike(value)) return true;
  if (ts.isTemplateExpression(value))
    return value.templateSpans.every(({ expression }) => isConstant(checker, expression));
  if (ts.isBinaryExpression(value))
    return isConstant(checker, value.left) && isConstant(checker, value.right);
  if (ts.isPropertyAccessExpression(value))
    return isIdentityMember(checker, value.name.text, value.expression);
  const declaration = symbolAt(checker, value)?.valueDeclaration;
  if (declaration === undefined || !ts.isBindingElement(declaration)) return false;
  const name = declaration.propertyName ?? declaration.name;
  return ts.isIdentifier(name) && isIdentityMember(checker, name.text, declaration.parent);
}

function isIdentityMember(checker: ts.TypeChecker, name: string, owner: ts.Node): boolean {
  if (!['name', 'namespace', 'uid'].includes(name)) return false;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(owner));
  return type.getProperty('ownerReferences') !== undefined;
}

/** Adds the needs of the configurations of webhooks, and of the definitions that they convert. */
export function scanRegistration(scan: Scan, call: ts.CallExpression, verbs: readonly string[]): void {
  const { checker } = scan;
  const [, declarations, options] = call.arguments;
  const reason = 'registration of webhooks';
  const names = stringsOf(checker, memberOf(checker, options, 'name'));
  const resource = (group: string, plural: string): ResourceId => ({ group, plural, isNamespaced: false });
  const group = 'admissionregistration.k8s.io';
  const resources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map((plural) =>
    resource(group, plural),
  );
  const named = verbs.filter((verb) => verb !== 'create');
  if (named.length < verbs.length) scan.add(call, ['create'], { resources, scopes: wholeCluster }, reason);
  scan.add(call, named, { resources, scopes: wholeCluster, names }, reason);
  const definitions = convertedDefinitions(scan, declarations);
  if (definitions?.length === 0) return;
  const kind = [resource('apiextensions.k8s.io', 'customresourcedefinitions')];
  scan.add(call, ['get', 'patch'], { resources: kind, scopes: wholeCluster, names: definitions }, reason);
}

/** Returns the names of the definitions that declarations convert; `undefined` if they are not known. */
function convertedDefinitions(
  { checker, resources }: Scan,
  declarations: ts.Expression | undefined,
): readonly string[] | undefined {
  const list = declarations === undefined ? undefined : origin(checker, declarations);
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
  const found = list.elements.map((element) => {
    if (checker.getTypeAtLocation(element).getSymbol()?.getName() === 'AdmissionWebhook') return [];
    const declaration = origin(checker, element);
    const hub = ts.isCallExpression(declaration) ? declaration.arguments[0] : undefined;
    const known = hub === undefined ? [] : resources.ofName(hub);
    return known.length === 0 ? undefined : known.map(({ group, plural }) => `${plural}.${group}`);
  });
  return found.every((names) => names !== undefined) ? found.flat() : undefined;
}
