/** Descriptors of the custom resources that a server serves, with their schemas. */
import { crud, defineResource, type Resource } from '@kgen/runtime/gen/v1';
import type { JsonObject } from '@kgen/schema/values/json';
import { servedTypes } from '@kgen/testserver/internal/resources/catalog';
import type { ResourceType } from '@kgen/testserver/internal/resources/type';
import { definitionName } from '@kgen/testserver/internal/routing/openapi/components';
import { schemaOf } from '@kgen/testserver/internal/routing/openapi/documents';
import type { Store } from '@kgen/testserver/internal/store/store';
import { loadSampler } from '../samples/sampler.ts';

/** Returns valid objects of all custom resources that together have every option of their schemas. */
export async function samplesOfCustomResources(store: Store): Promise<readonly JsonObject[]> {
  const samplers = await Promise.all(customResources(store).map((resource) => loadSampler(resource, {})));
  return samplers.flatMap((sampler) => sampler.samples().samples.map(({ object }) => object));
}

/**
 * Returns one descriptor for each CustomResourceDefinition: of the stored version if it is served, otherwise
 * of another one. A version without a schema has no descriptor.
 */
export function customResources(store: Store): readonly Resource[] {
  const types = servedTypes(store).filter(({ strategy }) => strategy === 'custom');
  const keys = new Set(types.map(({ storage }) => storage));
  return [...keys].flatMap((key) => {
    const versions = types.filter(({ storage }) => storage === key);
    const stored = versions.find(({ apiVersion, storageApiVersion }) => apiVersion === storageApiVersion);
    const type = stored ?? versions[0];
    const schema = type && schemaOf(store, type);
    return type === undefined || schema === undefined ? [] : [descriptorOf(type, schema)];
  });
}

function descriptorOf(type: ResourceType, schema: JsonObject): Resource {
  const { group, version, kind, listKind, plural, singular } = type;
  const name = definitionName(type);
  return defineResource<Resource>({
    group,
    version,
    kind,
    listKind,
    plural,
    singular,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    verbs: crud,
    ...(type.status ? { subresources: { status: ['get', 'patch', 'update'] } } : {}),
    schema: () => Promise.resolve({ definitions: { [name]: schema }, kinds: { [kind]: name }, imports: {} }),
  });
}
