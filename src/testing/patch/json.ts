import fastJsonPatch, { type Operation, type Validator } from 'fast-json-patch';
import { badRequest, failure } from '../api/failures.ts';
import { isArray, isObject, type Json } from '../values/json.ts';

/** The checks of the library, except that `replace` may name a missing key, as on the server. */
const validate: Validator<Json> = (operation, index, document, existing) => {
  const checked = operation.op === 'replace' ? { ...operation, op: 'add' as const } : operation;
  fastJsonPatch.validator(checked, index, document, existing);
};

/**
 * Applies a JSON patch (RFC 6902) without modifying the target. Paths through `__proto__` or
 * `constructor.prototype` are rejected.
 * @throws {Failure} 422 if an operation cannot be applied, 400 if the patch is not a list of operations
 */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!isArray(patch) || !patch.every(isObject)) {
    const given = isArray(patch) ? 'array' : typeof patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${given} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  try {
    // The library validates every operation itself (third argument), so they need not be well-formed here.
    const operations = patch as unknown as readonly Operation[];
    const result = fastJsonPatch.applyPatch(structuredClone(target), operations, validate, true, true);
    return result.newDocument;
  } catch {
    // The server's message contains no details about the patch.
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
    });
  }
}
