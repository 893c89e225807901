/** Status of ValidatingAdmissionPolicies: warnings of expressions that do not suit the matched kinds. */
import type { Type } from '@kgen/schema/cel/check/types';
import type { FieldTypes } from '@kgen/schema/cel/environment';
import type { ExpressionScope } from '@kgen/schema/cel/library/kubernetes/admission';
import { declare, structsOf, typeOf } from '@kgen/schema/validation/rules/declarations';
import { type Schema, valueSchema } from '@kgen/schema/validation/structural';
import { array, type Json, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { compileExpression } from '../../admission/expressions.ts';
import { declareVariables } from '../../admission/variables.ts';
import { type Verb, wait } from '../../call/verb.ts';
import { namespaces } from '../../resources/builtin.ts';
import { servedTypes } from '../../resources/catalog.ts';
import type { ResourceType } from '../../resources/type.ts';
import { type Cluster, type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { number } from '../workloads/values.ts';

const policies: ResourcePath = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
};

/** Checks the expressions of each new generation of a policy. */
export const policyStatusController: Controller = {
  name: 'policyStatus',
  keys: ({ resource, key }) => (resource === storageOf(policies) ? [key] : []),
  *reconcile(key, cluster) {
    const checked = cluster.get(policies, key);
    if (checked === undefined || isCurrent(checked)) return;
    const expressionWarnings = yield* warningsOf(cluster, object(checked, 'spec'));
    // Schemas may have been loaded meanwhile.
    const policy = cluster.get(policies, key);
    if (policy === undefined || text(policy, 'metadata', 'uid') !== text(checked, 'metadata', 'uid')) return;
    yield* cluster.updateStatus(policies, policy, {
      ...object(policy, 'status'),
      observedGeneration: number(checked, 0, 'metadata', 'generation'),
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    });
  },
};

function isCurrent(policy: JsonObject): boolean {
  return number(policy, 0, 'metadata', 'generation') <= number(policy, 0, 'status', 'observedGeneration');
}

function* warningsOf(cluster: Cluster, spec: JsonObject): Verb<readonly JsonObject[]> {
  const params = yield* paramsOf(cluster, spec);
  const kinds: KindScope[] = [];
  for (const type of typesToCheck(cluster, spec)) {
    const known = yield* shapeOf(cluster, type, type.kind);
    if (known === undefined) continue;
    const title = `${type.apiVersion === type.version ? `/${type.version}` : type.apiVersion}, Kind=${type.kind}`;
    kinds.push({ title, scope: scopeOf(spec, known, params) });
  }
  return array(spec, 'validations').flatMap((validation, index) =>
    ['expression', 'messageExpression'].flatMap((member) => {
      const warning = warningOf(text(validation, member), kinds);
      return warning === '' ? [] : [{ fieldRef: `spec.validations[${index}].${member}`, warning }];
    }),
  );
}

/** A kind that a policy matches, with the names that its expressions may use for it. */
interface KindScope {
  readonly title: string;
  readonly scope: ExpressionScope;
}

function warningOf(expression: string, kinds: readonly KindScope[]): string {
  if (expression === '') return '';
  const warnings = kinds.flatMap(({ title, scope }) => {
    const compiled = compileExpression(expression, scope);
    return compiled instanceof Error
      ? [`${title}: ${compiled.message.replace(/^compilation failed: /, '')}\n`]
      : [];
  });
  return warnings.join('\n');
}

/** Type of an object, with the types of its parts. */
interface Shape {
  readonly type: Type;
  readonly structs: Pick<ReadonlyMap<string, FieldTypes>, 'get'>;
}

function scopeOf(spec: JsonObject, known: Shape, params: Shape | undefined): ExpressionScope {
  const structs = { get: (name: string) => known.structs.get(name) ?? params?.structs.get(name) };
  return declareVariables(spec, structs, { object: known.type, ...(params && { params: params.type }) });
}

function* paramsOf(cluster: Cluster, spec: JsonObject): Verb<Shape | undefined> {
  const [apiVersion, kind] = [text(spec, 'paramKind', 'apiVersion'), text(spec, 'paramKind', 'kind')];
  const type = servedTypes(cluster.state.store).find(
    (each) => each.apiVersion === apiVersion && each.kind === kind,
  );
  return type === undefined ? undefined : yield* shapeOf(cluster, type, `${type.kind}Params`);
}

function* shapeOf({ state }: Cluster, type: ResourceType, name: string): Verb<Shape | undefined> {
  const schema = yield* schemaOf(type);
  if (schema === undefined || schema.properties.size === 0) return undefined;
  const base = servedTypes(state.store).find(({ storage }) => storage === namespaces.storage);
  const metadata = base === undefined ? undefined : (yield* schemaOf(base))?.properties.get('metadata');
  const properties = new Map([...schema.properties, ...(metadata ? [['metadata', metadata] as const] : [])]);
  const declaration = declare(withoutCycles({ ...schema, properties }), false);
  if (declaration === undefined) return undefined;
  return { type: typeOf(declaration, name), structs: structsOf(declaration, name) };
}

function* schemaOf(type: ResourceType): Verb<Schema | undefined> {
  const loading = type.load?.();
  if (loading !== undefined) yield* wait(loading);
  return type.schema;
}

/** Returns a schema without the parts that contain themselves, which have no finite type. */
function withoutCycles(schema: Schema, above: readonly Schema[] = []): Schema {
  const path = [...above, schema];
  const cut = (part: Schema): Schema | undefined =>
    path.includes(part) ? undefined : withoutCycles(part, path);
  const values = valueSchema(schema);
  return {
    ...schema,
    items: schema.items && cut(schema.items),
    additionalProperties: values === undefined ? schema.additionalProperties : cut(values),
    properties: new Map(
      [...schema.properties].flatMap(([name, part]) => {
        const rest = cut(part);
        return rest === undefined ? [] : [[name, rest] as const];
      }),
    ),
  };
}

const mostTypes = 10;

/** Returns the kinds that a policy names without wildcards, in the order of group, version and kind. */
function typesToCheck({ state }: Cluster, spec: JsonObject): readonly ResourceType[] {
  const served = servedTypes(state.store);
  const types = array(spec, 'matchConstraints', 'resourceRules')
    .flatMap((rule) => served.filter((type) => isNamed(rule, type)))
    .slice(0, mostTypes);
  return [...new Set(types)].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function isNamed(rule: Json, { group, version, plural }: ResourceType): boolean {
  const [groups, versions] = [strings(rule, 'apiGroups'), strings(rule, 'apiVersions')];
  const isOpen = [...groups, ...versions].some((each) => each.includes('*'));
  return (
    !isOpen &&
    groups.includes(group) &&
    versions.includes(version) &&
    strings(rule, 'resources').includes(plural)
  );
}

function sortKey({ group, version, kind }: ResourceType): string {
  return `${group} ${version} ${kind}`;
}
