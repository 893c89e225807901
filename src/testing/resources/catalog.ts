import { webhookClientOf } from '../http/webhooks/registry.ts';
import type { Store } from '../store/store.ts';
import type { JsonObject } from '../values/json.ts';
import { builtInTypes } from './builtin/types.ts';
import { definitions } from './builtin.ts';
import { isEstablished, typesOf } from './definitions/definition.ts';
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

/** Returns all served types: the built-in kinds and the versions of every established definition. */
export function servedTypes(store: Store): readonly ResourceType[] {
  const custom = store
    .list(definitions.storage)
    .flatMap(([, crd]) => (isEstablished(crd) ? parse(store, crd) : []));
  return [...(complete.has(store) ? builtInTypes : stable), definitions, ...custom];
}

function parse(store: Store, crd: JsonObject): readonly ResourceType[] {
  const known = parsed.get(crd);
  if (known !== undefined) return known;
  const types = typesOf(crd, webhookClientOf(store));
  parsed.set(crd, types);
  return types;
}

const builtIn: ReadonlyMap<string, ResourceType> = new Map(
  builtInTypes.map((type) => [`${type.apiVersion}/${type.plural}`, type]),
);

/** Returns the type for requests to `group/version/plural`. */
export function findType(
  store: Store,
  group: string,
  version: string,
  plural: string,
): ResourceType | undefined {
  const known = builtIn.get(`${apiVersionOf(group, version)}/${plural}`);
  if (known !== undefined) return isStable(version) || complete.has(store) ? known : undefined;
  return servedTypes(store).find(
    (type) => type.group === group && type.version === version && type.plural === plural,
  );
}
