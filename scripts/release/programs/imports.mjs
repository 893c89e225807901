// Imports every entry point of the packages.
import { readFileSync } from 'node:fs';

for (const name of JSON.parse(readFileSync('entry-points.json', 'utf8'))) {
  const exports = Object.keys(await import(name));
  if (exports.length === 0) throw new Error(`${name} exports nothing`);
}
