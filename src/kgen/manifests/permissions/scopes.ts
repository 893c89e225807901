/** Namespaces of calls. */
import { ts } from 'ts-morph';
import type { NeedScope } from './needs.ts';
import { bare, memberOf, origin, stringsOf, symbolAt } from './values.ts';

export const wholeCluster: readonly NeedScope[] = [{ type: 'cluster' }];
export const ownNamespace: readonly NeedScope[] = [{ type: 'own' }];
const watched: readonly NeedScope[] = [{ type: 'watched' }];

/** Types whose member `namespace` is that of the configuration. */
const ownTypes: ReadonlySet<string> = new Set(['ClusterConfig', 'RESTClient']);

/** Returns the namespaces that an expression names; without one, all of them. */
export function scopesOf(checker: ts.TypeChecker, node: ts.Expression | undefined): readonly NeedScope[] {
  if (node === undefined) return wholeCluster;
  const names = stringsOf(checker, node);
  if (names !== undefined) return names.map((name) => ({ type: 'namespace', name }));
  const value = origin(checker, node);
  if (ts.isBinaryExpression(value)) {
    const sides = [value.left, value.right].flatMap((side) => scopesOf(checker, side));
    return sides.some(({ type }) => type === 'cluster') ? wholeCluster : sides;
  }
  const owner = ownerType(checker, value);
  if (owner === undefined) return wholeCluster;
  if (ownTypes.has(owner.getSymbol()?.getName() ?? '')) return ownNamespace;
  return isIdentity(owner) ? watched : wholeCluster;
}

/** Returns the type whose member `namespace` an expression is, also after destructuring. */
function ownerType(checker: ts.TypeChecker, node: ts.Expression): ts.Type | undefined {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'namespace' ? typeOf(checker, node.expression) : undefined;
  const declaration = symbolAt(checker, node)?.valueDeclaration;
  if (declaration === undefined || !ts.isBindingElement(declaration)) return undefined;
  const name = declaration.propertyName ?? declaration.name;
  if (!ts.isIdentifier(name) || name.text !== 'namespace') return undefined;
  return checker.getNonNullableType(checker.getTypeAtLocation(declaration.parent));
}

function typeOf(checker: ts.TypeChecker, node: ts.Expression): ts.Type {
  return checker.getNonNullableType(checker.getTypeAtLocation(node));
}

/** Returns whether a type is the metadata of an object that was read, or the key of one. */
function isIdentity(type: ts.Type): boolean {
  if (type.getSymbol()?.getName() === 'ReconcileKey') return true;
  return ['resourceVersion', 'ownerReferences', 'namespace'].every(
    (name) => type.getProperty(name) !== undefined,
  );
}

/** Returns the namespaces of the option `namespace` or `namespaces`; `undefined` if it has neither. */
export function optionScopes(
  checker: ts.TypeChecker,
  options: ts.Expression | undefined,
): readonly NeedScope[] | undefined {
  const named = memberOf(checker, options, 'namespace') ?? memberOf(checker, options, 'namespaces');
  if (named === undefined) return undefined;
  const scopes = scopesOf(checker, named);
  const isOpen = scopes === wholeCluster && mayBeString(checker, named);
  return isOpen ? watched : scopes;
}

/** An option that the program computes restricts a cache, to namespaces that are not known here. */
function mayBeString(checker: ts.TypeChecker, node: ts.Expression): boolean {
  return (checker.getTypeAtLocation(bare(node)).flags & ts.TypeFlags.Undefined) === 0;
}

/**
 * Replaces the watched namespaces by those of the caches: by the whole cluster if a cache has all
 * namespaces, or if there is none.
 */
export function resolveWatched<N extends { readonly scope: NeedScope }>(
  needs: readonly N[],
  caches: readonly NeedScope[],
): readonly N[] {
  const isAll = caches.length === 0 || caches.some(({ type }) => type === 'cluster');
  const places = isAll ? wholeCluster : caches;
  const distinct = [...new Map(places.map((scope) => [JSON.stringify(scope), scope])).values()];
  return needs.flatMap((need) =>
    need.scope.type === 'watched' ? distinct.map((scope) => ({ ...need, scope })) : [need],
  );
}
