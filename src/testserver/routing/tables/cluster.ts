/** Columns of nodes, volumes, events, access rules, quotas and configuration. */

import { array, at, compact, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { conditionOf, nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { age } from './duration.ts';
import { ageOf, count, printed } from './values.ts';

/** Columns by kind. */
export const cluster: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['/Namespace', simple('Name,Status,Age', (value) => [text(value, 'status', 'phase')])],
  ['/Secret', simple('Name,Type,Data,Age', (value) => [text(value, 'type'), sizeOf(value, 'data')])],
  ['/ConfigMap', simple('Name,Data,Age', (value) => [sizeOf(value, 'data') + sizeOf(value, 'binaryData')])],
  ['/ServiceAccount', simple('Name,Age', () => [])],
  ['/ResourceQuota', simple('Name,Request,Limit,Age', quotaCells)],
  [
    'coordination.k8s.io/Lease',
    simple('Name,Holder,Age', (value) => [text(value, 'spec', 'holderIdentity')]),
  ],
  [
    'policy/PodDisruptionBudget',
    simple('Name,Min Available,Max Unavailable,Allowed Disruptions:integer,Age', (value) => [
      printed(value, 'N/A', 'spec', 'minAvailable'),
      printed(value, 'N/A', 'spec', 'maxUnavailable'),
      count(value, 'status', 'disruptionsAllowed'),
    ]),
  ],
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind): [string, Printer] => [
    `admissionregistration.k8s.io/${kind}`,
    simple('Name,Webhooks:integer,Age', (value) => [array(value, 'webhooks').length]),
  ]),
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', policy('Validations', 'validations')],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', policy('Mutations', 'mutations')],
  ...['Validating', 'Mutating'].map((name): [string, Printer] => [
    `admissionregistration.k8s.io/${name}AdmissionPolicyBinding`,
    simple('Name,PolicyName,ParamRef,Age', (value) => [
      text(value, 'spec', 'policyName'),
      paramRef(at(value, 'spec', 'paramRef')),
    ]),
  ]),
  ['/Node', nodePrinter()],
  ['/Event', eventPrinter()],
  ['events.k8s.io/Event', eventPrinter(asCoreEvent)],
  ...['RoleBinding', 'ClusterRoleBinding'].map((kind): [string, Printer] => [
    `rbac.authorization.k8s.io/${kind}`,
    bindingPrinter(),
  ]),
  ['scheduling.k8s.io/PriorityClass', priorityClassPrinter()],
]);

/** Returns columns of which the first is the name, and the last is the age. */
export function simple(columns: string, cells: (value: JsonObject) => readonly Json[]): Printer {
  return {
    columns: parseColumns(columns),
    cells: (value, now) => [nameOf(value), ...cells(value), ageOf(value, now)],
  };
}

function sizeOf(value: JsonObject, key: string): number {
  return Object.keys(object(value, key)).length;
}

function quotaCells(value: JsonObject): readonly string[] {
  const entries = Object.entries(object(value, 'status', 'hard')).sort(([a], [b]) => (a < b ? -1 : 1));
  const cells = entries.map(([name, hard]) => ({
    limit: name.startsWith('limits.'),
    printed: `${name}: ${printed(at(value, 'status', 'used'), '0', name)}/${String(hard)}`,
  }));
  return [false, true].map((limit) =>
    cells
      .filter((cell) => cell.limit === limit)
      .map((cell) => cell.printed)
      .join(', '),
  );
}

function policy(column: string, key: string): Printer {
  return simple(`Name,${column}:integer,ParamKind,Age`, (value) => {
    const kind = at(value, 'spec', 'paramKind');
    return [
      array(value, 'spec', key).length,
      kind === undefined ? '<unset>' : `${text(kind, 'apiVersion')}/${text(kind, 'kind')}`,
    ];
  });
}

function paramRef(reference: Json | undefined): string {
  const [namespace, name] = [text(reference, 'namespace'), text(reference, 'name')];
  return name === '' ? '<unset>' : `${namespace || '*'}/${name}`;
}

