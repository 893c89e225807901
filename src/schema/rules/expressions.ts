/** Fields that the expressions of a schema name. */
import { isObject, type JsonObject } from '../values/json.ts';
import { own } from './members.ts';
import { isSet, listAt, type Objection, objectAt, type Place, placeAt, placesIn, textAt } from './places.ts';

const validations = 'x-kubernetes-validations';

/** Returns objections to rules of `x-kubernetes-validations` that name a field which their schema lacks. */
export function absentFields(root: Place, isRoot = true): readonly Objection[] {
  const named = listAt(root.schema, validations).flatMap((rule, index): readonly Objection[] => {
    const text = isObject(rule) ? textAt(rule, 'rule') : '';
    const field = text === '' ? undefined : absentField(text, root.schema, isRoot);
    if (field === undefined) return [];
    const keys = [...root.keys, validations, index, 'rule'];
    return [{ keys, reason: 'invalid', value: text, detail: `undefined field '${field}'` }];
  });
  const children = [
    ...placesIn(root, 'properties'),
    ...placeAt(root, 'items'),
    ...placeAt(root, 'additionalProperties'),
  ];
  return [...named, ...children.flatMap((child) => absentFields(child, false))];
}

/** Fields of every object. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns the first field after `self` or `oldSelf` that the schema does not have. */
function absentField(rule: string, schema: JsonObject, isRoot: boolean): string | undefined {
  const code = rule.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '""');
  for (const [, path = ''] of code.matchAll(/(?<![\w.])(?:self|oldSelf)((?:\.[A-Za-z_]\w*)+)(?!\w*\s*\()/g)) {
    let node: JsonObject | undefined = schema;
    for (const [depth, name] of path.slice(1).split('.').entries()) {
      const properties = fieldsOf(node);
      // Escaped names, and the fields of objects, are not decided here.
      if (properties === undefined || name.includes('__')) break;
      if (identity.has(name) && ((isRoot && depth === 0) || isSet(node, 'x-kubernetes-embedded-resource')))
        break;
      const next = own(properties, name);
      if (next === undefined) return name;
      node = isObject(next) ? next : undefined;
    }
  }
  return undefined;
}

/** Returns the properties of an object without other fields. */
function fieldsOf(schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined || textAt(schema, 'type') !== 'object') return undefined;
  const hasValues = (own(schema, 'additionalProperties') ?? null) !== null;
  return hasValues || isSet(schema, 'x-kubernetes-preserve-unknown-fields')
    ? undefined
    : objectAt(schema, 'properties');
}
