/** Reads the descriptors and schemas of an output from its source text. Works on syntax only. */

import type { ts } from 'ts-morph';
import { isObject } from '../input/json.ts';
import type { ContractResource, KnownResource } from './types.ts';

type Fields = Readonly<Record<string, unknown>>;
type SchemaDocument = NonNullable<KnownResource['schema']>['root'];

/** Files of a group version that contain values: a `.js` file has its declarations elsewhere. */
const valueFile = /^(.+)\/(index|schemas)\.[jt]s$/;

/** Returns the resources of an output with their schemas, in the order of the files. */
export function outputContract(
  compiler: typeof ts,
  files: ReadonlyMap<string, string>,
): readonly KnownResource[] {
  const resources: { readonly folder: string; readonly resource: ContractResource }[] = [];
  const definitions = new Map<string, SchemaDocument>();
  const kinds = new Map<string, Fields>();
  for (const [path, text] of files) {
    const [, folder, name] = valueFile.exec(path) ?? [];
    if (folder === undefined) continue;
    for (const value of constantsIn(compiler, path, text)) {
      if (name === 'index' && isDescriptor(value)) resources.push({ folder, resource: value });
      if (name === 'schemas') {
        kinds.set(folder, fieldsOf(value['kinds']));
        for (const [key, schema] of Object.entries(fieldsOf(value['definitions']))) {
          if (isSchema(schema)) definitions.set(key, schema);
        }
      }
    }
  }
  const definition = (name: string): SchemaDocument | undefined => definitions.get(name);
  return resources.map(({ folder, resource }) => {
    const root = definition(String(kinds.get(folder)?.[resource.kind]));
    return root === undefined ? { resource } : { resource, schema: { root, definition } };
  });
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isSchema(value: unknown): value is SchemaDocument {
  return isObject(value);
}

function isDescriptor(value: Fields): value is Fields & ContractResource {
  const texts = ['group', 'version', 'kind', 'plural', 'scope'];
  return texts.every((name) => typeof value[name] === 'string') && Array.isArray(value['verbs']);
}

/**
 * Returns the objects of exported constants, and those that are arguments of a call. The names of other
 * constants stand for their values.
 */
function constantsIn(compiler: typeof ts, path: string, text: string): readonly Fields[] {
  const options = {
    languageVersion: compiler.ScriptTarget.ES2022,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
  };
  const file = compiler.createSourceFile(path, text, options);
  const known = new Map<string, unknown>([['crud', crud]]);
  return file.statements.flatMap((statement) => {
    if (!compiler.isVariableStatement(statement)) return [];
    const isExported = statement.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword);
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const value = initializer === undefined ? undefined : literalOf(compiler, initializer, known);
      if (isExported === true) return isObject(value) ? [value] : [];
      if (compiler.isIdentifier(name)) known.set(name.text, value);
      return [];
    });
  });
}

/** Returns the value of a literal. Values that are not literals, such as functions, are `undefined`. */
function literalOf(compiler: typeof ts, node: ts.Expression, known: ReadonlyMap<string, unknown>): unknown {
  const inner = (part: ts.Expression): unknown => literalOf(compiler, part, known);
  if (compiler.isObjectLiteralExpression(node)) return objectOf(compiler, node, inner);
  if (compiler.isArrayLiteralExpression(node)) return node.elements.map(inner);
  if (compiler.isStringLiteralLike(node)) return node.text;
  if (compiler.isNumericLiteral(node)) return Number(node.text);
  if (compiler.isBigIntLiteral(node)) return BigInt(node.text.replace(/n$/, ''));
  if (compiler.isPrefixUnaryExpression(node)) return negative(inner(node.operand));
  if (compiler.isCallExpression(node)) return node.arguments[0] && inner(node.arguments[0]);
  if (compiler.isIdentifier(node)) return known.get(node.text);
  const words = new Map<ts.SyntaxKind, unknown>([
    [compiler.SyntaxKind.TrueKeyword, true],
    [compiler.SyntaxKind.FalseKeyword, false],
    [compiler.SyntaxKind.NullKeyword, null],
  ]);
  return words.get(node.kind);
}

/** The verbs that `crud` abbreviates in descriptors. */
const crud: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

function objectOf(
  compiler: typeof ts,
  node: ts.ObjectLiteralExpression,
  read: (node: ts.Expression) => unknown,
): Fields {
  const entries = node.properties.flatMap((property) => {
    if (!compiler.isPropertyAssignment(property)) return [];
    const { name, initializer } = property;
    const isPlain = compiler.isIdentifier(name) || compiler.isStringLiteral(name);
    const key = isPlain || compiler.isNumericLiteral(name) ? name.text : computed(compiler, name);
    return key === undefined ? [] : [[key, read(initializer)] as const];
  });
  return Object.fromEntries(entries);
}

/** `__proto__` is written as a computed name. */
function computed(compiler: typeof ts, name: ts.PropertyName): string | undefined {
  if (!compiler.isComputedPropertyName(name)) return undefined;
  return compiler.isStringLiteral(name.expression) ? name.expression.text : undefined;
}

function negative(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'bigint' ? -value : undefined;
}
