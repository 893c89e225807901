/** Order of literals, which compilers do not keep. */
import type { ts } from 'ts-morph';
import type { Compiler, TypeHandle } from './compiler.ts';
import type { DeclaredLiteral } from './declared.ts';
import { argumentOf, declarationOf, scopeOf, type WrittenType, written } from './written.ts';

/**
 * Returns the literals of a union in the order of their declaration. Those without one are last: numbers and
 * texts in ascending order.
 */
export function orderedLiterals(
  members: readonly TypeHandle[],
  type: WrittenType | undefined,
  compiler: Compiler,
): readonly DeclaredLiteral[] {
  const alias = members[0] === undefined ? undefined : declarationOf(compiler.aliasOf(members[0]), compiler);
  const isAlias = alias !== undefined && compiler.syntax.isTypeAliasDeclaration(alias);
  const from = type ?? (isAlias ? written(alias.type) : undefined);
  const order = from === undefined ? [] : literalsIn(from, compiler);
  const rank = (value: DeclaredLiteral): number => {
    const index = order.indexOf(value);
    return index === -1 ? order.length : index;
  };
  return members
    .flatMap((member) => literalsOf(member, compiler))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function literalsIn({ node, scope }: WrittenType, compiler: Compiler): readonly DeclaredLiteral[] {
  const { syntax } = compiler;
  const inside = (each: ts.TypeNode): readonly DeclaredLiteral[] =>
    literalsIn({ node: each, scope }, compiler);
  if (syntax.isParenthesizedTypeNode(node)) return inside(node.type);
  if (syntax.isUnionTypeNode(node)) return node.types.flatMap(inside);
  if (syntax.isTypeReferenceNode(node)) {
    const argument = argumentOf({ node, scope }, compiler);
    if (argument !== undefined) return literalsIn(argument, compiler);
    const declaration = declarationOf(compiler.symbolAt(node.typeName), compiler);
    if (declaration !== undefined && syntax.isTypeAliasDeclaration(declaration)) {
      const body = { node: declaration.type, scope: scopeOf({ node, scope }, compiler) };
      return literalsIn(body, compiler);
    }
  } else if (!syntax.isLiteralTypeNode(node)) {
    // Conditional types, such as `Exclude<T, U>`, have literals of their arguments.
    return [...scope.values()].flatMap((argument) => literalsIn(argument, compiler));
  }
  const type = compiler.typeOfNode(node);
  const members = compiler.classOf(type) === 'union' ? compiler.membersOf(type) : [type];
  return members.flatMap((member) => literalsOf(member, compiler));
}

function literalsOf(type: TypeHandle, compiler: Compiler): readonly DeclaredLiteral[] {
  const value = compiler.classOf(type) === 'literal' ? compiler.literalOf(type) : undefined;
  return value === undefined || typeof value === 'bigint' ? [] : [value];
}
