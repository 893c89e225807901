/** Codecs of `meta/v1` messages: metadata of lists, Status, and options of deletions. */

import { append, objectClass, trimCapacity } from '../../codec/object-class.ts';
import type { Message } from '../types.ts';
import type { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';
import { readObjectMeta, writeObjectMeta } from './object-meta.ts';

const shardInfoFields = '1 selector';
const ShardInfoShape: new () => Message = objectClass();

/** Reads the shard of a list. */
export function readShardInfo(r: Reader, end: number): Message {
  r.enter(shardInfoFields);
  let f1 = '';
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new ShardInfoShape();
  m['selector'] = f1;
  r.leave(end, m);
  return m;
}

/** Writes the shard of a list. */
export function writeShardInfo(w: Writer, m: Message): number {
  w.enter(shardInfoFields, m);
  const n = w.string(10, m['selector']);
  return n;
}

const listMetaFields = '1 selfLink,2 resourceVersion,3 continue,4 remainingItemCount,5 shardInfo';
const ListMetaShape: new () => Message = objectClass();

/** Reads the metadata of a list. */
export function readListMeta(r: Reader, end: number): Message {
  r.enter(listMetaFields);
  let f1 = '';
  let f2 = '';
  let f3 = '';
  let f4: unknown;
  let f5: Message | undefined;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      case 18:
        f2 = r.unique();
        break;
      case 26:
        f3 = r.string();
        break;
      case 32:
        f4 = r.int64();
        break;
      case 42:
        f5 = f5 === undefined ? readShardInfo(r, r.end()) : r.merged(readShardInfo, 42);
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new ListMetaShape();
  if (f1 !== '') m['selfLink'] = f1;
  if (f2 !== '') m['resourceVersion'] = f2;
  if (f3 !== '') m['continue'] = f3;
  if (f4 !== undefined) m['remainingItemCount'] = f4;
  if (f5 !== undefined) m['shardInfo'] = f5;
  r.leave(end, m);
  return m;
}

/** Writes the metadata of a list. */
export function writeListMeta(w: Writer, m: Message): number {
  w.enter(listMetaFields, m);
  let n = w.messageIf(42, m['shardInfo'], writeShardInfo);
  n += w.int64If(32, m['remainingItemCount']);
  n += w.string(26, m['continue']);
  n += w.string(18, m['resourceVersion']);
  n += w.string(10, m['selfLink']);
  return n;
}

const statusCauseFields = '1 reason,2 message,3 field';
const StatusCauseShape: new () => Message = objectClass();

/** Reads a cause of a `Status`. */
export function readStatusCause(r: Reader, end: number): Message {
  r.enter(statusCauseFields);
  let f1 = '';
  let f2 = '';
  let f3 = '';
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      case 18:
        f2 = r.string();
        break;
      case 26:
        f3 = r.string();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new StatusCauseShape();
  if (f1 !== '') m['reason'] = f1;
  if (f2 !== '') m['message'] = f2;
  if (f3 !== '') m['field'] = f3;
  r.leave(end, m);
  return m;
}

/** Writes a cause of a `Status`. */
export function writeStatusCause(w: Writer, m: Message): number {
  w.enter(statusCauseFields, m);
  let n = w.string(26, m['field']);
  n += w.string(18, m['message']);
  n += w.string(10, m['reason']);
  return n;
}

const statusDetailsFields = '1 name,2 group,3 kind,4 causes*,5 retryAfterSeconds,6 uid';
const StatusDetailsShape: new () => Message = objectClass();

/** Reads the details of a `Status`. */
export function readStatusDetails(r: Reader, end: number): Message {
  r.enter(statusDetailsFields);
  let f1 = '';
  let f2 = '';
  let f3 = '';
  let f4: unknown[] | undefined;
  let f5 = 0;
  let f6 = '';
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      case 18:
        f2 = r.string();
        break;
      case 26:
        f3 = r.string();
        break;
      case 34:
        f4 = append(f4, readStatusCause(r, r.end()));
        break;
      case 40:
        f5 = r.int32();
        break;
      case 50:
        f6 = r.unique();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new StatusDetailsShape();
  if (f1 !== '') m['name'] = f1;
  if (f2 !== '') m['group'] = f2;
  if (f3 !== '') m['kind'] = f3;
  if (f4 !== undefined) m['causes'] = trimCapacity(f4);
  if (f5 !== 0) m['retryAfterSeconds'] = f5;
  if (f6 !== '') m['uid'] = f6;
  r.leave(end, m);
  return m;
}

/** Writes the details of a `Status`. */
export function writeStatusDetails(w: Writer, m: Message): number {
  w.enter(statusDetailsFields, m);
  let n = w.string(50, m['uid']);
  n += w.int32(40, m['retryAfterSeconds']);
  n += w.messages(34, m['causes'], writeStatusCause);
  n += w.string(26, m['kind']);
  n += w.string(18, m['group']);
  n += w.string(10, m['name']);
  return n;
}

const statusFields = '1 metadata,2 status,3 message,4 reason,5 details,6 code';
const StatusShape: new () => Message = objectClass();

/** Reads a `Status`. */
export function readStatus(r: Reader, end: number): Message {
  r.enter(statusFields);
  let f1: Message | undefined;
  let f2 = '';
  let f3 = '';
  let f4 = '';
  let f5: Message | undefined;
  let f6 = 0;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = f1 === undefined ? readListMeta(r, r.end()) : r.merged(readListMeta, 10);
        break;
      case 18:
        f2 = r.string();
        break;
      case 26:
        f3 = r.string();
        break;
      case 34:
        f4 = r.string();
        break;
      case 42:
        f5 = f5 === undefined ? readStatusDetails(r, r.end()) : r.merged(readStatusDetails, 42);
        break;
      case 48:
        f6 = r.int32();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new StatusShape();
  m['metadata'] = f1 ?? readListMeta(r, r.pos);
  if (f2 !== '') m['status'] = f2;
  if (f3 !== '') m['message'] = f3;
  if (f4 !== '') m['reason'] = f4;
  if (f5 !== undefined) m['details'] = f5;
  if (f6 !== 0) m['code'] = f6;
  r.leave(end, m);
  return m;
}

/** Writes a `Status`. */
export function writeStatus(w: Writer, m: Message): number {
  w.enter(statusFields, m);
  let n = w.int32(48, m['code']);
  n += w.messageIf(42, m['details'], writeStatusDetails);
  n += w.string(34, m['reason']);
  n += w.string(26, m['message']);
  n += w.string(18, m['status']);
  n += w.message(10, m['metadata'], writeListMeta);
  return n;
}

const preconditionsFields = '1 uid,2 resourceVersion';
const PreconditionsShape: new () => Message = objectClass();

/** Reads the preconditions of a deletion. */
export function readPreconditions(r: Reader, end: number): Message {
  r.enter(preconditionsFields);
  let f1: unknown;
  let f2: unknown;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.unique();
        break;
      case 18:
        f2 = r.unique();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new PreconditionsShape();
  if (f1 !== undefined) m['uid'] = f1;
  if (f2 !== undefined) m['resourceVersion'] = f2;
  r.leave(end, m);
  return m;
}

/** Writes the preconditions of a deletion. */
export function writePreconditions(w: Writer, m: Message): number {
  w.enter(preconditionsFields, m);
  let n = w.stringIf(18, m['resourceVersion']);
  n += w.stringIf(10, m['uid']);
  return n;
}

const deleteOptionsFields =
  '1 gracePeriodSeconds,2 preconditions,3 orphanDependents,4 propagationPolicy,5 dryRun*,6 ignoreStoreReadErrorWithClusterBreakingPotential';
const DeleteOptionsShape: new () => Message = objectClass();

/** Reads the options of a deletion. */
export function readDeleteOptions(r: Reader, end: number): Message {
  r.enter(deleteOptionsFields);
  let f1: unknown;
  let f2: Message | undefined;
  let f3: unknown;
  let f4: unknown;
  let f5: unknown[] | undefined;
  let f6: unknown;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 8:
        f1 = r.int64();
        break;
      case 18:
        f2 = f2 === undefined ? readPreconditions(r, r.end()) : r.merged(readPreconditions, 18);
        break;
      case 24:
        f3 = r.bool();
        break;
      case 34:
        f4 = r.string();
        break;
      case 42:
        f5 = append(f5, r.string());
        break;
      case 48:
        f6 = r.bool();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new DeleteOptionsShape();
  if (f1 !== undefined) m['gracePeriodSeconds'] = f1;
  if (f2 !== undefined) m['preconditions'] = f2;
  if (f3 !== undefined) m['orphanDependents'] = f3;
  if (f4 !== undefined) m['propagationPolicy'] = f4;
  if (f5 !== undefined) m['dryRun'] = trimCapacity(f5);
  if (f6 !== undefined) m['ignoreStoreReadErrorWithClusterBreakingPotential'] = f6;
  r.leave(end, m);
  return m;
}

/** Writes the options of a deletion. */
export function writeDeleteOptions(w: Writer, m: Message): number {
  w.enter(deleteOptionsFields, m);
  let n = w.boolIf(48, m['ignoreStoreReadErrorWithClusterBreakingPotential']);
  n += w.strings(42, m['dryRun']);
  n += w.stringIf(34, m['propagationPolicy']);
  n += w.boolIf(24, m['orphanDependents']);
  n += w.messageIf(18, m['preconditions'], writePreconditions);
  n += w.int64If(8, m['gracePeriodSeconds']);
  return n;
}

const partialObjectMetadataFields = '1 metadata';
const PartialObjectMetadataShape: new () => Message = objectClass();

/** Reads an object of which only the metadata was requested. */
export function readPartialObjectMetadata(r: Reader, end: number): Message {
  r.enter(partialObjectMetadataFields);
  let f1: Message | undefined;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = f1 === undefined ? readObjectMeta(r, r.end()) : r.merged(readObjectMeta, 10);
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new PartialObjectMetadataShape();
  m['metadata'] = f1 ?? readObjectMeta(r, r.pos);
  r.leave(end, m);
  return m;
}

/** Writes an object that consists of its metadata. */
export function writePartialObjectMetadata(w: Writer, m: Message): number {
  w.enter(partialObjectMetadataFields, m);
  const n = w.message(10, m['metadata'], writeObjectMeta);
  return n;
}
