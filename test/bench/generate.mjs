// Processor time and memory of kgen for every CRD of the corpus. Node's start and the writing of files are
// included.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { cpuMs, figures, interleaved, line, median, peakMb, printAll } from './measure.mjs';
import { writeWorkflows } from './workflows.mjs';

/** Lower bound: a process that only reads these files and parses their YAML with the same parser. */
const floorProgram = `
import { load, loadAll, CORE_SCHEMA } from 'js-yaml';
import { readFileSync } from 'node:fs';
for (const file of process.argv.slice(1)) loadAll(readFileSync(file, 'utf8'), () => {}, { schema: CORE_SCHEMA });
`;

export function benchGenerate({ node, root, corpus, rounds, ...settings }) {
  const files = globSync('crds/**/*.yaml', { cwd: corpus, absolute: true });
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const folder = mkdtempSync(join(settings.folder, 'crds-'));
  const kgen = join(root, 'src/kgen/bin/kgen.js');
  const args = (out) => [kgen, join(corpus, 'crds'), '--out', out];
  const fresh = () => mkdtempSync(join(folder, 'out-'));
  const kept = fresh();
  cpuMs(node, args(kept));
  const raw = interleaved(rounds, {
    'empty program': () => cpuMs(node, ['-e', '']),
    'kgen --version': () => cpuMs(node, [kgen, '--version']),
    'floor: read and parse the YAML': () =>
      cpuMs(node, ['--input-type=module', '-e', floorProgram, ...files], { cwd: root }),
    'kgen, new folder': () => cpuMs(node, args(fresh())),
    'kgen, nothing changed': () => cpuMs(node, args(kept)),
  });
  const memory = Array.from({ length: rounds }, () => peakMb(node, args(fresh())));
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB of CRDs`);
  printAll(raw, 'ms of processor time');
  console.log(line('kgen, peak memory', memory, 'MB'));
  const [empty, start, floor, made, unchanged] = Object.values(raw).map(median);
  const parsing = 'processor time of kgen over that of parsing them';
  return [
    { what: `all CRDs of the corpus: ${parsing}`, value: made / floor, unit: '×' },
    { what: `all CRDs of the corpus, unchanged: ${parsing}`, value: unchanged / floor, unit: '×' },
    { what: 'all CRDs of the corpus, peak memory', ...figures(memory), unit: 'MB' },
    { what: 'kgen --version: processor time over that of an empty program', value: start / empty, unit: '×' },
  ];
}

/** Measures large definitions, in which most parts occur many times, and a small one. */
export function benchWorkflows({ node, root, corpus, rounds, ...settings }) {
  const folder = mkdtempSync(join(settings.folder, 'workflows-'));
  const files = writeWorkflows(join(corpus, 'openapi/kubernetes-v2.json'), folder);
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const fresh = () => mkdtempSync(join(settings.folder, 'out-'));
  const generate = (input) => () =>
    cpuMs(node, [join(root, 'src/kgen/bin/kgen.js'), input, '--out', fresh()]);
  const raw = interleaved(rounds, {
    'floor: read and parse the YAML of workflows': () =>
      cpuMs(node, ['--input-type=module', '-e', floorProgram, ...files], { cwd: root }),
    'kgen, workflows': generate(folder),
    'kgen, a small definition': generate(join(root, 'crds/myapp.yaml')),
  });
  console.log(`${files.length} definitions of workflows, ${(bytes / 1e6).toFixed(1)} MB`);
  printAll(raw, 'ms CPU');
  const [floor, large] = Object.values(raw);
  return [
    {
      what: 'definitions of workflows, processor time of kgen over that of parsing them',
      value: median(large) / median(floor),
      unit: '×',
    },
  ];
}
