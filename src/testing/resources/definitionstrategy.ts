import { array, isObject, type JsonObject, object, omit, own, putAt, strings, text } from '../values/json.ts';
import { storageVersion } from './definition.ts';
import { validateDefinition } from './definitionrules.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { bumpGeneration, keepStatus, onlyStatus, type Strategy } from './strategy.ts';

/** CustomResourceDefinitions: names are defaulted, and the storage version is recorded in the status. */
export const definitionStrategy: Strategy = {
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
