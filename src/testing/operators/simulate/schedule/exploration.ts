/** Runs without faults in which the writes of an operator are learnt. */
import { at, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { idOf } from '../cluster.ts';
import { type Interleaving, joinedInterleavings, writeKey } from '../coverage.ts';
import { isBookkeeping } from '../history.ts';
import type { RunResult } from '../run/run-result.ts';
import { causes } from './actions.ts';
import type { CausedWrite } from './causes.ts';
import { Dice } from './dice.ts';
import { dataEdits, edited, kindOf, type UserEdit } from './edits.ts';
import { type Access, creations, restMs, type Schedule, type Step } from './schedule.ts';
import { type LearntEdit, referredNames } from './users.ts';

/** Maximum number of objects of an exploration. */
const mostObjects = 5;

/** Maximum number of changes of the specification that are tried for each kind. */
const mostEdits = 16;

/** Returns the first schedule: a user creates samples. */
export function explorationOf(samples: readonly JsonObject[]): Schedule {
  const referred = referredNames(samples);
  const objects = samples
    .slice(0, mostObjects)
    .map((sample, index) =>
      referred.has(text(sample, 'metadata', 'name'))
        ? sample
        : putAt(sample, ['metadata', 'name'], `object-${index + 1}`),
    );
  return creations(objects);
}

/** Returns the objects of a schedule, one of each kind. */
export function kindsOf({ steps }: Schedule): ReadonlyMap<string, JsonObject> {
  const objects = steps.flatMap((step) => (step.do === 'create' ? [step.object] : []));
  return new Map(objects.toReversed().map((value) => [kindOf(value), value]));
}

/** Returns some of the changes of an object that have an effect. */
export function triedEdits(value: JsonObject, edits: readonly UserEdit[]): readonly UserEdit[] {
  const effective = edits.filter((edit) => edited(value, edit) !== value);
  const [specs, others] = [true, false].map((isSpec) =>
    effective.filter(({ path }) => (path[0] === 'spec') === isSpec),
  );
  return [...new Dice(0).shuffled(specs ?? []).slice(0, mostEdits), ...(others ?? [])];
}

/**
 * Returns the second schedule: a user tries changes, and deletes an object of each kind and creates it again.
 * @param edits changes by kinds
 * @param references Secrets and ConfigMaps that users change
 */
export function changesOf(
  first: Schedule,
  edits: ReadonlyMap<string, readonly UserEdit[]>,
  references: readonly JsonObject[],
): Schedule {
  const kinds = [...kindsOf(first)];
  const tried = kinds.flatMap(([kind, value]) =>
    (edits.get(kind) ?? []).map((edit): Step => detourOf(value, edit)),
  );
  const again = kinds.map(([, value]): Step => ({ do: 'recreate', object: value, waitMs: restMs }));
  const referred = references.flatMap((value) => dataEdits(value).map((edit) => detourOf(value, edit)));
  return { ...first, steps: [...first.steps, ...tried, ...referred, ...again] };
}

function detourOf(value: JsonObject, { path, value: next }: UserEdit): Step {
  const target = idOf(value);
  return {
    do: 'detour',
    target,
    path,
    value: next,
    back: at(value, ...path) ?? null,
    ms: restMs,
    waitMs: restMs,
  };
}

/**
 * Returns the changes of a run. Those with which the operator had errors are for some time only, and so are
 * texts that no sample has: an operator may have errors with them in another context.
 */
export function learntEdits(
  { schedule, erring }: RunResult,
  samples: readonly JsonObject[],
): ReadonlyMap<string, readonly LearntEdit[]> {
  const edits = new Map<string, LearntEdit[]>();
  for (const [index, step] of schedule.steps.entries()) {
    if (step.do !== 'detour') continue;
    const kind = `${step.target.apiVersion} ${step.target.kind}`;
    const known = edits.get(kind) ?? [];
    const isDetour = erring.has(index) || isInvented(step, samples);
    known.push({ path: step.path, value: step.value, isDetour });
    if (step.back !== null) known.push({ path: step.path, value: step.back, isDetour: false });
    edits.set(kind, known);
  }
  return edits;
}

/** Returns whether a change of a specification sets a text that no sample has there. */
function isInvented({ path, value }: UserEdit, samples: readonly JsonObject[]): boolean {
  if (path[0] !== 'spec' || typeof value !== 'string') return false;
  return !samples.some((sample) => at(sample, ...path) === value);
}

/** Returns the writes of runs with their causes, each once. */
export function causedWrites(runs: readonly RunResult[]): readonly CausedWrite[] {
  const writes = runs.flatMap(({ writes: sent }) =>
    sent.map(({ write, change }) => ({ write, cause: causes[change?.do ?? 'create'], change })),
  );
  const known = new Map<string, CausedWrite>();
  for (const { write, cause, change } of writes) {
    const key = `${writeKey(write)} ${cause}`;
    const { changes } = known.get(key) ?? { changes: [] };
    const isNew =
      change !== undefined && !changes.some((each) => JSON.stringify(each) === JSON.stringify(change));
    known.set(key, { write, cause, changes: isNew ? [...changes, change] : changes });
  }
  return [...known.values()];
}

/** Returns the pairs of writes that different controllers have sent. */
export function interleavingsOf(runs: readonly RunResult[]): readonly Interleaving[] {
  const writes = runs.flatMap(({ writes: sent }) =>
    sent.flatMap(({ write, controller }) => (controller === undefined ? [] : [{ write, controller }])),
  );
  const known = new Map(writes.map((each) => [`${each.controller} ${writeKey(each.write)}`, each]));
  const senders = [...known.values()].filter(({ write }) => !isBookkeeping(write.resource));
  const pairs = senders.flatMap(({ write, controller }) =>
    senders.flatMap((other) =>
      other.controller === controller ? [] : [{ between: other.write, write, count: 0 }],
    ),
  );
  return joinedInterleavings(pairs).map(({ between, write }) => ({ between, write }));
}

/** Returns the verbs and resources that an operator uses in runs. */
export function usedAccesses(runs: readonly RunResult[]): readonly Access[] {
  const all = runs.flatMap(({ accesses }) => accesses);
  return [...new Map(all.map((each) => [`${each.verb} ${each.resource}`, each])).values()];
}
