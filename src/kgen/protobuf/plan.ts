/** Joins the table of fields with the model: the codecs of an output, and the module of each message. */

import { byText } from '../common/words.ts';
import type { Model } from '../model/ir.ts';
import { kindKey, ownKinds, servedKinds } from './served.ts';
import type { CodecPlan, FieldTable, HomeCodecs, TableKind, TableMessage } from './types.ts';

/**
 * Messages that every group needs, by their keys in the table. Their codecs are part of the runtime, so that
 * it can read responses, lists and errors without generated code. The messages that they refer to are
 * included.
 */
export const runtimeMessages: ReadonlySet<string> = new Set(
  [
    'DeleteOptions',
    'ListMeta',
    'ManagedFieldsEntry',
    'ObjectMeta',
    'OwnerReference',
    'PartialObjectMetadata',
    'PartialObjectMetadataList',
    'Preconditions',
    'ShardInfo',
    'Status',
    'StatusCause',
    'StatusDetails',
  ].map((name) => `meta/v1.${name}`),
);

/** `served`: codecs for the resources of the model. `all`: codecs for every kind of the table. */
export type CodecChoice = 'served' | 'all';

/**
 * Returns the codecs of an output. `served` selects built-in resources, their lists and the bodies of their
 * subresources, and the shared kinds of meta/v1. Custom resources and kinds that are not in the table have no
 * codecs. Without any such resource the plan is empty.
 */
export function codecPlan(table: FieldTable, model: Model, choice: CodecChoice): CodecPlan {
  const own = ownKinds(model);
  const kinds = choice === 'all' ? table.kinds : kindsFor(table, servedKinds(model));
  const resources = new Set(kinds.map(kindKey).filter((key) => own.has(key)));
  return { table, runtimeMessages, resources, homes: homesOf(table, kinds) };
}

function kindsFor({ kinds }: FieldTable, served: ReadonlySet<string>): readonly TableKind[] {
  const own = kinds.filter((kind) => served.has(kindKey(kind)));
  return own.length === 0 ? [] : [...new Set([...own, ...kinds.filter(isShared)])];
}

/**
 * Returns whether a kind belongs to no resource and is used by clients of every group: Status, request
 * options.
 */
function isShared({ apiVersion, message }: TableKind): boolean {
  return message.startsWith('meta/v1.') && (apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1');
}

interface OpenHome {
  readonly kinds: TableKind[];
  readonly messages: string[];
  readonly shared: Set<string>;
}

/** Each message is in the module of its home, each kind in that of its apiVersion. */
function homesOf(table: FieldTable, kinds: readonly TableKind[]): readonly HomeCodecs[] {
  const homes = new Map<string, OpenHome>();
  const at = (home: string): OpenHome => {
    const known = homes.get(home) ?? { kinds: [], messages: [], shared: new Set<string>() };
    homes.set(home, known);
    return known;
  };
  const placed = kinds.map((kind) => ({ ...kind, home: homeOf(kind.apiVersion) }));
  for (const { home, ...kind } of placed) at(home).kinds.push(kind);
  for (const [key, users] of reach(table, placed, runtimeMessages)) {
    const { home } = messageOf(table, key);
    at(home).messages.push(key);
    if ([...users].some((user) => user !== home)) at(home).shared.add(key);
  }
  return [...homes]
    .sort(([a], [b]) => byText(a, b))
    .map(([home, { kinds: own, messages, shared }]) => ({
      home,
      kinds: own.sort((a, b) => byText(a.kind, b.kind)),
      messages: messages.sort(byText),
      shared,
    }));
}

/** Returns the folder of an apiVersion. The core group has a name there, and meta.k8s.io a different one. */
function homeOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.replace(/^meta\.k8s\.io\//, 'meta/') : `core/${apiVersion}`;
}

/** Returns the message of a key. The table is part of kgen, so a missing key is a bug. */
export function messageOf(table: FieldTable, key: string): TableMessage {
  const message = table.messages.get(key);
  if (message === undefined) throw new Error(`the table of fields has no message ${key}`);
  return message;
}

/**
 * Returns the messages that `kinds` consist of, by key, each with the homes that use it. For lists it starts
 * at their items, because the runtime has the codec of lists. Messages in `owned` are not followed.
 */
function reach(
  table: FieldTable,
  kinds: readonly (TableKind & { readonly home: string })[],
  owned: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  const open: string[] = [];
  const use = (key: string, home: string): void => {
    if (owned.has(key)) return;
    const known = users.get(key);
    if (known !== undefined) {
      known.add(home);
      return;
    }
    users.set(key, new Set([home]));
    open.push(key);
  };
  for (const { message, items = message, home } of kinds) use(items, home);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const { home, fields } = messageOf(table, key);
    for (const { element } of fields) if ('message' in element) use(element.message, home);
  }
  return users;
}
