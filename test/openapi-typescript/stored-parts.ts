/** Parts of an object that are always present in responses, according to servers and to our types. */
import type { Comparison } from './agreement-tests.ts';
import { compilerResults } from './compiler-results.ts';
import type { Definitions } from './definitions.ts';
import { propertiesOf, requiredOf, roleOf } from './shapes.ts';

/** A part of the objects of a kind. */
export interface Part {
  /** Full name of the definition of the kind. */
  readonly definition: string;
  readonly name: 'spec' | 'status';
  /** Whether it has a default, which servers set, or is required. */
  readonly isCertain: boolean;
}

/** Returns the spec and the status of every kind that has one. */
export function partsOf(definitions: Definitions): readonly Part[] {
  return [...definitions.schemas].flatMap(([definition, schema]) => {
    if (roleOf(schema, definitions).is !== 'kind') return [];
    return propertiesOf(schema).flatMap(([name, node]): readonly Part[] => {
      if (name !== 'spec' && name !== 'status') return [];
      const isCertain = node['default'] !== undefined || requiredOf(schema).has(name);
      return [{ definition, name, isCertain }];
    });
  });
}

/** Returns the parts for which `Stored` differs, one sentence each. */
export function unexpectedParts({ project, kgen }: Comparison, parts: readonly Part[]): readonly string[] {
  const types = parts.map((part) => {
    const stored = `import('@kgen/runtime/gen/v1').Stored<${kgen.types.get(part.definition)}>`;
    return [keyOf(part), `undefined extends ${stored}['${part.name}'] ? 'open' : 'certain'`] as const;
  });
  const claims = parts.map((part) => ({
    type: keyOf(part),
    value: part.isCertain ? 'certain' : 'open',
  }));
  const results = compilerResults(project, { stored: new Map(types) }, claims);
  return parts.flatMap((part, at) => {
    if (results.stored[at] === undefined) return [];
    return [`${keyOf(part)}: certain ${part.isCertain ? 'on the server' : 'in our types'} only`];
  });
}

function keyOf({ definition, name }: Part): string {
  return `${definition} ${name}`;
}