function nodePrinter(): Printer {
  return {
    columns: parseColumns(
      'Name,Status,Roles,Age,Version,+Internal-IP,+External-IP,+OS-Image,+Kernel-Version,+Container-Runtime',
    ),
    cells: (value, now) => {
      const info = object(value, 'status', 'nodeInfo');
      const architecture = text(info, 'architecture');
      const kernel = text(info, 'kernelVersion') || '<unknown>';
      return [
        nameOf(value),
        nodeStatus(value),
        nodeRoles(value).join(',') || '<none>',
        ageOf(value, now),
        text(info, 'kubeletVersion'),
        nodeAddress(value, 'InternalIP'),
        nodeAddress(value, 'ExternalIP'),
        text(info, 'osImage') || '<unknown>',
        architecture === '' ? kernel : `${kernel} (${architecture})`,
        text(info, 'containerRuntimeVersion') || '<unknown>',
      ];
    },
  };
}

function nodeStatus(value: JsonObject): string {
  const ready = conditionOf(value, 'Ready');
  const status = ready === undefined ? 'Unknown' : text(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(value, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(value: JsonObject): readonly string[] {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(object(value, 'metadata', 'labels')).map(([key, role]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === 'kubernetes.io/role' ? String(role) : '',
  );
  return [...new Set(roles.filter(Boolean))].toSorted();
}

function nodeAddress(value: JsonObject, type: string): string {
  const found = array(value, 'status', 'addresses').find((item) => text(item, 'type') === type);
  return found === undefined ? '<none>' : text(found, 'address');
}

/** Returns an event of `events.k8s.io` with the members of the core group. */
function asCoreEvent(value: JsonObject): JsonObject {
  return compact({
    ...value,
    involvedObject: own(value, 'regarding'),
    message: own(value, 'note'),
    source: own(value, 'deprecatedSource'),
    firstTimestamp: own(value, 'deprecatedFirstTimestamp'),
    lastTimestamp: own(value, 'deprecatedLastTimestamp'),
    count: own(value, 'deprecatedCount'),
    reportingComponent: own(value, 'reportingController'),
  });
}

function eventPrinter(inCore = (event: JsonObject): JsonObject => event): Printer {
  return {
    columns: parseColumns('Last Seen,Type,Reason,Object,+Subobject,+Source,Message,+First Seen,+Count,+Name'),
    cells: (sent, now) => {
      const event = inCore(sent);
      const name = text(event, 'involvedObject', 'name');
      const kind = text(event, 'involvedObject', 'kind').toLowerCase();
      const first = age(text(event, 'firstTimestamp') || text(event, 'eventTime'), now);
      return [
        lastSeen(event, first, now),
        text(event, 'type'),
        text(event, 'reason'),
        name === '' ? kind : `${kind}/${name}`,
        text(event, 'involvedObject', 'fieldPath'),
        eventSource(event),
        text(event, 'message').trim(),
        first,
        eventCount(event),
        nameOf(event),
      ];
    },
  };
}

function lastSeen(event: JsonObject, first: string, now: number): string {
  const series = own(event, 'series');
  if (series !== undefined && series !== null) return age(text(series, 'lastObservedTime'), now);
  const last = text(event, 'lastTimestamp');
  return last === '' ? first : age(last, now);
}

function eventCount(event: JsonObject): number {
  const series = own(event, 'series');
  if (series !== undefined && series !== null) return count(series, 'count');
  return count(event, 'count') || 1;
}

function eventSource(event: JsonObject): string {
  const component = text(event, 'source', 'component') || text(event, 'reportingComponent');
  const host = text(event, 'source', 'host') || text(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

function bindingPrinter(): Printer {
  return {
    columns: parseColumns('Name,Role,Age,+Users,+Groups,+ServiceAccounts'),
    cells: (value, now) => [
      nameOf(value),
      `${text(value, 'roleRef', 'kind')}/${text(value, 'roleRef', 'name')}`,
      ageOf(value, now),
      ...['User', 'Group', 'ServiceAccount'].map((kind) => subjects(value, kind)),
    ],
  };
}

function subjects(value: JsonObject, kind: string): string {
  const found = array(value, 'subjects').filter((subject) => text(subject, 'kind') === kind);
  return found
    .map((subject) => {
      const name = text(subject, 'name');
      return kind === 'ServiceAccount' ? `${text(subject, 'namespace')}/${name}` : name;
    })
    .join(', ');
}

function priorityClassPrinter(): Printer {
  return {
    columns: parseColumns('Name,Value:integer,Global-Default:boolean,Age,PreemptionPolicy'),
    cells: (value, now) => [
      nameOf(value),
      count(value, 'value'),
      own(value, 'globalDefault') === true,
      ageOf(value, now),
      text(value, 'preemptionPolicy'),
    ],
  };
}
