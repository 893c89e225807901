#!/usr/bin/env node
// Removes the comments of packed JavaScript: users read them in the declarations beside it, and in the
// sources. Usage: node scripts/strip-comments.mjs DIR…
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

/**
 * Rewrites every `.js` file below a folder. Annotations for bundlers are kept.
 *
 * @param {string} folder
 */
export function stripComments(folder) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js')) continue;
    const file = join(folder, path);
    const options = { target: 'node20.19', charset: 'utf8', legalComments: 'none' };
    writeFileSync(file, transformSync(readFileSync(file, 'utf8'), options).code);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.slice(2).forEach(stripComments);
