/** Warnings about schemas that API servers refuse. */

import { mistypedDefaults } from '@kgen/schema/rules/defaults';
import { absentFields } from '@kgen/schema/rules/expressions';
import { keywordObjections } from '@kgen/schema/rules/keywords';
import { patternFault } from '@kgen/schema/rules/patterns';
import type { Objection } from '@kgen/schema/rules/places';
import { schemaObjections, structuralObjections } from '@kgen/schema/rules/structural';
import { quoteAll } from '../../common/problems.ts';
import { describe } from '../json.ts';
import type { Checker } from './checker.ts';
import type { CrdVersion } from './crd.ts';
import type { JsonObject, JsonValue } from './crd-input.ts';

/** Adds a warning for each rule of API servers that the schema of a version violates. */
export function checkRules(check: Checker, { schema, schemaPath, subresources }: CrdVersion): void {
  if (schema === undefined || !isBounded(schema)) return;
  const structural = structuralObjections(schema, patternFault);
  const root = { schema, keys: [] };
  const found = [
    ...structural,
    ...keywordObjections(schema, subresources.status),
    ...schemaObjections(schema),
    ...mistypedDefaults(root),
    // The fields of a schema that is not structural are not decided.
    ...(structural.length === 0 ? absentFields(root) : []),
  ];
  for (const objection of found) {
    if (isReportedElsewhere(objection)) continue;
    check.warning({ path: [...schemaPath, ...objection.keys], value: objection.value }, sentence(objection));
  }
}

/** Maximum numbers of values and of levels of a schema that is checked: its parts may be shared. */
const [maxValues, maxDepth] = [200_000, 500];

function isBounded(schema: JsonObject): boolean {
  let left = maxValues;
  const open: (readonly [value: JsonValue, depth: number])[] = [[schema, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    left -= 1;
    if (left < 0 || depth > maxDepth) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push([inner, depth + 1]);
  }
  return true;
}

/** Rules of map keys have a warning with the name of the key. */
function isReportedElsewhere({ detail }: Objection): boolean {
  return /^entries must all be names|so it must have a default/.test(detail);
}

function sentence({ keys, reason, value, supported = [], detail, place }: Objection): string {
  const name = String(keys.at(-1) ?? 'the schema');
  const rule = place === undefined ? detail : `${detail} ${place.join('.')}`;
  switch (reason) {
    case 'required':
      return `${name} is missing, and the API server rejects that: it ${rule}`;
    case 'forbidden':
      return `the API server rejects ${name} here: ${rule}`;
    case 'unsupported':
      return `${name} is ${describe(value)}, and the API server rejects that: use one of ${quoteAll(supported, 8)}`;
    case 'invalid':
      return `${name} is ${describe(value)}, and the API server rejects that: ${rule}`;
  }
}
