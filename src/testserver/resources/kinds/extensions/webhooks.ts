/** Rules of the API server for webhooks of configurations, in its order. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { bool, type Type } from '@kgen/schema/cel/check/types';
import { conditionScope } from '@kgen/schema/cel/library/kubernetes/admission';
import { isObject, own, strings, text } from '@kgen/schema/values/json';
import {
  all,
  atMost,
  type Check,
  each,
  first,
  members,
  named,
  oneOf,
  optional,
  present,
  unique,
  valid,
  whole,
} from '../support/checks.ts';
import { qualifiedProblems, subdomainProblem } from '../support/names.ts';
import { selector } from '../support/selectors.ts';
import { checkExpression } from './expressions.ts';

const name: Check = first(
  named(subdomainProblem),
  valid((value) =>
    value.split('.').length < 3
      ? 'should be a domain with at least three segments separated by dots'
      : undefined,
  ),
);

const resources: Check = (value, path) => {
  const all = strings(value);
  const wild = new Set<string>();
  const errors = all.flatMap((resource, index): readonly FieldError[] => {
    const at = `${path}[${index}]`;
    if (resource === '') return [required(at)];
    const [plural = '', subresource] = resource.split('/');
    if (resource === '*/*') return [];
    const covering = [`${plural}/*`, `*/${subresource}`].find((each) => wild.has(each));
    if (subresource !== undefined && covering !== undefined)
      return [invalidValue(at, resource, `if '${covering}' is present, must not specify ${resource}`)];
    if (subresource === '*' || (plural === '*' && subresource !== undefined)) wild.add(resource);
    return [];
  });
  const isPlain = all.some((each) => each !== '*' && !each.includes('/'));
  return [
    ...errors,
    ...alone('*/*', 'resources')(value, path),
    ...(all.includes('*') && isPlain
      ? [
          invalidValue(
            path,
            value,
            "if '*' is present, must not specify other resources without subresources",
          ),
        ]
      : []),
  ];
};

/** Requires that a wildcard is the only element. */
function alone(wildcard: string, others: string): Check {
  return (value, path) =>
    strings(value).includes(wildcard) && strings(value).length > 1
      ? [invalidValue(path, value, `if '${wildcard}' is present, must not specify other ${others}`)]
      : [];
}

/** Checks a rule with operations. */
export const rule: Check = members({
  operations: first(
    present(),
    all(alone('*', 'operations'), each(oneOf('CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'))),
  ),
  apiGroups: first(present(), alone('*', 'API groups')),
  apiVersions: first(present(), all(alone('*', 'API versions'), each(present()))),
  resources: first(present(), resources),
  scope: optional(oneOf('*', 'Cluster', 'Namespaced')),
});

const path: Check = (value, at) => {
  const source = text({ value: value ?? null }, 'value');
  if (source === '' || source === '/') return [];
  const steps = source === '//' ? [''] : source.slice(1).replace(/\/$/, '').split('/');
  const found = steps.flatMap((step, index): readonly FieldError[] => {
    if (step === '') return [invalidValue(at, source, `segment[${index}] may not be empty`)];
    const problem = subdomainProblem(step);
    return problem === undefined ? [] : [invalidValue(at, source, `segment[${index}]: ${problem}`)];
  });
  const start = source.startsWith('/') ? [] : [invalidValue(at, source, "must start with a '/'")];
  return [...start, ...found];
};

const servicePath: Check = members({
  port: (value, at) =>
    typeof value === 'number' && (value < 1 || value > 65_535)
      ? [invalidValue(at, value, 'port is not valid: must be between 1 and 65535, inclusive')]
      : [],
  path,
});

const service: Check = whole((value, at) => [
  // As on a real server, one is reported in place of the other.
  ...present()(own(value, 'name'), `${at}.namespace`),
  ...present()(own(value, 'namespace'), `${at}.name`),
  ...servicePath(value, at),
]);

const format = 'desired format: https://host[/path]';
const urlParts = /^(?:([^:/?#]+):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?/s;

const url: Check = (value, at) => {
  const [, scheme = '', user = '', host = '', query = '', fragment = ''] =
    urlParts.exec(text({ value: value ?? null }, 'value')) ?? [];
  const parts: readonly (readonly [isWrong: boolean, value: string, detail: string])[] = [
    [scheme !== 'https', scheme, `'https' is the only allowed URL scheme; ${format}`],
    [host === '', host, `host must be specified; ${format}`],
    [user !== '', user, 'user information is not permitted in the URL'],
    [fragment !== '', fragment, 'fragments are not permitted in the URL'],
    [query !== '', query, 'query parameters are not permitted in the URL'],
  ];
  return parts.flatMap(([isWrong, part, detail]) => (isWrong ? [invalidValue(at, part, detail)] : []));
};

const clientConfig: Check = (value, at) => {
  const hasUrl = (own(value, 'url') ?? null) !== null;
  if (hasUrl === isObject(own(value, 'service')))
    return [required(at, 'exactly one of url or service is required')];
  return members(hasUrl ? { url } : { service })(value, at);
};

/** Returns the check of match conditions. @param params type of the parameters of a policy */
export function conditionsIn(params: Type | undefined): Check {
  const expression: Check = (value, at) => {
    const source = text({ value: value ?? null }, 'value').trim();
    if (source === '') return [required(at)];
    return checkExpression(source, at, { ...conditionScope, params }, [bool]).errors;
  };
  return all(atMost(64), each(members({ expression, name: named(qualifiedProblems) })), unique('name'));
}

const versionName = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const versionProblem =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const reviewVersions: Check = (value, at) => {
  const all = strings(value);
  if (all.length === 0) return [required(at, 'must specify one of v1, v1beta1')];
  const errors = all.flatMap((version, index): readonly FieldError[] => {
    const found = [
      ...(versionName.test(version) ? [] : [versionProblem]),
      ...(all.indexOf(version) < index ? ['duplicate version'] : []),
    ];
    return found.map((detail) => invalidValue(`${at}[${index}]`, version, detail));
  });
  if (all.some((version) => version === 'v1' || version === 'v1beta1')) return errors;
  return [...errors, invalidValue(at, value, 'must include at least one of v1, v1beta1')];
};

const timeout: Check = (value, at) =>
  typeof value === 'number' && (value < 1 || value > 30)
    ? [invalidValue(at, value, 'the timeout value must be between 1 and 30 seconds')]
    : [];

/** Checks the webhooks of a configuration. */
export const webhooks: Check = all(
  each(
    members({
      name,
      rules: each(rule),
      failurePolicy: optional(oneOf('Fail', 'Ignore')),
      matchPolicy: optional(oneOf('Exact', 'Equivalent')),
      sideEffects: (value, at) =>
        value === undefined || value === null
          ? [required(at, 'must specify one of None, NoneOnDryRun')]
          : oneOf('None', 'NoneOnDryRun')(value, at),
      reinvocationPolicy: optional(oneOf('Never', 'IfNeeded')),
      timeoutSeconds: timeout,
      namespaceSelector: selector,
      objectSelector: selector,
      clientConfig,
      matchConditions: conditionsIn(undefined),
      admissionReviewVersions: reviewVersions,
    }),
  ),
  unique('name'),
);
