import fastJsonPatch, { type Operation, type Validator } from 'fast-json-patch';
import { badRequest, failure } from '../api/failures.ts';
import { isArray, isObject, type Json } from '../values/json.ts';

/** The library's own checks, but that a `replace` may name a key that is not there yet, as the server allows it. */
const validate: Validator<Json> = (operation, index, document, existing) => {
  const checked = operation.op === 'replace' ? { ...operation, op: 'add' as const } : operation;
  fastJsonPatch.validator(checked, index, document, existing);
};

/**
 * RFC 6902. The target itself is left alone; paths through `__proto__` or `constructor.prototype` are refused.
 * @throws {Failure} 422 when an operation cannot be applied, 400 when the patch is not a list of operations.
 */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!isArray(patch) || !patch.every(isObject)) {
    const given = isArray(patch) ? 'array' : typeof patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${given} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  try {
    // The library checks every operation itself (third argument): they need not be well-formed here.
    const operations = patch as unknown as readonly Operation[];
    const result = fastJsonPatch.applyPatch(structuredClone(target), operations, validate, true, true);
    return result.newDocument;
  } catch {
    // The server tells no more than this; what is wrong with the patch stays its secret.
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
    });
  }
}
