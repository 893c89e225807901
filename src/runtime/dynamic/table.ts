/**
 * Objects as the rows of tables, as `kubectl get` shows them.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables
 */
import { decodeLongList, decodeObject } from '../client/decode.ts';
import type { Target } from '../client/request.ts';
import { getRequest, listRequest } from '../client/requests.ts';
import { DecodeError } from '../errors.ts';
import type { KubernetesList, KubernetesObject, ListMeta, ObjectMeta } from '../meta.ts';
import type { GetOptions, ListOptions, WatchOptions } from '../options.ts';
import type { RESTClient } from '../rest/client.ts';
import type { Operation, Request } from '../rest/types.ts';
import type { WatchEvent } from '../watch/events.ts';
import { inForm } from './target.ts';

/** One column of a table. */
export interface TableColumn {
  name: string;
  /** Type of the cells, as in OpenAPI: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  /** More about the type: `name` marks the column with the names of the objects. */
  format: string;
  description: string;
  /** 0 is always shown; the higher, the sooner a column is left out. */
  priority: number;
}

/** One aspect of the object of a row, such as that it is `Completed`. */
export interface TableRowCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown' | (string & {});
  reason?: string;
  message?: string;
}

/** One object of a table. */
export interface TableRow {
  /** One for each column: text, numbers, booleans; also lists and objects. */
  cells: unknown[];
  conditions?: TableRowCondition[];
  /** The object, as far as `includeObject` asked for it. */
  object?: KubernetesObject;
}

/** Objects as rows. */
export interface Table {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: TableRow[];
}

/** Options of `table`. */
export interface TableOptions extends ListOptions {
  /** What `object` of each row is: nothing, its metadata, or all of it. Default `Metadata`. */
  includeObject?: 'None' | 'Metadata' | 'Object' | undefined;
}

/** Options of `watchTable`. */
export interface TableWatchOptions extends WatchOptions, Pick<TableOptions, 'includeObject'> {}

/** One step of a watch of tables. */
export interface TableEvent {
  readonly type: WatchEvent<KubernetesObject>['type'];
  /** A table of one row: the object that was added or changed, or the last state of one that is gone. */
  readonly object: Table;
}

/** The same request, for rows with objects as they are wanted. */
export function including(request: Request, includeObject: TableOptions['includeObject']): Request {
  if (includeObject === undefined) return request;
  const query = [...request.query, ['includeObject', includeObject] as const];
  return { ...request, query: query.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** What is asked for a table of many objects. */
export function tableRequest(target: Target, { includeObject, ...options }: TableOptions = {}): Request {
  return including(listRequest(inForm('Table', target), options), includeObject);
}

/** What is asked for a table of one object. */
export function rowRequest(
  target: Target,
  name: string,
  { includeObject, ...options }: GetOptions & Pick<TableOptions, 'includeObject'> = {},
): Request {
  return including(getRequest(inForm('Table', target), name, options), includeObject);
}

/** What comes: a table, or from servers that make none the object or the list itself. */
interface Answer extends KubernetesObject {
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

function rowOf(object: KubernetesObject): TableRow {
  const { name = '', creationTimestamp = '' } = object.metadata ?? {};
  return { cells: [name, creationTimestamp], object };
}

/** A table of what every object has. */
export function plainTable(objects: readonly KubernetesObject[], metadata: ListMeta): Table {
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata,
    columnDefinitions: [nameColumn, createdColumn],
    rows: objects.map(rowOf),
  };
}

/** Whether an answer is a table, and not the objects themselves. */
export function isTable(answer: KubernetesObject): boolean {
  const { apiVersion, kind }: { apiVersion?: unknown; kind?: unknown } = answer;
  return kind === 'Table' && typeof apiVersion === 'string' && apiVersion.startsWith('meta.k8s.io/');
}

/**
 * Sends the request of a table. The table of a server that makes none has the names of the objects, their times, and
 * the objects.
 */
export async function fetchTable(rest: RESTClient, request: Request): Promise<Table> {
  const { operation } = request;
  const value = await rest.request(request);
  const answer = decodeObject<Answer>(value, operation);
  if (isTable(answer)) return readTable(answer, operation);
  if (operation.verb !== 'list') return plainTable([answer], {});
  const identity = { group: '', version: '', plural: operation.resource };
  const { items, metadata } = await decodeLongList<KubernetesList<KubernetesObject>>(
    value,
    identity,
    operation,
  );
  return plainTable(items, metadata);
}

function readTable(answer: Answer, operation: Operation): Table {
  if (!Array.isArray(answer.columnDefinitions)) throw new DecodeError('the table has no columns', operation);
  // Servers write a table without rows as null, too.
  answer.rows ??= [];
  if (!Array.isArray(answer.rows)) throw new DecodeError('the rows of the table are not a list', operation);
  const metadata: ListMeta = {};
  answer.metadata ??= metadata;
  // Wire decoding: the server answers for the types of columns and rows.
  return answer as Table;
}
