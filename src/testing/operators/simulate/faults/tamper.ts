/** Changes of another client to the operator's objects. */
import { at, type Json, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { foreignAnnotation, ownedPaths } from '../checks/view.ts';
import { idOf, idText, outcomeText } from '../cluster.ts';
import type { ActionOf } from '../schedule/actions.ts';
import type { DisturbedRun, Fault } from './fault.ts';

/** Another client deletes, edits a field of, or annotates an object that the operator has written. */
export const tamper: Fault<ActionOf<'tamper'>> = {
  classes: [],
  plan: ({ dice }) => ({
    do: 'tamper',
    pick: dice.between(0, 99),
    how: dice.pick(['delete', 'edit', 'annotate', 'annotate']) ?? 'edit',
  }),
  text: ({ how }) => `another client ${how}s an object of the operator`,
  begin: (run) => ({ perform: (action) => tampered(run, action) }),
};

async function tampered(run: DisturbedRun, { pick, how }: ActionOf<'tamper'>): Promise<string> {
  const { cluster, managers, edits } = run;
  const candidates = writtenObjects(run);
  const value = candidates[pick % Math.max(candidates.length, 1)];
  if (value === undefined) return 'there is none';
  const id = idOf(value);
  if (how === 'delete') return `${idText(id)} ${outcomeText(await cluster.send('DELETE', id))}`.trim();
  const field =
    how === 'annotate'
      ? { path: ['metadata', 'annotations', foreignAnnotation], value: 'kept' }
      : tamperedField(value, managers, pick);
  if (field === undefined) return `${idText(id)} has no such field`;
  const uid = text(value, 'metadata', 'uid');
  if (how === 'annotate') edits.annotated.set(uid, idText(id));
  else edits.add({ id, uid, ...field });
  const patch = putAt({}, field.path, field.value);
  const outcome = await cluster.send('PATCH', id, patch);
  return `${idText(id)}: ${JSON.stringify(patch)} ${outcomeText(outcome)}`.trim();
}

/** Returns the objects of the operator that did not exist before the run. */
function writtenObjects({ cluster, base, written, sampleResources }: DisturbedRun): readonly JsonObject[] {
  return [...written].sort().flatMap((resource) => {
    if (sampleResources.has(resource)) return [];
    const before = new Set((base.get(resource) ?? []).map(([key]) => key));
    const added = cluster.state.store.list(resource).filter(([key]) => !before.has(key));
    return added.map(([, value]) => value);
  });
}

/** Returns a field of the operator with another value; `undefined` if it owns none. */
function tamperedField(
  value: JsonObject,
  managers: ReadonlySet<string>,
  pick: number,
): { readonly path: readonly string[]; readonly value: Json } | undefined {
  const paths = ownedPaths(value, managers).filter((path) => changed(at(value, ...path)) !== undefined);
  const path = paths[pick % Math.max(paths.length, 1)];
  if (path === undefined) return undefined;
  const next = changed(at(value, ...path));
  return next === undefined ? undefined : { path, value: next };
}

function changed(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value === 'tampered' ? 'tampered-again' : 'tampered';
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return undefined;
}
