/** Conversion of responses to tables and partial object metadata. */
import { isArray, type JsonObject, own, text } from '@kgen/schema/values/json';
import { failure } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import type { Conversion } from '../request/accept.ts';
import type { ApiResponse, WatchEvent, WatchPlan } from '../request/request.ts';
import type { ResourceType } from '../resources/type.ts';
import { columnsOfVersion, customPrinter } from './tables/custom.ts';
import {
  includeObjectOf,
  partialList,
  partialObject,
  printerOf,
  type TableOptions,
  tableOf,
} from './tables/table.ts';

/** Parts of a request that decide how its objects are converted. */
export interface Conversions {
  readonly convert: Conversion | undefined;
  readonly type: ResourceType;
  /** The definition of a custom resource, which has its columns. */
  readonly definition: JsonObject | undefined;
  readonly query: URLSearchParams;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Converts the objects of a response to tables or metadata, as the request prefers.
 * @throws {Failure} 400 for invalid options of tables, 406 if lists and objects are confused
 */
export function represent(response: ApiResponse, conversions: Conversions): ApiResponse {
  const { convert } = conversions;
  if (convert === undefined || !('body' in response || response.kind === 'watch')) return response;
  if (response.kind === 'watch')
    return { ...response, plan: representPlan(response.plan, conversions, convert) };
  return { ...response, body: convertBody(response.body, conversions, convert) };
}

function convertBody(body: JsonObject, conversions: Conversions, convert: Conversion): JsonObject {
  if (own(body, 'kind') === 'Status') return body;
  if (convert.kind === 'Table') return tableOf(body, tableOptions(conversions, convert, text(body, 'kind')));
  const isList = isArray(own(body, 'items'));
  if (isList !== (convert.kind === 'PartialObjectMetadataList')) throw mismatch(conversions.type, isList);
  return isList ? partialList(body, convert.version) : partialObject(body, convert.version);
}

function tableOptions(conversions: Conversions, convert: Conversion, kind: string): TableOptions {
  const { type, definition, query, now } = conversions;
  const printer =
    kind === 'Scale' && type.scale !== undefined
      ? printerOf('autoscaling', 'Scale')
      : definition === undefined
        ? printerOf(type.group, type.kind)
        : customPrinter(columnsOfVersion(definition, type.version));
  return { includeObject: includeObjectOf(query), version: convert.version, printer, now: now() };
}

/** The names of the server's internal types, which its messages contain. */
function mismatch(type: ResourceType, isList: boolean): Error {
  // The server's response has no reason.
  if (type.strategy === 'custom' && !isList)
    return new Failure({ code: 500, message: 'content is not a list' });
  // Events of both groups have one internal type.
  const [library = ''] = type.group === 'events.k8s.io' ? [] : type.group.split('.');
  const name = type.strategy === 'custom' ? 'unstructured.Unstructured' : `${library || 'core'}.${type.kind}`;
  const message = isList
    ? `you requested PartialObjectMetadata, but the requested object is a list (*${name}List)`
    : `you requested PartialObjectMetadataList, but the requested object is not a list (*${name})`;
  return failure(406, 'NotAcceptable', message);
}

function representPlan(plan: WatchPlan, conversions: Conversions, convert: Conversion): WatchPlan {
  // As on a real server, such a watch begins but cannot send events.
  if (convert.kind === 'PartialObjectMetadataList') return { ...plan, initial: [], ended: true };
  const change = eventConverter(conversions, convert);
  const { bookmark } = plan;
  const isTable = convert.kind === 'Table';
  return {
    ...plan,
    // The first table of a watch has columns, which the later ones do not have.
    channel: isTable ? '' : `${plan.channel} ${convert.kind} ${convert.version}`,
    initial: plan.initial.map(change),
    step: (event) => {
      const found = plan.step(event);
      if (found instanceof Promise) return found.then((value) => value && change(value));
      return found && change(found);
    },
    bookmark: bookmark === undefined ? undefined : (revision) => change(bookmark(revision)),
  };
}

/** Only the first table of a watch has columns. */
function eventConverter(conversions: Conversions, convert: Conversion): (event: WatchEvent) => WatchEvent {
  if (convert.kind !== 'Table') {
    return (event) =>
      event.type === 'ERROR' ? event : { ...event, object: partialObject(event.object, convert.version) };
  }
  const options = tableOptions(conversions, convert, conversions.type.kind);
  let isFirst = true;
  return (event) => {
    if (event.type === 'ERROR') return event;
    const object = tableOf(event.object, { ...options, now: conversions.now() }, isFirst);
    isFirst = false;
    return { ...event, object };
  };
}
