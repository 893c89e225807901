/** Lines of a user's program in stacks. */
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { errorText } from '@kgen/schema/values/thrown';

/**
 * Returns the innermost line of the stack that belongs to a program and not to Node.js or a package, in the
 * form `/path/operator.ts:10`; empty if there is none.
 */
export function callSite(): string {
  const positions = sites(mostFrames, callSite).map(
    (site) => `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`,
  );
  if (!positions.every((each) => knownLines.has(each))) {
    const found = places(mostFrames, callSite);
    for (const [index, position] of positions.entries()) {
      const place = found[index] ?? '';
      knownLines.set(position, isForeign(place) ? '' : withoutColumn(place));
    }
  }
  return positions.map((each) => knownLines.get(each)).find(Boolean) ?? '';
}

/** Maximum number of frames of a stack: a request passes through many layers. */
const mostFrames = 200;

/**
 * Lines of the program by positions in the code that runs, which may be a bundle with packages; empty for
 * lines of others. Stacks as text contain lines of source maps, and take long.
 */
const knownLines = new Map<string, string>();

/**
 * Returns the line that has called a function of Node.js which a simulation replaces; empty if it belongs to
 * a package.
 */
export function directCaller(): string {
  const files = sites(8, directCaller).map((site) => pathOf(site.getFileName() ?? ''));
  const index = files.findIndex((file) => !file.startsWith(ownFolder));
  if (isForeign(files[index] ?? '')) return '';
  // Stacks as text contain files of source maps, so that the names of both differ for a bundle.
  const place = places(8, directCaller)[index] ?? '';
  return isForeign(place) ? '' : withoutColumn(place);
}

/** Returns an error as text with its line in the program: `Error: broken at /path/operator.ts:10`. */
export function errorWithSite(error: unknown): string {
  return withSite(errorText(error), error);
}

/** Returns a message about an error with the line of the error in the program, if it has one. */
export function withSite(message: string, error: unknown): string {
  const site = error instanceof Error ? siteIn(String(error.stack)) : undefined;
  return site === undefined ? message : `${message} at ${site}`;
}

/** Returns the innermost line of a stack that belongs to a program; `undefined` if there is none. */
export function siteIn(stack: string): string | undefined {
  const lines = stack.split('\n').filter((line) => /^ +at (?!eval \()/.test(line));
  const place = lines.map(placeIn).find(isOfProgram);
  return place && withoutColumn(place);
}

/** Returns whether a place, such as a file, belongs to a program and not to Node.js or a package. */
export function isOfProgram(place: string): boolean {
  return !isForeign(pathOf(place));
}

/** Returns the stack of the caller of a function that is being called, as the lines below its message. */
export function framesAbove(called: Called): string {
  return frames(mostFrames, called).join('\n');
}

/** A function of the present stack: its frame and those that it has called are left out. */
type Called = (...values: never) => unknown;

/** Returns the frames above a function. Their lines are not determined, which takes longest. */
function sites(limit: number, above: Called): readonly NodeJS.CallSite[] {
  const { prepareStackTrace } = Error;
  let found: readonly NodeJS.CallSite[] = [];
  Error.prepareStackTrace = (_, all) => {
    found = all;
    return '';
  };
  stackText(limit, above);
  Error.prepareStackTrace = prepareStackTrace;
  return found;
}

const ownFolder = dirname(pathOf(import.meta.url)) + sep;

/** Returns the places above a function, innermost first. */
function places(limit: number, above: Called): readonly string[] {
  return frames(limit, above).map(placeIn);
}

function frames(limit: number, above: Called): readonly string[] {
  return stackText(limit, above).split('\n').slice(1);
}

function stackText(limit: number, above: Called): string {
  const { stackTraceLimit } = Error;
  const holder: { readonly stack?: unknown } = {};
  Error.stackTraceLimit = limit;
  Error.captureStackTrace(holder, above);
  // Node.js prepares a stack when it is read first.
  const { stack } = holder;
  Error.stackTraceLimit = stackTraceLimit;
  return String(stack);
}

function withoutColumn(place: string): string {
  return place.replace(/(:\d+):\d+$/, '$1');
}

/** Returns the place in a line such as `at name (file:///a.js:1:2)`. */
function placeIn(line: string): string {
  const place = line.slice(line.lastIndexOf(line.endsWith(')') ? '(' : ' ') + 1);
  return pathOf(place.endsWith(')') ? place.slice(0, -1) : place);
}

function isForeign(place: string): boolean {
  // `kgen simulate` writes programs into folders `.kgen-…`, for which source maps exist.
  if (!place.startsWith(sep) || /\/node_modules\/(?!\.kgen-)/.test(place)) return true;
  return roots().some((root) => place.startsWith(root));
}

/** Returns a file, with its line if there is one, without the scheme of a URL. */
function pathOf(place: string): string {
  return place.startsWith('file:///') ? decodeURI(place.slice('file://'.length)) : place;
}

let known: readonly string[] | undefined;

const packages = ['runtime', 'controller', 'schema', 'testserver', 'testing', 'kubernetes'] as const;

/** Folders of the packages of kgen, which may be links. */
function roots(): readonly string[] {
  known ??= packages.map((name) => `@kgen/${name}`).flatMap(rootOf);
  return known;
}

function rootOf(name: string): readonly string[] {
  try {
    return [dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)) + sep];
  } catch {
    return [];
  }
}
