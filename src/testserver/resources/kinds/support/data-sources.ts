/** Sources of the contents of claims, which two members name. */
import { invalidValue } from '@kgen/runtime/objects';
import { equal, isObject, type JsonObject, omit, own, text } from '@kgen/schema/values/json';
import { below, type Check, members, present, valid, whole } from './checks.ts';
import { subdomainProblem } from './names.ts';

const otherKind = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";

/** Validates one of the members. */
export const dataSource: Check = whole((value, path) => {
  const [group, kind] = [text(value, 'apiGroup'), text(value, 'kind')];
  return [
    ...members({ name: present(), kind: present() })(value, path),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalidValue(path, kind, otherKind)] : []),
    ...(group === '' ? [] : valid(subdomainProblem)(group, below(path, 'apiGroup'))),
  ];
});

/** Both members name one source. As on a real server, the error has no value. */
export const sameSource: Check = whole((value, path) => {
  const [source, reference] = [own(value, 'dataSource'), own(value, 'dataSourceRef')];
  if (!isObject(source) || !isObject(reference)) return [];
  return equal(source, omit(reference, 'namespace'))
    ? []
    : [invalidValue(path, {}, 'must match dataSourceRef')];
});

/** The old member has only claims and snapshots, and loses other objects. */
export function withKnownSource(spec: JsonObject): JsonObject {
  const source = own(spec, 'dataSource');
  if (!isObject(source)) return spec;
  const kind = [text(source, 'apiGroup'), text(source, 'kind')].join('/');
  const isKnown = ['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot'].includes(kind);
  return isKnown ? spec : omit(spec, 'dataSource');
}

/** Adds the copy of a data source that the old and the new member share. */
export function withDataSources(spec: JsonObject): JsonObject {
  const [source, reference] = [own(spec, 'dataSource'), own(spec, 'dataSourceRef')];
  if (isObject(source) && reference === undefined) return { ...spec, dataSourceRef: source };
  if (isObject(reference) && source === undefined && text(reference, 'namespace') === '')
    return { ...spec, dataSource: reference };
  return spec;
}
