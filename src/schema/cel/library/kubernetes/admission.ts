/** Environment of the expressions of webhooks and admission policies. */

import { bool, dyn, listOf, mapOf, string, structOf, type Type } from '../../check/types.ts';
import { combine, type Environment, type FieldTypes, overload } from '../../environment.ts';
import { baseFunctions } from '../base.ts';
import { authorization, authorizerType, resourceCheckType } from './authorizer.ts';

const gvk = structOf('kubernetes.GroupVersionKind');
const gvr = structOf('kubernetes.GroupVersionResource');
const userInfo = structOf('kubernetes.UserInfo');
/** Type of the variable `request`. */
export const requestType: Type = structOf('kubernetes.AdmissionRequest');
const texts = listOf(string);

const structs: ReadonlyMap<string, FieldTypes> = new Map([
  [gvk.name, fields({ group: string, version: string, kind: string })],
  [gvr.name, fields({ group: string, version: string, resource: string })],
  [userInfo.name, fields({ username: string, uid: string, groups: texts, extra: mapOf(string, texts) })],
  [
    requestType.name,
    fields({
      kind: gvk,
      resource: gvr,
      subResource: string,
      requestKind: gvk,
      requestResource: gvr,
      requestSubResource: string,
      name: string,
      namespace: string,
      operation: string,
      userInfo,
      dryRun: bool,
      options: dyn,
    }),
  ],
]);

function fields(entries: Readonly<Record<string, Type>>): FieldTypes {
  return new Map(Object.entries(entries));
}

const escapeKey = overload('string_jsonpatch_escapeKey_string', [string], string, ([key]) =>
  typeof key === 'string' ? key.replaceAll('~', '~0').replaceAll('/', '~1') : null,
);
const functions = combine([baseFunctions, authorization, new Map([['jsonpatch.escapeKey', [escapeKey]]])]);
const variablesType = structOf('kubernetes.variables');

/** Variables of the expressions of a webhook or policy, besides those of every request. */
export interface ExpressionScope {
  /** Type of `params`; `undefined` if there are none. */
  readonly params: Type | undefined;
  /** Types of `variables.<name>`. */
  readonly variables: FieldTypes;
  /** Whether `variables` is declared. Default: if there are any. */
  readonly composes?: boolean;
  /** Types of constructed objects: `JSONPatch`, or the fields of `Object`. */
  readonly structs?: Pick<ReadonlyMap<string, FieldTypes>, 'get'>;
  /** Type of `object` and `oldObject`. Default: any. */
  readonly object?: Type;
  /** Whether expressions may use `authorizer`. Default: true. */
  readonly authorizer?: boolean;
}

/** The scope of a webhook's match conditions. */
export const conditionScope: ExpressionScope = { params: undefined, variables: new Map() };

/** The types of requests, of `variables`, and those that mutations construct. */
class Structs extends Map<string, FieldTypes> {
  readonly #scope: ExpressionScope;

  constructor(scope: ExpressionScope) {
    super();
    this.#scope = scope;
  }

  override get(name: string): FieldTypes | undefined {
    if (name === variablesType.name) return this.#scope.variables;
    return structs.get(name) ?? this.#scope.structs?.get(name);
  }
}

/** Budget of all expressions of a policy for one request and binding. */
export const policyBudget = 10_000_000;

/** Type of the operations of a JSON patch. */
export const patchType: Type = structOf('JSONPatch');

/** Fields of an operation of a JSON patch. */
export const patchFields: FieldTypes = fields({ op: string, path: string, from: string, value: dyn });

/** Returns whether a name is that of a type of apply configurations: `Object`, or below it `Object.spec`. */
export function isObjectType(name: string): boolean {
  return /^Object(?:\.|$)/.test(name);
}

/** Fields of any name and type. */
export class AnyFields extends Map<string, Type> {
  override get(): Type {
    return dyn;
  }
}

/** Types that mutations construct. */
class PatchStructs extends Map<string, FieldTypes> {
  override get(name: string): FieldTypes | undefined {
    if (name === patchType.name) return patchFields;
    return isObjectType(name) ? new AnyFields() : undefined;
  }
}

/** Types that the expressions of mutations construct. */
export const mutationStructs: ReadonlyMap<string, FieldTypes> = new PatchStructs();

const authorizers: readonly (readonly [name: string, type: Type])[] = [
  ['authorizer', authorizerType],
  ['authorizer.requestResource', resourceCheckType],
];

/** Returns the environment of a scope. */
export function admissionEnvironment(scope: ExpressionScope): Environment {
  return {
    functions,
    variables: new Map<string, Type>([
      ['object', scope.object ?? dyn],
      ['oldObject', scope.object ?? dyn],
      ['namespaceObject', dyn],
      ['request', requestType],
      ...(scope.authorizer === false ? [] : authorizers),
      ...(scope.params === undefined ? [] : [['params', scope.params] as const]),
      ...((scope.composes ?? scope.variables.size > 0) ? [['variables', variablesType] as const] : []),
    ]),
    structs: new Structs(scope),
  };
}
