/** Codec of ObjectMeta, which every object has. */

import { setLazy } from '../../codec/lazy/lazy-member.ts';
import { append, objectClass, trimCapacity } from '../../codec/object-class.ts';
import type { Message } from '../types.ts';
import { readTime, writeTime } from '../values/well-known.ts';
import type { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';
import { readManagedFields, skimManagedFieldsEntry, writeManagedFields } from './managed-fields.ts';

const OwnerReferenceShape: new () => Message = objectClass();
const ownerReferenceFields = '1 kind,3 name,4 uid,5 apiVersion,6 controller,7 blockOwnerDeletion';

/** Reads a reference to an owner. */
export function readOwnerReference(r: Reader, end: number): Message {
  r.enter(ownerReferenceFields);
  let f1 = '';
  let f3 = '';
  let f4 = '';
  let f5 = '';
  let f6: unknown;
  let f7: unknown;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      case 26:
        f3 = r.string();
        break;
      case 34:
        f4 = r.unique();
        break;
      case 42:
        f5 = r.string();
        break;
      case 48:
        f6 = r.bool();
        break;
      case 56:
        f7 = r.bool();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new OwnerReferenceShape();
  m['kind'] = f1;
  m['name'] = f3;
  m['uid'] = f4;
  m['apiVersion'] = f5;
  if (f6 !== undefined) m['controller'] = f6;
  if (f7 !== undefined) m['blockOwnerDeletion'] = f7;
  r.leave(end, m);
  return m;
}

/** Writes a reference to an owner. */
export function writeOwnerReference(w: Writer, m: Message): number {
  w.enter(ownerReferenceFields, m);
  let n = w.boolIf(56, m['blockOwnerDeletion']);
  n += w.boolIf(48, m['controller']);
  n += w.string(42, m['apiVersion']);
  n += w.string(34, m['uid']);
  n += w.string(26, m['name']);
  n += w.string(10, m['kind']);
  return n;
}

const ObjectMetaShape: new () => Message = objectClass();
const objectMetaFields =
  '1 name,2 generateName,3 namespace,4 selfLink,5 uid,6 resourceVersion,7 generation,8 creationTimestamp,' +
  '9 deletionTimestamp,10 deletionGracePeriodSeconds,11 labels,12 annotations,13 ownerReferences*,14 finalizers*,17 managedFields*';

/** Reads the metadata of an object. Its `managedFields` are parsed on first access. */
export function readObjectMeta(r: Reader, end: number): Message {
  r.enter(objectMetaFields);
  let f1 = '';
  let f2 = '';
  let f3 = '';
  let f4 = '';
  let f5 = '';
  let f6 = '';
  let f7 = 0;
  let f8: unknown;
  let f9: unknown;
  let f10: unknown;
  let f11: Message | undefined;
  let f12: Message | undefined;
  let f13: unknown[] | undefined;
  let f14: unknown[] | undefined;
  let before: number[] | undefined;
  let first = -1;
  let last = -1;
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.unique();
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
        f5 = r.unique();
        break;
      case 50:
        f6 = r.unique();
        break;
      case 56:
        f7 = r.int64();
        break;
      case 66:
        f8 = readTime(r, r.end());
        break;
      case 74:
        f9 = readTime(r, r.end());
        break;
      case 80:
        f10 = r.int64();
        break;
      case 90:
        f11 = r.stringMap(f11);
        break;
      case 98:
        f12 = r.stringMap(f12);
        break;
      case 106:
        f13 = append(f13, readOwnerReference(r, r.end()));
        break;
      case 114:
        f14 = append(f14, r.string());
        break;
      case 138:
        if (last !== r.at) {
          if (first !== -1) before = append(append(before, first), last);
          first = r.at;
        }
        skimManagedFieldsEntry(r, r.end());
        last = r.pos;
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new ObjectMetaShape();
  if (f1 !== '') m['name'] = f1;
  if (f2 !== '') m['generateName'] = f2;
  if (f3 !== '') m['namespace'] = f3;
  if (f4 !== '') m['selfLink'] = f4;
  if (f5 !== '') m['uid'] = f5;
  if (f6 !== '') m['resourceVersion'] = f6;
  if (f7 !== 0) m['generation'] = f7;
  if (f8 != null) m['creationTimestamp'] = f8;
  if (f9 !== undefined) m['deletionTimestamp'] = f9 ?? r.empty(m, 9);
  if (f10 !== undefined) m['deletionGracePeriodSeconds'] = f10;
  if (f11 !== undefined) m['labels'] = f11;
  if (f12 !== undefined) m['annotations'] = f12;
  if (f13 !== undefined) m['ownerReferences'] = trimCapacity(f13);
  if (f14 !== undefined) m['finalizers'] = trimCapacity(f14);
  if (first !== -1 && !r.omitManagedFields) {
    setLazy(m, 'managedFields', r.slice(first, last, before), readManagedFields);
  }
  r.leave(end, m);
  return m;
}

/** Writes the metadata of an object. */
export function writeObjectMeta(w: Writer, m: Message): number {
  w.enter(objectMetaFields, m);
  let n = writeManagedFields(w, m);
  n += w.strings(114, m['finalizers']);
  n += w.messages(106, m['ownerReferences'], writeOwnerReference);
  n += w.stringMap(98, m['annotations']);
  n += w.stringMap(90, m['labels']);
  n += w.int64If(80, m['deletionGracePeriodSeconds']);
  n += w.valueIf(74, m['deletionTimestamp'], writeTime);
  n += w.value(66, m['creationTimestamp'], writeTime);
  n += w.int64(56, m['generation']);
  n += w.string(50, m['resourceVersion']);
  n += w.string(42, m['uid']);
  n += w.string(34, m['selfLink']);
  n += w.string(26, m['namespace']);
  n += w.string(18, m['generateName']);
  n += w.string(10, m['name']);
  return n;
}
