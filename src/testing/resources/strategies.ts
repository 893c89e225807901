import {
  array,
  isObject,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  replace,
  strings,
  text,
} from '../values/json.ts';
import { customStrategy } from './custom.ts';
import { storageVersion } from './definition.ts';
import { validateDefinition } from './definitionrules.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { bumpGeneration, keepStatus, onlyStatus, type Strategy } from './strategy.ts';
import type { ResourceType } from './type.ts';

/**
 * Namespaces: they have their own name as a label, and a finalizer that holds them while they are emptied.
 */
const namespaceStrategy: Strategy = {
  unconditionalUpdate: true,
  prepareCreate: (value) => {
    const name = text(value, 'metadata', 'name');
    const labelled = putAt(value, ['metadata', 'labels', 'kubernetes.io/metadata.name'], name);
    return { ...labelled, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
  },
  prepareUpdate: (value, old, _type, subresource) => {
    if (subresource === 'status') return onlyStatus(value, old);
    if (subresource === 'finalize') return replace(keepStatus(old, old), 'spec', object(value, 'spec'));
    return replace(keepStatus(labelled(value, old), old), 'spec', own(old, 'spec') ?? {});
  },
  validate: (value, old) => [
    ...validateMetadata(value, false, 'label'),
    ...(old === undefined ? [] : validateMetadataUpdate(value, old)),
  ],
};

/** CustomResourceDefinitions: names are defaulted, and the storage version is recorded in the status. */
const definitionStrategy: Strategy = {
  unconditionalUpdate: false,
  prepareCreate: (value) => {
    const status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: [storageVersion(value)].filter((name) => name !== ''),
    };
    return putAt({ ...withDefaults(value), status }, ['metadata', 'generation'], 1);
  },
  prepareUpdate: (value, old, _type, subresource) => {
    if (subresource === 'status') return onlyStatus(value, old);
    const next = bumpGeneration(keepStatus(withDefaults(value), old), old, 'status');
    const stored = strings(next, 'status', 'storedVersions');
    const storage = storageVersion(next);
    return stored.includes(storage) ? next : putAt(next, ['status', 'storedVersions'], [...stored, storage]);
  },
  validate: (value, old) => [
    ...validateMetadata(value, false, 'subdomain'),
    ...(old === undefined ? [] : validateMetadataUpdate(value, old)),
    ...validateDefinition(value, old),
  ],
};

/** Returns the strategy of a type. */
export function strategyOf(type: ResourceType): Strategy {
  if (type.strategy === 'definition') return definitionStrategy;
  return type.strategy === 'namespace' ? namespaceStrategy : customStrategy;
}

function withDefaults(value: JsonObject): JsonObject {
  const spec = object(value, 'spec');
  const names = object(spec, 'names');
  const kind = text(names, 'kind');
  const conversion = object(spec, 'conversion');
  const defaulted = {
    ...spec,
    names: {
      ...names,
      singular: text(names, 'singular') || kind.toLowerCase(),
      listKind: text(names, 'listKind') || `${kind}List`,
    },
    conversion: text(conversion, 'strategy') === '' ? { ...conversion, strategy: 'None' } : conversion,
    versions: array(spec, 'versions').map((version) => (isObject(version) ? version : {})),
  };
  return {
    ...value,
    spec: own(spec, 'preserveUnknownFields') === false ? omit(defaulted, 'preserveUnknownFields') : defaulted,
  };
}

function labelled(value: JsonObject, old: JsonObject): JsonObject {
  return putAt(value, ['metadata', 'labels', 'kubernetes.io/metadata.name'], text(old, 'metadata', 'name'));
}
