import { type JsonObject, object, own, putAt, replace, text } from '../values/json.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { keepStatus, onlyStatus, type Strategy } from './strategy.ts';

/**
 * Namespaces: they have their own name as a label, and a finalizer that holds them while they are emptied.
 */
export const namespaceStrategy: Strategy = {
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

function labelled(value: JsonObject, old: JsonObject): JsonObject {
  return putAt(value, ['metadata', 'labels', 'kubernetes.io/metadata.name'], text(old, 'metadata', 'name'));
}
