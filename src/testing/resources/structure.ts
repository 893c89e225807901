import { type FieldError, forbiddenField, invalidValue, required } from '../api/fielderror.ts';
import { matchesPattern } from '../schema/pattern.ts';
import { isObject, type JsonObject, object, own, text } from '../values/json.ts';
import { expressionErrors, ruleFormErrors } from './rule-errors.ts';
import { defaultErrors, listErrors, nodesOf, type SchemaNode } from './schema-rules.ts';

/** Keywords of JSON Schema that the API server rejects in a definition. */
const refused = ['$ref', 'additionalItems', 'definitions', 'dependencies', 'id', 'patternProperties'];

/**
 * Returns the violations of the rules of structural schemas, without which pruning and defaulting are
 * undefined.
 */
export function validateStructure(schema: JsonObject, path: string): readonly FieldError[] {
  const nodes = nodesOf(schema, path);
  const structural = [...rootErrors(schema, path), ...nodes.flatMap(nodeErrors)];
  const listed = [...nodes.flatMap(listErrors), ...nodes.flatMap(ruleFormErrors)];
  const isSound = listed.length === 0 && structural.length === 0;
  return [
    ...listed,
    ...structural,
    // Expressions are compiled for the types of a valid schema.
    ...(isSound ? expressionErrors(schema, path) : []),
    // Defaults of a schema that is not structural have no meaning.
    ...(structural.length === 0 ? nodes.flatMap(defaultErrors) : []),
  ];
}

function rootErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const type = text(schema, 'type');
  if (type === 'object') return [];
  if (type !== '') return [invalidValue(`${path}.type`, type, 'must be object at the root')];
  return own(schema, 'x-kubernetes-preserve-unknown-fields') === true
    ? []
    : [required(`${path}.type`, 'must not be empty at the root')];
}

function nodeErrors({ schema, path }: SchemaNode, index: number): readonly FieldError[] {
  const isRoot = index === 0;
  const free =
    own(schema, 'x-kubernetes-preserve-unknown-fields') === true ||
    own(schema, 'x-kubernetes-int-or-string') === true;
  const type = text(schema, 'type');
  const items = own(schema, 'items');
  const extra = own(schema, 'additionalProperties');
  const hasProperties = Object.keys(object(schema, 'properties')).length > 0;
  return [
    ...(type === '' && !free && !isRoot
      ? [required(`${path}.type`, 'must not be empty for specified object fields')]
      : []),
    ...refused
      .filter((key) => own(schema, key) !== undefined)
      .map((key) => forbiddenField(`${path}.${key}`, `${key} is not supported`)),
    ...(own(schema, 'uniqueItems') === true
      ? [
          forbiddenField(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(extra !== undefined && hasProperties
      ? [
          forbiddenField(
            `${path}.additionalProperties`,
            'additionalProperties and properties are mutual exclusive',
          ),
        ]
      : []),
    ...patternErrors(text(schema, 'pattern'), path),
    ...(type === 'array' && !isObject(items) ? [required(`${path}.items`, 'must be specified')] : []),
  ];
}

function patternErrors(pattern: string, path: string): readonly FieldError[] {
  const compiled = pattern === '' ? false : matchesPattern(pattern, '');
  return compiled instanceof Error
    ? [
        invalidValue(
          `${path}.pattern`,
          pattern,
          `must be a valid regular expression, but isn't: ${compiled.message}`,
        ),
      ]
    : [];
}
