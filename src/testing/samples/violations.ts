/** Validation of samples with the rules of an API server for custom resources. */
import type { FieldError } from '@kgen/runtime/objects';
import { applyDefaults } from '@kgen/schema/validation/defaults';
import { validateStructure } from '@kgen/schema/validation/resource';
import { blockingReasons, hasRules, validateRules } from '@kgen/schema/validation/rules/validate';
import { parseSchema } from '@kgen/schema/validation/structural';
import { isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import type { Documents } from './documents.ts';
import { charactersOfValue } from './generator.ts';
import { fieldOf, nodeAt, walkValues } from './paths.ts';
import { numberFault } from './scalars/numbers.ts';

/** Validates whole objects, with the defaults that a server fills in. */
export type Validate = (object: JsonObject) => readonly FieldError[];

/** Limit of the work of one call, counted in visited values and in the cost of rules. */
export class Work {
  #left = maxWork;

  get isDone(): boolean {
    return this.#left <= 0;
  }

  /** Counts the parts of a value. */
  visit(value: Json): void {
    this.#left -= sizeOf(value);
  }

  /** Counts the cost of CEL rules. */
  evaluate(cost: number): void {
    this.#left -= cost / costOfValue;
  }

  /** Returns a function that returns whether a share of the rest is done. */
  part(share: number): () => boolean {
    const end = this.#left * (1 - share);
    return () => this.#left <= Math.max(0, end);
  }

  /** Begins a call, or a part of one. */
  restart(share: number): void {
    this.#left = share * maxWork;
  }
}

/** Values that one call validates or creates: about half a second. */
const maxWork = 240_000;

/** Cost of CEL rules that takes as long as the validation of one value. */
const costOfValue = 5;

function sizeOf(value: Json): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  if (typeof value === 'string') return 1 + value.length / charactersOfValue;
  return isObject(value) ? sizeOf(Object.values(value)) : 1;
}

/** Returns the validation of a schema without references, which counts the cost of rules. */
export function validatorOf(documents: Documents, work: Work): Validate {
  const schema = parseSchema(documents.root);
  const rules = hasRules(schema);
  return (object) => {
    const whole = applyDefaults(object, schema);
    if (!isObject(whole)) return [];
    const errors = [...validateStructure(whole, undefined, schema), ...numberFaults(whole, documents)];
    if (!rules || errors.some(({ reason }) => blockingReasons.has(reason))) return errors;
    const results = validateRules(whole, undefined, schema);
    work.evaluate(results.cost);
    return [...errors, ...results.errors];
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
