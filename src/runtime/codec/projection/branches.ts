/** Selections as trees: validated, with sorted fields, so that equal selections have equal texts. */
import type { AnySelection } from '../../api/selected.ts';

/** Selects every key of a map. */
export const everyKey = '*';

/** Selected part of a value: everything, or some fields of the objects in it. */
export type Branch = true | FieldBranch;

/** Selected fields of an object. */
export interface FieldBranch {
  /** Branches of named fields, sorted by name. They include what `rest` selects. */
  readonly fields: ReadonlyMap<string, Branch>;
  /** Branch of all other fields; `undefined` if they are not selected. */
  readonly rest: Branch | undefined;
}

/** Selections deeper than this contain themselves. */
const deepest = 64;

/**
 * Returns the tree of a selection.
 * @throws {TypeError} if a value is neither `true` nor an object
 */
export function branchOf(selection: unknown): FieldBranch {
  const branch = read(selection, []);
  if (branch === true) throw new TypeError('select must be an object with the selected fields, got true');
  return branch;
}

function read(value: unknown, path: readonly string[]): Branch {
  if (value === true && path.length > 0) return true;
  if (path.length > deepest) throw new TypeError(`select: more than ${deepest} levels`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(value, path);
  // A field with the value `undefined` counts as omitted.
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const branches = entries.map(([name, inner]) => [name, read(inner, [...path, name])] as const);
  const rest = branches.find(([name]) => name === everyKey)?.[1];
  return fieldBranch(
    branches.filter(([name]) => name !== everyKey),
    rest,
  );
}

function invalid(value: unknown, path: readonly string[]): TypeError {
  const place = ['select', ...path].join('.');
  const found = Array.isArray(value) ? 'an array' : String(value);
  return new TypeError(`${place} must be true or an object with the selected fields, got ${found}`);
}

function fieldBranch(
  branches: Iterable<readonly [name: string, branch: Branch]>,
  rest: Branch | undefined,
): FieldBranch {
  const named = [...branches].map(([name, branch]) => [name, unionOf(branch, rest)] as const);
  return { fields: new Map(named.sort(([a], [b]) => (a < b ? -1 : 1))), rest };
}

/** Returns the branch that selects what either branch selects. */
export function unionOf(one: Branch, other: Branch | undefined): Branch {
  if (one === true || other === undefined || one === other) return one;
  return other === true ? true : unionOfFields(one, other);
}

/** Returns the branch that selects what either branch selects. */
export function unionOfFields(one: FieldBranch, other: FieldBranch): FieldBranch {
  const rest = one.rest === undefined ? other.rest : unionOf(one.rest, other.rest);
  const names = new Set([...one.fields.keys(), ...other.fields.keys()]);
  const fields = [...names].map((name) => {
    const branches = [one.fields.get(name), other.fields.get(name)].filter((branch) => branch !== undefined);
    return [name, branches.reduce((all, branch) => unionOf(all, branch))] as const;
  });
  return fieldBranch(fields, rest);
}

/** Returns the branch of a field; `undefined` if it is not selected. */
export function childOf(branch: FieldBranch, name: string): Branch | undefined {
  return branch.fields.get(name) ?? branch.rest;
}

/** Returns a branch as a selection, frozen. Selections of the same fields have the same JSON. */
export function selectionOfBranch(branch: FieldBranch): AnySelection {
  const entries = [...branch.fields];
  if (branch.rest !== undefined) entries.push([everyKey, branch.rest]);
  const fields = entries.map(([name, inner]) => [name, inner === true ? inner : selectionOfBranch(inner)]);
  return Object.freeze(Object.fromEntries(fields));
}
