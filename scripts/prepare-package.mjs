#!/usr/bin/env node
// Prepares the build output of a package for publication. Comments and indentation of JavaScript are
// removed and its syntax is shortened, as users read the declarations beside it. Names remain, and short
// lines for stack traces.
// Declarations that no entry point of the package refers to are removed as well.
// Usage: node scripts/prepare-package.mjs FOLDER, in a folder whose package.json is beside FOLDER
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { keepPublicDeclarations } from './public-declarations.mjs';

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
  const declarations = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  );
  keepPublicDeclarations(
    dirname(folder),
    declarations.map((path) => join(folder, path)),
  );
  indentWithTabs(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.argv.slice(2).forEach((folder) => {
    preparePackage(resolve(folder));
  });
