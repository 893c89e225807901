/** Records which fields of objects a program reads, and derives the smallest selection of an informer. */
import { AssertionError } from 'node:assert';
import type { AnySelection, Informer, Stored } from '@kgen/runtime';
import { callSite } from '../process/call-site.ts';
import { Field, fieldsOf, isKept, selectionOf } from './read-fields.ts';
import { recordingInformer } from './recording-informer.ts';
import { recorded } from './recording-proxy.ts';

/** A field that a program has read, and the line that reads it. */
export interface FieldRead {
  /** Names from the object to the field, without the indices of lists. */
  readonly path: readonly string[];
  /** Whether the whole value of the field was read, by `JSON.stringify`, a spread or `Object.keys`. */
  readonly isWhole: boolean;
  /** Line of the program that has read it first; empty if it belongs to a package. */
  readonly site: string;
}

/** Records the reads of objects of type `T`. */
export interface ReadRecorder<T> {
  /**
   * Returns an object that behaves like `object`, and whose reads are recorded. Its parts are equal (`===`)
   * at each read. It is not frozen even if `object` is, and `structuredClone` does not accept it.
   */
  of<O extends object>(object: O): O;
  /**
   * Returns an informer that behaves like `informer`, also for a controller. Reads of the objects that its
   * lister, indices, handlers and `find` return are recorded; reads by the controller itself are not.
   */
  informer<L>(informer: Informer<T, L>): Informer<T, L>;
  /** Fields that were read, in the order of their first reads, without those that every selection has. */
  readonly reads: readonly FieldRead[];
  /** The smallest selection that contains all fields that were read. */
  readonly selection: AnySelection;
  /** Returns the selection as TypeScript, for the option `select` of an informer. */
  print(): string;
  /**
   * Checks that a selection contains all fields that were read.
   * @throws {AssertionError} names the other fields, and the lines that have read them
   */
  expectOnly(selection: AnySelection): void;
  /** Removes all recorded reads. */
  clear(): void;
}

/**
 * Returns a recorder of the fields that a program reads of whole objects, for the `select` of its informer.
 * Only the fields of the present run are known: fields that other objects or branches need are missing.
 * @example
 * ```ts
 * import { recordReads, stored } from '@kgen/testing';
 * import { type MyApp, myApps } from './generated/my.domain/v1/index.js';
 *
 * const imageOf = ({ spec }: MyApp) => `${spec.appName}:${spec.version}`;
 * const reads = recordReads<MyApp>();
 * const app = { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } };
 * imageOf(reads.of(stored(myApps, app)));
 * console.log(reads.print()); // { spec: { appName: true, version: true } }
 * ```
 */
export function recordReads<T>(): ReadRecorder<T> {
  const root = new Field();
  const of = <O extends object>(object: O): O => recorded(object, root, () => callSite());
  const recorder: ReadRecorder<T> = {
    of,
    informer: (informer) => recordingInformer(informer, (object: Stored<T>) => of(object)),
    get reads() {
      return fieldsOf(root).map(([path, { isWhole, site }]) => ({ path, isWhole, site }));
    },
    get selection() {
      return selectionOf(root);
    },
    print: () => literal(selectionOf(root)),
    expectOnly: (selection) => check(root, selection, recorder.expectOnly),
    clear: () => root.clear(),
  };
  return recorder;
}

function literal(selection: true | AnySelection): string {
  if (selection === true) return 'true';
  const members = Object.entries(selection).map(([name, inner]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name.replace(/['\\]/g, '\\$&')}'`;
    return `${key}: ${literal(inner)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** @param called the function whose caller is the first line of the stack */
function check(root: Field, selection: AnySelection, called: (selection: never) => void): void {
  const others = fieldsOf(root).filter(
    ([path, field]) => field.isLeaf && !isSelected(path, field, selection),
  );
  if (others.length === 0) return;
  const lines = others.map(([path, { isWhole, site }]) => {
    const whole = isWhole ? ' with all that it contains' : '';
    return `${path.join('.')} is read${whole}${site === '' ? '' : ` at ${site}`}, but is not selected`;
  });
  throw new AssertionError({
    message: lines.join('\n'),
    expected: selection,
    actual: selectionOf(root),
    operator: 'expectOnly',
    stackStartFn: called,
  });
}

/** A field whose parts are not read needs no more than its own presence. */
function isSelected(
  [name, ...rest]: readonly string[],
  field: Field,
  selection: true | AnySelection,
  path: readonly string[] = [],
): boolean {
  if (selection === true || (name !== undefined && isKept([...path, name]))) return true;
  if (name === undefined) return field.isObject && !field.isWhole;
  const inner = Object.hasOwn(selection, name) ? selection[name] : selection['*'];
  return inner !== undefined && isSelected(rest, field, inner, [...path, name]);
}
