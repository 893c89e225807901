/** Comparison of our types with those of openapi-typescript for the same values. */

import type { Project } from '../support/project.ts';
import type { Random } from '../support/random.ts';
import { type Claim, type CompilerResult, compilerResults, type Types } from './compiler-results.ts';
import type { Definitions } from './definitions.ts';
import { type ExpectedDifference, expectedDifferences } from './expected-differences.ts';
import { openapiTypesSource } from './openapi-typescript.ts';
import type { Probe } from './probe.ts';
import { probesOf } from './probes.ts';

/** A probe with the results of both sides. */
export interface ComparedProbe {
  readonly probe: Probe;
  readonly kgen: CompilerResult;
  readonly openapi: CompilerResult;
  /** Rule that applies to it, if any. */
  readonly rule?: ExpectedDifference;
}

/** Types of openapi-typescript, written once per project. */
export interface OpenapiTypes {
  readonly definitions: Definitions;
  readonly types: Types;
}

/** Writes the types of openapi-typescript into the project. */
export async function writeOpenapiTypes(project: Project, definitions: Definitions): Promise<OpenapiTypes> {
  project.write({ 'openapi.ts': await openapiTypesSource(definitions) });
  const types = [...definitions.schemas.keys()].map(
    (name) => [name, `import('./openapi.js').components['schemas'][${JSON.stringify(name)}]`] as const,
  );
  return { definitions, types: new Map(types) };
}

/** Compares every definition that has a type in `kgen`. */
export function compare(
  project: Project,
  { definitions, types }: OpenapiTypes,
  kgen: Types,
  random: Random,
): readonly ComparedProbe[] {
  const probes = probesOf(definitions, random).filter(({ definition }) => kgen.has(definition));
  const claims = probes.map(claimOf);
  const openapi = new Map([...types].filter(([name]) => kgen.has(name)));
  const results = compilerResults(project, { kgen, openapi }, claims);
  return probes.map((probe, at) => {
    const found = expectedDifferences.filter(
      ({ about, dialect = definitions.dialect }) => dialect === definitions.dialect && about(probe),
    );
    if (found.length > 1) throw new Error(`several rules: ${nameOf(probe)}`);
    const [rule] = found;
    return {
      probe,
      kgen: results.kgen[at],
      openapi: results.openapi[at],
      ...(rule === undefined ? {} : { rule }),
    };
  });
}

function claimOf({ definition: type, path, given, value }: Probe): Claim {
  if (given === 'names') return { type, value, of: 'names' };
  return given === 'literals' ? { type, value, of: { literalsAt: path } } : { type, value };
}

/** Returns a sentence if a result is not expected. */
export function unexpectedResult({ probe, kgen, openapi, rule }: ComparedProbe): readonly string[] {
  const want = rule ?? { kgen: probe.isValid, openapi: probe.isValid };
  return [
    ...wrong('kgen', want.kgen, kgen).map((text) => `${nameOf(probe)}: ${text}`),
    ...wrong('openapi-typescript', want.openapi, openapi).map((text) => `${nameOf(probe)}: ${text}`),
  ];
}

/** Returns the name of a value: definition, path and content. */
function nameOf({ definition, path, given, isValid, target }: Probe): string {
  const place = path === '' ? definition : `${definition} ${path}`;
  return `${place}: ${isValid ? 'valid' : 'fault'} '${given}'${path === '' || target === '' ? '' : ` of ${target}`}`;
}

function wrong(side: string, want: boolean, results: CompilerResult): readonly string[] {
  if (want === (results === undefined)) return [];
  return [
    results === undefined
      ? `${side} must not accept it`
      : `${side} must accept it, but: ${results.slice(0, 200)}`,
  ];
}
