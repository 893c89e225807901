/** Decoding, defaults and validation of custom resources. */
import { type FieldError, fieldMessage, invalidValue } from '@kgen/runtime/objects';
import { newListErrors, validateStructure } from '@kgen/schema/validation/resource';
import { blockingReasons, hasRules, validateRules } from '@kgen/schema/validation/rules/validate';
import type { Schema } from '@kgen/schema/validation/structural';
import { validateSchema } from '@kgen/schema/validation/validate';
import { type Json, type JsonObject, omit, own, putAt, strings } from '@kgen/schema/values/json';
import { checkQuotas } from '../kinds/limits/quota.ts';
import { isQualified, validateMetadata, validateMetadataUpdate } from '../metadata.ts';
import { bumpGeneration, keepStatus, onlyStatus, type Strategy } from '../strategy.ts';
import type { ResourceType } from '../type.ts';

/** Objects of a CustomResourceDefinition. */
export const customStrategy: Strategy = {
  unconditionalUpdate: false,
  warnings: (value, old) => {
    const known = strings(old, 'metadata', 'finalizers');
    const added = strings(value, 'metadata', 'finalizers').filter((name) => !known.includes(name));
    return added
      .filter((name) => !isQualified(name))
      .sort()
      .map((name) => `metadata.finalizers: ${JSON.stringify(name)}: ${unqualified}`);
  },
  prepareCreate: (value, type) =>
    putAt(type.status ? omit(value, 'status') : value, ['metadata', 'generation'], 1),
  prepareUpdate: (value, old, type, subresource) => {
    if (subresource === 'status') return onlyStatus(value, old);
    return bumpGeneration(type.status ? keepStatus(value, old) : value, old);
  },
  checkQuotas: (value, old, type, cluster) => {
    if (type.namespaced) checkQuotas(value, old, type, cluster);
  },
  validate: (value, old, type, subresource, _cluster, warn) => {
    const errors = [
      ...validateMetadata(value, type.namespaced, 'subdomain'),
      // Reported twice, because the server checks it for every kind and again for this one.
      ...(old === undefined
        ? []
        : [...validateMetadataUpdate(value, old), ...validateMetadataUpdate(value, old)]),
      ...(type.schema === undefined ? [] : schemaErrors(value, old, type.schema, subresource)),
      ...scaleErrors(value, type, subresource),
    ];
    return type.schema === undefined ? errors : withRules(errors, value, old, type.schema, warn);
  },
};

const unqualified =
  'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';

function schemaErrors(
  value: JsonObject,
  old: JsonObject | undefined,
  schema: Schema,
  subresource: string,
): readonly FieldError[] {
  return subresource === 'status'
    ? [...statusErrors(value, old, schema), ...newListErrors(value, old, schema)]
    : validateStructure(value, old, schema);
}

function statusErrors(value: JsonObject, old: JsonObject | undefined, schema: Schema): readonly FieldError[] {
  const [status, part] = [own(value, 'status'), schema.properties.get('status')];
  if (status === undefined || part === undefined) return [];
  return validateSchema(status, part, own(old, 'status'), 'status');
}

function withRules(
  errors: readonly FieldError[],
  value: JsonObject,
  old: JsonObject | undefined,
  schema: Schema,
  warn: ((warning: string) => void) | undefined,
): readonly FieldError[] {
  if (!hasRules(schema)) return errors;
  if (!errors.some((error) => blockingReasons.has(error.reason))) {
    const results = validateRules(value, old, schema);
    for (const warning of results.warnings) warn?.(fieldMessage(warning));
    return [...errors, ...results.errors];
  }
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalidValue('<nil>', null, detail)];
}

function scaleErrors(value: JsonObject, type: ResourceType, subresource: string): readonly FieldError[] {
  if (type.scale === undefined) return [];
  const { specReplicas, statusReplicas } = type.scale;
  return [
    ...(subresource === 'status' ? [] : replicaErrors(value, specReplicas)),
    ...replicaErrors(value, statusReplicas),
  ];
}

function replicaErrors(value: JsonObject, path: readonly string[]): readonly FieldError[] {
  const replicas = path.reduce<Json | undefined>(own, value);
  const field = `.${path.join('.')}`;
  if (replicas === undefined || replicas === null) return [];
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    return [
      invalidValue(
        field,
        0,
        `${field} accessor error: ${String(replicas)} is of the type ${typeof replicas === 'number' ? 'float64' : typeof replicas}, expected int64`,
      ),
    ];
  }
  if (replicas < 0) return [invalidValue(field, replicas, 'should be a non-negative integer')];
  return replicas > 2 ** 31 - 1
    ? [invalidValue(field, replicas, 'should be less than or equal to 2147483647')]
    : [];
}
