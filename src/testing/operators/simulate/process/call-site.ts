/** Lines of a user's program in stacks. */
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

/**
 * Returns the innermost line of the stack that belongs to a program and not to Node.js or a package, in the
 * form `/path/operator.ts:10`; empty if there is none.
 */
export function callSite(): string {
  const site = sites(mostFrames).find((each) => !isForeign(pathOf(each.getFileName() ?? '')));
  if (site === undefined) return '';
  const key = `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`;
  const known = knownSites.get(key);
  if (known !== undefined) return known;
  const place = places(mostFrames).find((each) => !isForeign(each)) ?? '';
  const line = place.replace(/(:\d+):\d+$/, '$1');
  knownSites.set(key, line);
  return line;
}

/** Maximum number of frames of a stack: a request passes through many layers. */
const mostFrames = 200;

/** Lines of the source by the places of the code that runs: stacks as text contain lines of source maps. */
const knownSites = new Map<string, string>();

/**
 * Returns the line that has called a function of Node.js which a simulation replaces; empty if it belongs to
 * a package.
 */
export function directCaller(): string {
  const file = files(8).find((name) => !name.startsWith(ownFolder));
  if (file === undefined || isForeign(file)) return '';
  return places(8).find((place) => place.startsWith(file)) ?? file;
}

/** Returns the files of the present stack. */
function files(limit: number): readonly string[] {
  return sites(limit).map((site) => pathOf(site.getFileName() ?? ''));
}

/** Returns the frames of the present stack. Their lines are not determined, which takes longest. */
function sites(limit: number): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  let found: readonly NodeJS.CallSite[] = [];
  const holder: { readonly stack?: unknown } = {};
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = (_, frames) => {
    found = frames;
    return '';
  };
  Error.captureStackTrace(holder);
  // Node.js prepares a stack when it is read first.
  void holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return found;
}

const ownFolder = dirname(pathOf(import.meta.url)) + sep;

/** Returns the places of the present stack, innermost first. */
function places(limit: number): readonly string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = limit;
  const { stack = '' } = new Error('stack');
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split('\n').slice(1).map(placeIn);
}

/** Returns the place in a line such as `at name (file:///a.js:1:2)`. */
function placeIn(line: string): string {
  const place = line.slice(line.lastIndexOf(line.endsWith(')') ? '(' : ' ') + 1);
  return pathOf(place.endsWith(')') ? place.slice(0, -1) : place);
}

function isForeign(place: string): boolean {
  // `kgen simulate` writes programs into `.kgen`, for which source maps exist.
  if (!place.startsWith(sep) || /\/node_modules\/(?!\.kgen\/)/.test(place)) return true;
  return roots().some((root) => place.startsWith(root));
}

/** Returns a file, with its line if there is one, without the scheme of a URL. */
function pathOf(place: string): string {
  return place.startsWith('file:///') ? decodeURI(place.slice('file://'.length)) : place;
}

let known: readonly string[] | undefined;

/** Folders of the packages of kgen, which may be links. */
function roots(): readonly string[] {
  known ??= ['@kgen/runtime', '@kgen/controller', '@kgen/testing', '@kgen/kubernetes'].flatMap(rootOf);
  return known;
}

function rootOf(name: string): readonly string[] {
  try {
    return [dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)) + sep];
  } catch {
    return [];
  }
}
