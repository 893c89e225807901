/**
 * Review kinds: objects that are never stored, whose status is the response to the question in their spec.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/
 */

import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { parseFieldSelector, parseLabelSelector } from '@kgen/runtime/selectors';
import {
  array,
  compact,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { throwsNothing } from '@kgen/schema/values/thrown';
import type { Context } from '../call/context.ts';
import { timestamp } from '../environment/environment.ts';
import { badRequest, invalid } from '../errors/failures.ts';
import { issuer } from '../identity/tokens.ts';
import type { User } from '../identity/user.ts';
import type { Attributes } from '../request/attributes.ts';
import { type Check, each, present } from '../resources/kinds/support/checks.ts';
import { requirement } from '../resources/kinds/support/selectors.ts';
import { inOrder } from '../resources/metadata.ts';
import { authorize, rulesFor } from './rbac.ts';
import { storedRoles } from './roles.ts';
import type { PolicyRule } from './rules.ts';

/** Completes the object of a review. @throws {Failure} 400 or 422 */
export type Review = (context: Context, value: JsonObject) => JsonObject;

/** Returns the review of a resource, such as `subjectaccessreviews.authorization.k8s.io`. */
export function reviewOf(storage: string): Review | undefined {
  return reviews.get(storage);
}

const reviews: ReadonlyMap<string, Review> = new Map<string, Review>([
  ['subjectaccessreviews.authorization.k8s.io', reviewSubject],
  ['localsubjectaccessreviews.authorization.k8s.io', reviewSubject],
  ['selfsubjectaccessreviews.authorization.k8s.io', reviewSelf],
  ['selfsubjectrulesreviews.authorization.k8s.io', reviewRules],
  ['selfsubjectreviews.authentication.k8s.io', reviewUser],
  ['tokenreviews.authentication.k8s.io', reviewToken],
]);

function reviewSubject(context: Context, value: JsonObject): JsonObject {
  const spec = object(value, 'spec');
  const isLocal = context.namespace !== '';
  const groups = strings(spec, 'groups');
  const user = text(spec, 'user');
  const noUser = user === '' && groups.length === 0;
  refuse([
    ...attributesErrors(spec),
    ...(noUser ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []),
    ...metadataErrors(value, isLocal),
    ...(isLocal ? localErrors(spec, context.namespace) : []),
  ]);
  const uid = text(spec, 'uid');
  return decided(context, value, { name: user, groups, ...(uid === '' ? {} : { uid }) });
}

function reviewSelf(context: Context, value: JsonObject): JsonObject {
  refuse([...attributesErrors(object(value, 'spec')), ...metadataErrors(value, false)]);
  return decided(context, value, context.request.user);
}

function decided(context: Context, value: JsonObject, user: User): JsonObject {
  const decision = authorize(storedRoles(context.store), attributesIn(object(value, 'spec'), user));
  const unlessEmpty = (message: string): string | undefined => (message === '' ? undefined : message);
  const evaluationError = unlessEmpty(ignoredSelectors(object(value, 'spec')));
  const reason = unlessEmpty(decision.reason);
  return { ...value, status: compact({ allowed: decision.allowed, reason, evaluationError }) };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid('authorization.k8s.io', '', '', errors);
}

function attributesErrors(spec: JsonObject): readonly FieldError[] {
  const [resource, other] = [own(spec, 'resourceAttributes'), own(spec, 'nonResourceAttributes')];
  if (isObject(resource) && isObject(other)) {
    const shown = { Path: text(other, 'path'), Verb: text(other, 'verb') };
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue('spec.nonResourceAttributes', shown, detail)];
  }
  if (isObject(resource)) return selectorErrors(resource);
  if (isObject(other)) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, detail)];
}

function selectorErrors(resource: JsonObject): readonly FieldError[] {
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    const selector = own(resource, name);
    const field = `spec.resourceAttributes.${name}`;
    const raw = text(selector, 'rawSelector');
    const requirements = own(selector, 'requirements');
    const isGiven = Array.isArray(requirements) && requirements.length > 0;
    if (selector === undefined || selector === null) return [];
    const detail = `when ${field} is specified, requirements or rawSelector is required`;
    return [
      ...(raw !== '' && isGiven
        ? [invalidValue(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]
        : []),
      ...(raw === '' && !isGiven ? [required(`${field}.requirements`, detail)] : []),
      ...(name === 'labelSelector' ? each(knownRequirement) : each(fieldRequirement))(
        requirements,
        `${field}.requirements`,
      ),
    ];
  });
}

/** Operators that the server does not know are those of newer clients. */
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

