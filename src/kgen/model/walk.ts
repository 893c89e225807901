import type { JsonValue } from '../input/crd-input.ts';
import { quote } from '../problems.ts';
import { factsOf } from './facts.ts';
import type { Schema } from './ir.ts';
import { asObject, jsonText } from './json.ts';
import { withAllOf } from './members.ts';
import { unknownSchema } from './schema.ts';
import type { Spot } from './spot.ts';
import { typeOf, unsaid } from './type-of.ts';
import type { Walker } from './walker.ts';

/** Schemas inside each other that are followed; the deepest published CRD has 38. */
export const maxLevels = 200;

/** Schemas that are followed in one version; more do not fit into an object that an API server stores. */
export const maxSchemas = 100_000;

/** Warnings about one version; what is wrong in more places than that is wrong everywhere. */
const maxWarnings = 20;

/**
 * A walker for one version of one kind. Takes time by the size of the schema, whatever its shape: beyond
 * `maxLevels` and `maxSchemas` everything is `unknown`, with one warning each.
 */
export function createWalker(sink: Pick<Walker, 'define' | 'warn'>): Walker {
  let schemas = 0;
  const said = new Set<string>();
  const warn = (spot: Spot, what: string): void => {
    if (said.size >= maxWarnings || said.has(what)) return;
    said.add(what);
    sink.warn(spot, what);
  };
  const walk = (value: JsonValue | undefined, spot: Spot): Schema => {
    // Long paths count for more, because names are made of them.
    schemas += 1 + (spot.path.length >> 8);
    if (schemas > maxSchemas || spot.level > maxLevels) {
      warn(spot, schemas > maxSchemas ? tooMany : tooDeep);
      return unknownSchema('untyped');
    }
    return schemaOf(value, spot, walker);
  };
  const walker: Walker = { define: sink.define, warn, walk };
  return walker;
}

const tooMany = `the schema has more than ${maxSchemas} nodes; the rest is typed as unknown: move a part of it into a resource of its own, or make it free-form`;
const tooDeep = `the schema is nested more than ${maxLevels} levels deep; what lies below is typed as unknown: flatten it`;

function schemaOf(value: JsonValue | undefined, spot: Spot, walker: Walker): Schema {
  const node = asObject(value);
  if (node === undefined) {
    if (value !== undefined && value !== null && value !== true) walker.warn(spot, notASchema(spot, value));
    return unknownSchema('untyped');
  }
  const { shape, nullable, said } = typeOf(withAllOf(node), spot, walker);
  return {
    ...shape,
    nullable: nullable || node['nullable'] === true,
    facts: factsOf(node, unsaid(node, said)),
  };
}

function notASchema(spot: Spot, value: JsonValue): string {
  const found = jsonText(value, { limit: 40 });
  return `${quote(spot.path)} has ${quote(found)} where a schema belongs and is typed as unknown: write a schema there`;
}
