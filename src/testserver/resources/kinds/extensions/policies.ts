/** Rules of the API server for admission policies and their bindings, in its order. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { bool, dyn, listOf, nullType, string, structOf, type Type } from '@kgen/schema/cel/check/types';
import {
  type ExpressionScope,
  mutationStructs,
  patchType,
} from '@kgen/schema/cel/library/kubernetes/admission';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { label1035Problems } from '@kgen/schema/values/names';
import {
  all,
  type Check,
  duplicate,
  each,
  first,
  listed,
  members,
  oneOf,
  optional,
  present,
  valid,
  whole,
} from '../support/checks.ts';
import { pathSegmentProblem, qualifiedProblems, subdomainProblem } from '../support/names.ts';
import { selector } from '../support/selectors.ts';
import { type CheckedExpression, checkExpression } from './expressions.ts';
import { conditionsIn, rule } from './webhooks.ts';

const failurePolicy = oneOf('Fail', 'Ignore');

const version: Check = valid((value) => {
  const parts = value.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${value}`;
  return parts.at(-1) === '' ? 'version must be specified' : undefined;
});

const versionParts: Check = (value, path) => {
  const parts = String(value ?? '').split('/');
  const [group = '', name = ''] = parts.length === 1 ? ['', ...parts] : parts;
  const problem = group === '' ? undefined : subdomainProblem(group);
  return [
    ...(problem === undefined ? [] : [invalidValue(path, group, problem)]),
    ...(name === '' || parts.length > 2 ? [] : label1035Problems(name)).map((detail) =>
      invalidValue(path, name, detail),
    ),
  ];
};

const paramKind = optional(
  members({
    apiVersion: first(present(), all(version, versionParts)),
    kind: first(present(), (value, path) =>
      label1035Problems(String(value).toLowerCase()).map((problem) =>
        invalidValue(path, value ?? '', `may have mixed case, but should otherwise match: ${problem}`),
      ),
    ),
  }),
);

const distinct: Check = (value, path) => {
  const names = strings(value);
  return names.flatMap((name, index) => {
    const at = `${path}[${index}]`;
    return names.indexOf(name) < index ? [duplicate(at, name)] : valid(pathSegmentProblem)(name, at);
  });
};

const namedRule = all(members({ resourceNames: distinct }), rule);

const matched = members({
  matchPolicy: optional(oneOf('Exact', 'Equivalent')),
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: each(namedRule),
  excludeResourceRules: each(namedRule),
});

const constraints: Check = (value, path) => {
  if (!isObject(value)) return [required(path)];
  return [...matched(value, path), ...present()(own(value, 'resourceRules'), `${path}.resourceRules`)];
};

/** Operations of requests with an object that a mutation may change. */
const mutable = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Refuses operations that mutating policies do not support. */
const mutableOperations: Check = (value, path) =>
  array(value, 'resourceRules').flatMap((each) =>
    strings(each, 'operations')
      .filter((operation) => !mutable.includes(operation))
      .map((operation) => notSupported(`${path}.resourceRules.operations`, operation, mutable)),
  );

/** Checks a ValidatingAdmissionPolicy. */
export const validatingPolicy: Check = whole((value) => {
  const spec = object(value, 'spec');
  const { scope, errors } = variablesOf(spec, 'spec');
  const validations = array(spec, 'validations');
  const isEmpty = validations.length + array(spec, 'auditAnnotations').length === 0;
  return [
    ...members({ failurePolicy, paramKind, matchConstraints: constraints })(spec, 'spec'),
    ...conditionsIn(scope.params)(own(spec, 'matchConditions'), 'spec.matchConditions'),
    ...errors,
    ...(isEmpty
      ? [required('spec.validations', oneRequired), required('spec.auditAnnotations', oneRequired)]
      : []),
    ...validations.flatMap((each, index) => validationErrors(each, `spec.validations[${index}]`, scope)),
    ...annotationErrors(text(value, 'metadata', 'name'), spec, scope),
  ];
});

