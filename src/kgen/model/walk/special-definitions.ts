/** Types of Kubernetes' definitions, by their full names, that replace the types of their schemas. */
import { packageOf } from '../../common/names.ts';
import type { Schema, Shape } from '../ir.ts';
import { shortNameOf } from '../names/full-names.ts';
import { plain, unknownSchema } from '../schema/schema.ts';

/**
 * Returns the type of a definition whose schema does not describe the values that servers accept and return,
 * or `undefined`. `typeOf` returns the type of another definition.
 */
export function specialType(name: string, typeOf: (name: string) => Shape): Shape | undefined {
  const rule = byName.get(name);
  if (rule !== undefined) return rule;
  return jsonSchemaPackage.test(packageOf(name)) ? jsonSchemaType(name, typeOf) : undefined;
}

/** Returns whether `specialType` has a type for the definition. */
export function isSpecial(name: string): boolean {
  return specialType(name, () => anything) !== undefined;
}

const anything: Shape = { shape: 'unknown', reason: 'free-form' };
const freeForm: Shape = { shape: 'map', values: unknownSchema('free-form') };

const byName: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', { shape: 'int-or-string' }],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Duration', { shape: 'string' }],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', freeForm],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Patch', freeForm],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', freeForm],
]);

/** Matches packages of the CRD API, whose definitions contain JSON schemas. */
const jsonSchemaPackage = /^io\.k8s\.apiextensions-apiserver\.pkg\.apis\.apiextensions\.v[0-9a-z]+$/;

/** Returns the full name of the definition of JSON schemas that a special definition may contain. */
export function jsonSchemaProps(name: string): string | undefined {
  const isOther =
    shortNameOf(name).startsWith('JSONSchemaPropsOr') && jsonSchemaPackage.test(packageOf(name));
  return isOther ? `${packageOf(name)}.JSONSchemaProps` : undefined;
}

/** Go code serialises values of several types by hand, so there is no schema for them. */
function jsonSchemaType(name: string, typeOf: (name: string) => Shape): Shape | undefined {
  const other = (): Schema => plain(typeOf(`${packageOf(name)}.JSONSchemaProps`));
  switch (shortNameOf(name)) {
    case 'JSON':
      return anything;
    case 'JSONSchemaPropsOrBool':
      return { shape: 'union', members: [other(), plain({ shape: 'boolean' })] };
    case 'JSONSchemaPropsOrArray':
      return { shape: 'union', members: [other(), listOf(other())] };
    case 'JSONSchemaPropsOrStringArray':
      return { shape: 'union', members: [other(), listOf(plain({ shape: 'string' }))] };
    default:
      return undefined;
  }
}

function listOf(items: Schema): Schema {
  return plain({ shape: 'array', items, list: 'atomic', mapKeys: [] });
}
