/**
 * Objects as rows of tables, as printed by `kubectl get`.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables
 */

import { DecodeError } from '../../api/errors.ts';
import type { KubernetesList, KubernetesObject, ListMeta, ObjectMeta } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { GetOptions, ListOptions, WatchOptions } from '../../api/options.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { WatchEvent } from '../../api/watch-events.ts';
import { decodeLongList, decodeObject } from '../../client/reading/decode.ts';
import type { RequestTarget } from '../../client/requests/build-request.ts';
import { getRequest, listRequest } from '../../client/requests/verb-requests.ts';
import type { RESTClient } from '../../rest/client.ts';
import { inForm } from '../target.ts';

/** Definition of a column of a table: name, type and priority. */
export interface TableColumn {
  name: string;
  /** Type of the cells, as in OpenAPI: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  /** Refines the type: `name` marks the column with the names of the objects. */
  format: string;
  description: string;
  /** 0 is always printed. Columns with higher values are omitted first. */
  priority: number;
}

/** One condition of a row's object, such as `Completed`. */
export interface TableRowCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown' | (string & {});
  reason?: string;
  message?: string;
}

/** Row of a table: the cells of one object. */
export interface TableRow {
  /** One value per column: strings, numbers, booleans, lists or objects. */
  cells: unknown[];
  conditions?: TableRowCondition[];
  /** The object, to the extent that `includeObject` requested it. */
  object?: KubernetesObject;
}

/** Table of objects, as the server prints it for `kubectl get`. */
export interface Table {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: TableRow[];
}

/** Options of `DynamicResourceClient.table`. */
export interface TableOptions extends ListOptions {
  /** Content of `object` of each row: nothing, its metadata, or the whole object. Default: `Metadata`. */
  includeObject?: 'None' | 'Metadata' | 'Object' | undefined;
}

/** Options of `DynamicResourceClient.watchTable`. */
export interface TableWatchOptions extends WatchOptions, Pick<TableOptions, 'includeObject'> {}

/** One event of a watch on tables. */
export interface TableEvent {
  readonly type: WatchEvent<KubernetesObject>['type'];
  /** A table with one row: the object that was added or modified, or the last state of a deleted one. */
  readonly object: Table;
}

/** Returns the request with the parameter for the objects of rows. */
export function including(request: APIRequest, includeObject: TableOptions['includeObject']): APIRequest {
  if (includeObject === undefined) return request;
  const query = [...request.query, ['includeObject', includeObject] as const];
  return { ...request, query: query.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** Returns the request for a table of a collection. */
export function tableRequest(
  target: RequestTarget,
  { includeObject, ...options }: TableOptions = {},
): APIRequest {
  return including(listRequest(inForm('Table', target), options), includeObject);
}

/** Returns the request for a table of one object. */
export function rowRequest(
  target: RequestTarget,
  name: string,
  { includeObject, ...options }: GetOptions & Pick<TableOptions, 'includeObject'> = {},
): APIRequest {
  return including(getRequest(inForm('Table', target), name, options), includeObject);
}

/** The response: a table, or the object or list itself if the server does not support tables. */
interface TableResponse extends KubernetesObject {
  metadata?: ObjectMeta & ListMeta;
  columnDefinitions?: unknown;
  rows?: unknown;
  items?: unknown;
}

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object',
  priority: 0,
};

const createdColumn: TableColumn = {
  name: 'Created At',
  type: 'date',
  format: '',
  description: 'When the server stored the object first',
  priority: 0,
};

/** Returns a table of the members that all objects have. */
export function plainTable(objects: readonly KubernetesObject[], metadata: ListMeta): Table {
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata,
    columnDefinitions: [nameColumn, createdColumn],
    rows: objects.map(rowOf),
  };
}

function rowOf(object: KubernetesObject): TableRow {
  const { name = '', creationTimestamp = '' } = object.metadata ?? {};
  return { cells: [name, creationTimestamp], object };
}

/** Returns whether a response is a table. */
export function isTable(response: KubernetesObject): boolean {
  const { apiVersion, kind }: { apiVersion?: unknown; kind?: unknown } = response;
  return kind === 'Table' && typeof apiVersion === 'string' && apiVersion.startsWith('meta.k8s.io/');
}

/**
 * Sends the request of a table. If the server does not support tables, the table contains the names of the
 * objects, their times, and the objects.
 */
export async function fetchTable(rest: RESTClient, request: APIRequest): Promise<Table> {
  const { operation } = request;
  const value = await rest.request(request);
  const response = decodeObject<TableResponse>(value, operation);
  if (isTable(response)) return readTable(response, operation);
  if (operation.verb !== 'list') return plainTable([response], {});
  const identity = { group: '', version: '', plural: operation.resource };
  const { items, metadata } = await decodeLongList<KubernetesList<KubernetesObject>>(
    value,
    identity,
    operation,
  );
  return plainTable(items, metadata);
}

function readTable(response: TableResponse, operation: RequestOperation): Table {
  // Servers may encode empty lists as null, or omit them.
  response.rows ??= [];
  if (!Array.isArray(response.rows) || response.rows.length === 0) response.columnDefinitions ??= [];
  if (!Array.isArray(response.columnDefinitions))
    throw new DecodeError('the table has no columns', operation);
  if (!Array.isArray(response.rows)) throw new DecodeError('the rows of the table are not a list', operation);
  const metadata: ListMeta = {};
  response.metadata ??= metadata;
  // seam: the types of columns and rows are not validated
  return response as Table;
}