/** Checks a MutatingAdmissionPolicy. */
export const mutatingPolicy: Check = whole((value) => {
  const spec = object(value, 'spec');
  const { scope, errors } = variablesOf(spec, 'spec', true);
  const mutations = array(spec, 'mutations');
  const patching = { ...scope, structs: mutationStructs };
  return [
    ...members({ failurePolicy, paramKind, matchConstraints: all(constraints, mutableOperations) })(
      spec,
      'spec',
    ),
    ...conditionsIn(scope.params)(own(spec, 'matchConditions'), 'spec.matchConditions'),
    ...errors,
    ...present('mutations must contain at least one item')(mutations, 'spec.mutations'),
    ...mutations.flatMap((each, index) => mutationErrors(each, `spec.mutations[${index}]`, patching)),
    ...first(present(), oneOf('Never', 'IfNeeded'))(
      own(spec, 'reinvocationPolicy'),
      'spec.reinvocationPolicy',
    ),
  ];
});

/** The scope of a policy's expressions, and the errors of its variables. */
interface PolicyScope {
  readonly scope: ExpressionScope;
  readonly errors: readonly FieldError[];
}

const reserved =
  /^(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

/** @param composes whether expressions may read `variables` even if there are none */
function variablesOf(spec: JsonObject, path: string, composes = false): PolicyScope {
  const types = new Map<string, Type>();
  const scope = (): ExpressionScope => ({
    params: isObject(own(spec, 'paramKind')) ? dyn : undefined,
    variables: new Map(types),
    composes: composes || array(spec, 'variables').length > 0,
  });
  const errors = array(spec, 'variables').flatMap((variable, index) => {
    const at = `${path}.variables[${index}]`;
    const name = text(variable, 'name');
    const isIdentifier = /^[_a-zA-Z]\w*$/.test(name) && !reserved.test(name);
    const value = expressionIn(variable, 'expression', at, scope());
    types.set(name, value.type ?? dyn);
    return [
      ...(name.trim() === ''
        ? [required(`${at}.name`, 'name is not specified')]
        : isIdentifier
          ? []
          : [invalidValue(`${at}.name`, name, 'must be a valid CEL identifier')]),
      ...value.errors,
    ];
  });
  return { scope: scope(), errors };
}

function expressionIn(
  owner: Json,
  member: string,
  path: string,
  scope: ExpressionScope,
  types: readonly Type[] = [],
  missing = `${member} is not specified`,
): CheckedExpression {
  const [source, at] = [text(owner, member), `${path}.${member}`];
  if (source.trim() === '') return { type: undefined, errors: [required(at, missing)] };
  return checkExpression(source, at, scope, types);
}

function validationErrors(value: Json, path: string, scope: ExpressionScope): readonly FieldError[] {
  const [message, computed] = [text(value, 'message'), text(value, 'messageExpression')];
  const isBlank = (source: string): boolean => source !== '' && source.trim() === '';
  const empty = 'must be non-empty if specified';
  return [
    ...expressionIn(value, 'expression', path, scope, [bool]).errors,
    ...(isBlank(computed) ? [invalidValue(`${path}.messageExpression`, computed, empty)] : []),
    ...(computed.trim() === ''
      ? []
      : checkExpression(computed, `${path}.messageExpression`, { ...scope, authorizer: false }, [string])
          .errors),
    ...(isBlank(message)
      ? [invalidValue(`${path}.message`, message, empty)]
      : /[\n\r]/.test(message.trim())
        ? [invalidValue(`${path}.message`, message, 'must not contain line breaks')]
        : []),
    ...optional(oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge'))(
      own(value, 'reason'),
      `${path}.reason`,
    ),
  ];
}

const mostAnnotations = 20;

function annotationErrors(policy: string, spec: JsonObject, scope: ExpressionScope): readonly FieldError[] {
  const path = 'spec.auditAnnotations';
  const annotations = array(spec, 'auditAnnotations');
  // As the server prints its internal type.
  const printed = annotations.map((each) => ({
    Key: text(each, 'key'),
    ValueExpression: text(each, 'valueExpression'),
  }));
  const tooMany = `must not have more than ${mostAnnotations} auditAnnotations`;
  return [
    ...(annotations.length > mostAnnotations ? [invalidValue(path, printed, tooMany)] : []),
    ...annotations.flatMap((annotation, index) => {
      const at = `${path}[${index}]`;
      const key = text(annotation, 'key');
      return [
        ...(policy === ''
          ? [invalidValue(`${at}.key`, key, 'requires metadata.name be non-empty')]
          : qualifiedProblems(`${policy}/${key}`).map((problem) =>
              invalidValue(`${at}.key`, `${policy}/${key}`, problem),
            )),
        ...expressionIn(annotation, 'valueExpression', at, scope, [string, nullType]).errors,
        ...(annotations.findIndex((other) => text(other, 'key') === key) < index
          ? [duplicate(`${at}.key`, key)]
          : []),
      ];
    }),
  ];
}

const oneRequired = 'validations or auditAnnotations must contain at least one item';

/** The member of each type of patch, and the type of its expression. */
const patches: ReadonlyMap<string, readonly [member: string, type: Type]> = new Map([
  ['ApplyConfiguration', ['applyConfiguration', structOf('Object')]],
  ['JSONPatch', ['jsonPatch', listOf(patchType)]],
]);

function mutationErrors(value: Json, path: string, scope: ExpressionScope): readonly FieldError[] {
  const type = text(value, 'patchType');
  if (type === '') return [required(`${path}.patchType`)];
  const found = patches.get(type);
  if (found === undefined) return [notSupported(`${path}.patchType`, type, [...patches.keys()])];
  const [member, result] = found;
  const part = own(value, member) ?? null;
  const others = [...patches.values()].filter(
    ([key]) => key !== member && (own(value, key) ?? null) !== null,
  );
  return [
    ...(part === null
      ? [required(`${path}.${member}`, `must be specified when patchType is ${type}`)]
      : expressionIn(part, 'expression', `${path}.${member}`, scope, [result], '').errors),
    ...others.map(([key]) =>
      invalidValue(`${path}.${key}`, `{${key}}`, `must not be specified when patchType is ${type}`),
    ),
  ];
}

const exclusive = 'name and selector are mutually exclusive';

const paramRef: Check = (value, path) => {
  if (!isObject(value)) return [];
  const [name, hasSelector] = [text(value, 'name'), isObject(own(value, 'selector'))];
  const isBoth = name !== '' && hasSelector;
  return [
    ...valid(pathSegmentProblem)(name, `${path}.name`),
    ...(isBoth ? [forbiddenField(`${path}.name`, exclusive)] : []),
    ...selector(own(value, 'selector'), `${path}.selector`),
    ...(isBoth ? [forbiddenField(`${path}.selector`, exclusive)] : []),
    ...(name === '' && !hasSelector ? [required(path, 'one of name or selector must be specified')] : []),
    ...first(present(), listed('Deny', 'Allow'))(
      own(value, 'parameterNotFoundAction'),
      `${path}.parameterNotFoundAction`,
    ),
  ];
};

const bothActions =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

const actions: Check = (value, path) => {
  const chosen = strings(value);
  return [
    ...chosen.flatMap((action, index) => [
      ...oneOf('Audit', 'Deny', 'Warn')(action, `${path}[${index}]`),
      ...(chosen.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(chosen.includes('Deny') && chosen.includes('Warn')
      ? [invalidValue(path, value ?? null, bothActions)]
      : []),
    ...present('at least one validation action is required')(value, path),
  ];
};

const reference = { policyName: first(present(), valid(subdomainProblem)), paramRef };

/** Checks a ValidatingAdmissionPolicyBinding. */
export const validatingBinding: Check = members({
  spec: members({ ...reference, matchResources: matched, validationActions: actions }),
});

/** Checks a MutatingAdmissionPolicyBinding. */
export const mutatingBinding: Check = members({
  spec: members({ ...reference, matchResources: all(matched, mutableOperations) }),
});
