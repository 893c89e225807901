/** Definitions that an output needs: servers publish more. */
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { isList } from '../../input/json.ts';
import type { ApiResource } from '../../openapi/types.ts';
import type { Definitions } from '../resources/definitions.ts';
import { refOf } from '../walk/references.ts';
import { jsonSchemaProps } from '../walk/special-definitions.ts';
import { asObject } from './json.ts';

/** Returns the definitions that resources need, directly or through other definitions. */
export function reachable(resources: Iterable<ApiResource>, definitions: Definitions): ReadonlySet<string> {
  const found = new Set<string>();
  const open: string[] = [];
  const add = (name: string | undefined): void => {
    if (name === undefined || found.has(name) || definitions.get(name) === undefined) return;
    found.add(name);
    open.push(name);
  };
  for (const resource of resources) {
    add(resource.definition);
    if (resource.verbs.includes('list')) add(resource.listDefinition);
    for (const { definition, response, connect, text } of resource.subresources) {
      if (connect !== undefined || text) continue;
      add(definition);
      add(response);
    }
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const use = definitions.useOf(name);
    add(jsonSchemaProps(name));
    if (use.use === 'list') add(use.list.itemDefinition);
    for (const ref of refsIn(definitions.schemaOf(name))) {
      // Types of the runtime need only other types of the runtime.
      if (use.use !== 'runtime' || definitions.useOf(ref).use === 'runtime') add(ref);
    }
  }
  return found;
}

/** Returns every name that a schema refers to, possibly with duplicates. */
export function refsIn(schema: JsonValue | undefined): readonly string[] {
  const refs: string[] = [];
  const open: (JsonValue | undefined)[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const node = asObject(value);
    const ref = refOf(node);
    if (ref !== undefined) refs.push(ref);
    const inside = isList(value) ? value : Object.values(node ?? {});
    for (const each of inside) if (typeof each === 'object' && each !== null) open.push(each);
  }
  return refs;
}
