/** Compares types and members by the rules in `changes.ts`. */

import { lookUp, type Outputs, resolve } from '../names.ts';
import { keyOf, type Member, type Members, show, type Tree } from '../read/tree.ts';
import { type Use, verdict } from '../verdict.ts';
import type { TypeChange } from './change.ts';

/** Position of a comparison. */
export interface Spot {
  readonly outputs: Outputs;
  readonly module: string;
  readonly name: string;
  /** Names of the enclosing members. */
  readonly path: readonly string[];
  readonly use: Use;
}

/** Returns a change at a position. */
export function changeAt(
  { module, name, path }: Spot,
  change: Omit<TypeChange, 'module' | 'name' | 'member'>,
): TypeChange {
  const member = path.join('.').replaceAll('.[]', '[]');
  return path.length === 0 ? { module, name, ...change } : { module, name, member, ...change };
}

export function compareMembers(spot: Spot, before: Members, after: Members): readonly TypeChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const inside = { ...spot, path: [...spot.path, name] };
    return compareMember(inside, before.get(name), after.get(name));
  });
}

function compareMember(
  spot: Spot,
  before: Member | undefined,
  after: Member | undefined,
): readonly TypeChange[] {
  if (before === undefined) return after === undefined ? [] : [added(spot, after)];
  if (after === undefined)
    return [changeAt(spot, { change: 'removed', before: show(before.type), breaking: true })];
  const changes = [...compareTypes(spot, before.type, after.type), ...compareDeprecated(spot, before, after)];
  if (before.optional && !after.optional) {
    changes.push(changeAt(spot, { change: 'required', breaking: spot.use !== 'service' }));
  }
  if (!before.optional && after.optional) {
    changes.push(changeAt(spot, { change: 'optional', breaking: spot.use !== 'written' }));
  }
  if (before.readonly !== after.readonly) {
    const [was, is] = [before, after].map(
      ({ readonly, type }) => `${readonly ? 'readonly ' : ''}${show(type)}`,
    );
    changes.push(
      changeAt(spot, {
        change: 'type',
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
        breaking: after.readonly,
      }),
    );
  }
  return changes;
}

function added(spot: Spot, { optional, type }: Member): TypeChange {
  return changeAt(spot, { change: 'added', after: show(type), breaking: !optional && isWritten(spot) });
}

/** Returns whether users create values that contain the member at this position. */
function isWritten({ use, path }: Spot): boolean {
  if (use === 'service') return false;
  return use !== 'paths' || path.slice(0, -1).some((part) => part === 'parameters' || part === 'requestBody');
}

export function compareDeprecated(
  spot: Spot,
  before: { readonly deprecated: boolean },
  after: { readonly deprecated: boolean },
): readonly TypeChange[] {
  if (before.deprecated === after.deprecated) return [];
  const mark = after.deprecated ? { after: '@deprecated' } : { before: '@deprecated' };
  return [changeAt(spot, { change: 'deprecated', ...mark, breaking: false })];
}

export function compareTypes(spot: Spot, before: Tree, after: Tree): readonly TypeChange[] {
  const { same } = spot.outputs;
  if (keyOf(before, same) === keyOf(after, same)) return [];
  if (before.is === 'array' && after.is === 'array') {
    const items = { ...spot, path: [...spot.path, '[]'] };
    if (before.item.is === 'object' || after.item.is === 'object')
      return compareTypes(items, before.item, after.item);
  }
  const [was, is] = opened(spot, before, after);
  if (keyOf(was, same) === keyOf(is, same)) return [];
  if (was.is === 'object' && is.is === 'object') return compareMembers(spot, was.members, is.members);
  const breaking = verdict(was, is, spot.use, same) === 'breaking';
  return [changeAt(spot, { change: 'type', ...shown(before, after), breaking })];
}

/** Returns both types as strings: with the modules of their names if they are equal without these. */
function shown(before: Tree, after: Tree): { readonly before: string; readonly after: string } {
  const texts = { before: show(before), after: show(after) };
  if (texts.before !== texts.after) return texts;
  const id = (name: string): string => name;
  return { before: keyOf(before, id), after: keyOf(after, id) };
}

/** If only one side is a named type, it is replaced by its definition. */
function opened({ outputs }: Spot, before: Tree, after: Tree): readonly [Tree, Tree] {
  const { same } = outputs;
  const was = meaning(outputs.before, before);
  const is = meaning(outputs.after, after);
  if (before.is === 'ref' && after.is === 'ref' && was.is === 'object' && is.is === 'object')
    return [before, after];
  if (keyOf(was, same) === keyOf(after, same)) return [was, after];
  if (keyOf(before, same) === keyOf(is, same)) return [before, is];
  return [was, is];
}

function meaning(output: Outputs['before'], tree: Tree): Tree {
  if (tree.is !== 'ref' || tree.args.length > 0) return tree;
  const found = lookUp(output, tree.id);
  const target = found && resolve(output, found);
  if (target?.kind === 'interface' && target.bases.length === 0)
    return { is: 'object', members: target.members };
  return target?.kind === 'type' ? target.type : tree;
}
