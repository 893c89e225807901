/** Compares the exports of two outputs by the rules in `changes.ts`. */

import { type Output, type Outputs, pair, resolve } from '../names.ts';
import { isService } from '../read/read-module.ts';
import { type Declaration, keyOf, type Module, show, type Tree } from '../read/tree.ts';
import type { Use } from '../verdict.ts';
import type { TypeChange } from './change.ts';
import { compareFacts } from './compare-facts.ts';
import { changeAt, compareDeprecated, compareMembers, compareTypes, type Spot } from './compare-types.ts';

/** Returns all changes from one output to another, in no particular order. */
export function compareOutputs(before: Output, after: Output): readonly TypeChange[] {
  const outputs = pair(before, after);
  const modules = new Set([...before.keys(), ...after.keys()]);
  return [...modules].flatMap((module) => compareModules(module, outputs));
}

function compareModules(module: string, outputs: Outputs): readonly TypeChange[] {
  const before = outputs.before.get(module);
  const after = outputs.after.get(module);
  if (before === undefined) {
    return after === undefined
      ? []
      : [{ module, name: '*', change: 'added', after: count(after), breaking: false }];
  }
  if (after === undefined) {
    return [{ module, name: '*', change: 'removed', before: count(before), breaking: true }];
  }
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const was = before.get(key);
    const is = after.get(key);
    return compareDeclarations({ module, outputs }, was, is);
  });
}

function count({ size }: Module): string {
  return `${size} ${size === 1 ? 'export' : 'exports'}`;
}

function compareDeclarations(
  { module, outputs }: Pick<Spot, 'module' | 'outputs'>,
  before: Declaration | undefined,
  after: Declaration | undefined,
): readonly TypeChange[] {
  if (before === undefined) {
    return after === undefined
      ? []
      : [{ module, name: after.name, change: 'added', after: label(after), breaking: false }];
  }
  const { name } = before;
  if (after === undefined)
    return [{ module, name, change: 'removed', before: label(before), breaking: true }];
  const spot: Spot = { outputs, module, name, path: [], use: useOf(module, outputs, before, after) };
  return [...compareDeprecated(spot, before, after), ...compareBodies(spot, before, after)];
}

/** Returns a short description of a declaration. */
function label(declaration: Declaration): string {
  const type = 'type' in declaration ? declaration.type : undefined;
  return type === undefined ? declaration.kind : show(type);
}

function useOf(
  module: string,
  { before, after, same, written }: Outputs,
  was: Declaration,
  is: Declaration,
): Use {
  if (module === 'paths') return 'paths';
  if (module === 'catalog') return 'service';
  if (written.has(same(`${module}#${was.name}`)) || was.name.endsWith('SelectableField')) return 'written';
  return isService(resolve(before, was)) && isService(resolve(after, is)) ? 'service' : 'data';
}

function compareBodies(spot: Spot, before: Declaration, after: Declaration): readonly TypeChange[] {
  const { same } = spot.outputs;
  if (isAlias(before) && isAlias(after) && keyOf(before.type, same) === keyOf(after.type, same)) return [];
  const was = resolve(spot.outputs.before, before);
  const is = resolve(spot.outputs.after, after);
  if (hasMembers(was) && hasMembers(is) && was.kind === is.kind) return compareObjects(spot, was, is);
  if ('facts' in was && 'facts' in is) {
    const types = was.type && is.type ? compareTypes({ ...spot, use: 'service' }, was.type, is.type) : [];
    // The types of the catalog already describe the results of its functions.
    return spot.module === 'catalog' ? types : [...types, ...compareFacts(spot, was.facts, is.facts)];
  }
  if (isAlias(before) && isAlias(after)) return compareTypes(spot, before.type, after.type);
  return [changeAt(spot, { change: 'type', before: label(before), after: label(after), breaking: true })];
}

type Alias = Extract<Declaration, { readonly kind: 'type' | 'module' }>;
type WithMembers = Extract<Declaration, { readonly kind: 'interface' | 'class' }>;

function isAlias(declaration: Declaration): declaration is Alias {
  return declaration.kind === 'type' || declaration.kind === 'module';
}

function hasMembers(declaration: Declaration): declaration is WithMembers {
  return declaration.kind === 'interface' || declaration.kind === 'class';
}

function compareObjects(spot: Spot, before: WithMembers, after: WithMembers): readonly TypeChange[] {
  const changes = [
    ...compareMembers(spot, before.members, after.members),
    ...compareBases(spot, before, after),
  ];
  if (before.parameters === after.parameters) return changes;
  const texts = { before: `<${before.parameters}>`, after: `<${after.parameters}>` };
  return [...changes, changeAt(spot, { change: 'type', ...texts, breaking: true })];
}

/** Base interfaces are compared as members: a client without `DeleteCollection` has lost its methods. */
function compareBases(spot: Spot, before: WithMembers, after: WithMembers): readonly TypeChange[] {
  const [was, is] = parts(before.bases, after.bases);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const inside: Spot = { ...spot, path: [...spot.path, name], use: 'service' };
    const old = was.get(name);
    const now = is.get(name);
    if (now === undefined) return [changeAt(inside, { change: 'removed', breaking: true })];
    if (old === undefined) return [changeAt(inside, { change: 'added', breaking: false })];
    return compareTypes(inside, old, now);
  });
}

const shared: readonly string[] = [
  'Get',
  'List',
  'Watch',
  'WaitFor',
  'Create',
  'Update',
  'Apply',
  'Delete',
  'DeleteCollection',
];

/** Interfaces of the runtime that combine several verbs, with their parts. */
const composites: ReadonlyMap<string, readonly string[]> = new Map([
  ['runtime#Crud', [...shared, 'Patch']],
  ['runtime#CustomCrud', [...shared, 'CustomPatch']],
]);

/**
 * Returns interfaces by name. Combined interfaces are split into their parts, unless both sides have them.
 */
function parts(
  before: readonly Tree[],
  after: readonly Tree[],
): readonly [ReadonlyMap<string, Tree>, ReadonlyMap<string, Tree>] {
  const ids = (trees: readonly Tree[]): readonly string[] =>
    trees.flatMap((tree) => (tree.is === 'ref' && composites.has(tree.id) ? [tree.id] : []));
  const isAlike = ids(before).join() === ids(after).join();
  const single = (trees: readonly Tree[]): ReadonlyMap<string, Tree> =>
    new Map(trees.flatMap((tree) => (isAlike ? [named(tree)] : apart(tree))));
  return [single(before), single(after)];
}

function named(tree: Tree): readonly [string, Tree] {
  return [tree.is === 'ref' ? tree.name : show(tree), tree];
}

/** Type arguments are dropped, because those of a part differ from those of the combined interface. */
function apart(tree: Tree): readonly (readonly [string, Tree])[] {
  if (tree.is !== 'ref') return [named(tree)];
  const names = composites.get(tree.id) ?? [tree.name];
  return names.map((name) => [name, { is: 'word', text: name }]);
}
