/**
 * Projections: the selected fields of an object as a new object. What is selected with all that it contains
 * is shared with the whole object.
 */
import type { AnySelection } from '../../api/selected.ts';
import { type Fields, isFields } from '../../common/fields.ts';
import { digitsKey, recordOf } from '../integers/digits.ts';
import { objectClass, setMember } from '../object-class.ts';
import { type Branch, branchOf, type FieldBranch, selectionOfBranch, unionOfFields } from './branches.ts';
import { selectedKey, selectionIn } from './selected-mark.ts';

/** Fields by which caches identify and order objects. */
const kept: FieldBranch = branchOf({
  apiVersion: true,
  kind: true,
  metadata: {
    name: true,
    namespace: true,
    uid: true,
    resourceVersion: true,
    creationTimestamp: true,
    deletionTimestamp: true,
  },
});

/** Projections by their selections. */
const projections = new WeakMap<object, Projection>();

/** A selection that is applied to objects. Immutable. */
export class Projection {
  /** The selected fields, with those that are always kept. */
  readonly branch: FieldBranch;
  /** These fields as a frozen value, which is also the mark of the objects. */
  readonly selection: AnySelection;
  /** Equal for selections of the same fields. */
  readonly key: string;
  readonly #pick: Picker;

  /** The branch includes the fields that are always kept. */
  constructor(branch: FieldBranch) {
    this.branch = branch;
    this.selection = selectionOfBranch(branch);
    this.key = JSON.stringify(this.selection);
    this.#pick = new Picker(branch);
    projections.set(this.selection, this);
  }

  /**
   * Returns the projection for a selection; that of which it is the selection, if there is one.
   * @throws {TypeError} if a value of the selection is neither `true` nor an object
   */
  static of(selection: AnySelection): Projection {
    return projections.get(selection) ?? new Projection(unionOfFields(branchOf(selection), kept));
  }

  /** Returns the projection to the fields of all these projections, of which there is at least one. */
  static union(first: Projection, others: Iterable<Projection>): Projection {
    let branch = first.branch;
    for (const other of others) branch = unionOfFields(branch, other.branch);
    const union = new Projection(branch);
    return union.key === first.key ? first : union;
  }

  /**
   * Returns the selected fields, with the mark. An object that this projection has returned before is
   * returned itself.
   */
  pick<T extends object>(object: T): T {
    if (selectionIn(object) === this.selection) return object;
    // seam: objects have members.
    const picked = this.#pick.fields(object as Fields);
    const { metadata } = picked;
    if (isFields(metadata)) {
      picked['metadata'] = marked(metadata, Reflect.get(object, 'metadata'), this.selection);
    }
    // seam: the types of the result are those of `Selected`.
    return picked as T;
  }
}

/** Metadata that is selected as a whole is that of the whole object, which must not be changed. */
function marked(metadata: object, whole: unknown, selection: AnySelection): object {
  const own: Partial<Record<typeof selectedKey, AnySelection>> =
    metadata === whole ? { ...metadata } : metadata;
  own[selectedKey] = selection;
  return own;
}

/** Creates the objects of one branch, which share a class. */
class Picker {
  readonly #Shape: new () => Record<string, unknown> = objectClass();
  readonly #fields: readonly (readonly [name: string, picker: Picker | undefined, isInherited: boolean])[];
  readonly #rest: Branch | undefined;
  readonly #restPicker: Picker | undefined;
  readonly #names: ReadonlyMap<string, Branch>;

  constructor({ fields, rest }: FieldBranch) {
    this.#fields = [...fields].map(([name, branch]) => [name, pickerOf(branch), name in Object.prototype]);
    this.#names = fields;
    this.#rest = rest;
    this.#restPicker = rest === undefined ? undefined : pickerOf(rest);
  }

  fields(object: Fields): Record<string, unknown> {
    const picked = new this.#Shape();
    for (const [name, picker, isInherited] of this.#fields) {
      if (isInherited && !Object.hasOwn(object, name)) continue;
      const value = object[name];
      if (value === undefined) continue;
      setMember(picked, name, picker === undefined ? value : picker.value(value));
    }
    if (this.#rest !== undefined) this.#pickRest(object, picked);
    copyDigits(object, picked);
    return picked;
  }

  #pickRest(object: Fields, picked: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(object)) {
      if (this.#names.has(name)) continue;
      setMember(picked, name, this.#restPicker === undefined ? value : this.#restPicker.value(value));
    }
  }

  /** Selections pass through lists. Scalars are kept, since types may be unions of them and objects. */
  value(value: unknown): unknown {
    if (isFields(value)) return this.fields(value);
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    const picked = items.map((item) => this.value(item));
    copyDigits(items, picked);
    return picked;
  }
}

function pickerOf(branch: Branch): Picker | undefined {
  return branch === true ? undefined : new Picker(branch);
}

/** Digits of members that are not selected have no effect. */
function copyDigits(from: object, to: object): void {
  const digits = recordOf(from);
  if (digits !== undefined) Reflect.set(to, digitsKey, digits);
}
