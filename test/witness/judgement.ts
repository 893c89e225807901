/** Comparison of our types with those of openapi-typescript for the same values. */
import type { Random } from '../fuzz/random.ts';
import type { Project } from '../support/project.ts';
import type { Definitions } from './document.ts';
import { type Intended, intended } from './intended.ts';
import { witnessText } from './openapi-typescript.ts';
import type { Probe } from './probe.ts';
import { probesOf } from './probes.ts';
import { type Claim, type Types, type Verdict, verdicts } from './verdicts.ts';

/** A probe with the results of both sides. */
export interface Judged {
  readonly probe: Probe;
  readonly ours: Verdict;
  readonly witness: Verdict;
  /** Rule that applies to it, if any. */
  readonly rule?: Intended;
}

/** Types of openapi-typescript, written once per project. */
export interface Witness {
  readonly definitions: Definitions;
  readonly types: Types;
}

/** Writes the types of openapi-typescript into the project. */
export async function callWitness(project: Project, definitions: Definitions): Promise<Witness> {
  project.write({ 'witness.ts': await witnessText(definitions) });
  const types = [...definitions.schemas.keys()].map(
    (name) => [name, `import('./witness.js').components['schemas'][${JSON.stringify(name)}]`] as const,
  );
  return { definitions, types: new Map(types) };
}

/** Compares every definition that has a type in `ours`. */
export function judge(
  project: Project,
  { definitions, types }: Witness,
  ours: Types,
  random: Random,
): readonly Judged[] {
  const probes = probesOf(definitions, random).filter(({ definition }) => ours.has(definition));
  const claims = probes.map(claimOf);
  const witness = new Map([...types].filter(([name]) => ours.has(name)));
  const said = verdicts(project, { ours, witness }, claims);
  return probes.map((probe, at) => {
    const found = intended.filter(
      ({ about, dialect = definitions.dialect }) => dialect === definitions.dialect && about(probe),
    );
    if (found.length > 1) throw new Error(`several rules: ${nameOf(probe)}`);
    const [rule] = found;
    return { probe, ours: said.ours[at], witness: said.witness[at], ...(rule === undefined ? {} : { rule }) };
  });
}

function claimOf({ definition: type, path, given, value }: Probe): Claim {
  if (given === 'names') return { type, value, of: 'names' };
  return given === 'words' ? { type, value, of: { literalsAt: path } } : { type, value };
}

/** Returns a sentence if a result is not expected. */
export function surprise({ probe, ours, witness, rule }: Judged): readonly string[] {
  const want = rule ?? { ours: probe.isSound, witness: probe.isSound };
  return [
    ...wrong('we', want.ours, ours).map((text) => `${nameOf(probe)}: ${text}`),
    ...wrong('the witness', want.witness, witness).map((text) => `${nameOf(probe)}: ${text}`),
  ];
}

/** Returns the name of a value: definition, path and content. */
function nameOf({ definition, path, given, isSound, target }: Probe): string {
  const place = path === '' ? definition : `${definition} ${path}`;
  return `${place}: ${isSound ? 'sound' : 'fault'} '${given}'${path === '' || target === '' ? '' : ` of ${target}`}`;
}

function wrong(side: string, want: boolean, said: Verdict): readonly string[] {
  if (want === (said === undefined)) return [];
  return [
    said === undefined ? `${side} must not accept it` : `${side} must accept it, but: ${said.slice(0, 200)}`,
  ];
}
