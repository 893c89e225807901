import type { JsonValue } from '../input/crd-input.ts';
import type { Severity } from '../problems.ts';
import { partsChecker } from './check-parts.ts';
import { factsOf } from './facts.ts';
import type { Schema } from './ir.ts';
import { asObject } from './json.ts';
import { withAllOf } from './members.ts';
import { unknownSchema } from './schema.ts';
import type { Spot } from './spot.ts';
import { typeOf, unsaid } from './type-of.ts';
import type { Finding, Walker } from './walker.ts';

/** Schemas inside each other that are followed; the deepest published CRD has 38. */
export const maxLevels = 200;

/** Schemas that are followed in one version; more do not fit into an object that an API server stores. */
export const maxSchemas = 100_000;

/** Findings of each severity about one version; what is wrong in more places than that is wrong everywhere. */
const maxFindings = 20;

/** Takes what the walker finds. */
export interface Sink extends Pick<Walker, 'define'> {
  readonly tell: (finding: Finding) => void;
}

/**
 * A walker for one version of one kind. Takes time by the size of the schema, whatever its shape: beyond
 * `maxLevels` and `maxSchemas` everything is `unknown`, with one warning each.
 */
export function createWalker(sink: Sink): Walker {
  let schemas = 0;
  const said: Readonly<Record<Severity, Set<string>>> = { error: new Set(), warning: new Set() };
  const tell = (finding: Finding): void => {
    const texts = said[finding.severity];
    if (texts.size >= maxFindings || texts.has(finding.what)) return;
    texts.add(finding.what);
    sink.tell(finding);
  };
  const warn: Walker['warn'] = (spot, what) => tell({ severity: 'warning', spot, below: [], what });
  const fail: Walker['fail'] = (spot, what, below = []) => tell({ severity: 'error', spot, below, what });
  const walk = (value: JsonValue | undefined, spot: Spot): Schema => {
    // Long paths count for more, because names are made of them.
    schemas += 1 + (spot.path.length >> 8);
    if (schemas > maxSchemas || spot.level > maxLevels) {
      warn(spot, schemas > maxSchemas ? tooMany : tooDeep);
      return unknownSchema('untyped');
    }
    return schemaOf(value, spot, walker);
  };
  const walker: Walker = { define: sink.define, check: partsChecker(fail), warn, fail, walk };
  return walker;
}

const tooMany = `the schema has more than ${maxSchemas} nodes; the rest is typed as unknown: move a part of it into a resource of its own, or make it free-form`;
const tooDeep = `the schema is nested more than ${maxLevels} levels deep; what lies below is typed as unknown: flatten it`;

function schemaOf(value: JsonValue | undefined, spot: Spot, walker: Walker): Schema {
  const node = asObject(value);
  if (node === undefined) return unknownSchema('untyped');
  walker.check(node, spot);
  const { shape, nullable, said } = typeOf(withAllOf(node), spot, walker);
  return {
    ...shape,
    nullable: nullable || node['nullable'] === true,
    facts: factsOf(node, unsaid(node, said)),
  };
}
