/** Devices of dynamic resource allocation: claims, classes, slices and taints. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { bool, dyn, isSameType, printType } from '@kgen/schema/cel/check/types';
import { deviceEnvironment } from '@kgen/schema/cel/library/kubernetes/devices';
import {
  array,
  at,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { checkIn } from './extensions/expressions.ts';
import {
  all,
  type Check,
  distinct,
  each,
  eachValue,
  first,
  immutable,
  isEmpty,
  members,
  named,
  oneOf,
  optional,
  present,
  valid,
  whole,
} from './support/checks.ts';
import { type Fill, fill } from './support/fill.ts';
import { labelProblem, qualifiedProblems, subdomainProblem } from './support/names.ts';
import { type KindRules, type KindWrite, restoredMetadata } from './support/rules.ts';
import { labels } from './support/selectors.ts';

const device: Fill = { when: (request) => withCount(request) };

function withCount(request: JsonObject): JsonObject {
  const mode = text(request, 'allocationMode') || 'ExactCount';
  const count = mode === 'ExactCount' && Number(own(request, 'count') ?? 0) === 0 ? { count: 1 } : {};
  return { ...request, allocationMode: mode, ...count };
}

const claimFill: Fill = {
  in: { devices: { each: { requests: { in: { exactly: device }, each: { firstAvailable: device } } } } },
};

const opaque: Check = (value, path) =>
  isObject(value)
    ? members({
        driver: named(subdomainProblem),
        parameters: (item, at) => (item === undefined || item === null ? [required(at)] : []),
      })(value, path)
    : [required(path)];
const configured: Check = members({ config: each(members({ opaque })) });

const celSelector: Check = members({
  cel: (value, path) => (isObject(value) ? expression(own(value, 'expression'), path) : [required(path)]),
});

/** Expressions result in a boolean, also those of unknown attributes. */
function expression(value: Json | undefined, path: string): readonly FieldError[] {
  const [source, at] = [String(value ?? ''), `${path}.expression`];
  if (source.length > longestExpression)
    return [
      { reason: 'FieldValueTooLong', field: at, detail: `may not be more than ${longestExpression} bytes` },
    ];
  // The macro of bindings is not known here.
  if (/\bcel\.bind\b/.test(source)) return [];
  const { type, errors } = checkIn(deviceEnvironment, source, at);
  if (type === undefined || isSameType(type, bool) || isSameType(type, dyn)) return errors;
  return [invalidValue(at, source, `must evaluate to bool or the unknown type, not ${printType(type)}`)];
}

const longestExpression = 10 * 1024;

const oneRequest = 'exactly one of `exactly` or `firstAvailable` is required';
const oneAttribute =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

const requested: Check = whole((value, path) =>
  members({
    deviceClassName: named(subdomainProblem),
    selectors: each(celSelector),
    allocationMode: oneOf('All', 'ExactCount'),
    count: (count, at) =>
      text(value, 'allocationMode') === 'ExactCount' && Number(count ?? 0) <= 0
        ? [invalidValue(at, count ?? 0, 'must be greater than zero')]
        : [],
  })(value, path),
);

const label: Check = (value, path) => valid(labelProblem)(value ?? '', path);

const request: Check = whole((value, path) => {
  const forms = [own(value, 'exactly'), array(value, 'firstAvailable')[0]].filter(
    (form) => form !== undefined,
  );
  return [
    ...label(own(value, 'name'), `${path}.name`),
    ...(forms.length === 0 ? [required(path, oneRequest)] : []),
    ...optional(requested)(own(value, 'exactly'), `${path}.exactly`),
    ...all(each(all(members({ name: label }), requested)), distinctNames)(
      own(value, 'firstAvailable'),
      `${path}.firstAvailable`,
    ),
  ];
});

/** As on a real server, a repeated name is reported at its item. */
const distinctNames: Check = (value, path) => {
  const names = array(value).map((item) => text(item, 'name'));
  return distinct(names, path).filter((error) => error.value !== '');
};

const constraint: Check = whole((value, path) => {
  const given = ['matchAttribute', 'distinctAttribute'].filter((key) => own(value, key) !== undefined);
  if (given.length === 0) return [required(path, oneAttribute)];
  return given.flatMap((key) => attributeErrors(text(value, key), `${path}.${key}`));
});

const unqualified = 'a fully qualified name must be a domain and a name separated by a slash';

function attributeErrors(name: string, field: string): readonly FieldError[] {
  const [domain, ...rest] = name.split('/');
  const identifier = rest.length === 0 ? name : rest.join('/');
  return [
    ...(rest.length === 0 ? [invalidValue(field, name, unqualified)] : []),
    ...(rest.length === 0 || domain === undefined ? [] : valid(subdomainProblem)(domain, field)),
    ...(rest.length > 0 && identifier === ''
      ? [invalidValue(field, identifier, 'the name must not be empty')]
      : []),
    ...(/^[A-Za-z_]\w*$/.test(identifier) || (rest.length > 0 && identifier === '')
      ? []
      : [invalidValue(field, identifier, identifierForm)]),
  ];
}

const identifierForm =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

const unknownRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Checks that configurations and constraints name requests of their claim, or alternatives of these. */
const references: Check = whole((value, path) => {
  const names = new Set(
    array(value, 'requests').flatMap((each) => {
      const name = text(each, 'name');
      const alternatives = array(each, 'firstAvailable').map((item) => `${name}/${text(item, 'name')}`);
      return [name, ...alternatives];
    }),
  );
  return ['config', 'constraints'].flatMap((list) =>
    array(value, list).flatMap((each, index) => {
      const field = `${path}.${list}[${index}].requests`;
      return [
        ...strings(each, 'requests').flatMap((name, at) => [
          ...name.split('/').flatMap((part) => label(part, `${field}[${at}]`)),
          ...(names.has(name) ? [] : [invalidValue(`${field}[${at}]`, name, unknownRequest)]),
        ]),
        ...distinct(own(each, 'requests'), field),
      ];
    }),
  );
});

const claimed: Check = members({
  devices: all(
    members({ requests: all(each(request), distinctNames), constraints: each(constraint) }),
    configured,
    references,
  ),
});

/** A device has both lists of conditions, or none of them. */
const bound: Check = whole((value, path) => {
  const lists = ['bindingConditions', 'bindingFailureConditions'] as const;
  const [missing] = lists.filter((key) => array(value, key).length === 0);
  const [given] = lists.filter((key) => array(value, key).length > 0);
  if (missing === undefined || given === undefined) return [];
  return [invalidValue(`${path}.${missing}`, null, `${missing} are required to use ${given}`)];
});

const taint: Check = members({
  key: (value, path) =>
    qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
  effect: present(),
});

const oneNode = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

const poolName: Check = first(present(), (value, path) =>
  String(value)
    .split('/')
    .flatMap((part) => valid(subdomainProblem)(part, path)),
);

const nodeName: Check = (value, path) =>
  value === ''
    ? [invalidValue(path, '', 'must be either unset or set to a non-empty string')]
    : valid(subdomainProblem)(value, path);

const version = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

const attribute: Check = whole((value, path) => {
  const isGiven = Object.values(value).some((item) => item !== null);
  if (!isGiven) return [invalidValue(path, '', 'exactly one value must be specified')];
  return optional(
    valid((given) =>
      version.test(given) ? undefined : 'must be a string compatible with semver.org spec 2.0.0',
    ),
  )(own(value, 'version'), `${path}.version`);
});

const sliceDevice: Check = members({ name: label, attributes: eachValue(attribute) });

const slices: KindRules = {
  generation: true,
  check: members({
    spec: whole((value, path) => {
      const pool = object(value, 'pool');
      const count = Number(own(pool, 'resourceSliceCount') ?? 0);
      const nodes = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'].filter(
        (key) => !isEmpty(own(value, key)),
      );
      return [
        ...named(subdomainProblem)(own(value, 'driver'), `${path}.driver`),
        ...poolName(own(pool, 'name'), `${path}.pool.name`),
        ...(Number(own(pool, 'generation') ?? 0) < 0
          ? [
              invalidValue(
                `${path}.pool.generation`,
                own(pool, 'generation') ?? 0,
                'must be greater than or equal to zero',
              ),
            ]
          : []),
        ...nodeName(own(value, 'nodeName'), `${path}.nodeName`),
        ...all(each(sliceDevice), distinctNames)(own(value, 'devices'), `${path}.devices`),
        ...(count > 0
          ? []
          : [invalidValue(`${path}.pool.resourceSliceCount`, count, 'must be greater than zero')]),
        ...(nodes.length === 1 ? [] : [required(path, oneNode)]),
        ...each(bound)(own(value, 'devices'), `${path}.devices`),
      ];
    }),
  }),
  checkUpdate: ({ value, old }) =>
    [['pool', 'name'], ['driver'], ['nodeName']].flatMap((path) =>
      immutable(`spec.${path.join('.')}`, at(value, 'spec', ...path), at(old, 'spec', ...path)),
    ),
};

/** Rules by storage key. */
export const deviceRules: Readonly<Record<string, KindRules>> = {
  'deviceclasses.resource.k8s.io': {
    name: inBytes,
    generation: true,
    check: members({ spec: all(configured, members({ selectors: each(celSelector) })) }),
  },
  'resourceclaims.resource.k8s.io': {
    statusKeeps: restoredMetadata,
    checkUpdate: fixedSpec,
    defaults: (value) => fill(value, { in: { spec: claimFill } }),
    checkWrite: atCreation(members({ spec: claimed })),
  },
  'resourceclaimtemplates.resource.k8s.io': {
    checkUpdate: fixedSpec,
    defaults: (value) => fill(value, { in: { spec: { in: { spec: claimFill } } } }),
    check: members({ spec: members({ spec: claimed, metadata: members({ labels }) }) }),
  },
  'resourceslices.resource.k8s.io': slices,
  'devicetaintrules.resource.k8s.io': { generation: true, check: members({ spec: members({ taint }) }) },
  'resourcepoolstatusrequests.resource.k8s.io': {
    unconditionalUpdate: false,
    check: members({ spec: members({ driver: present() }) }),
  },
};

/** Checks what cannot change later. */
function atCreation(check: Check): (write: KindWrite) => readonly FieldError[] {
  return ({ value, old }) => (old === undefined ? check(value, '') : []);
}

function fixedSpec({ value, old }: KindWrite & { readonly old: JsonObject }): readonly FieldError[] {
  return immutable('spec', own(value, 'spec'), own(old, 'spec'));
}

/** The server counts bytes in the names of device classes. */
function inBytes(name: string): string | undefined {
  return subdomainProblem(name)?.replace('253 characters', '253 bytes');
}
