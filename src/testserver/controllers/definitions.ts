/** Controllers of CustomResourceDefinitions: establishment of names, and removal with all objects. */
import {
  array,
  equal,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { timestamp } from '../environment/environment.ts';
import { trackManager } from '../managed/track.ts';
import { definitions } from '../resources/builtin.ts';
import { typesOf } from '../resources/definitions/definition.ts';
import type { Store } from '../store/store.ts';
import { cleanup, deleteObject, withFinalizers } from '../verbs/deletion.ts';

/** Accepts the names of new definitions and establishes those without conflicts. */
export function establishDefinitions(state: ServerState): boolean {
  const pending = state.store
    .list(definitions.storage)
    .filter(([, crd]) => text(crd, 'metadata', 'deletionTimestamp') === '');
  return pending.map(([key, crd]) => establish(state, key, crd)).some((changed) => changed);
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

function establish(state: ServerState, key: string, crd: JsonObject): boolean {
  const { store, environment } = state;
  const names = object(crd, 'spec', 'names');
  const accepted = object(crd, 'status', 'acceptedNames');
  if (equal(names, accepted)) return false;
  const { names: acceptedNames, conflict } = accept(
    names,
    accepted,
    takenNames(store, key, text(crd, 'spec', 'group')),
  );
  const before = array(crd, 'status', 'conditions');
  const established = conflict === undefined || hasCondition(before, 'Established');
  const conditions = [namesAccepted(conflict), establishedCondition(established)].map((next) =>
    keepTime(next, before, timestamp(environment)),
  );
  const status = { ...object(crd, 'status'), acceptedNames, conditions };
  if (equal(status, object(crd, 'status'))) return false;
  store.put(definitions.storage, key, withManager(state, crd, putAt(crd, ['status'], status)));
  return true;
}

/** Returns the definition with the server itself as the owner of its status. */
function withManager({ environment }: ServerState, crd: JsonObject, next: JsonObject): JsonObject {
  return trackManager(crd, next, {
    type: definitions,
    manager: 'kube-apiserver',
    subresource: 'status',
    time: timestamp(environment),
  });
}

function hasCondition(conditions: readonly Json[], type: string): boolean {
  return conditions.some((item) => text(item, 'type') === type && text(item, 'status') === 'True');
}

/** The names of all other definitions of the group: one set each for resources and kinds. */
interface Pools {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(store: Store, key: string, group: string): Pools {
  const others = store
    .list(definitions.storage)
    .filter(([other, crd]) => other !== key && text(crd, 'spec', 'group') === group)
    .map(([, crd]) => object(crd, 'status', 'acceptedNames'));
  return {
    resources: new Set(
      others.flatMap((names) => [
        text(names, 'plural'),
        text(names, 'singular'),
        ...strings(names, 'shortNames'),
      ]),
    ),
    kinds: new Set(others.flatMap((names) => [text(names, 'kind'), text(names, 'listKind')])),
  };
}

/** In the order of the checks: the last conflict is reported. */
const claims: readonly (readonly [name: string, reason: string, pool: keyof Pools])[] = [
  ['plural', 'PluralConflict', 'resources'],
  ['singular', 'SingularConflict', 'resources'],
  ['shortNames', 'ShortNamesConflict', 'resources'],
  ['kind', 'KindConflict', 'kinds'],
  ['listKind', 'ListKindConflict', 'kinds'],
];

interface Accepted {
  readonly names: JsonObject;
  readonly conflict: Conflict | undefined;
}

/** Accepts names without conflicts, and keeps the names that were accepted before for the others. */
function accept(names: JsonObject, accepted: JsonObject, taken: Pools): Accepted {
  const start: Accepted = {
    names: { ...omit(accepted, 'categories'), ...pick(names, 'categories') },
    conflict: undefined,
  };
  return claims.reduce<Accepted>((result, [name, reason, pool]) => {
    const before = valuesOf(accepted, name);
    const used = valuesOf(names, name).filter((value) => !before.includes(value) && taken[pool].has(value));
    if (used.length === 0) return { names: setName(result.names, name, names), conflict: result.conflict };
    const message = used.map((value) => `${JSON.stringify(value)} is already in use`).join(', ');
    return { names: result.names, conflict: { reason, message: used.length > 1 ? `[${message}]` : message } };
  }, start);
}

function setName(names: JsonObject, name: string, source: JsonObject): JsonObject {
  return { ...omit(names, name), ...pick(source, name) };
}

function valuesOf(names: JsonObject, name: string): readonly string[] {
  return name === 'shortNames' ? strings(names, name) : [text(names, name)].filter((value) => value !== '');
}

function pick(names: JsonObject, name: string): JsonObject {
  const value = own(names, name);
  return value === undefined ? {} : { [name]: value };
}

function namesAccepted(conflict: Conflict | undefined): JsonObject {
  const accepted = { reason: 'NoConflicts', message: 'no conflicts found' };
  return {
    type: 'NamesAccepted',
    status: conflict === undefined ? 'True' : 'False',
    ...(conflict ?? accepted),
  };
}

function establishedCondition(established: boolean): JsonObject {
  return established
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Returns the condition with the time of its last transition. */
function keepTime(next: JsonObject, before: readonly Json[], now: string): JsonObject {
  const old = before.find((item) => text(item, 'type') === text(next, 'type'));
  const same = old !== undefined && text(old, 'status') === text(next, 'status');
  return { ...next, lastTransitionTime: same ? text(old, 'lastTransitionTime') : now };
}

/** Deletes the objects of deleted definitions, then the definitions. */
export function cleanDefinitions(state: ServerState): boolean {
  const deleting = state.store
    .list(definitions.storage)
    .filter(([, crd]) => text(crd, 'metadata', 'deletionTimestamp') !== '');
  return deleting.map(([key, crd]) => clean(state, key, crd)).some((changed) => changed);
}

function clean(state: ServerState, key: string, crd: JsonObject): boolean {
  const { store } = state;
  const finalizers = strings(crd, 'metadata', 'finalizers');
  const [type] = typesOf(crd);
  const instances = type === undefined ? [] : store.list(type.storage);
  if (type !== undefined && instances.length > 0) {
    const before = store.revision;
    for (const [name, value] of instances)
      deleteObject(state, type, name, value, { propagation: undefined, dryRun: false });
    return store.revision !== before;
  }
  if (!finalizers.includes(cleanup)) return false;
  const rest = finalizers.filter((name) => name !== cleanup);
  if (rest.length === 0) store.remove(definitions.storage, key);
  else store.put(definitions.storage, key, withFinalizers(crd, rest));
  return true;
}
