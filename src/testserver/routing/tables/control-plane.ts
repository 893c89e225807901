/** Columns of certificate requests, API services, flow control, and addresses of the API server. */
import { array, at, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { humanDuration } from './duration.ts';
import { ageOf, containerCells, formatLabels, printed } from './values.ts';

/** Columns by kind. */
export const controlPlane: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    '/PodTemplate',
    {
      columns: parseColumns('Name,Containers,Images,Pod Labels'),
      cells: (value) => [
        nameOf(value),
        ...containerCells(object(value, 'template', 'spec')),
        formatLabels(object(value, 'template', 'metadata', 'labels')),
      ],
    },
  ],
  [
    'apiregistration.k8s.io/APIService',
    {
      columns: parseColumns('Name,Service,Available,Age'),
      cells: (value, now) => [nameOf(value), serviceOf(value), availabilityOf(value), ageOf(value, now)],
    },
  ],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    {
      columns: parseColumns('Name,Age,SignerName,Requestor,RequestedDuration,Condition'),
      cells: (value, now) => [
        nameOf(value),
        ageOf(value, now),
        text(value, 'spec', 'signerName') || '<none>',
        text(value, 'spec', 'username'),
        requestedDuration(value),
        requestCondition(value),
      ],
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/FlowSchema',
    {
      columns: parseColumns('Name,PriorityLevel,MatchingPrecedence,DistinguisherMethod,Age,MissingPL'),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'priorityLevelConfiguration', 'name'),
        at(value, 'spec', 'matchingPrecedence') ?? 0,
        text(value, 'spec', 'distinguisherMethod', 'type') || '<none>',
        ageOf(value, now),
        text(conditionOf(value, 'Dangling'), 'status') || '?',
      ],
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
    {
      columns: parseColumns('Name,Type,NominalConcurrencyShares,Queues,HandSize,QueueLengthLimit,Age'),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'type'),
        at(value, 'spec', 'limited', 'nominalConcurrencyShares') ?? '<none>',
        at(value, 'spec', 'limited', 'limitResponse', 'queuing', 'queues') ?? '<none>',
        at(value, 'spec', 'limited', 'limitResponse', 'queuing', 'handSize') ?? '<none>',
        at(value, 'spec', 'limited', 'limitResponse', 'queuing', 'queueLengthLimit') ?? '<none>',
        ageOf(value, now),
      ],
    },
  ],
  [
    'networking.k8s.io/IPAddress',
    {
      // A real server adds the age to the cells only.
      columns: parseColumns('Name,ParentRef'),
      cells: (value, now) => [nameOf(value), parentOf(value), ageOf(value, now)],
    },
  ],
  [
    'networking.k8s.io/ServiceCIDR',
    {
      columns: parseColumns('Name,CIDRs,Age'),
      cells: (value, now) => [nameOf(value), strings(value, 'spec', 'cidrs').join(','), ageOf(value, now)],
    },
  ],
]);

function conditionOf(value: JsonObject, type: string): JsonObject {
  return object(array(value, 'status', 'conditions').find((condition) => text(condition, 'type') === type));
}

function serviceOf(value: JsonObject): string {
  const service = own(object(value, 'spec'), 'service') ?? null;
  return service === null ? 'Local' : `${text(service, 'namespace')}/${text(service, 'name')}`;
}

function availabilityOf(value: JsonObject): string {
  const { status = 'Unknown', reason = '' } = conditionOf(value, 'Available');
  return status === 'True' || reason === '' ? String(status) : `${status} (${reason})`;
}

function requestedDuration(value: JsonObject): string {
  const seconds = at(value, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1_000) : '<none>';
}

function requestCondition(value: JsonObject): string {
  const types = array(value, 'status', 'conditions').map((condition) => text(condition, 'type'));
  const decision = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${decision}${failed}${text(value, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function parentOf(value: JsonObject): string {
  const parent = at(value, 'spec', 'parentRef') ?? null;
  if (parent === null) return '<none>';
  const group = text(parent, 'group');
  const resource = `${text(parent, 'resource')}${group === '' ? '' : `.${group}`}`.toLowerCase();
  const namespace = printed(parent, '', 'namespace');
  return [resource, ...(namespace === '' ? [] : [namespace]), text(parent, 'name')].join('/');
}
