/** Conversion of names of the API to valid identifiers. */
import { capitalise } from '../../common/words.ts';

/**
 * Matches characters that are not part of identifiers here: identifiers consist of ASCII, and of the letters
 * of widely used scripts on which all supported versions of Node and TypeScript agree, so that a name does
 * not depend on a Unicode version.
 */
const separators: RegExp =
  /[^0-9A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u0400-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fcc\uac00-\ud7a3]+/;

/** Returns the parts of a string that are valid in an identifier, in order. May be empty. */
export function piecesOf(text: string): readonly string[] {
  return text.split(separators).filter((piece) => piece !== '');
}

/** Cache for property names, which occur many times within one CRD and across CRDs. */
const pascalCache = new Map<string, string>();

/**
 * Returns a property name in PascalCase: each part with a capital first letter, otherwise unchanged. May be
 * empty.
 */
export function pascal(text: string): string {
  const known = pascalCache.get(text);
  if (known !== undefined) return known;
  const made = piecesOf(text).map(capitalise).join('');
  if (pascalCache.size < 10_000 && text.length <= 64) pascalCache.set(text, made);
  return made;
}

/** Returns a string with separators between words in lowerCamelCase: `my-team` -> `myTeam`. May be empty. */
export function camel(text: string): string {
  const [first = '', ...others] = piecesOf(text);
  return first.charAt(0).toLowerCase() + first.slice(1) + others.map(capitalise).join('');
}

/** Returns whether a word cannot be the name of a `const` in a module. */
export function isReservedWord(word: string): boolean {
  return reservedWords.has(word);
}

/**
 * Returns whether a name must not be a property of a client, because it is a member of objects, promises or
 * clients.
 */
export function isReservedMember(name: string): boolean {
  return reservedMembers.has(name);
}

const reservedWords: ReadonlySet<string> = new Set(
  [
    'arguments await break case catch class const continue debugger default delete do else enum eval export exports',
    'extends false finally for function globalThis if implements import in instanceof interface let new null package',
    'private protected public require return static super switch this throw true try typeof undefined var void while',
    'with yield',
  ].flatMap((line) => line.split(' ')),
);

const reservedMembers: ReadonlySet<string> = new Set(
  [
    '__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty',
    'isPrototypeOf propertyIsEnumerable prototype toJSON toLocaleString toString valueOf catch finally then',
    'close of on rest start stop waitForSync',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Returns the type name of a kind: the kind with a capital first letter, without characters that are invalid
 * in identifiers.
 */
export function kindTypeName(kind: string): string {
  const name = pascal(kind);
  return /^[A-Z]/.test(name) ? name : `Kind${name}`;
}
