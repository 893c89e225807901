/** Watches of tables. Loaded on first use. */

import type { KubernetesObject } from '../../api/meta.ts';
import type { APIResponse } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { sharedOptions } from '../../client/reading/object-source.ts';
import type { RequestTarget } from '../../client/requests/build-request.ts';
import { watchRequest } from '../../client/requests/verb-requests.ts';
import { parseText } from '../../codec/integers/keep-digits.ts';
import { jsonOf } from '../../codec/integers/write-json.ts';
import { fieldOf, itemsOf, textOf } from '../../discovery/reading/values.ts';
import { closedSignals } from '../../rest/abort/abort-on-close.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { ListWatch } from '../../watch/source.ts';
import { LineSplitter } from '../../watch/stream/lines.ts';
import { watch } from '../../watch/watch.ts';
import { mapped } from '../map-async-iterable.ts';
import { inForm } from '../target.ts';
import {
  fetchTable,
  including,
  isTable,
  plainTable,
  type Table,
  type TableEvent,
  type TableWatchOptions,
  tableRequest,
} from './table.ts';

/** A table in place of an object. Watches read only the version of the object. */
interface Framed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly table: Table;
}

const changes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

/**
 * Converts the tables of a stream, and adds the columns to all of them, which servers only send with the
 * first one.
 */
class Framer {
  #columns: Table['columnDefinitions'] = [];

  async *frame(body: APIResponse['body']): AsyncGenerator<Uint8Array> {
    const lines = new LineSplitter();
    for await (const chunk of body) {
      for (const line of lines.push(chunk)) yield Buffer.from(`${this.#line(line)}\n`);
    }
  }

  /** Returns lines that are not events unchanged; the watch reports their error. */
  #line(line: string): string {
    if (line.trim() === '') return line;
    let event: unknown;
    try {
      event = parseText(line);
    } catch {
      return line;
    }
    const [type, object] = [fieldOf(event, 'type'), fieldOf(event, 'object')];
    const resourceVersion = textOf(fieldOf(object, 'metadata'), 'resourceVersion');
    if (!changes.has(type) || resourceVersion === '') return line;
    // seam: the other members of the response are not validated
    const table = this.#table(object as KubernetesObject, resourceVersion);
    return jsonOf({ type, object: framed(table, resourceVersion) }) ?? line;
  }

  #table(object: KubernetesObject, resourceVersion: string): Table {
    if (!isTable(object)) return plainTable([object], { resourceVersion });
    // seam: the types of columns and rows are not validated
    const { apiVersion, kind, columnDefinitions, rows } = object as Partial<Table>;
    if (itemsOf(object, 'columnDefinitions').length > 0) this.#columns = columnDefinitions ?? [];
    return {
      apiVersion: apiVersion ?? '',
      kind: kind ?? '',
      metadata: { resourceVersion },
      columnDefinitions: this.#columns,
      rows: Array.isArray(rows) ? rows : [],
    };
  }
}

function framed(table: Table, resourceVersion: string): Stored<Framed> {
  const { apiVersion, kind } = table;
  return {
    apiVersion,
    kind,
    metadata: { name: kind, uid: '', creationTimestamp: '', resourceVersion },
    table,
  };
}

/** Watches objects. Each event contains a table with its columns and one row. */
export function watchTable(
  rest: RESTClient,
  target: RequestTarget,
  options: TableWatchOptions,
): AsyncIterable<TableEvent> {
  const { resourceVersion, onRetry, signal, timeoutMs } = options;
  const events = watch(tableSource(rest, target, options), { resourceVersion, onRetry, signal, timeoutMs });
  return mapped(events, ({ type, object }) => ({ type, object: object.table }));
}

function tableSource(rest: RESTClient, target: RequestTarget, options: TableWatchOptions): ListWatch<Framed> {
  const { resource, namespace } = target;
  const { includeObject } = options;
  const shared = sharedOptions(options);
  const framer = new Framer();
  return {
    closed: closedSignals.get(rest),
    target: { resource: resource.plural, ...(namespace !== undefined && { namespace }) },
    list: async (params, signal) => {
      const request = tableRequest(target, { ...shared, ...params, includeObject, signal });
      const table = await fetchTable(rest, { ...request, maxRetries: 0 });
      const { apiVersion, kind, metadata } = table;
      return { apiVersion, kind, metadata, items: singly(table) };
    },
    watch: async (params, signal) => {
      const request = watchRequest(inForm('Table', target), { ...shared, signal }, params);
      const response = await rest.stream({ ...including(request, includeObject), maxRetries: 0 });
      const { status, headers, body, maxEventBytes } = response;
      const limit = maxEventBytes === undefined ? {} : { maxEventBytes };
      return { status, headers, body: framer.frame(body), cancel: () => response.cancel(), ...limit };
    },
  };
}

function singly(table: Table): Stored<Framed>[] {
  const { resourceVersion = '' } = table.metadata;
  const one = { ...table, metadata: { resourceVersion } };
  return table.rows.map((row) => framed({ ...one, rows: [row] }, resourceVersion));
}
