/** Places whose requests the types do not show: values of type `any`, computed names, and code of others. */
import { ts } from 'ts-morph';
import { isRequestFunction } from '../functions.ts';
import { fixedFunctions, isClientInterface, objectAccess, subresourceVerb } from '../requests.ts';
import type { Scan } from '../scan.ts';
import { wholeCluster } from '../scopes.ts';
import { bare, origin, stringOf } from '../values.ts';

/** Adds the needs of a call or of a creation, as far as its types do not show them, or reports it. */
export function scanUnseenCall(scan: Scan, call: ts.CallExpression | ts.NewExpression): void {
  if (ts.isCallExpression(call)) {
    if (call.expression.kind === ts.SyntaxKind.ImportKeyword) computedModule(scan, call);
    else untypedMember(scan, call);
  }
  foreignCall(scan, call);
}

function computedModule(scan: Scan, call: ts.CallExpression): void {
  const [name] = call.arguments;
  if (name !== undefined && ts.isStringLiteralLike(name)) return;
  scan.unseen(call, 'the imported module is not known at compile time, nor are its requests');
}

/** A member of `any` that has the name of a request. */
function untypedMember(scan: Scan, call: ts.CallExpression): void {
  const { checker } = scan;
  if (!isAny(checker.getTypeAtLocation(call.expression))) return;
  const callee = origin(checker, call.expression);
  const name = memberOfAny(checker, callee);
  if (name === undefined || isOtherMember(name, call.arguments[0])) return;
  const place = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  const at = place.getSourceFile() === call.getSourceFile() ? place : call;
  scan.unknown(at, `${name} of a value of type any`);
}

const isAny = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Any) !== 0;

function memberOfAny(checker: ts.TypeChecker, callee: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee)) {
    if (!isAny(checker.getTypeAtLocation(callee.expression))) return undefined;
    return ts.isPropertyAccessExpression(callee)
      ? callee.name.text
      : stringOf(checker, callee.argumentExpression);
  }
  const declaration = checker.getSymbolAtLocation(callee)?.valueDeclaration;
  if (declaration === undefined || !ts.isBindingElement(declaration)) return undefined;
  const name = declaration.propertyName ?? declaration.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

/** Returns whether a member of `any` is none of clients, or one of arrays and functions of that name. */
function isOtherMember(name: string, first: ts.Expression | undefined): boolean {
  if (objectAccess(name) === undefined && subresourceVerb(name) === undefined) return true;
  if (first === undefined) return false;
  const value = bare(first);
  const isFunction = ts.isArrowFunction(value) || ts.isFunctionExpression(value);
  const isReceiver = value.kind === ts.SyntaxKind.ThisKeyword || value.kind === ts.SyntaxKind.NullKeyword;
  return isFunction || ((name === 'bind' || name === 'apply') && isReceiver);
}

/** A call of code that is not part of the program, with a value that can send requests. */
function foreignCall(scan: Scan, call: ts.CallExpression | ts.NewExpression): void {
  const { checker } = scan;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return;
  const source = declaration.getSourceFile();
  if (!scan.isForeign(source) || isDerived(scan, call)) return;
  const values = (call.arguments ?? []).filter((each, index) => {
    const parameter = declaration.parameters[Math.min(index, declaration.parameters.length - 1)];
    return !isPassedThrough(checker, parameter) && canRequest(scan, checker.getTypeAtLocation(each), 2);
  });
  if (values.length === 0) return;
  const owner = scan.packageOf(source);
  scan.unseen(
    call,
    `${bare(call.expression).getText()} of ${owner === '' ? scan.fileName(source) : `the package ${owner}`} receives a client or its configuration, and its requests are not known`,
  );
}

/** Generated clientsets and factories, which may be those of a package, are subclasses of the runtime's. */
function isDerived(scan: Scan, call: ts.Expression): boolean {
  if (!ts.isNewExpression(call)) return false;
  const type = scan.checker.getTypeAtLocation(call);
  const bases = type.isClassOrInterface() ? scan.checker.getBaseTypes(type) : [];
  return bases.some((base) => base.getSymbol()?.declarations?.some((each) => scan.isOwn(each)));
}

/** Functions can call nothing of a type parameter, such as that of `memoize(value: T)`. */
function isPassedThrough(checker: ts.TypeChecker, parameter: ts.ParameterDeclaration | undefined): boolean {
  if (parameter === undefined) return false;
  const type = checker.getTypeAtLocation(parameter);
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
  return item.isTypeParameter() && item.getConstraint() === undefined;
}

const connections: ReadonlySet<string> = new Set(['ClusterConfig', 'Kubeconfig', 'Manager', 'ClientsetBase']);

/** Returns whether a value of a type can send requests, or has members that can. */
function canRequest(scan: Scan, type: ts.Type, depth: number): boolean {
  const { checker } = scan;
  if (type.isUnionOrIntersection()) return type.types.some((each) => canRequest(scan, each, depth));
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item !== undefined) return depth > 0 && canRequest(scan, item, depth - 1);
  const symbol = type.getSymbol();
  if (connections.has(symbol?.getName() ?? '') && symbol?.declarations?.some((each) => scan.isOwn(each)))
    return true;
  return checker.getPropertiesOfType(type).some((property) => {
    const owner = scan.ownerOf(property);
    if (owner !== undefined) return connections.has(owner) || isClientInterface(owner);
    const isWritten = property.declarations?.some((each) => !each.getSourceFile().isDeclarationFile);
    return depth > 0 && isWritten === true && canRequest(scan, checker.getTypeOfSymbol(property), depth - 1);
  });
}

/** Adds the needs of a function of the runtime that is passed on, in place of being called. */
export function scanPassedFunction(scan: Scan, node: ts.Expression): void {
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return;
  if (!isPassedOn(node)) return;
  const declaration = scan.checker.getTypeAtLocation(node).getSymbol()?.valueDeclaration;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration) || !scan.isOwn(declaration)) return;
  const name = declaration.name?.text ?? '';
  const fixed = Object.hasOwn(fixedFunctions, name) ? fixedFunctions[name] : undefined;
  if (fixed !== undefined) for (const scope of wholeCluster) scan.addFixed(node, fixed, scope, name);
  else if (isRequestFunction(name)) scan.unknown(node, `${name}, which is passed on,`);
}

/** Calls of a constant are found by its type. */
function isPassedOn(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression !== node;
  if (ts.isPropertyAccessExpression(parent) || ts.isBindingElement(parent)) return false;
  return (
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent)
  );
}
