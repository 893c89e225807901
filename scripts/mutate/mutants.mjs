import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candidatesOf } from './candidates.mjs';
import { sourcesOf } from './files.mjs';
import { sample } from './sample.mjs';

/** @returns `count` mutants of a folder's sources, chosen by `seed`; without ids */
export function mutantsOf(root, folder, count, seed) {
  const all = sourcesOf(root, folder).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return candidatesOf(file, text).map((one) => ({ ...one, folder, file, ...place(text, one) }));
  });
  return sample(all, count, seed);
}

/**
 * Returns line and column from 1, and the line before and after. A change of several lines shows the first.
 */
function place(text, { at, token: [start, end, replacement] }) {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(0, at).split('\n').length;
  const isLong = text.slice(start, end).includes('\n');
  const lineEnd = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  const original = text.slice(lineStart, isLong ? text.indexOf('\n', at) : lineEnd).trim();
  const changed = (text.slice(lineStart, start) + replacement + text.slice(end, lineEnd)).trim();
  return { line, column: at - lineStart + 1, original, changed };
}
