// Writes the program of the election's worker thread into the built module that starts it, so that a
// program needs no file beside its bundle, with any bundler and in a single executable.
// Usage: node scripts/election-worker.mjs FOLDER, the build output of @kgen/runtime
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { licences, packagesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = /const compressed = '([^']*)';/;

/**
 * Writes the program into the build output of `@kgen/runtime`, unless it contains it.
 *
 * @param {string} folder
 */
export function embedElectionWorker(folder) {
  const file = join(folder, 'control/election/thread/worker-program.js');
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['src/runtime/control/election/thread/election-worker.ts'],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    keepNames: true, // Names of errors are part of messages.
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    logLevel: 'error',
  });
  const program = Buffer.from(outputFiles[0].contents);
  const before = readFileSync(file, 'utf8');
  const present = Buffer.from(place.exec(before)?.[1] ?? '', 'base64');
  if (present.length > 0 && brotliDecompressSync(present).equals(program)) return;
  const text = before.replace(/\n\/\*! The worker of elections[\s\S]*$/, '\n');
  const after = text.replace(
    place,
    `const compressed = '${brotliCompressSync(program).toString('base64')}';`,
  );
  if (after === text) throw new Error(`${file} has no place for the program of the worker`);
  writeFileSync(
    file,
    `${after}${licences('The worker of elections', packagesOf(Object.keys(metafile.inputs)))}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) embedElectionWorker(resolve(folder));
}
