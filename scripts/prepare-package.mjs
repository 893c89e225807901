#!/usr/bin/env node
// Prepares the build output of a package for publication. Comments and indentation of JavaScript are
// removed and its syntax is shortened, as users read the declarations beside it. Names remain, and short
// lines for stack traces.
// Declarations that no entry point of the package refers to are removed as well.
// Usage: node scripts/prepare-package.mjs FOLDER, in a folder whose package.json is beside FOLDER
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import ts from 'typescript';

/**
 * Removes the comments and the indentation of every `.js` file below a folder, and shortens its syntax.
 * Annotations for bundlers are kept.
 *
 * @param {string} folder
 */
function stripComments(folder) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js')) continue;
    const file = join(folder, path);
    const options = {
      target: 'node20.19',
      charset: 'utf8',
      legalComments: 'none',
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 120,
    };
    writeFileSync(file, transformSync(readFileSync(file, 'utf8'), options).code);
  }
}

/** Returns the declaration files that the entry points of a package refer to, directly or not. */
function reachable(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
  const pending = Object.values(exports).flatMap(({ types }) => (types ? [join(folder, '..', types)] : []));
  const found = new Set();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) pending.push(join(dirname(file), fileName.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return found;
}

/**
 * Removes the declaration files below a folder that no entry point of its package refers to.
 *
 * @param {string} folder
 */
function removeInternalDeclarations(folder) {
  const kept = reachable(folder);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path);
    if (path.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
  }
}

/**
 * Indents the declaration files below a folder with tabs: editors show them with any width.
 *
 * @param {string} folder
 */
function indentWithTabs(folder) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue;
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
    );
  }
}

/**
 * Removes comments and internal declarations, and shortens the indentation of declarations.
 *
 * @param {string} folder
 */
export function preparePackage(folder) {
  stripComments(folder);
  removeInternalDeclarations(folder);
  indentWithTabs(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.slice(2).forEach(preparePackage);
