import type { Store } from '../store/store.ts';
import type { JsonObject } from '../values/json.ts';
import { definitions, namespaces } from './builtin.ts';
import { isEstablished, typesOf } from './definition.ts';
import type { ResourceType } from './type.ts';

/** Parsed definitions, by the object that was parsed: a changed definition is a different object. */
const parsed = new WeakMap<JsonObject, readonly ResourceType[]>();

/** Returns all served types: the built-in kinds and the versions of every established definition. */
export function servedTypes(store: Store): readonly ResourceType[] {
  const custom = store.list(definitions.storage).flatMap(([, crd]) => (isEstablished(crd) ? parse(crd) : []));
  return [namespaces, definitions, ...custom];
}

function parse(crd: JsonObject): readonly ResourceType[] {
  const known = parsed.get(crd);
  if (known !== undefined) return known;
  const types = typesOf(crd);
  parsed.set(crd, types);
  return types;
}

/** Returns the type for requests to `group/version/plural`. */
export function findType(
  store: Store,
  group: string,
  version: string,
  plural: string,
): ResourceType | undefined {
  return servedTypes(store).find(
    (type) => type.group === group && type.version === version && type.plural === plural,
  );
}
