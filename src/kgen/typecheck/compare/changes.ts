/**
 * The report of `kgen --check`: differences between the types and descriptors of two outputs. Works on syntax
 * only, with the compiler of ts-morph. Formatting, order, comments, aliases of imports and names, and the
 * distribution of exports over the files of a module do not count. Only modules with a file that differs are
 * read.
 *
 * Breaking changes: users read objects that servers send and write objects for servers, usually with one
 * type. A type must therefore become neither wider (readers receive values that they do not expect) nor
 * narrower (writers may no longer send values that were valid):
 *
 * | change | breaking |
 * |---|---|
 * | an export or a member is removed | yes |
 * | an export is added | no |
 * | an optional member is added | no |
 * | a required member is added | yes: writers of the object have to add it |
 * | an optional member becomes required | yes, for writers |
 * | a required member becomes optional | yes, for readers |
 * | members of an open union (with `string` or `string & {}`) are added or removed | no: any string is
 * allowed before and after |
 * | any other change of a type, including more values in a closed union | yes |
 * | a name becomes an alias of an equal type, or the reverse | no change |
 * | a type is renamed and its old name is an alias of it | no change, and the new name is added |
 * | `@deprecated` is added or removed | no |
 *
 * Other rules apply to types that users only read, or only write:
 *
 * | exports | rule |
 * |---|---|
 * | clients, informers, `Clientset`: users only receive them | new members, overloads and capabilities are
 * compatible |
 * | selectable fields, as a type or in type arguments | additions are compatible, removals are breaking |
 * | options of log and connections: users only write them | wider types, and optional instead of required,
 * are compatible |
 * | `paths.ts` | new members are breaking if they are required below `parameters` or `requestBody` |
 * | interfaces that a client extends | a removed interface is reported as removed members |
 *
 * Properties of descriptors are changes of kind `value`. Verbs, subresources, methods and selectable fields
 * may grow; short names, categories and the singular may change. Any other change, such as scope or path, is
 * breaking. An added or removed module is one change, named `*`. Descriptions and defaults do not count.
 */
import type { ts } from 'ts-morph';
import type { Output } from '../names.ts';
import { moduleOf, readModule } from '../read/read-module.ts';
import type { Module } from '../read/tree.ts';
import { sortChanges, type TypeChange } from './change.ts';
import { compareOutputs } from './compare.ts';

/**
 * Returns the changes that users of an output will notice, sorted by module, name and member. Both maps hold
 * whole outputs: file contents by path relative to the output folder, `.ts` or `.js` with `.d.ts`.
 */
export async function typeChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<readonly TypeChange[]> {
  const differing = differingModules(before, after);
  if (differing.size === 0) return [];
  const { ts: compiler } = await import('ts-morph');
  const changes = compareOutputs(read(compiler, before, differing), read(compiler, after, differing));
  return sortChanges(changes);
}

/** Returns modules with a file that was added, removed or changed. */
function differingModules(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const module = moduleOf(path);
    if (module !== undefined && before.get(path) !== after.get(path)) modules.add(module);
  }
  return modules;
}

function read(
  compiler: typeof ts,
  files: ReadonlyMap<string, string>,
  requested: ReadonlySet<string>,
): Output {
  const sources = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const module = moduleOf(path);
    if (module === undefined || !requested.has(module)) continue;
    sources.set(module, (sources.get(module) ?? new Map<string, string>()).set(path, text));
  }
  return new Map([...sources].map(([module, own]): [string, Module] => [module, readModule(compiler, own)]));
}
