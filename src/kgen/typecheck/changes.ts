/**
 * The report of `kgen --check`: how the types and descriptors of one output differ from those of another. Read from
 * syntax alone, with the compiler that ts-morph brings; it sees through formatting, order, comments, aliases of imports
 * and names, and through which file of a module holds what. Only modules with a file that differs are read.
 *
 * What is breaking. Users read objects that servers send and write objects for servers, mostly of one type, so a type
 * must get neither wider (readers meet values they do not know) nor narrower (writers may not say what they said):
 *
 * | what happened | breaking |
 * |---|---|
 * | an export or a member is gone | yes |
 * | an export is new | no |
 * | a member is new and optional | no |
 * | a member is new and required | yes: who writes the object must add it |
 * | an optional member is required now | yes, for who writes |
 * | a required member is optional now | yes, for who reads |
 * | words come or go in an open union, one with `string` or `string & {}` | no: any string is allowed before and after |
 * | any other change of a type, more values in a closed union included | yes |
 * | a name is now an alias of an equal type, or the other way round | no change |
 * | a type has a new name and its old one is an alias of it | no change, and the new name is new |
 * | `@deprecated` comes or goes | no |
 *
 * Other rules hold where users do only one of the two:
 *
 * | what | rule |
 * |---|---|
 * | clients, informers, `Clientset`: users are given them | new members, overloads and capabilities are not breaking |
 * | selectable fields, a type of their own or words in type arguments | more are not breaking, fewer are |
 * | options of log and connections: users only write them | wider types and optional instead of required are not breaking |
 * | `paths.ts` | new members are breaking where required below `parameters` or `requestBody` |
 * | what a client extends | a capability lost is a member removed |
 *
 * Facts of descriptors are changes of `value`: verbs, subresources, methods and selectable fields may grow; short names,
 * categories and the singular may change; anything else, such as scope or path, is breaking. New and lost modules are
 * one change each, named `*`. Descriptions and defaults do not count.
 */
import type { ts } from 'ts-morph';
import { sortChanges, type TypeChange } from './change.ts';
import { compareOutputs } from './compare.ts';
import type { Output } from './names.ts';
import { moduleOf, readModule } from './read-module.ts';
import type { Module } from './tree.ts';

/**
 * What users of an output will notice. Both maps hold whole outputs: texts by path relative to the output folder, `.ts`
 * or `.js` with `.d.ts`. Sorted by module, name and member.
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

/** Modules of which a file was added, removed or changed. */
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

function read(compiler: typeof ts, files: ReadonlyMap<string, string>, wanted: ReadonlySet<string>): Output {
  const sources = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const module = moduleOf(path);
    if (module === undefined || !wanted.has(module)) continue;
    sources.set(module, (sources.get(module) ?? new Map<string, string>()).set(path, text));
  }
  return new Map([...sources].map(([module, own]): [string, Module] => [module, readModule(compiler, own)]));
}
