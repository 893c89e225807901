/** Validation of samples of built-in kinds with the rules of the server in memory. */
import type { Resource } from '@kgen/runtime/client';
import { shape } from '../../decoding/admit.ts';
import { Failure } from '../../errors/status.ts';
import { virtualStorage } from '../../resources/builtin/facts.ts';
import { builtInTypes } from '../../resources/builtin/types.ts';
import { definitions } from '../../resources/builtin.ts';
import type { Cluster } from '../../resources/kinds/support/rules.ts';
import { strategyOf } from '../../resources/strategies.ts';
import { apiVersionOf, type ResourceType } from '../../resources/type.ts';
import { Store } from '../../store/store.ts';
import { type JsonObject, putAt, text } from '../../values/json.ts';
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
