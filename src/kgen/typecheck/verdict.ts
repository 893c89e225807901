/** Whether a change of one type to another breaks programs. */
import type { Use } from './compare-types.ts';
import { keyOf, type Tree } from './tree.ts';

export type Verdict = 'breaking' | 'compatible';

type Same = (id: string) => string;

/** For types that differ. Whatever is not known to be harmless is breaking. */
export function verdict(before: Tree, after: Tree, use: Use, same: Same): Verdict {
  const isHarmless =
    isOpenUnion(before, after, same) ||
    (use === 'written' && isWider(before, after, same)) ||
    (use === 'service' && isWiderService(before, after, same));
  return isHarmless ? 'compatible' : 'breaking';
}

/** Both take any string beside the words that they name: then other words mean the same. */
function isOpenUnion(before: Tree, after: Tree, same: Same): boolean {
  const [was, is] = [openMembers(before, same), openMembers(after, same)];
  return was !== undefined && is !== undefined && was.join('|') === is.join('|');
}

/** The members of a union apart from words; undefined for one that takes no string but its words. */
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

/** True when every member of the first is one of the second. */
function isWider(before: Tree, after: Tree, same: Same): boolean {
  const keys = new Set(membersOf(after).map((member) => keyOf(member, same)));
  return membersOf(before).every((member) => keys.has(keyOf(member, same)));
}

/** `never` is the union of nothing. */
function membersOf(tree: Tree): readonly Tree[] {
  if (tree.is === 'union') return tree.members;
  return tree.is === 'word' && tree.text === 'never' ? [] : [tree];
}

/** More overloads, or the same type of the runtime with more words in an argument: users write those words. */
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

/** Each signature of the first stands in the second, or one that differs only as services may. */
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
