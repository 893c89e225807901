/** Clients that are passed on as types of the program, such as `interface Getter { get(name: string) }`. */
import { ts } from 'ts-morph';
import { isClientInterface, objectAccess } from '../requests.ts';
import { typeArguments } from '../resources.ts';
import type { Scan } from '../scan.ts';
import { bare, origin } from '../values.ts';

/** Members of a client that a value of another type has. */
export interface View {
  readonly name: string;
  /** Interface of the runtime that declares the member. */
  readonly owner: string;
  readonly type: ts.Type;
  /** Whether the value itself is the client, in place of one of its members or results. */
  readonly isDirect: boolean;
}

/**
 * Returns the members of clients that an expression makes available as members of a type of the program.
 * Members of the runtime's types are found where they are used.
 */
export function viewsOf(scan: Scan, node: ts.Expression): readonly View[] {
  const isValue =
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAsExpression(node);
  if (!isValue || isSatisfying(node.parent)) return [];
  const { checker } = scan;
  const expected = declaredType(checker, node) ?? checker.getContextualType(node);
  if (expected === undefined) return [];
  const source = checker.getTypeAtLocation(ts.isAsExpression(node) ? origin(checker, bare(node)) : node);
  const found: View[] = [];
  compare(scan, source, expected, { found, seen: new Map(), depth: 0 });
  return found;
}

/** The type of `satisfies` is not that of its value, whose members are found where they are used. */
function isSatisfying(parent: ts.Node): boolean {
  if (ts.isSatisfiesExpression(parent)) return true;
  const isPart =
    ts.isObjectLiteralExpression(parent) ||
    ts.isObjectLiteralElement(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isParenthesizedExpression(parent);
  return isPart && isSatisfying(parent.parent);
}

/** Returns the type of the parameter of an argument before its type parameters are inferred. */
function declaredType(checker: ts.TypeChecker, node: ts.Expression): ts.Type | undefined {
  const call = node.parent;
  if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return undefined;
  const index = call.arguments?.indexOf(node) ?? -1;
  const declaration = index === -1 ? undefined : checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return undefined;
  const parameter = declaration.parameters[index];
  if (parameter === undefined || parameter.dotDotDotToken !== undefined) return undefined;
  return checker.getTypeAtLocation(parameter);
}

interface Comparison {
  readonly found: View[];
  readonly seen: Map<ts.Type, Set<ts.Type>>;
  readonly depth: number;
}

const maxDepth = 4;

function compare(scan: Scan, source: ts.Type, target: ts.Type, comparison: Comparison): void {
  const { checker } = scan;
  const { seen, depth } = comparison;
  if (source === target || depth > maxDepth || seen.get(source)?.has(target)) return;
  seen.set(source, (seen.get(source) ?? new Set()).add(target));
  if (source.isUnion()) {
    for (const each of source.types) compare(scan, each, target, comparison);
    return;
  }
  if (target.isUnionOrIntersection()) {
    for (const each of target.types) compare(scan, source, each, comparison);
    return;
  }
  if ((target.flags & ts.TypeFlags.TypeParameter) !== 0) {
    const constraint = checker.getBaseConstraintOfType(target);
    if (constraint !== undefined) compare(scan, source, constraint, comparison);
    return;
  }
  if ((source.flags & target.flags & ts.TypeFlags.Object) === 0) return;
  const below = { ...comparison, depth: depth + 1 };
  const [given, required] = [source, target].map((type) => typeArguments(checker, type));
  for (const [index, each] of required?.entries() ?? []) {
    const one = given?.[index];
    if (one !== undefined) compare(scan, one, each, below);
  }
  const [call, expected] = [source, target].map((type) => type.getCallSignatures()[0]);
  if (call !== undefined && expected !== undefined)
    compare(scan, call.getReturnType(), expected.getReturnType(), below);
  if (!isLibrary(scan, target)) compareMembers(scan, source, target, comparison);
}

function compareMembers(scan: Scan, source: ts.Type, target: ts.Type, comparison: Comparison): void {
  const { checker } = scan;
  const { found, depth } = comparison;
  for (const expected of checker.getPropertiesOfType(target)) {
    if (expected.declarations?.some((each) => scan.isOwn(each)) !== false) continue;
    const name = expected.getName();
    const property = source.getProperty(name);
    if (property === undefined) continue;
    const owner = scan.ownerOf(property);
    if (owner === undefined || !isClientInterface(owner)) {
      const [type, required] = [property, expected].map((each) => checker.getTypeOfSymbol(each));
      if (type !== undefined && required !== undefined)
        compare(scan, type, required, { ...comparison, depth: depth + 1 });
    } else if (objectAccess(name) !== undefined) {
      found.push({ name, owner, type: source, isDirect: depth === 0 });
    }
  }
}

/** Members of the types of the language are not those of clients. */
function isLibrary(scan: Scan, type: ts.Type): boolean {
  return type.getSymbol()?.declarations?.some((each) => scan.isLibrary(each.getSourceFile())) === true;
}
