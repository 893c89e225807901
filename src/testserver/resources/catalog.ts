/** Types that a server serves: built-in kinds, and those of established definitions. */

import { isEstablished } from '@kgen/schema/definitions/definition';
import type { JsonObject } from '@kgen/schema/values/json';
import type { Snapshot, Store } from '../store/store.ts';
import type { WebhookClient } from '../webhooks/client.ts';
import { webhookClientOf } from '../webhooks/registry.ts';
import { builtInTypes } from './builtin/types.ts';
import { definitions } from './builtin.ts';
import { conversionOf, typesOf } from './definitions/definition.ts';
import { apiVersionOf, type ResourceType } from './type.ts';

/** Parsed definitions, by the object that was parsed: a changed definition is a different object. */
const parsed = new WeakMap<JsonObject, readonly ResourceType[]>();

/** Built-in kinds in the versions that a real server serves by default: neither alpha nor beta. */
const stable = builtInTypes.filter(({ version }) => isStable(version));

function isStable(version: string): boolean {
  return /^v\d+$/.test(version);
}

/** Stores of servers with all versions of built-in kinds. */
const complete = new WeakSet<Store>();

/** Serves alpha and beta versions too, as `--runtime-config=api/all=true` of a real server. */
export function serveAllVersions(store: Store): void {
  complete.add(store);
}

/** All served types of a store, for one state of its definitions. */
interface Served {
  readonly custom: CustomTypes;
  readonly isComplete: boolean;
  readonly types: readonly ResourceType[];
}

const served = new WeakMap<Store, Served>();

/** Returns all served types: the built-in kinds and the versions of every established definition. */
export function servedTypes(store: Store): readonly ResourceType[] {
  const custom = customTypes(store);
  const isComplete = complete.has(store);
  const known = served.get(store);
  if (known?.custom === custom && known.isComplete === isComplete) return known.types;
  const types = [...(isComplete ? builtInTypes : stable), definitions, ...custom.values()];
  served.set(store, { custom, isComplete, types });
  return types;
}

/** Kinds of definitions by `group/version/plural`. */
type CustomTypes = ReadonlyMap<string, ResourceType>;

/** The kinds of each state of the definitions: the store returns the same list until one of them changes. */
const custom = new WeakMap<Snapshot, CustomTypes>();

/** The kinds of states with a conversion, which calls the webhooks of one server: servers share states. */
const converting = new WeakMap<WebhookClient, WeakMap<Snapshot, CustomTypes>>();

function customTypes(store: Store): CustomTypes {
  const snapshot = store.list(definitions.storage);
  const client = webhookClientOf(store);
  const own = converting.get(client) ?? new WeakMap<Snapshot, CustomTypes>();
  const known = custom.get(snapshot) ?? own.get(snapshot);
  if (known !== undefined) return known;
  const types = snapshot.flatMap(([, crd]) => (isEstablished(crd) ? parse(crd, client) : []));
  const found = new Map(types.map((type) => [`${type.apiVersion}/${type.plural}`, type]));
  if (types.some(({ convert }) => convert !== undefined)) converting.set(client, own.set(snapshot, found));
  else custom.set(snapshot, found);
  return found;
}

function parse(crd: JsonObject, client: WebhookClient): readonly ResourceType[] {
  const types = parsed.get(crd) ?? typesOf(crd);
  parsed.set(crd, types);
  const convert = conversionOf(crd, client);
  return convert === undefined ? types : types.map((type) => ({ ...type, convert }));
}

const builtIn: ReadonlyMap<string, ResourceType> = new Map(
  builtInTypes.map((type) => [`${type.apiVersion}/${type.plural}`, type]),
);

const definitionsPath = `${definitions.apiVersion}/${definitions.plural}`;

/** Returns the type for requests to `group/version/plural`. */
export function findType(
  store: Store,
  group: string,
  version: string,
  plural: string,
): ResourceType | undefined {
  const path = `${apiVersionOf(group, version)}/${plural}`;
  const known = builtIn.get(path);
  if (known !== undefined) return isStable(version) || complete.has(store) ? known : undefined;
  return path === definitionsPath ? definitions : customTypes(store).get(path);
}
