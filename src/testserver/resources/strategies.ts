/** Strategy of each type, with those of namespaces and definitions. */

import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import { definitionErrors, withDefinitionDefaults } from '@kgen/schema/definitions/definition';
import { type JsonObject, own, putAt, replace, strings, text } from '@kgen/schema/values/json';
import { builtInStrategy } from './builtin/strategy.ts';
import { customStrategy } from './definitions/custom.ts';
import { storageVersion } from './definitions/definition.ts';
import { validateStructure } from './definitions/structure.ts';
import { qualifiedErrors, validateFinalizers, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { bumpGeneration, keepStatus, onlyStatus, type Strategy } from './strategy.ts';
import type { ResourceType } from './type.ts';

/**
 * Namespaces: they have their own name as a label, and a finalizer that holds them while they are emptied.
 */
const namespaceStrategy: Strategy = {
  unconditionalUpdate: true,
  label: (value) => (text(value, 'metadata', 'name') === '' ? value : labelled(value, value)),
  prepareCreate: (value) => {
    const given = strings(value, 'spec', 'finalizers');
    const finalizers = given.includes('kubernetes') ? given : [...given, 'kubernetes'];
    return { ...labelled(value, value), spec: { finalizers }, status: { phase: 'Active' } };
  },
  prepareUpdate: (value, old, _type, subresource) => {
    if (subresource === 'status') return replace(withPhase(value), 'spec', own(old, 'spec') ?? {});
    if (subresource === 'finalize') return keepStatus(labelled(value, old), old);
    return replace(keepStatus(labelled(value, old), old), 'spec', own(old, 'spec') ?? {});
  },
  validate: (value, old, _type, subresource) => [
    ...validateMetadata(value, false, 'label'),
    ...validateFinalizers(value),
    ...qualifiedErrors(strings(value, 'spec', 'finalizers'), () => 'spec.finalizers'),
    ...(old === undefined ? [] : validateMetadataUpdate(value, old)),
    ...(subresource === 'status' ? phaseErrors(value) : []),
  ],
};

function withPhase(value: JsonObject): JsonObject {
  return text(value, 'status', 'phase') === '' ? putAt(value, ['status', 'phase'], 'Active') : value;
}

function phaseErrors(value: JsonObject): readonly FieldError[] {
  const isDeleted = text(value, 'metadata', 'deletionTimestamp') !== '';
  const [phase, expected] = [text(value, 'status', 'phase'), isDeleted ? 'Terminating' : 'Active'];
  const when = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? 'not ' : ''}empty`;
  return phase === expected ? [] : [invalidValue('status.Phase', phase, when)];
}

/** CustomResourceDefinitions: names are defaulted, and the storage version is recorded in the status. */
const definitionStrategy: Strategy = {
  unconditionalUpdate: false,
  prepareCreate: (value) => {
    const status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: [storageVersion(value)].filter((name) => name !== ''),
    };
    return putAt({ ...withDefinitionDefaults(value), status }, ['metadata', 'generation'], 1);
  },
  prepareUpdate: (value, old, _type, subresource) => {
    if (subresource === 'status') return withStoredVersion(onlyStatus(value, old));
    const next = bumpGeneration(keepStatus(withDefinitionDefaults(value), old), old, 'status');
    const stored = strings(next, 'status', 'storedVersions');
    const storage = storageVersion(next);
    return storage === '' || stored.includes(storage)
      ? next
      : putAt(next, ['status', 'storedVersions'], [...stored, storage]);
  },
  validate: (value, old, _type, subresource) => [
    ...validateMetadata(value, false, 'subdomain'),
    ...(old === undefined ? [] : validateMetadataUpdate(value, old)),
    ...(subresource === 'status' ? [] : definitionErrors(value, old, validateStructure)),
  ],
};

/** Returns the strategy of a type. */
export function strategyOf(type: ResourceType): Strategy {
  if (type.strategy === 'builtin') return builtInStrategy(type);
  if (type.strategy === 'definition') return definitionStrategy;
  return type.strategy === 'namespace' ? namespaceStrategy : customStrategy;
}

/** Empty `storedVersions` are those of a new definition. */
function withStoredVersion(value: JsonObject): JsonObject {
  const path = ['status', 'storedVersions'];
  return strings(value, ...path).length > 0 ? value : putAt(value, path, [storageVersion(value)]);
}

function labelled(value: JsonObject, old: JsonObject): JsonObject {
  return putAt(value, ['metadata', 'labels', 'kubernetes.io/metadata.name'], text(old, 'metadata', 'name'));
}
