/** Changes of another client to the operator's objects. */
import { type Json, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { foreignAnnotation } from '../checks/annotations.ts';
import { idOf, idText } from '../cluster.ts';
import { outcomeText } from '../run/user-requests.ts';
import type { ActionOf } from '../schedule/actions.ts';
import type { DisturbedRun, Fault } from './fault.ts';
import { irreversibleFields } from './irreversible.ts';

/** Another client deletes, edits a field of, or annotates an object that the operator has written. */
export const tamper: Fault<ActionOf<'tamper'>> = {
  classes: [],
  singles: ['tamper delete', 'tamper edit', 'tamper annotate'],
  singleOf: ({ how }) => `tamper ${how}`,
  plan: ({ dice }) => ({
    do: 'tamper',
    pick: dice.between(0, 99),
    how: dice.pick(['delete', 'edit', 'annotate', 'annotate']) ?? 'edit',
  }),
  text: ({ how }) => `another client ${how}s an object of the operator`,
  begin: (run) => ({ perform: (action) => tampered(run, action) }),
};

/** An object of the operator, with the storage key of its resource. */
interface Candidate {
  readonly resource: string;
  readonly value: JsonObject;
}

async function tampered(run: DisturbedRun, { pick, how }: ActionOf<'tamper'>): Promise<string> {
  const { cluster, edits } = run;
  const candidates = writtenObjects(run);
  const candidate = candidates[pick % Math.max(candidates.length, 1)];
  if (candidate === undefined) return 'there is none';
  const { value } = candidate;
  const id = idOf(value);
  const uid = text(value, 'metadata', 'uid');
  edits.touched.add(uid);
  if (how === 'delete') {
    if (!mayBeDeleted(run, candidate)) return `${idText(id)} cannot be replaced`;
    return `${idText(id)} ${outcomeText(await cluster.send('DELETE', id))}`.trim();
  }
  const field =
    how === 'annotate'
      ? { path: ['metadata', 'annotations', foreignAnnotation], value: 'kept' }
      : tamperedField(run, candidate, pick);
  if (field === undefined) return `${idText(id)} has no such field`;
  if (how === 'annotate') edits.annotated.set(uid, idText(id));
  else edits.add({ id, uid, ...field });
  const patch = putAt({}, field.path, field.value);
  const outcome = await cluster.send('PATCH', id, patch);
  return `${idText(id)}: ${JSON.stringify(patch)} ${outcomeText(outcome)}`.trim();
}

/** Returns the objects of the operator that did not exist before the run. */
function writtenObjects({ cluster, base, written, sampleResources }: DisturbedRun): readonly Candidate[] {
  return [...written].sort().flatMap((resource) => {
    if (sampleResources.has(resource)) return [];
    const before = new Set((base.get(resource) ?? []).map(([key]) => key));
    const added = cluster.state.store.list(resource).filter(([key]) => !before.has(key));
    return added.map(([, value]) => ({ resource, value }));
  });
}

/** Resources whose objects hold data or the past, which no operator can create again. */
const irreplaceable: ReadonlySet<string> = new Set([
  'jobs.batch',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** Whether an operator can create an object again: not with data that was random. */
function mayBeDeleted({ random }: DisturbedRun, { resource }: Candidate): boolean {
  const isRandom = [...random].some((field) => field.startsWith(`${resource}: data`));
  return !irreplaceable.has(resource) && !isRandom;
}

/** Members by which objects are found, and those that the server sets. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status', 'metadata']);

/** Returns a field that the operator has sent with another value; `undefined` if there is none. */
function tamperedField(
  { sent, random }: DisturbedRun,
  { resource, value }: Candidate,
  pick: number,
): { readonly path: readonly string[]; readonly value: Json } | undefined {
  const hasName = text(value, 'metadata', 'generateName') === '';
  const fields = sent
    .of(resource, value)
    .filter(({ path, isPatched }) => {
      const [first = '', second = ''] = path;
      // Labels select objects: an operator that lists by them would not find the object again.
      const isMetadata =
        first === 'metadata' && (second === 'annotations' || (second === 'labels' && isPatched && hasName));
      const isFixed = irreversibleFields(resource).some((each) =>
        `${path.join('.')}.`.startsWith(`${each}.`),
      );
      const isRandom = path.some((_, end) => random.has(`${resource}: ${path.slice(0, end + 1).join('.')}`));
      return (isMetadata || !identity.has(first)) && !isFixed && !isRandom;
    })
    .filter((field) => changed(field.value) !== undefined);
  const field = fields[pick % Math.max(fields.length, 1)];
  const next = field && changed(field.value);
  return field === undefined || next === undefined ? undefined : { path: field.path, value: next };
}

function changed(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value === 'tampered' ? 'tampered-again' : 'tampered';
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return undefined;
}
