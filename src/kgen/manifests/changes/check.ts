/** The check of definitions against those of files, a commit or a cluster. */
import { text } from '@kgen/schema/values/json';
import { error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import { type AgainstOptions, type Definition, readAgainst } from './against.ts';
import { type DefinitionChange, isBreaking } from './change.ts';
import { type ClusterChoice, type ClusterReader, connect } from './cluster.ts';
import { definitionChanges } from './definition-changes.ts';
import { type AffectedObjects, type StoredObjects, storedObjects } from './stored-objects.ts';

/** Definitions, and those that they replace. */
export interface CheckOptions extends AgainstOptions, ClusterChoice {
  readonly after: readonly Definition[];
}

/** A change with the position of its source, and the objects of the cluster that it affects. */
export interface LocatedChange extends DefinitionChange {
  readonly place?: SourcePlace;
  readonly objects?: AffectedObjects;
}

/** Result of a check. */
export interface DefinitionCheck {
  readonly changes: readonly LocatedChange[];
  /** The stored objects that were read, if `against` is a cluster. */
  readonly stored: readonly Omit<StoredObjects, 'byChange'>[];
  readonly problems: readonly InputProblem[];
  /** Whether a change affects stored objects or clients. */
  readonly isBreaking: boolean;
}

/**
 * Compares definitions with those of `against`: `cluster`, a file or folder, or a commit. Definitions are
 * compared by name, those of files also by kind. With a cluster, the stored objects are validated.
 */
export async function checkDefinitions(options: CheckOptions): Promise<DefinitionCheck> {
  if (options.against === 'cluster') return checkCluster(options);
  const { value: before, problems } = await readAgainst(options);
  if (problems.length > 0) return { changes: [], stored: [], problems, isBreaking: false };
  const pairs = before.map((old) => ({ old, after: successorOf(old, options.after, before) }));
  const changes = pairs.flatMap(({ old, after }) =>
    definitionChanges(old.value, after?.value).map((change) => located(change, old, after)),
  );
  return { changes, stored: [], problems, isBreaking: changes.some(isBreaking) };
}

function successorOf(
  old: Definition,
  after: readonly Definition[],
  before: readonly Definition[],
): Definition | undefined {
  const same = after.find(({ value }) => nameOf(value) === nameOf(old.value));
  const isNew = ({ value }: Definition): boolean =>
    !before.some((each) => nameOf(each.value) === nameOf(value));
  return same ?? after.find((each) => isNew(each) && kindOf(each) === kindOf(old));
}

function nameOf(definition: Definition['value']): string {
  return text(definition, 'metadata', 'name');
}

function kindOf({ value }: Definition): string {
  return text(value, 'spec', 'names', 'kind');
}

/** A removed part of a definition without a file has the position of what is left around it. */
function located(change: DefinitionChange, old?: Definition, after?: Definition): LocatedChange {
  const source = change.isRemoved === true ? (old ?? after) : after;
  return source === undefined ? change : { ...change, place: source.position(change.path) };
}

async function checkCluster(options: CheckOptions): Promise<DefinitionCheck> {
  const { explained, Refusal, refusalText, Unavailable } = await import('../../cluster/refusal.ts');
  let cluster: ClusterReader | undefined;
  try {
    cluster = await connect(options);
    const checks: Checks[] = [];
    for (const definition of options.after) checks.push(await checkOne(cluster, definition));
    const changes = checks.flatMap((check) => check.changes);
    const stored = checks.flatMap((check) => check.stored.map(({ byChange: _, ...counts }) => counts));
    return { changes, stored, problems: [], isBreaking: changes.some(isBreaking) };
  } catch (cause) {
    const why = explained(await import('@kgen/runtime'), cause, '');
    if (!(why instanceof Refusal || why instanceof Unavailable)) throw cause;
    const problems = [error(`the cluster cannot be compared: ${refusalText(why)}`)];
    return { changes: [], stored: [], problems, isBreaking: false };
  } finally {
    await cluster?.close();
  }
}

interface Checks {
  readonly changes: readonly LocatedChange[];
  readonly stored: readonly StoredObjects[];
}

async function checkOne(cluster: ClusterReader, after: Definition): Promise<Checks> {
  const before = await cluster.definition(nameOf(after.value));
  if (before === undefined) return { changes: [], stored: [] };
  const changes = definitionChanges(before, after.value);
  const stored = await storedObjects(cluster, before, after.value, changes);
  const affected = new Map(stored.flatMap(({ byChange }) => [...byChange]));
  return {
    stored,
    changes: changes.map((change) => {
      const objects = affected.get(change);
      return { ...located(change, undefined, after), ...(objects !== undefined && { objects }) };
    }),
  };
}
