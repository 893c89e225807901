/** Order of literals, which compilers do not keep. */
import type { ts } from 'ts-morph';
import type { Compiler, TypeHandle } from './compiler.ts';
import type { DeclaredLiteral } from './declared.ts';
import { declarationOf } from './notes.ts';

/** Returns the literals of a union in the order of their declaration. */
export function orderedLiterals(
  members: readonly TypeHandle[],
  node: ts.TypeNode | undefined,
  compiler: Compiler,
): readonly DeclaredLiteral[] {
  const alias = members[0] === undefined ? undefined : declarationOf(compiler.aliasOf(members[0]), compiler);
  const isAlias = alias !== undefined && compiler.syntax.isTypeAliasDeclaration(alias);
  const order = literalsIn(node ?? (isAlias ? alias.type : undefined), compiler);
  const rank = (value: DeclaredLiteral): number => {
    const index = order.indexOf(value);
    return index === -1 ? order.length : index;
  };
  return members.flatMap((member) => literalsOf(member, compiler)).sort((a, b) => rank(a) - rank(b));
}

function literalsIn(node: ts.TypeNode | undefined, compiler: Compiler): readonly DeclaredLiteral[] {
  const { syntax } = compiler;
  if (node === undefined) return [];
  if (syntax.isParenthesizedTypeNode(node)) return literalsIn(node.type, compiler);
  if (syntax.isUnionTypeNode(node)) return node.types.flatMap((each) => literalsIn(each, compiler));
  if (syntax.isTypeReferenceNode(node)) {
    const declaration = declarationOf(compiler.symbolAt(node.typeName), compiler);
    if (declaration !== undefined && syntax.isTypeAliasDeclaration(declaration))
      return literalsIn(declaration.type, compiler);
  } else if (!syntax.isLiteralTypeNode(node)) return [];
  const type = compiler.typeOfNode(node);
  const members = compiler.classOf(type) === 'union' ? compiler.membersOf(type) : [type];
  return members.flatMap((member) => literalsOf(member, compiler));
}

function literalsOf(type: TypeHandle, compiler: Compiler): readonly DeclaredLiteral[] {
  const value = compiler.classOf(type) === 'literal' ? compiler.literalOf(type) : undefined;
  return value === undefined || typeof value === 'bigint' ? [] : [value];
}
