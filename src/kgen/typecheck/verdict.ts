/** Decides whether the change of a type is breaking. */
import { keyOf, type Tree } from './read/tree.ts';

/**
 * Use of a type by programs. `data`: read and written. `written`: only written. `service`: received and
 * called. `paths`: looked up as requests and responses.
 */
export type Use = 'data' | 'written' | 'service' | 'paths';

export type Verdict = 'breaking' | 'compatible';

type Same = (id: string) => string;

/** Compares types that differ. A change that is not known to be compatible is breaking. */
export function verdict(before: Tree, after: Tree, use: Use, same: Same): Verdict {
  const isHarmless =
    isOpenUnion(before, after, same) ||
    (use === 'written' && isWider(before, after, same)) ||
    (use === 'service' && isWiderService(before, after, same));
  return isHarmless ? 'compatible' : 'breaking';
}

/** Returns whether both types accept any string besides their literals, so that the literals do not count. */
function isOpenUnion(before: Tree, after: Tree, same: Same): boolean {
  const [was, is] = [openMembers(before, same), openMembers(after, same)];
  return was !== undefined && is !== undefined && was.join('|') === is.join('|');
}

/**
 * Returns the members of an open union without its literals, or `undefined` for a union that accepts only its
 * literals.
 */
function openMembers(tree: Tree, same: Same): readonly string[] | undefined {
  const keys = membersOf(tree).map((member) => keyOf(member, same));
  const rest = keys.filter((key) => !isText(key));
  if (!rest.some(isAnyString)) return undefined;
  return [...new Set(rest.filter((key) => !isAnyString(key)))].sort();
}

function isText(key: string): boolean {
  return key.startsWith("'");
}

function isAnyString(key: string): boolean {
  return key === 'string' || /^string & \{\s*\}$/.test(key);
}

/** Returns whether every member of the first type is a member of the second. */
function isWider(before: Tree, after: Tree, same: Same): boolean {
  const keys = new Set(membersOf(after).map((member) => keyOf(member, same)));
  return membersOf(before).every((member) => keys.has(keyOf(member, same)));
}

/** `never` is the empty union. */
function membersOf(tree: Tree): readonly Tree[] {
  if (tree.is === 'union') return tree.members;
  return tree.is === 'word' && tree.text === 'never' ? [] : [tree];
}

/**
 * Returns whether overloads were added, or whether literals were added to an argument of the same type of the
 * runtime. Users write those literals.
 */
function isWiderService(before: Tree, after: Tree, same: Same): boolean {
  if (before.is === 'calls' && after.is === 'calls') return hasAll(before.signatures, after.signatures, same);
  if (before.is === 'array' && after.is === 'array') return isWiderService(before.item, after.item, same);
  if (before.is !== 'ref' || after.is !== 'ref' || same(before.id) !== same(after.id)) return false;
  if (before.args.length > after.args.length) return false;
  return after.args.every((is, index) => {
    const was = before.args[index];
    if (was === undefined) return isWords(is);
    return keyOf(was, same) === keyOf(is, same) || (isWords(was) && isWords(is) && isWider(was, is, same));
  });
}

/** Returns whether each signature of the first type is in the second, or a compatible one for services. */
function hasAll(before: readonly Tree[], after: readonly Tree[], same: Same): boolean {
  return before.every((was) => after.some((is) => isSameCall(was, is, same)));
}

function isSameCall(before: Tree, after: Tree, same: Same): boolean {
  if (keyOf(before, same) === keyOf(after, same)) return true;
  if (before.is !== 'other' || after.is !== 'other' || before.parts.length !== after.parts.length)
    return false;
  return before.parts.every((was, index) => {
    const is = after.parts[index];
    if (typeof was === 'string' || typeof is === 'string' || is === undefined) return was === is;
    return keyOf(was, same) === keyOf(is, same) || isWiderService(was, is, same);
  });
}

function isWords(tree: Tree): boolean {
  return membersOf(tree).every((member) => member.is === 'word' && isText(member.text));
}
