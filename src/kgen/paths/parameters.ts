/** The parameters of an operation, including those of its path. */

import { byText } from '../common/words.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { listOf, own } from '../input/json.ts';
import type { Parameter, ParameterPlace, PathSchema } from './openapi.ts';
import { readSchema } from './schema.ts';
import { component, described, type ReadOptions, type Spot } from './spot.ts';

const places: readonly ParameterPlace[] = ['cookie', 'header', 'path', 'query'];

/** Parameters of connect subresources that are repeated, although documents declare them as single values. */
const repeated: ReadonlySet<string> = new Set(['command', 'ports']);

/**
 * Returns the parameters without duplicates; those of an operation take precedence over those of its path.
 * Path parameters are exactly those that the path names, and required. A parameter of a connect subresource
 * that is part of the path is not a query parameter.
 */
export function readParameters(spot: Spot, options: ReadOptions): readonly Parameter[] {
  const { path, item, operation, document } = spot;
  const names = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name));
  const found = new Map<string, Parameter>();
  const add = (parameter: Parameter): void => {
    found.set(`${parameter.in} ${parameter.name}`, parameter);
  };
  for (const name of names) add({ name, in: 'path', required: true, schema: { type: 'string' } });
  for (const value of [...listOf(own(item, 'parameters')), ...listOf(own(operation, 'parameters'))]) {
    const node = component(value, document);
    const parameter = node === undefined ? undefined : readParameter(node, operation, options);
    if (parameter !== undefined && belongs(parameter, names, connects(operation))) add(parameter);
  }
  return [...found.values()].sort((a, b) => byText(a.in, b.in) || byText(a.name, b.name));
}

function belongs({ in: place, name }: Parameter, names: ReadonlySet<string>, connected: boolean): boolean {
  return place === 'path' ? names.has(name) : !(connected && place === 'query' && names.has(name));
}

function connects(operation: JsonObject): boolean {
  return own(operation, 'x-kubernetes-action') === 'connect';
}

function readParameter(node: JsonObject, operation: JsonObject, options: ReadOptions): Parameter | undefined {
  const name = own(node, 'name');
  const place = places.find((one) => one === own(node, 'in'));
  if (typeof name !== 'string' || place === undefined) return undefined;
  const schema = readSchema(own(node, 'schema'), options.known);
  return {
    name,
    in: place,
    required: place === 'path' || own(node, 'required') === true,
    ...described(node, options),
    schema: connects(operation) && repeated.has(name) ? listSchema(schema) : schema,
  };
}

function listSchema(schema: PathSchema): PathSchema {
  return 'type' in schema && schema.type === 'array' ? schema : { type: 'array', items: schema };
}
