/** Reads the values of constants, such as the properties of a descriptor. */
import type { ts } from 'ts-morph';
import { literalText, type Reading } from './read-types.ts';
import type { Fact } from './tree.ts';

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

/**
 * Returns the properties of the object in a constant's initializer. For other literals, returns their value
 * under the name `''`.
 */
export function readFacts(node: ts.Expression, reading: Reading): ReadonlyMap<string, Fact> {
  const { compiler } = reading;
  const bare = unwrapped(node, reading);
  const value = compiler.isCallExpression(bare) ? bare.arguments[0] : bare;
  if (value !== undefined && compiler.isObjectLiteralExpression(value)) return properties(value, reading);
  return compiler.isCallExpression(bare) ? new Map() : new Map([['', readFact(bare, reading)]]);
}

/** Strips parentheses and syntax that exists only for the compiler. */
function unwrapped(node: ts.Expression, reading: Reading): ts.Expression {
  const { compiler } = reading;
  const isWrapper =
    compiler.isParenthesizedExpression(node) ||
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node);
  return isWrapper ? unwrapped(node.expression, reading) : node;
}

function properties(node: ts.ObjectLiteralExpression, reading: Reading): ReadonlyMap<string, Fact> {
  const { compiler, file } = reading;
  const facts = new Map<string, Fact>();
  for (const property of node.properties) {
    const name = property.name === undefined ? property.getText(file) : nameText(property.name, reading);
    const value = compiler.isPropertyAssignment(property) ? property.initializer : property;
    facts.set(name, readFact(value, reading));
  }
  return facts;
}

function readFact(node: ts.Node, reading: Reading): Fact {
  const items = itemsOf(node, reading)?.sort();
  if (items !== undefined) return { text: items.join(', '), items };
  return { text: literalText(node, reading).replace(/\s+/g, ' ') };
}

/**
 * Returns the strings of a list; for an object of lists, each string with its key. Returns `undefined` for
 * other nodes.
 */
function itemsOf(node: ts.Node, reading: Reading): string[] | undefined {
  const { compiler } = reading;
  if (compiler.isIdentifier(node) && reading.idOf(node.text).id === 'runtime#crud') return [...crud];
  if (compiler.isArrayLiteralExpression(node)) {
    return node.elements.map((one) =>
      compiler.isStringLiteralLike(one) ? one.text : literalText(one, reading),
    );
  }
  if (!compiler.isObjectLiteralExpression(node)) return undefined;
  return [...properties(node, reading)].flatMap(([name, { text, items }]) =>
    items === undefined ? [`${name}: ${text}`] : [name, ...items.map((item) => `${name}/${item}`)],
  );
}

function nameText(node: ts.PropertyName, { compiler, file }: Reading): string {
  return compiler.isIdentifier(node) || compiler.isStringLiteralLike(node) ? node.text : node.getText(file);
}
