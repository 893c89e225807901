/** Columns of volumes and storage classes. */

import { array, at, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { ageOf, printed } from './values.ts';

const modeNames: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Columns by kind. */
export const storage: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    '/PersistentVolume',
    {
      columns: parseColumns(
        'Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,VolumeAttributesClass,Reason,Age,+VolumeMode',
      ),
      cells: (value, now) => [
        nameOf(value),
        printed(value, '0', 'spec', 'capacity', 'storage'),
        accessModes(at(value, 'spec', 'accessModes')),
        text(value, 'spec', 'persistentVolumeReclaimPolicy'),
        phaseOf(value),
        claimOf(at(value, 'spec', 'claimRef')),
        classOf(value),
        printed(value, '<unset>', 'spec', 'volumeAttributesClassName'),
        text(value, 'status', 'reason'),
        ageOf(value, now),
        printed(value, '<unset>', 'spec', 'volumeMode'),
      ],
    },
  ],
  [
    '/PersistentVolumeClaim',
    {
      columns: parseColumns(
        'Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,+VolumeMode',
      ),
      cells: (value, now) => {
        const volume = text(value, 'spec', 'volumeName');
        return [
          nameOf(value),
          phaseOf(value),
          volume,
          volume === '' ? '' : printed(value, '0', 'status', 'capacity', 'storage'),
          volume === '' ? '' : accessModes(at(value, 'status', 'accessModes')),
          classOf(value),
          printed(value, '<unset>', 'spec', 'volumeAttributesClassName'),
          ageOf(value, now),
          printed(value, '<unset>', 'spec', 'volumeMode'),
        ];
      },
    },
  ],
  [
    'storage.k8s.io/CSINode',
    {
      columns: parseColumns('Name,Drivers:integer,Age'),
      cells: (value, now) => [nameOf(value), array(value, 'spec', 'drivers').length, ageOf(value, now)],
    },
  ],
  [
    'storage.k8s.io/StorageClass',
    {
      columns: parseColumns('Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age'),
      cells: (value, now) => [
        `${nameOf(value)}${isDefaultClass(value) ? ' (default)' : ''}`,
        text(value, 'provisioner'),
        printed(value, 'Delete', 'reclaimPolicy'),
        printed(value, 'Immediate', 'volumeBindingMode'),
        own(value, 'allowVolumeExpansion') === true,
        ageOf(value, now),
      ],
    },
  ],
]);

function phaseOf(value: JsonObject): string {
  return isDeleting(value) ? 'Terminating' : text(value, 'status', 'phase');
}

function claimOf(reference: Json | undefined): string {
  return reference === undefined ? '' : `${text(reference, 'namespace')}/${text(reference, 'name')}`;
}

function classOf(value: JsonObject): string {
  const annotation = text(value, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class');
  return annotation || text(value, 'spec', 'storageClassName');
}

function accessModes(modes: Json | undefined): string {
  const found = new Set(strings(modes));
  return Object.entries(modeNames)
    .filter(([mode]) => found.has(mode))
    .map(([, name]) => name)
    .join(',');
}

function isDefaultClass(value: JsonObject): boolean {
  const annotations = object(value, 'metadata', 'annotations');
  return ['', 'beta.'].some(
    (prefix) => text(annotations, `storageclass.${prefix}kubernetes.io/is-default-class`) === 'true',
  );
}
