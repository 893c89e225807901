/** Custom objects of an operator, and deletions that wait for their end. */
import { isNotFound } from '@kgen/runtime';
import { array, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, type ObjectKind, type ObjectRef, refOf, refText } from './cluster.ts';
import { definitionKind } from './operator.ts';
import type { Session } from './session.ts';

/** A definition on a server, and its objects. */
export interface DefinedObjects {
  readonly definition: JsonObject;
  readonly objects: readonly JsonObject[];
}

/** Returns the kind of a definition in its storage version. */
export function kindOf(definition: JsonObject): ObjectKind {
  const versions = array(definition, 'spec', 'versions').map((version) => object(version));
  const stored = versions.find(({ storage }) => storage === true);
  const served =
    stored?.['served'] === true ? stored : versions.find((version) => version['served'] === true);
  return {
    apiVersion: `${text(definition, 'spec', 'group')}/${text(served, 'name')}`,
    kind: text(definition, 'spec', 'names', 'kind'),
  };
}

/** Reads the definitions of some names that exist, and all their objects. */
export async function definedObjects(
  cluster: Cluster,
  names: readonly string[],
): Promise<readonly DefinedObjects[]> {
  const found = await Promise.all(names.map((name) => cluster.find({ ...definitionKind, name })));
  const definitions = found.filter((each) => each !== undefined);
  return Promise.all(
    definitions.map(async (definition) => ({
      definition,
      objects: await cluster.list(kindOf(definition)),
    })),
  );
}

const maxNames = 10;

/** Returns lines with the number and the first names of objects. */
export function objectLines(found: readonly DefinedObjects[]): readonly string[] {
  return found
    .filter(({ objects }) => objects.length > 0)
    .map(({ definition, objects }) => {
      const names = objects.slice(0, maxNames).map((each) => nameText(refOf(each)));
      const more = objects.length > maxNames ? `, and ${objects.length - maxNames} more` : '';
      return `  ${objects.length} ${text(definition, 'spec', 'names', 'plural')}: ${names.join(', ')}${more}`;
    });
}

function nameText({ namespace, name }: ObjectRef): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the reason why an object that is being deleted still exists; empty if nothing holds it. */
export function heldText(each: JsonObject): string {
  const finalizers = strings(each, 'metadata', 'finalizers');
  return finalizers.length === 0 ? '' : `waits for ${finalizers.join(', ')}`;
}

/** Limits of a deletion. */
export interface DeletionOptions {
  /** Default: 2 minutes. */
  readonly timeoutMs?: number | undefined;
  /** Addition to the message about objects that remain. */
  readonly hint: string;
}

const atOnce = 8;
const pollMs = 500;

/**
 * Deletes objects, and waits until they are gone.
 * @throws {Refusal} some still exist after the limit; names their finalizers
 */
export async function deleteAll(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  { timeoutMs = 120_000, hint }: DeletionOptions,
  { now, sleep, print }: Session,
): Promise<void> {
  for (let start = 0; start < refs.length; start += atOnce)
    await Promise.all(refs.slice(start, start + atOnce).map((ref) => requestDeletion(cluster, ref)));
  const end = now() + timeoutMs;
  let left = refs;
  for (;;) {
    const present = await Promise.all(left.map((ref) => remaining(cluster, ref)));
    for (const [index, ref] of left.entries())
      if (present[index] === undefined) print(`deleted    ${refText(ref)}`);
    left = left.filter((_, index) => present[index] !== undefined);
    if (left.length === 0) return;
    const held = present.filter((each) => each !== undefined);
    if (now() >= end) throw new Refusal(remainText(held, hint));
    await sleep(pollMs);
  }
}

async function requestDeletion(cluster: Cluster, ref: ObjectRef): Promise<void> {
  try {
    await cluster.delete(ref);
  } catch (cause) {
    // Another object has the name by now: it is not the one to delete.
    if (!isNotFound(cause)) throw cause;
  }
}

async function remaining(cluster: Cluster, ref: ObjectRef): Promise<JsonObject | undefined> {
  const found = await cluster.find(ref);
  return ref.uid !== undefined && text(found, 'metadata', 'uid') !== ref.uid ? undefined : found;
}

function remainText(held: readonly JsonObject[], hint: string): string {
  const lines = held.slice(0, maxNames).map((each) => `  ${refText(refOf(each))} ${heldText(each)}`);
  return [`${held.length} objects still exist:`, ...lines, hint].join('\n');
}
