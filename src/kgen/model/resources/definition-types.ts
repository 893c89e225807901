/** References to definitions from any group version. */
import type { GroupVersionName, Schema, Shape } from '../ir.ts';
import { runtimeTypeOf, shortNameOf } from '../names/full-names.ts';
import type { NamedGroupVersion } from '../names/group-version-names.ts';
import { groupVersionKey } from '../names/package-groups.ts';
import { plain, unknownSchema } from '../schema/schema.ts';
import { rootSpot } from '../schema/schema-path.ts';
import { specialType } from '../walk/special-definitions.ts';
import { createWalker, maxApiSchemas } from '../walk/walk.ts';
import type { References } from '../walk/walker.ts';
import type { Definitions } from './definitions.ts';

/**
 * Returns the types of definitions as references from each group version, once all have names. Without a
 * home, every reference contains its group version.
 */
export function referencesOf(
  all: readonly NamedGroupVersion[],
  definitions: Definitions,
): (home?: GroupVersionName) => References {
  const named = new Map<string, NamedDefinition>();
  for (const { plan, definitions: names } of all) {
    const home = { group: plan.group, version: plan.version };
    for (const [fullName, name] of names) named.set(fullName, { name, home });
  }
  let nodes = 0;
  const count = (): boolean => {
    nodes += 1;
    return nodes <= maxApiSchemas;
  };
  return (home) => ({ ...referencesFrom(home, named, definitions), count });
}

/**
 * Returns the schema of each definition by full name, with the group version in every reference. Dropped
 * definitions are missing. Nested objects of a definition that is not a type itself are free-form here.
 */
export function definitionSchemas(
  definitions: Definitions,
  references: References,
): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  // Problems of a definition are reported where it is used.
  const walker = createWalker({ references, report: () => {}, define: () => freeForm });
  for (const name of definitions.names) {
    const shape = references.typeOf(name);
    if (shape !== undefined) found.set(name, plain(shape));
    else if (definitions.useOf(name).use === 'inline')
      found.set(name, walker.walk({ $ref: name }, rootSpot(name, shortNameOf(name))));
  }
  return found;
}

const freeForm: Shape = { shape: 'map', values: unknownSchema('free-form') };

interface NamedDefinition {
  readonly name: string;
  readonly home: GroupVersionName;
}

function referencesFrom(
  from: GroupVersionName | undefined,
  named: ReadonlyMap<string, NamedDefinition>,
  definitions: Definitions,
): Omit<References, 'count'> {
  const known = new Map<string, Shape | undefined>();
  const key = from === undefined ? undefined : groupVersionKey(from);
  const shapeOf = (fullName: string): Shape | undefined => {
    const runtimeType = runtimeTypeOf(fullName);
    if (runtimeType !== undefined) return { shape: 'runtime', name: runtimeType };
    const special = specialType(
      fullName,
      (other) => typeOf(other) ?? { shape: 'unknown', reason: 'untyped' },
    );
    const found = named.get(fullName);
    if (special !== undefined || found === undefined) return special;
    const { name, home } = found;
    return groupVersionKey(home) === key ? { shape: 'ref', name } : { shape: 'ref', name, from: home };
  };
  const typeOf = (fullName: string): Shape | undefined => {
    if (!known.has(fullName)) known.set(fullName, shapeOf(fullName));
    return known.get(fullName);
  };
  return { typeOf, schemaOf: (fullName) => definitions.schemaOf(fullName) };
}
