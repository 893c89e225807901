/** Authorization library of Kubernetes: decisions on the permissions of the user of a request. */
import { bool, string, structOf, type Type } from '../../check/types.ts';
import { type Functions, member, type Overload } from '../../environment.ts';
import { noSuchOverload, Opaque, type Value } from '../../values/value.ts';
import { text } from '../strings.ts';

/** A decision of the authorizer. */
interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** An action of a user: of a resource, or of a path. */
export interface Action {
  /** A verb such as `list`; the lower-case HTTP method for a path. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path, if it is not the path of a resource. */
  readonly path?: string;
}

/** Decides about an action of the user; of a service account, if its namespace and name are given. */
export type Authorize = (action: Partial<Action>, account: ServiceAccountName | undefined) => Decision;

interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const names = {
  authorizer: 'kubernetes.authorization.Authorizer',
  path: 'kubernetes.authorization.PathCheck',
  group: 'kubernetes.authorization.GroupCheck',
  resource: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
} as const;

/** Type of the variable `authorizer`. */
export const authorizerType: Type = structOf(names.authorizer);
/** Type of the variable `authorizer.requestResource`. */
export const resourceCheckType: Type = structOf(names.resource);
const pathType = structOf(names.path);
const groupType = structOf(names.group);
const decisionType = structOf(names.decision);

/** A check that is being built. */
class Check extends Opaque {
  readonly typeName: string;
  readonly authorize: Authorize;
  readonly account: ServiceAccountName | undefined;
  readonly action: Partial<Action>;

  constructor(
    typeName: string,
    authorize: Authorize,
    action: Partial<Action> = {},
    account?: ServiceAccountName,
  ) {
    super();
    this.typeName = typeName;
    this.authorize = authorize;
    this.action = action;
    this.account = account;
  }

  with(action: Partial<Action>, typeName: string = this.typeName): Check {
    return new Check(typeName, this.authorize, { ...this.action, ...action }, this.account);
  }

  equals(other: Opaque): boolean {
    return other === this;
  }
}

class DecisionValue extends Opaque {
  readonly typeName = names.decision;
  readonly decision: Decision;

  constructor(decision: Decision) {
    super();
    this.decision = decision;
  }

  equals(other: Opaque): boolean {
    return other === this;
  }
}

/** Returns the value of the variable `authorizer`. */
export function authorizerValue(authorize: Authorize): Value {
  return new Check(names.authorizer, authorize);
}

/** Returns the value of the variable `authorizer.requestResource`. */
export function resourceCheckValue(authorize: Authorize, action: Partial<Action>): Value {
  return new Check(names.resource, authorize, action);
}

/** Functions of the authorizer, which admission and match conditions may use. */
export const authorization: Functions = new Map<string, readonly Overload[]>([
  builder('path', 'authorizer_path', authorizerType, pathType, (path) => ({ path })),
  builder('group', 'authorizer_group', authorizerType, groupType, (group) => ({ group })),
  [
    'serviceAccount',
    [
      member(
        'authorizer_serviceaccount',
        [authorizerType, string, string],
        authorizerType,
        ([check, namespace, name]) => {
          const { authorize } = checkOf(check);
          return new Check(names.authorizer, authorize, {}, { namespace: text(namespace), name: text(name) });
        },
      ),
    ],
  ],
  builder('resource', 'groupcheck_resource', groupType, resourceCheckType, (resource) => ({ resource })),
  builder(
    'subresource',
    'resourcecheck_subresource',
    resourceCheckType,
    resourceCheckType,
    (subresource) => ({
      subresource,
    }),
  ),
  builder('namespace', 'resourcecheck_namespace', resourceCheckType, resourceCheckType, (namespace) => ({
    namespace,
  })),
  builder('name', 'resourcecheck_name', resourceCheckType, resourceCheckType, (name) => ({ name })),
  // RBAC does not depend on selectors.
  builder('fieldSelector', 'authorizer_fieldselector', resourceCheckType, resourceCheckType, () => ({})),
  builder('labelSelector', 'authorizer_labelselector', resourceCheckType, resourceCheckType, () => ({})),
  [
    'check',
    [checkOverload('pathcheck_check', pathType), checkOverload('resourcecheck_check', resourceCheckType)],
  ],
  ['errored', [member('decision_errored', [decisionType], bool, () => false)]],
  ['error', [member('decision_error', [decisionType], string, () => '')]],
  ['allowed', [member('decision_allowed', [decisionType], bool, ([a]) => decisionOf(a).allowed)]],
  ['reason', [member('decision_reason', [decisionType], string, ([a]) => decisionOf(a).reason)]],
]);

function checkOf(value: Value | undefined): Check {
  if (!(value instanceof Check)) throw noSuchOverload();
  return value;
}

function decisionOf(value: Value | undefined): Decision {
  if (!(value instanceof DecisionValue)) throw noSuchOverload();
  return value.decision;
}

function builder(
  name: string,
  id: string,
  from: Type,
  to: Type,
  build: (value: string) => Partial<Action>,
): [string, readonly Overload[]] {
  return [
    name,
    [member(id, [from, string], to, ([check, a]) => checkOf(check).with(build(text(a)), to.name))],
  ];
}

function checkOverload(id: string, from: Type): Overload {
  return member(id, [from, string], decisionType, ([check, verb]) => {
    const { authorize, action, account } = checkOf(check);
    return new DecisionValue(authorize({ ...action, verb: text(verb) }, account));
  });
}
