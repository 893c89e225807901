/** Converts nodes of the compiler to trees. Works on syntax only: no type is resolved. */
import type { ts } from 'ts-morph';
import type { Member, Members, Tree } from './tree.ts';

/** A file whose types are read, with functions that resolve names in it. */
export interface Reading {
  readonly compiler: typeof ts;
  readonly file: ts.SourceFile;
  /** Returns the type that a name refers to in this file. */
  readonly idOf: (name: string) => { readonly id: string; readonly name: string };
  /** Returns the type that a name refers to in another module. */
  readonly idIn: (specifier: string, name: string) => string;
}

/** Returns the tree of a type. An omitted type is `any`. */
export function readType(node: ts.Node | undefined, reading: Reading): Tree {
  const { compiler, file } = reading;
  if (node === undefined) return { is: 'word', text: 'any' };
  if (compiler.isParenthesizedTypeNode(node)) return readType(node.type, reading);
  if (compiler.isTypeReferenceNode(node)) return readReference(node.typeName, node.typeArguments, reading);
  if (compiler.isExpressionWithTypeArguments(node))
    return readReference(node.expression, node.typeArguments, reading);
  if (compiler.isUnionTypeNode(node)) return union(node.types.map((type) => readType(type, reading)));
  if (compiler.isArrayTypeNode(node)) return { is: 'array', item: readType(node.elementType, reading) };
  if (compiler.isTypeLiteralNode(node)) return { is: 'object', members: readMembers(node.members, reading) };
  if (compiler.isLiteralTypeNode(node)) return { is: 'word', text: literalText(node.literal, reading) };
  if (compiler.isFunctionTypeNode(node)) return readSignature(node, reading);
  if (compiler.isImportTypeNode(node)) return readImport(node, reading);
  return isLeaf(node, reading) ? { is: 'word', text: node.getText(file) } : readOther(node, reading);
}

/** Returns the members of interfaces, object types and classes. Overloads are grouped. */
export function readMembers(nodes: readonly ts.Node[], reading: Reading): Members {
  const members = new Map<string, Member>();
  for (const node of nodes) {
    const read = readMember(node, reading);
    if (read === undefined) continue;
    const [name, member] = read;
    members.set(name, overload(members.get(name), member));
  }
  return members;
}

/** Returns whether the comment before a node has the tag `@deprecated`. */
export function isDeprecated(node: ts.Node, { file }: Reading): boolean {
  return /(?:^|[\s*])@deprecated\b/.test(file.text.slice(node.getFullStart(), node.getStart(file)));
}

/** Returns a literal in canonical spelling, independent of its quotes. */
export function literalText(node: ts.Node, { compiler, file }: Reading): string {
  return compiler.isStringLiteralLike(node)
    ? `'${JSON.stringify(node.text).slice(1, -1)}'`
    : node.getText(file);
}

/** Returns a function type without its name: parameters by position, and the result. */
export function readSignature(node: ts.SignatureDeclarationBase, reading: Reading): Tree {
  const { file } = reading;
  const parts: (string | Tree)[] = [(node.typeParameters ?? []).map((one) => one.getText(file)).join(',')];
  const shown: string[] = [];
  for (const { name, questionToken, dotDotDotToken, type } of node.parameters) {
    const dots = dotDotDotToken === undefined ? '' : '...';
    const mark = questionToken === undefined ? ':' : '?:';
    parts.push(dots + mark, readType(type, reading));
    shown.push(
      `${dots}${name.getText(file)}${mark} ${type === undefined ? 'any' : oneLine(type.getText(file))}`,
    );
  }
  parts.push('=>', readType(node.type, reading));
  const result = node.type === undefined ? '' : ` => ${oneLine(node.type.getText(file))}`;
  return { is: 'other', parts, text: `(${shown.join(', ')})${result}` };
}

