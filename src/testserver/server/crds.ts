import { type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { type LoadedSource, loadSources, type ObjectSource, type SourcedObject } from './sources.ts';

/**
 * Source of CustomResourceDefinitions, such as the path of a YAML file or a folder, or an object. Objects of
 * other kinds are skipped.
 */
export type CrdSource = ObjectSource;

/**
 * Loads the CRDs of all sources, in order.
 * @throws {Error} names the source and the cause
 */
export async function loadDefinitions(sources: readonly CrdSource[]): Promise<readonly SourcedObject[]> {
  return (await loadSources(sources, 'crds')).flatMap(definitionsIn);
}

/** A source may contain other objects, but one of them must be a CRD. */
function definitionsIn({ name, values }: LoadedSource): readonly SourcedObject[] {
  const definitions = values.flatMap(({ place, value }) => (isDefinition(value) ? [{ place, value }] : []));
  if (definitions.length === 0) throw new Error(`${name}: no CustomResourceDefinition found`);
  const old = definitions.find(({ value }) => own(value, 'apiVersion') !== 'apiextensions.k8s.io/v1');
  if (old === undefined) return definitions;
  const { place, value } = old;
  throw new Error(
    `${place}: ${text(value, 'metadata', 'name')} is of ${text(value, 'apiVersion')}; API servers take apiextensions.k8s.io/v1 only, so convert it first`,
  );
}

function isDefinition(value: Json): value is JsonObject {
  return own(value, 'kind') === 'CustomResourceDefinition';
}
