/** Warnings about definitions that API servers refuse for another reason than their schemas. */

import type { FieldError } from '@kgen/runtime/objects';
import { definitionErrors, withDefinitionDefaults } from '@kgen/schema/definitions/definition';
import { fieldSteps } from '@kgen/schema/values/field-steps';
import { omit } from '@kgen/schema/values/json';
import { describe } from '../json.ts';
import { type Checker, name } from './checker.ts';
import type { JsonObject, JsonPath } from './crd-input.ts';

/** Adds a warning for each rule of API servers that a definition violates, unless its place has a finding. */
export function checkDefinition(check: Checker, value: JsonObject): void {
  // The server ignores the status of a new definition, and the schemas have checks of their own.
  const errors = definitionErrors(omit(withDefinitionDefaults(value), 'status'), undefined, () => []);
  for (const error of errors) {
    const path = pathOf(error.field);
    const key = JSON.stringify(path).slice(0, -1);
    const isReported = check.findings.some((finding) => {
      const found = JSON.stringify(finding.path).slice(0, -1);
      return found === key || (finding.severity === 'error' && found.startsWith(`${key},`));
    });
    // Versions without a schema have a warning about their types.
    if (isReported || path.includes('openAPIV3Schema')) continue;
    check.warning({ path, value: error.value }, sentence(error, path));
  }
}

/** Fields that API servers keep elsewhere. */
const moved: readonly (readonly [from: RegExp, to: string])[] = [
  [/^spec\.version$/, 'spec.versions[0].name'],
  [/^spec\.(?=(?:subresources|additionalPrinterColumns|selectableFields)\b)/, 'spec.versions[0].'],
  [/JSONPath$/, 'jsonPath'],
  [/^spec\.conversion\.webhookClientConfig/, 'spec.conversion.webhook.clientConfig'],
  [/^spec\.conversion\.conversionReviewVersions/, 'spec.conversion.webhook.conversionReviewVersions'],
];

/** Returns the path of a field in a definition. */
function pathOf(field: string): JsonPath {
  const written = moved
    .reduce((text, [from, to]) => text.replace(from, to), field)
    // The server exchanges the two.
    .replace(/service\.name(space)?$/, (_, end) => `service.name${end === undefined ? 'space' : ''}`);
  return fieldSteps(written).map(({ name, key = '' }) => {
    return name === undefined && /^\d+$/.test(key) ? Number(key) : (name ?? key);
  });
}

const selectable =
  'versions with equal schemas need equal selectable fields, and those with different schemas need different ones';

function sentence(error: FieldError, path: JsonPath): string {
  const { reason, value, detail = '' } = error;
  const field = path[0] === 'metadata' ? error.field : name({ path, value });
  const rule = /^may only be set when /.test(detail) ? selectable : detail;
  switch (reason) {
    case 'FieldValueRequired':
      return `${field} is missing, and the API server rejects that: ${rule || 'add it'}`;
    case 'FieldValueForbidden':
    case 'FieldValueDuplicate':
      return `the API server rejects ${field}: ${rule || 'it is in the list already, remove it'}`;
    case 'FieldValueTooMany':
      return `${field} has ${String(value)} items, and the API server rejects that: ${rule}`;
    default:
      if (typeof value === 'object' || rule === selectable)
        return `${field} is invalid, and the API server rejects that: ${rule}`;
      return `${field} is ${describe(value)}, and the API server rejects that: ${rule}`;
  }
}
