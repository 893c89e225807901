/**
 * Walks a schema and its generated type in parallel, independent of the generator's model: the schema is the
 * original YAML, the type is the syntax of `types.ts`.
 */
import ts from 'typescript';

/** A schema as parsed from YAML. */
export interface Raw {
  readonly [keyword: string]: unknown;
}

/** Places where schema or type are open. */
export interface Found {
  /** Paths of schema nodes whose value, or whose additional keys, are unspecified. */
  readonly open: string[];
  /** Paths of types that contain `unknown` for a value or for additional keys. */
  readonly unknown: string[];
  /** Visited `unknown` keywords. */
  readonly keywords: Set<ts.Node>;
}

/** Types of one file by name. */
export type Names = ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>;

/** Returns every interface and alias of a file by name. */
export function namesOf(file: ts.SourceFile): Names {
  const declarations = file.statements.filter(
    (statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement),
  );
  return new Map(declarations.map((declaration) => [declaration.name.text, declaration]));
}

/** Returns every keyword `unknown` of a file. */
export function unknownKeywords(file: ts.SourceFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.UnknownKeyword) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Walks the members of a kind, except `apiVersion`, `kind` and `metadata`, which all kinds have. */
export function walkKind(
  schema: Raw | undefined,
  { title, kind, names }: { title: string; kind: string; names: Names },
  found: Found,
): void {
  const declaration = names.get(kind);
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) {
    throw new Error(`missing interface ${kind}`);
  }
  const properties = objectAt(schema?.['properties']);
  const own = Object.entries(properties).filter(
    ([name]) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  const walk = { names, found };
  for (const [name, node] of own)
    walkValue(node, memberType(declaration.members, name), `${title}.${name}`, walk);
  const free = Object.keys(properties).length === 0 || keepsUnknown(schema ?? {});
  walkKeys(free, indexType(declaration.members), `${title}{}`, walk);
}

interface Walk {
  readonly names: Names;
  readonly found: Found;
}

function walkValue(value: unknown, written: ts.TypeNode, path: string, walk: Walk): void {
  const node = objectAt(value);
  const type = resolved(written, walk.names);
  if (isUntyped(node)) note(true, type, path, walk.found);
  else if (type.kind === ts.SyntaxKind.UnknownKeyword) note(false, type, path, walk.found);
  else if (isList(node)) walkItems(node, type, path, walk);
  else if (isObject(node)) walkObject(node, type, path, walk);
}

function walkItems(node: Raw, type: ts.TypeNode, path: string, walk: Walk): void {
  const [listMapItem] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
  const item = ts.isArrayTypeNode(type) ? type.elementType : listMapItem;
  if (item === undefined) throw new Error(`${path} is a list, but its type is ${type.getText()}`);
  walkValue(node['items'], item, `${path}[]`, walk);
}

function walkObject(node: Raw, type: ts.TypeNode, path: string, walk: Walk): void {
  if (
    ts.isTypeReferenceNode(type) &&
    ['EmbeddedObject', 'RuntimeEmbeddedObject'].includes(type.typeName.getText())
  ) {
    return;
  }
  const members = membersOf(type, walk.names);
  if (members === undefined) throw new Error(`${path} is an object, but its type is ${type.getText()}`);
  const embedded = node['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind', 'metadata'] : [];
  for (const [name, property] of Object.entries(objectAt(node['properties']))) {
    if (!embedded.includes(name)) walkValue(property, memberType(members, name), `${path}.${name}`, walk);
  }
  const values = node['additionalProperties'];
  const index = indexType(members);
  if (isSchema(values)) {
    if (index === undefined) throw new Error(`${path} has no type for further keys`);
    walkValue(values, index, `${path}{}`, walk);
  } else {
    walkKeys(isFreeForm(node), index, `${path}{}`, walk);
  }
}

function walkKeys(free: boolean, index: ts.TypeNode | undefined, path: string, { found }: Walk): void {
  if (index !== undefined) note(free, index, path, found);
  else if (free) found.open.push(path);
}

function note(open: boolean, type: ts.TypeNode, path: string, found: Found): void {
  if (open) found.open.push(path);
  if (type.kind !== ts.SyntaxKind.UnknownKeyword) return;
  found.unknown.push(path);
  found.keywords.add(type);
}

/** Returns the type without parentheses, `null`, and aliases. */
function resolved(type: ts.TypeNode, names: Names): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(type)) return resolved(type.type, names);
  if (ts.isUnionTypeNode(type)) {
    const [only, ...others] = type.types.filter((member) => member.getText() !== 'null');
    return only !== undefined && others.length === 0 ? resolved(only, names) : type;
  }
  const target = ts.isTypeReferenceNode(type) ? names.get(type.typeName.getText()) : undefined;
  return target !== undefined && ts.isTypeAliasDeclaration(target) ? resolved(target.type, names) : type;
}

function membersOf(type: ts.TypeNode, names: Names): readonly ts.TypeElement[] | undefined {
  if (ts.isTypeLiteralNode(type)) return type.members;
  const target = ts.isTypeReferenceNode(type) ? names.get(type.typeName.getText()) : undefined;
  return target !== undefined && ts.isInterfaceDeclaration(target) ? target.members : undefined;
}

function memberType(members: readonly ts.TypeElement[], name: string): ts.TypeNode {
  const member = members.find((each) => ts.isPropertySignature(each) && nameOf(each.name) === name);
  if (member === undefined || !ts.isPropertySignature(member) || member.type === undefined) {
    throw new Error(`missing property ${JSON.stringify(name)}`);
  }
  return member.type;
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText();
}

function indexType(members: readonly ts.TypeElement[]): ts.TypeNode | undefined {
  return members.find((member) => ts.isIndexSignatureDeclaration(member))?.type;
}

const typeWords = [
  'type',
  'properties',
  'items',
  'additionalProperties',
  'enum',
  'x-kubernetes-int-or-string',
];

/** Returns true if a schema does not specify the type of its value. */
function isUntyped(node: Raw): boolean {
  if (typeWords.some((word) => node[word] !== undefined)) return false;
  const members = [node['anyOf'], node['oneOf'], node['allOf']].filter(Array.isArray).flat();
  return members.length === 0 || !members.every((member) => !isUntyped(objectAt(member)));
}

function isList(node: Raw): boolean {
  return node['type'] === 'array' || (node['type'] === undefined && node['items'] !== undefined);
}

function isObject(node: Raw): boolean {
  const stated = node['type'] === 'object' && node['x-kubernetes-int-or-string'] !== true;
  return (
    stated ||
    (node['type'] === undefined && (node['properties'] ?? node['additionalProperties']) !== undefined)
  );
}

/** Returns true if an object accepts unspecified keys. */
function isFreeForm(node: Raw): boolean {
  const values = node['additionalProperties'];
  const none = Object.keys(objectAt(node['properties'])).length === 0;
  return (
    keepsUnknown(node) ||
    values === true ||
    (values !== undefined && values !== false) ||
    (none && values !== false)
  );
}

function keepsUnknown(node: Raw): boolean {
  return node['x-kubernetes-preserve-unknown-fields'] === true;
}

function isSchema(value: unknown): boolean {
  return Object.keys(objectAt(value)).length > 0;
}

function objectAt(value: unknown): Raw {
  // seam: YAML consists of plain objects, and every member is read as unknown
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}
