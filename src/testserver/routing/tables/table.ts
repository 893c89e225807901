/** The representation of objects as `meta.k8s.io/v1` Table. */

import { fieldMessage, invalidValue } from '@kgen/runtime/objects';
import {
  array,
  compact,
  isArray,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import { badRequest } from '../../errors/failures.ts';
import { nameOf } from '../../store/object-facts.ts';
import { autoscaling } from './autoscaling.ts';
import { cluster } from './cluster.ts';
import { type Printer, parseColumns } from './columns.ts';
import { controlPlane } from './control-plane.ts';
import { devices } from './devices.ts';
import { network } from './network.ts';
import { pods } from './pods.ts';
import { storage } from './storage.ts';
import { workloads } from './workloads.ts';

const printers: ReadonlyMap<string, Printer> = new Map([
  ['/Pod', pods],
  ...workloads,
  ...network,
  ...cluster,
  ...storage,
  ...autoscaling,
  ...controlPlane,
  ...devices,
]);

/** Columns of built-in kinds without columns of their own. */
const generic: Printer = {
  columns: parseColumns('Name,Created At:date'),
  cells: (value) => [nameOf(value), text(value, 'metadata', 'creationTimestamp')],
};

/** Returns the columns of a built-in kind. */
export function printerOf(group: string, kind: string): Printer {
  return printers.get(`${group}/${kind}`) ?? generic;
}

/** Options of tables. */
export interface TableOptions {
  /** The part of objects that rows contain: `Metadata`, `None` or `Object`. */
  readonly includeObject: string;
  /** The version of `meta.k8s.io`. */
  readonly version: string;
  readonly printer: Printer;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the requested part of objects in the rows of a table.
 * @throws {Failure} 400 for an unknown part
 */
export function includeObjectOf(query: URLSearchParams): string {
  const value = query.get('includeObject') ?? '';
  if (['', 'Metadata', 'None', 'Object'].includes(value)) return value || 'Metadata';
  const error = invalidValue('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${fieldMessage(error)}`);
}

/** Returns an object or a list as a table. Tables after the first one of a watch have no columns. */
export function tableOf(value: JsonObject, options: TableOptions, withColumns = true): JsonObject {
  const items = own(value, 'items');
  // Items of lists omit their kind, objects of rows do not.
  const kind = { kind: text(value, 'kind').replace(/List$/, ''), apiVersion: text(value, 'apiVersion') };
  const rows = (isArray(items) ? items : [value]).map((item) => rowOf({ ...kind, ...object(item) }, options));
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: metadataOf(object(value, 'metadata'), isArray(items)),
    columnDefinitions: withColumns ? options.printer.columns.map((column) => ({ ...column })) : null,
    // The generic printer of Go has no list for no rows.
    rows: rows.length === 0 && options.printer === generic ? null : rows,
  };
}

function metadataOf(metadata: JsonObject, isList: boolean): JsonObject {
  const token = text(metadata, 'continue');
  return compact({
    resourceVersion: own(metadata, 'resourceVersion'),
    continue: isList && token !== '' ? token : undefined,
    remainingItemCount: isList ? own(metadata, 'remainingItemCount') : undefined,
  });
}

function rowOf(value: JsonObject, { printer, version, includeObject, now }: TableOptions): JsonObject {
  const conditions: readonly Json[] = printer.conditions?.(value) ?? [];
  return {
    cells: printer.cells(value, now),
    ...(conditions.length === 0 ? {} : { conditions }),
    object: rowObject(value, version, includeObject),
  };
}

function rowObject(value: JsonObject, version: string, includeObject: string): Json {
  if (includeObject === 'Object') return value;
  const annotations = object(value, 'metadata', 'annotations');
  if (includeObject === 'None' && text(annotations, 'k8s.io/initial-events-end') !== 'true') return null;
  return partialObject(value, version);
}

/** Returns the metadata of an object as `PartialObjectMetadata`. */
export function partialObject(value: Json, version = 'v1'): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOfPartial(value),
  };
}

const generationKey = 'deprecated.daemonset.template.generation';

/** Without the annotation of DaemonSets that the server adds only to objects of a version. */
function metadataOfPartial(value: Json): JsonObject {
  const metadata = object(value, 'metadata');
  const annotations = object(metadata, 'annotations');
  if (own(annotations, generationKey) === undefined || text(value, 'kind') !== 'DaemonSet') return metadata;
  const rest = omit(annotations, generationKey);
  return Object.keys(rest).length === 0 ? omit(metadata, 'annotations') : { ...metadata, annotations: rest };
}

/** Returns the metadata of a list as `PartialObjectMetadataList`. */
export function partialList(value: JsonObject, version = 'v1'): JsonObject {
  const items = array(value, 'items');
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOf(object(value, 'metadata'), true),
    // No item is an empty list without memory in Go.
    items: items.length === 0 ? null : items.map((item) => partialObject(item, version)),
  };
}
