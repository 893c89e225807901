/** Ownership of the fields of created objects. Pure. */
import { isObject, type JsonObject, member } from '../members.ts';

/**
 * Returns the JSON patch that makes the fields which a manager has created its applied fields, or `undefined`
 * if it has created none. It fails if the entries of the manager are at other positions now.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#upgrading-from-client-side-apply-to-server-side-apply
 */
export function asApplied(object: unknown, manager: string): readonly object[] | undefined {
  const value = member(member(object, 'metadata'), 'managedFields');
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const indexOf = (operation: string): number =>
    entries.findIndex(
      (entry) =>
        member(entry, 'manager') === manager &&
        member(entry, 'operation') === operation &&
        !member(entry, 'subresource'),
    );
  const [created, applied] = [indexOf('Update'), indexOf('Apply')];
  if (created < 0) return undefined;
  const uid = member(member(object, 'metadata'), 'uid');
  const tests = [{ op: 'test', path: '/metadata/uid', value: uid }, ...testsOf(created, manager, 'Update')];
  if (applied < 0) return [...tests, { op: 'replace', path: `${pathOf(created)}/operation`, value: 'Apply' }];
  const [from, to] = [entries[created], entries[applied]].map((entry) => member(entry, 'fieldsV1'));
  return [
    ...tests,
    ...testsOf(applied, manager, 'Apply'),
    { op: 'replace', path: `${pathOf(applied)}/fieldsV1`, value: union(to, from) },
    { op: 'remove', path: pathOf(created) },
  ];
}

function testsOf(index: number, manager: string, operation: string): readonly object[] {
  return [
    { op: 'test', path: `${pathOf(index)}/manager`, value: manager },
    { op: 'test', path: `${pathOf(index)}/operation`, value: operation },
  ];
}

function pathOf(index: number): string {
  return `/metadata/managedFields/${index}`;
}

function union(a: unknown, b: unknown): JsonObject {
  const [left, right] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(names.map((name) => [name, union(left[name], right[name])]));
}
