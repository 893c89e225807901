/** Names of exports: none shadows a global, none is one vague word. */
import { expect, test } from 'vitest';
import { entryPoints, exportedNames } from './entry-points.ts';

/** Globals of Node.js and of the language; those of browsers that Node.js lacks. */
const globals: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...[
    'Element',
    'History',
    'Location',
    'Node',
    'Notification',
    'Option',
    'Range',
    'Text',
    'Window',
    'Document',
  ],
]);

/** Words that do not identify a subject. */
const vague: ReadonlySet<string> = new Set(
  [
    'Accessor Bookmarks Callback Calls Change Clash Config Connection Context Data Entry Environment Faults Fetch',
    'Form Handler Index Info Item Iteration Kind Labels Method Mode Name Named Operation Options Owner Phase Place',
    'Plan Problem Random Registration Result Scope Selection Settings Severity State Submit Target Type Value Verb',
    'Warning',
  ].flatMap((line) => line.split(' ')),
);

test.each(entryPoints)('%s exports names that shadow no global and are not vague', (path) => {
  const names = exportedNames(path);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => globals.has(name) || vague.has(name))).toEqual([]);
});
