/** Walk over the schema of one version, within limits. */
import type { ProblemSeverity } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import type { Schema } from '../ir.ts';
import { refusesNull } from '../schema/enums.ts';
import { apiFactsOf, factsOf, partialFactsOf } from '../schema/facts.ts';
import { asObject } from '../schema/json.ts';
import { noLimits } from '../schema/limits.ts';
import { unknownSchema } from '../schema/schema.ts';
import type { Spot } from '../schema/schema-path.ts';
import { partsChecker } from './check-parts.ts';
import { withAllOf } from './members.ts';
import { referred, withReferredMembers } from './references.ts';
import { typeOf, unsaid } from './type-of.ts';
import { WalkedParts } from './walked-parts.ts';
import type { Finding, References, Walker } from './walker.ts';

/** Maximum nesting depth of schemas. The deepest published CRD has 38 levels. */
export const maxLevels = 200;

/**
 * Maximum number of schemas in one version. An object with more would not fit into the API server's storage.
 */
export const maxSchemas = 100_000;

/** Maximum number of schemas in one API. The API of Kubernetes has 5,000. */
export const maxApiSchemas = 250_000;

/** Maximum number of findings per severity and version. */
const maxFindings = 20;

/** Receives the results of the walker. */
export interface Sink extends Pick<Walker, 'define'> {
  readonly report: (finding: Finding) => void;
  /** Set for the schemas of built-in kinds. */
  readonly references?: References;
  /** Whether types state which members exclude each other. Default: false. */
  readonly exclusive?: boolean;
}

/**
 * Returns a walker for one version of one kind. Takes time linear in the size of the schema: beyond
 * `maxLevels` and `maxSchemas` everything is `unknown`, with one warning each.
 */
export function createWalker(sink: Sink): Walker {
  const { references, exclusive = false } = sink;
  const parts = new WalkedParts(sink.define);
  let schemas = 0;
  let findings = 0;
  const stated: Readonly<Record<ProblemSeverity, Set<string>>> = { error: new Set(), warning: new Set() };
  const report = (finding: Finding): void => {
    findings += 1;
    const texts = stated[finding.severity];
    if (texts.size >= maxFindings || texts.has(finding.what)) return;
    texts.add(finding.what);
    sink.report(finding);
  };
  const warn: Walker['warn'] = (spot, what) => report({ severity: 'warning', spot, below: [], what });
  const fail: Walker['fail'] = (spot, what, below = []) => report({ severity: 'error', spot, below, what });
  const walk = (value: JsonValue | undefined, spot: Spot): Schema => {
    const isRepeatable = references === undefined && spot.limits === undefined;
    const known = isRepeatable ? parts.get(value) : undefined;
    if (
      known !== undefined &&
      schemas + known.schemas <= maxSchemas &&
      spot.level + known.levels < maxLevels
    ) {
      schemas += known.schemas;
      return parts.repeat(known, spot);
    }
    const before = { schemas, findings, from: parts.size };
    // Long paths count as several schemas, because names are derived from them.
    schemas += 1 + (spot.path.length >> 8);
    const tooLarge =
      schemas > maxSchemas ? tooMany : references?.count() === false ? tooManyInAll : undefined;
    if (tooLarge !== undefined || spot.level > maxLevels) {
      warn(spot, tooLarge ?? tooDeep);
      return unknownSchema('untyped');
    }
    const schema = schemaOf(value, spot, walker);
    if (isRepeatable && findings === before.findings)
      parts.add(value, { spot, schema, schemas: schemas - before.schemas, from: before.from });
    return schema;
  };
  const define: Walker['define'] = (draft) => parts.define(draft);
  const common = { define, exclusive, check: partsChecker(fail), warn, fail, walk };
  const walker: Walker =
    references === undefined ? { ...common, facts: factsOf } : { ...common, facts: apiFactsOf, references };
  return walker;
}

const tooMany = `the schema has more than ${maxSchemas} nodes; the rest is typed as unknown: move a part of it into a resource of its own, or make it free-form`;
const tooManyInAll = `the API has more than ${maxApiSchemas} nodes, definitions written out where they are referred to included; the rest is typed as unknown: include less of it`;
const tooDeep = `the schema is nested more than ${maxLevels} levels deep; deeper values are typed as unknown: flatten it`;

function schemaOf(value: JsonValue | undefined, spot: Spot, walker: Walker): Schema {
  const given = asObject(value);
  if (given === undefined) return unknownSchema('untyped');
  walker.check(given, spot);
  return referred(given, spot, walker) ?? writtenOut(withReferredMembers(given, spot, walker), spot, walker);
}

/** Returns the schema of a node without a reference. */
function writtenOut(node: JsonObject, spot: Spot, walker: Walker): Schema {
  const { shape, nullable, stated } = typeOf(withAllOf(node), spot, walker);
  const isRefused = walker.references === undefined && refusesNull(node, spot.limits ?? noLimits);
  return {
    ...shape,
    nullable: (nullable || node['nullable'] === true) && !isRefused,
    // A union has the types of its members, which tags of the union cannot describe.
    facts: (shape.shape === 'union' ? partialFactsOf : walker.facts)(node, unsaid(node, stated)),
  };
}
