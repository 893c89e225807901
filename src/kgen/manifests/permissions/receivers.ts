/** Resources and namespaces of the clients whose members a program uses. */
import { ts } from 'ts-morph';
import type { NeedScope } from './needs.ts';
import type { ResourceId } from './resources.ts';
import type { Scan } from './scan.ts';
import { scopesOf, wholeCluster } from './scopes.ts';
import { origin, stringOf } from './values.ts';

/** The objects of a client. */
export interface Receiver {
  /** Empty if they are not known. */
  readonly resources: readonly ResourceId[];
  readonly scopes: readonly NeedScope[];
  readonly subresource?: string | undefined;
}

/** Returns the objects of a client, by its type, and by the calls that have created it. */
export function receiverOf(scan: Scan, node: ts.Expression, depth = 0): Receiver {
  const typed = scan.resources.ofType(scan.checker.getTypeAtLocation(node));
  const known = depth > 10 ? undefined : creation(scan, node, depth);
  if (known === undefined) return { resources: typed, scopes: wholeCluster };
  return typed.length > 0 ? { ...known, resources: typed } : known;
}

function creation(scan: Scan, node: ts.Expression, depth: number): Receiver | undefined {
  const { checker, resources } = scan;
  const made = origin(checker, node);
  // `const { client } = await objects.clientFor(object)`, and `place.client`.
  if (ts.isPropertyAccessExpression(made)) return creation(scan, made.expression, depth + 1);
  const call = ts.isCallExpression(made) ? made : destructured(checker, made);
  if (call === undefined || !isGiven(scan, call)) return undefined;
  const { expression: callee, arguments: given } = call;
  const [first, second] = given;
  const inner = (): Receiver | undefined =>
    ts.isPropertyAccessExpression(callee) ? receiverOf(scan, callee.expression, depth + 1) : undefined;
  const named = (name: ts.Expression | undefined): Receiver => ({
    resources: name === undefined ? [] : resources.ofName(name),
    scopes: wholeCluster,
  });
  switch (ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText()) {
    case 'in':
    case 'namespace':
      return { resources: [], ...inner(), scopes: scopesOf(checker, first) };
    case 'subresource':
      return { resources: [], scopes: wholeCluster, ...inner(), subresource: stringOf(checker, first) };
    case 'resource':
      return named(ts.isPropertyAccessExpression(callee) ? first : second);
    case 'clientFor':
      return { resources: first === undefined ? [] : resources.ofObject(first), scopes: wholeCluster };
    default:
      // An accessor of a clientset: `coreV1.pods('shop')`.
      return { resources: [], scopes: scopesOf(checker, first) };
  }
}

/** Returns whether a function is one of the runtime or of generated code, whose arguments are known. */
function isGiven(scan: Scan, call: ts.CallExpression): boolean {
  const declaration = scan.checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return false;
  if (scan.isOwn(declaration)) return true;
  // Accessors of a group: `coreV1.pods('shop')`.
  return ts.isMethodSignature(declaration) && scan.resources.isModule(declaration.getSourceFile());
}

/** Returns the call whose result was destructured to a name. */
function destructured(checker: ts.TypeChecker, node: ts.Expression): ts.CallExpression | undefined {
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isBindingElement(declaration)) return undefined;
  const variable = declaration.parent.parent;
  if (!ts.isVariableDeclaration(variable) || variable.initializer === undefined) return undefined;
  const value = origin(checker, variable.initializer);
  return ts.isCallExpression(value) ? value : undefined;
}
