/** Creates and applies JSON patches and merge patches. */

export { createJsonPatch } from '../patch/create-json-patch.ts';
export { applyJsonPatch, isJsonPatchError, JsonPatchError } from '../patch/json-patch.ts';
export { applyMergePatch, createMergePatch } from '../patch/merge-patch.ts';
