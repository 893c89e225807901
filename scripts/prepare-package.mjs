#!/usr/bin/env node
// Prepares the build output of a package for publication. Modules that are always loaded together are joined.
// JavaScript loses its comments and indentation, as users read the declarations beside it; its lines,
// statements and names remain, for stack traces. Declarations that no entry point of the package refers to
// are removed.
// Usage: node scripts/prepare-package.mjs FOLDER, in a folder whose package.json is beside FOLDER
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compactScript } from './compact-script.mjs';
import { embedElectionWorker } from './election-worker.mjs';
import { mergeModules } from './merge-modules.mjs';
import { keepPublicDeclarations } from './public-declarations.mjs';

/** Returns a declaration file with tabs, which editors show with any width, and none in comments. */
function compactDeclarations(text) {
  const outdented = text.replace(/^[ \t]*\/\*\*\n(?:.*\n)*?.*\*\//gm, (comment) =>
    comment.replace(/\n[ \t]*\*/g, '\n*'),
  );
  return outdented.replace(/^(?: {4})+(?=\S)/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/**
 * Joins modules, removes comments and internal declarations, and shortens the indentation.
 *
 * @param {string} folder
 */
export async function preparePackage(folder) {
  if (existsSync(join(folder, 'manager/election-worker.js'))) embedElectionWorker(folder);
  await mergeModules(dirname(folder));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const declarations = files.filter((path) => path.endsWith('.d.ts'));
  keepPublicDeclarations(dirname(folder), declarations);
  for (const file of declarations.filter((path) => existsSync(path))) rewrite(file, compactDeclarations);
  for (const file of files.filter((path) => path.endsWith('.js'))) rewrite(file, compactScript);
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) await preparePackage(resolve(folder));
}
