/** Types as they are written: syntax with the arguments of the type parameters in it. */
import type { ts } from 'ts-morph';
import type { Compiler, SymbolHandle } from './compiler.ts';

/** Arguments of type parameters. */
export type Scope = ReadonlyMap<SymbolHandle, WrittenType>;

/** The syntax of a type. */
export interface WrittenType {
  readonly node: ts.TypeNode;
  readonly scope: Scope;
}

/** Syntax without type parameters. */
export function written(node: ts.TypeNode): WrittenType {
  return { node, scope: new Map() };
}

/** Returns the declaration of a symbol. */
export function declarationOf(symbol: SymbolHandle | undefined, compiler: Compiler): ts.Node | undefined {
  return symbol === undefined ? undefined : compiler.declarationsOf(symbol)[0];
}

/** Returns the argument that a name stands for; `undefined` if it is not that of a type parameter. */
export function argumentOf(
  { node, scope }: { readonly node: ts.TypeReferenceNode; readonly scope: Scope },
  compiler: Compiler,
): WrittenType | undefined {
  const symbol = compiler.symbolAt(node.typeName);
  return symbol === undefined ? undefined : scope.get(symbol);
}

/** Returns the arguments of the type parameters in the declaration that a type refers to. */
export function scopeOf({ node, scope }: WrittenType, compiler: Compiler): Scope {
  const { syntax } = compiler;
  if (syntax.isIntersectionTypeNode(node))
    return new Map(node.types.flatMap((each) => [...scopeOf({ node: each, scope }, compiler)]));
  const isReference = syntax.isTypeReferenceNode(node);
  if (!isReference && !syntax.isExpressionWithTypeArguments(node)) return scope;
  const argument = isReference ? argumentOf({ node, scope }, compiler) : undefined;
  if (argument !== undefined) return scopeOf(argument, compiler);
  const name = isReference ? node.typeName : node.expression;
  const declaration = declarationOf(compiler.symbolAt(name), compiler);
  if (declaration === undefined) return new Map();
  const isAlias = syntax.isTypeAliasDeclaration(declaration);
  if (!isAlias && !syntax.isInterfaceDeclaration(declaration)) return new Map();
  const given = (node.typeArguments ?? []).map((each): WrittenType => ({ node: each, scope }));
  const own = (declaration.typeParameters ?? []).flatMap(({ name: parameter }, index) => {
    const symbol = compiler.symbolAt(parameter);
    const value = given[index];
    return symbol === undefined || value === undefined ? [] : [[symbol, value] as const];
  });
  const bound: Scope = new Map(own);
  if (!isAlias) {
    const bases = [...(declaration.heritageClauses ?? [])].flatMap(({ types }) => [...types]);
    return new Map([
      ...bases.flatMap((base) => [...scopeOf({ node: base, scope: bound }, compiler)]),
      ...own,
    ]);
  }
  // The members of a mapped type are declared where its arguments are.
  if (syntax.isMappedTypeNode(declaration.type))
    return new Map([...given.flatMap((each) => [...scopeOf(each, compiler)]), ...own]);
  return new Map([...scopeOf({ node: declaration.type, scope: bound }, compiler), ...own]);
}
