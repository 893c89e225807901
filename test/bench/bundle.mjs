// Size of a bundled program: its entry and the chunks that it loads at once, minified.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { everyPod, everyPodOfClientNode } from './programs.mjs';

/** Bundles programs that list the pods of a namespace and print them. */
export async function benchBundle({ project, clientNode }) {
  const single = await weigh(project, 'single', everyPod.single);
  const whole = await weigh(project, 'whole', everyPod.whole);
  const beside =
    clientNode === undefined ? undefined : await weigh(clientNode, 'single', everyPodOfClientNode);
  const rows = { 'core/v1 alone': single, 'the Clientset': whole, '@kubernetes/client-node': beside };
  for (const [name, size] of Object.entries(rows)) if (size !== undefined) console.log(row(name, size));
  return [
    {
      what: 'bundle of a program that imports one group version',
      value: single.atOnce / 1000,
      unit: 'kB',
      ...(beside === undefined ? {} : { clientNode: beside.atOnce / 1000 }),
    },
  ];
}

function row(name, { atOnce, later }) {
  const kB = (bytes) => (bytes / 1000).toFixed(1);
  return `${`bundle, ${name}`.padEnd(52)} ${kB(atOnce)} kB, and ${kB(later)} kB that is loaded when needed`;
}

async function weigh(folder, name, text) {
  const entry = join(folder, `${name}.mjs`);
  writeFileSync(entry, text);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outdir: 'bundle',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    external: ['undici', 'yaml', 'ws'],
    logLevel: 'error',
  });
  return sizes(metafile.outputs, `${name}.mjs`);
}

/** Returns the bytes of the entry with its static imports, and those of all other chunks. */
function sizes(outputs, entryPoint) {
  const atOnce = new Set();
  const visit = (path) => {
    if (atOnce.has(path)) return;
    atOnce.add(path);
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind !== 'dynamic-import' && !external) visit(next);
    }
  };
  visit(Object.keys(outputs).find((path) => outputs[path].entryPoint === entryPoint));
  const sum = (paths) => paths.reduce((bytes, path) => bytes + outputs[path].bytes, 0);
  const all = Object.keys(outputs);
  return { atOnce: sum([...atOnce]), later: sum(all.filter((path) => !atOnce.has(path))) };
}
