/** Columns of devices, drivers, attachments and classes. */
import { array, at, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { ageOf } from './values.ts';

/** Columns by kind. */
export const devices: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['node.k8s.io/RuntimeClass', withText('Handler', (value) => text(value, 'handler'))],
  ['resource.k8s.io/DeviceClass', onlyAge()],
  ['resource.k8s.io/ResourceClaim', withText('State', claimState)],
  ['resource.k8s.io/ResourceClaimTemplate', onlyAge()],
  [
    'resource.k8s.io/ResourceSlice',
    {
      columns: parseColumns('Name,Node,Driver,Pool,Age'),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'nodeName'),
        text(value, 'spec', 'driver'),
        text(value, 'spec', 'pool', 'name'),
        ageOf(value, now),
      ],
    },
  ],
  [
    'storage.k8s.io/CSIDriver',
    {
      columns: parseColumns(
        'Name,AttachRequired:boolean,PodInfoOnMount:boolean,StorageCapacity:boolean,TokenRequests,RequiresRepublish:boolean,Modes,Age',
      ),
      cells: (value, now) => {
        const spec = object(value, 'spec');
        return [
          nameOf(value),
          own(spec, 'attachRequired') !== false,
          own(spec, 'podInfoOnMount') === true,
          own(spec, 'storageCapacity') === true,
          audiences(spec),
          own(spec, 'requiresRepublish') === true,
          strings(spec, 'volumeLifecycleModes').join(',') || '<none>',
          ageOf(value, now),
        ];
      },
    },
  ],
  [
    'storage.k8s.io/VolumeAttachment',
    {
      columns: parseColumns('Name,Attacher,PV,Node,Attached:boolean,Age').map((column) =>
        column.name === 'Attacher' ? { ...column, format: 'name' } : column,
      ),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'attacher'),
        text(value, 'spec', 'source', 'persistentVolumeName'),
        text(value, 'spec', 'nodeName'),
        at(value, 'status', 'attached') === true,
        ageOf(value, now),
      ],
    },
  ],
  ['storage.k8s.io/VolumeAttributesClass', withText('DriverName', (value) => text(value, 'driverName'))],
]);

function onlyAge(): Printer {
  return { columns: parseColumns('Name,Age'), cells: (value, now) => [nameOf(value), ageOf(value, now)] };
}

function withText(column: string, cell: (value: JsonObject) => string): Printer {
  return {
    columns: parseColumns(`Name,${column},Age`),
    cells: (value, now) => [nameOf(value), cell(value), ageOf(value, now)],
  };
}

function claimState(value: JsonObject): string {
  const deleted = isDeleting(value) ? ['deleted'] : [];
  if ((at(value, 'status', 'allocation') ?? null) === null) return deleted[0] ?? 'pending';
  const reserved = array(value, 'status', 'reservedFor').length > 0 ? ['reserved'] : [];
  return [...deleted, 'allocated', ...reserved].join(',');
}

function audiences(spec: JsonObject): string {
  if (own(spec, 'tokenRequests') === undefined) return '<unset>';
  return array(spec, 'tokenRequests')
    .map((request) => text(request, 'audience'))
    .join(',');
}
