/** Validation of samples of built-in kinds with the rules of the server in memory. */
import type { Resource } from '@kgen/runtime/client';
import { type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { shape } from '@kgen/testserver/internal/decoding/admit';
import { Failure } from '@kgen/testserver/internal/errors/status';
import { definitions } from '@kgen/testserver/internal/resources/builtin';
import { virtualStorage } from '@kgen/testserver/internal/resources/builtin/facts';
import { builtInTypes } from '@kgen/testserver/internal/resources/builtin/types';
import type { Cluster } from '@kgen/testserver/internal/resources/kinds/support/rules';
import { strategyOf } from '@kgen/testserver/internal/resources/strategies';
import { apiVersionOf, type ResourceType } from '@kgen/testserver/internal/resources/type';
import { Store } from '@kgen/testserver/internal/store/store';
import type { Validate } from '../violations.ts';

/** Returns the validation of creates of a built-in kind in a cluster without objects. */
export function builtInValidatorOf({ group, version, plural }: Resource): Validate {
  const apiVersion = apiVersionOf(group, version);
  const type = [...builtInTypes, definitions].find(
    (each) => each.apiVersion === apiVersion && each.plural === plural,
  );
  // Kinds of other versions of Kubernetes, and requests that are not stored, have no rules.
  if (type === undefined || virtualStorage.has(type.storage)) return () => [];
  const strategy = strategyOf(type);
  return (object) => {
    try {
      const whole = shape(inNamespace(object, type), type).value;
      const prepared = strategy.prepareCreate(putAt(whole, ['metadata', 'uid'], uid), type, cluster);
      return strategy.validate(prepared, undefined, type, '', cluster);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [{ reason: 'FieldValueInvalid', field: '<nil>', detail: error.message }];
    }
  };
}

/** A cluster without objects, in which nothing is random, so that a sample depends on its seed only. */
const cluster: Cluster = {
  store: new Store(),
  random: () => 0,
  now: () => '2024-05-06T07:08:09Z',
  user: { name: 'sample', groups: [] },
  dryRun: true,
};

const uid = '00000000-0000-4000-8000-000000000000';

function inNamespace(object: JsonObject, { namespaced }: ResourceType): JsonObject {
  if (!namespaced || text(object, 'metadata', 'namespace') !== '') return object;
  return putAt(object, ['metadata', 'namespace'], 'default');
}
