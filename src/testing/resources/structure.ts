import { type FieldError, forbiddenField, invalidValue, required } from '../api/fielderror.ts';
import { matchesPattern } from '../schema/pattern.ts';
import { array, isObject, type JsonObject, object, own, text } from '../values/json.ts';

/** Keywords of JSON Schema that the API server rejects in a definition. */
const refused = [
  '$ref',
  'additionalItems',
  'definitions',
  'dependencies',
  'deprecated',
  'id',
  'patternProperties',
];

/**
 * Returns the violations of the rules of structural schemas, without which pruning and defaulting are
 * undefined.
 */
export function validateStructure(schema: JsonObject, path: string): readonly FieldError[] {
  const type = text(schema, 'type');
  return [
    ...(type === 'object' || (type === '' && own(schema, 'x-kubernetes-preserve-unknown-fields') === true)
      ? []
      : [
          type === ''
            ? required(`${path}.type`, 'must not be empty at the root')
            : invalidValue(`${path}.type`, type, 'must be object at the root'),
        ]),
    ...nodeErrors(schema, path, true),
  ];
}

function nodeErrors(schema: JsonObject, path: string, root: boolean): readonly FieldError[] {
  const free =
    own(schema, 'x-kubernetes-preserve-unknown-fields') === true ||
    own(schema, 'x-kubernetes-int-or-string') === true;
  const type = text(schema, 'type');
  const items = own(schema, 'items');
  const extra = own(schema, 'additionalProperties');
  const properties = Object.entries(object(schema, 'properties'));
  return [
    ...(type === '' && !free && !root
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
    ...(extra !== undefined && properties.length > 0
      ? [
          forbiddenField(
            `${path}.additionalProperties`,
            'additionalProperties and properties are mutual exclusive',
          ),
        ]
      : []),
    ...patternErrors(text(schema, 'pattern'), path),
    ...(type === 'array' && !isObject(items) ? [required(`${path}.items`, 'must be specified')] : []),
    ...listErrors(schema, path),
    ...properties.flatMap(([name, child]) =>
      isObject(child) ? nodeErrors(child, `${path}.properties[${name}]`, false) : [],
    ),
    ...(isObject(items) ? nodeErrors(items, `${path}.items`, false) : []),
    ...(isObject(extra) ? nodeErrors(extra, `${path}.additionalProperties`, false) : []),
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

function listErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = text(schema, 'x-kubernetes-list-type');
  const keys = array(schema, 'x-kubernetes-list-map-keys');
  if (listType === 'map' && keys.length === 0) {
    return [
      required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    ];
  }
  if (keys.length > 0 && listType !== 'map') {
    return [
      required(`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty'),
    ];
  }
  return [];
}
