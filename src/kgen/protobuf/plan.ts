/** Joins the table of fields to the model: which codecs an output has, and in which module each message of them is. */
import type { Model } from '../model/ir.ts';
import { byText } from '../words.ts';
import { messageOf, reach } from './reach.ts';
import { runtimeMessages } from './runtime-messages.ts';
import { kindKey, ownKinds, servedKinds } from './served.ts';
import type { CodecPlan, FieldTable, HomeCodecs, TableKind } from './types.ts';

/** `served`: what the resources of the model need. `all`: every kind of the table, whatever the model holds. */
export type CodecChoice = 'served' | 'all';

/**
 * The codecs of an output. `served` are those of Kubernetes' own resources, of their lists and of what their subresources
 * take, and with them those of meta/v1. Custom resources and kinds that the table does not know have none. Where there
 * is no such resource at all, the plan is empty.
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

/** Kinds that belong to no resource and that clients of every group meet: Status, options of requests. */
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

/** Folder of the group version of an apiVersion: the core group has a name there, and meta.k8s.io another one. */
function homeOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.replace(/^meta\.k8s\.io\//, 'meta/') : `core/${apiVersion}`;
}