const knownRequirement: Check = (value, path) =>
  requirement(value, path).filter(
    ({ field }) => field !== `${path}.operator` || operators.includes(text(value, 'operator')),
  );

const fieldRequirement: Check = (value, path) => [
  ...knownRequirement({ ...object(value), key: 'key', values: strings(value, 'values').map(() => '') }, path),
  ...present('must be specified')(own(value, 'key'), `${path}.key`),
];

/** Returns the error of selectors that cannot be parsed, and are ignored. */
function ignoredSelectors(spec: JsonObject): string {
  const resource = own(spec, 'resourceAttributes');
  const parsers = { fieldSelector: parseFieldSelector, labelSelector: parseLabelSelector } as const;
  const isKnown = (each: Json): boolean => operators.includes(text(each, 'operator'));
  const readable: Readonly<Record<string, (each: Json) => boolean>> = {
    // A field has one value, or another one.
    fieldSelector: (each) =>
      /^(?:Not)?In$/.test(text(each, 'operator')) && strings(each, 'values').length === 1,
    labelSelector: isKnown,
  };
  return Object.entries(parsers)
    .flatMap(([name, parse]) => {
      const requirements = array(resource, name, 'requirements');
      const known = requirements.filter(readable[name] ?? (() => false));
      const isRead = throwsNothing(() => parse(text(resource, name, 'rawSelector')));
      if (isRead && known.length === requirements.length) return [];
      const part = known.length > 0 ? 'partially ignored' : 'ignored';
      return [`spec.resourceAttributes.${name} ${part} due to parse error`];
    })
    .join('; ');
}

function metadataErrors(value: JsonObject, isLocal: boolean): readonly FieldError[] {
  const metadata = object(value, 'metadata');
  const rest = omit(isLocal ? omit(metadata, 'namespace') : metadata, 'managedFields');
  if (Object.values(rest).every(isEmpty)) return [];
  return [
    invalidValue(
      'metadata',
      inOrder(metadata),
      isLocal ? 'must be empty except for namespace' : 'must be empty',
    ),
  ];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function localErrors(spec: JsonObject, namespace: string): readonly FieldError[] {
  const other = own(spec, 'nonResourceAttributes');
  if (isObject(other)) {
    const shown = { Path: text(other, 'path'), Verb: text(other, 'verb') };
    return [invalidValue('spec.nonResourceAttributes', shown, 'disallowed on this kind of request')];
  }
  const named = text(spec, 'resourceAttributes', 'namespace');
  if (!isObject(own(spec, 'resourceAttributes')) || named === namespace) return [];
  return [invalidValue('spec.resourceAttributes.namespace', named, 'must match metadata.namespace')];
}

function attributesIn(spec: JsonObject, user: User): Attributes {
  const resource = own(spec, 'resourceAttributes');
  const given = (key: string): string => text(resource, key);
  const base = {
    user,
    group: given('group'),
    resource: given('resource'),
    subresource: given('subresource'),
    namespace: given('namespace'),
    name: given('name'),
  };
  if (isObject(resource)) return { ...base, verb: given('verb') };
  const other = object(spec, 'nonResourceAttributes');
  return { ...base, verb: text(other, 'verb'), path: text(other, 'path') };
}

function reviewRules(context: Context, value: JsonObject): JsonObject {
  const namespace = text(value, 'spec', 'namespace');
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, errors } = rulesFor(storedRoles(context.store), context.request.user, namespace);
  const nonEmpty = (list: readonly string[]): readonly string[] | undefined =>
    list.length === 0 ? undefined : list;
  const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject =>
    compact({ verbs, apiGroups, resources, resourceNames: nonEmpty(resourceNames) });
  const status = compact({
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    evaluationError: errors.length === 0 ? undefined : errors.join(', '),
  });
  const { kind = '', apiVersion = '' } = value;
  return { kind, apiVersion, metadata: {}, spec: {}, status };
}

function reviewUser({ environment, request }: Context, value: JsonObject): JsonObject {
  const { kind = '', apiVersion = '' } = value;
  const metadata = { creationTimestamp: timestamp(environment) };
  return { kind, apiVersion, metadata, status: { userInfo: userInfo(request.user) } };
}

function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return compact({ username: name, uid, groups, extra });
}

function reviewToken({ authenticator }: Context, value: JsonObject): JsonObject {
  const token = text(value, 'spec', 'token');
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const requested = strings(value, 'spec', 'audiences');
  const reviewed = authenticator.review(token, requested.length === 0 ? [issuer] : requested);
  if (typeof reviewed === 'string') return { ...value, status: { user: {}, error: reviewed } };
  const { user, audiences } = reviewed;
  return { ...value, status: { authenticated: true, user: userInfo(user), audiences } };
}
