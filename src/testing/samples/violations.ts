/** Validation of samples with the rules of an API server for custom resources. */
import type { FieldError } from '../errors/fielderror.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { validateLists } from '../schema/lists.ts';
import { hasRules, validateRules } from '../schema/rules/validate.ts';
import { parseSchema } from '../schema/structural.ts';
import { validateSchema } from '../schema/validate.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import type { Documents } from './documents.ts';
import { fieldOf, nodeAt, walkValues } from './paths.ts';
import { numberFault } from './scalars/numbers.ts';

/** Validates whole objects, with the defaults that a server fills in. */
export type Validate = (object: JsonObject) => readonly FieldError[];

/** Returns the validation of a schema without references. */
export function validatorOf(documents: Documents): Validate {
  const schema = parseSchema(documents.root);
  const rules = hasRules(schema);
  return (object) => {
    const whole = applyDefaults(object, schema);
    if (!isObject(whole)) return [];
    const errors = [
      ...validateSchema(whole, schema, undefined),
      ...validateEmbedded(whole, schema),
      ...validateLists(whole, schema),
      ...numberFaults(whole, documents),
    ];
    if (!rules || errors.some(({ reason }) => blocking.has(reason))) return errors;
    return [...errors, ...validateRules(whole, undefined, schema).errors];
  };
}

function numberFaults(whole: JsonObject, documents: Documents): readonly FieldError[] {
  const errors: FieldError[] = [];
  walkValues(whole, (path, value) => {
    if (typeof value !== 'number') return;
    const node = nodeAt(path, documents);
    const detail = node === undefined ? undefined : numberFault(node, value);
    if (detail !== undefined)
      errors.push({ reason: 'FieldValueInvalid', field: fieldOf(path), value, detail });
  });
  return errors;
}

/** Errors after which a server does not evaluate rules. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
