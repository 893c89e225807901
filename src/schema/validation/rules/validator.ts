/** Compiled rules of a schema, in its form. */

import { escapeName } from '../../cel/syntax/reserved.ts';
import { type Schema, valueSchema } from '../structural.ts';
import { type CompiledRule, compileRules } from './compile.ts';
import { type Declaration, declare } from './declarations.ts';

/** The rules of a node and of the nodes below it. */
export interface RuleNode {
  readonly schema: Schema;
  readonly declaration: Declaration | undefined;
  readonly isRoot: boolean;
  readonly rules: readonly CompiledRule[];
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  /** Rules in the branches of allOf. */
  readonly allOf: readonly RuleNode[];
}

const nodes = new WeakMap<Schema, { readonly node: RuleNode | undefined }>();

/**
 * Returns the rules of an object, compiled once. `undefined` if there are none.
 * @param isRoot whether it is a whole object. Default: true
 */
export function rulesOf(schema: Schema, isRoot = true): RuleNode | undefined {
  const known = nodes.get(schema);
  if (known !== undefined) return known.node;
  const node = hasRules(schema) ? build(schema, schema, declare(schema, isRoot), isRoot) : undefined;
  nodes.set(schema, { node });
  return node;
}

const ruled = new WeakMap<Schema, boolean>();

function hasRules(schema: Schema): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const children = [...schema.properties.values(), schema.items, valueSchema(schema), ...schema.allOf];
  const result = schema.rules.length > 0 || children.some((child) => child !== undefined && hasRules(child));
  ruled.set(schema, result);
  return result;
}

/** @param source the schema with the rules: a branch of allOf, or `schema` itself */
function build(
  source: Schema,
  schema: Schema,
  declaration: Declaration | undefined,
  isRoot: boolean,
): RuleNode | undefined {
  const { items } = schema;
  const values = valueSchema(schema);
  const [sourceItems, sourceValues] = [source.items, valueSchema(source)];
  const node: RuleNode = {
    schema,
    declaration,
    isRoot,
    rules: declaration === undefined ? [] : compileRules({ ...schema, rules: source.rules }, declaration),
    items: items && sourceItems && build(sourceItems, items, declaration?.element, items.embeddedResource),
    values:
      values && sourceValues && build(sourceValues, values, declaration?.element, values.embeddedResource),
    properties: new Map(
      [...source.properties].flatMap(([name, child]): [string, RuleNode][] => {
        const built = property(name, child, schema, declaration);
        return built === undefined ? [] : [[name, built]];
      }),
    ),
    allOf: source.allOf.flatMap((branch) => build(branch, schema, declaration, isRoot) ?? []),
  };
  const isEmpty =
    node.rules.length === 0 &&
    node.properties.size === 0 &&
    node.allOf.length === 0 &&
    node.items === undefined &&
    node.values === undefined;
  return isEmpty ? undefined : node;
}

function property(
  name: string,
  source: Schema,
  parent: Schema,
  declaration: Declaration | undefined,
): RuleNode | undefined {
  const schema = parent.properties.get(name);
  if (schema === undefined) return undefined;
  const escaped = escapeName(name);
  const declared =
    escaped === undefined ? declare(schema, schema.embeddedResource) : declaration?.fields?.get(escaped);
  return build(source, schema, declared, schema.embeddedResource);
}