function readMember(node: ts.Node, reading: Reading): readonly [string, Member] | undefined {
  const { compiler, file } = reading;
  if (compiler.isPropertySignature(node) || compiler.isPropertyDeclaration(node)) {
    return [memberName(node.name, reading), memberOf(node, readType(node.type, reading), reading)];
  }
  if (compiler.isMethodSignature(node) || compiler.isMethodDeclaration(node)) {
    const calls: Tree = { is: 'calls', signatures: [readSignature(node, reading)] };
    return [memberName(node.name, reading), memberOf(node, calls, reading)];
  }
  if (compiler.isConstructorDeclaration(node)) {
    return [
      'constructor',
      memberOf(node, { is: 'calls', signatures: [readSignature(node, reading)] }, reading),
    ];
  }
  if (compiler.isIndexSignatureDeclaration(node)) {
    const key = node.parameters[0]?.type?.getText(file) ?? 'string';
    return [`[${key}]`, memberOf(node, readType(node.type, reading), reading)];
  }
  return undefined;
}

function memberOf(node: ts.Node, type: Tree, reading: Reading): Member {
  const { compiler } = reading;
  const modifiers = compiler.canHaveModifiers(node) ? (compiler.getModifiers(node) ?? []) : [];
  const optional = 'questionToken' in node && node.questionToken !== undefined;
  return {
    optional,
    readonly: modifiers.some(({ kind }) => kind === compiler.SyntaxKind.ReadonlyKeyword),
    deprecated: isDeprecated(node, reading),
    type: optional ? withoutUndefined(type) : type,
  };
}

/**
 * Returns the type of an optional member without `undefined`, which is not a difference: earlier versions of
 * kgen did not print it.
 */
function withoutUndefined(type: Tree): Tree {
  if (type.is !== 'union') return type;
  const members = type.members.filter((member) => member.is !== 'word' || member.text !== 'undefined');
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { is: 'union', members };
}

function overload(known: Member | undefined, member: Member): Member {
  if (known?.type.is !== 'calls' || member.type.is !== 'calls') return member;
  const signatures = [...known.type.signatures, ...member.type.signatures];
  return { ...known, deprecated: known.deprecated && member.deprecated, type: { is: 'calls', signatures } };
}

function memberName(node: ts.PropertyName, { compiler, file }: Reading): string {
  return compiler.isIdentifier(node) || compiler.isStringLiteralLike(node) || compiler.isNumericLiteral(node)
    ? node.text
    : node.getText(file);
}

function readReference(
  name: ts.Node,
  typeArguments: readonly ts.TypeNode[] | undefined,
  reading: Reading,
): Tree {
  const args = (typeArguments ?? []).map((argument) => readType(argument, reading));
  const [first = '', ...rest] = name.getText(reading.file).split('.');
  const [item] = args;
  if (first === 'Array' && rest.length === 0 && args.length === 1 && item !== undefined)
    return { is: 'array', item };
  const known = reading.idOf(first);
  const path = rest.map((part) => `.${part}`).join('');
  return { is: 'ref', id: `${known.id}${path}`, name: `${known.name}${path}`, args };
}

function readImport(node: ts.ImportTypeNode, reading: Reading): Tree {
  const { compiler, file } = reading;
  const { argument, qualifier } = node;
  if (qualifier === undefined || !compiler.isLiteralTypeNode(argument)) return readOther(node, reading);
  const { literal } = argument;
  const specifier = compiler.isStringLiteralLike(literal) ? literal.text : '';
  const name = qualifier.getText(file);
  const args = (node.typeArguments ?? []).map((one) => readType(one, reading));
  return { is: 'ref', id: reading.idIn(specifier, name), name, args };
}

function union(trees: readonly Tree[]): Tree {
  return { is: 'union', members: trees.flatMap((tree) => (tree.is === 'union' ? tree.members : [tree])) };
}

function isLeaf(node: ts.Node, { compiler }: Reading): boolean {
  return compiler.forEachChild(node, () => true) === undefined;
}

/** Returns the tokens and types of a node without a rule of its own. */
function readOther(node: ts.Node, reading: Reading): Tree {
  const { compiler, file } = reading;
  const parts = node.getChildren(file).flatMap((child): (string | Tree)[] => {
    if (compiler.isTypeNode(child)) return [readType(child, reading)];
    if (child.getChildCount(file) === 0) return [child.getText(file)];
    const inner = readOther(child, reading);
    return inner.is === 'other' ? [...inner.parts] : [inner];
  });
  return { is: 'other', parts, text: oneLine(node.getText(file)) };
}

function oneLine(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*[\s\S]*?\*\/|\s+/g, (part) =>
      /^["']/.test(part) ? part : ' ',
    )
    .replace(/ +/g, ' ')
    .trim();
}
