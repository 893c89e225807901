/** Rows of the tree of owners: objects below their owners, in groups that fold. */
import type { ObjectHistory } from './object-history.ts';
import type { RunModel } from './run-model.ts';
import { resourceText } from './texts.ts';

/** A row of the tree. */
export interface TreeRow {
  /** Identity of the object, or `group` and that of its kind below its owner. */
  readonly id: string;
  readonly depth: number;
  readonly object?: ObjectHistory;
  /** Name of a group. */
  readonly title: string;
  /** Number of objects of a group, or below an object. */
  readonly count: number;
  readonly isOpen: boolean;
}

/** Selection of objects. */
export interface ObjectFilter {
  readonly kind: string;
  readonly namespace: string;
  /** Part of the name. */
  readonly name: string;
}

/** More objects of one kind than these are one row until a user opens it. */
const mostInline = 20;

/**
 * Returns the visible rows.
 * @param folded identities whose state is not the default one: objects are open, groups are closed
 */
export function treeOf(
  model: RunModel,
  filter: ObjectFilter,
  folded: ReadonlySet<string>,
): readonly TreeRow[] {
  const matching = matchingIds(model, filter);
  const roots = [...model.objects.values()].filter(
    ({ id, owners }) => matching.has(id) && owners.length === 0,
  );
  const rows: TreeRow[] = [];
  const add = (objects: readonly ObjectHistory[], depth: number, owner: string): void => {
    for (const [title, own] of byKind(objects.filter(({ id }) => matching.has(id)))) {
      const id = `group ${title} ${owner}`;
      const isGroup = own.length > mostInline;
      const isOpen = !isGroup || folded.has(id);
      if (isGroup) rows.push({ id, depth, title, count: own.length, isOpen });
      for (const object of isOpen ? own : []) addObject(object, isGroup ? depth + 1 : depth);
    }
  };
  const addObject = (object: ObjectHistory, depth: number): void => {
    const children = model.childrenOf(object.id).filter(({ id }) => matching.has(id));
    const isOpen = !folded.has(object.id);
    rows.push({ id: object.id, depth, object, title: '', count: children.length, isOpen });
    if (isOpen) add(children, depth + 1, object.id);
  };
  add(roots, 0, '');
  return rows;
}

/** Objects that match, and their owners. */
function matchingIds({ objects }: RunModel, { kind, namespace, name }: ObjectFilter): ReadonlySet<string> {
  const found = new Set<string>();
  const addWithOwners = ({ id, owners }: ObjectHistory): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const owner of owners.slice(0, 1)) {
      const object = objects.get(owner);
      if (object !== undefined) addWithOwners(object);
    }
  };
  for (const object of objects.values()) {
    const { target } = object;
    const isMatch =
      (kind === '' || resourceText(target) === kind) &&
      (namespace === '' || target.namespace === namespace) &&
      target.name.includes(name);
    if (isMatch) addWithOwners(object);
  }
  return found;
}

/** Kinds with which the operator works precede the others. */
function byKind(objects: readonly ObjectHistory[]): readonly (readonly [string, readonly ObjectHistory[]])[] {
  const kinds = new Map<string, { isTouched: boolean; readonly own: ObjectHistory[] }>();
  for (const object of objects) {
    const title = resourceText(object.target);
    const kind = kinds.get(title) ?? { isTouched: false, own: [] };
    kinds.set(title, kind);
    kind.own.push(object);
    kind.isTouched ||= object.reconciles.length > 0;
  }
  const order = [...kinds].sort(([one, first], [other, second]) => {
    if (first.isTouched !== second.isTouched) return first.isTouched ? -1 : 1;
    return one < other ? -1 : 1;
  });
  return order.map(([title, { own }]) => [title, own]);
}
