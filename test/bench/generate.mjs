// Time and memory of kgen for every CRD of the corpus. Node's start and the writing of files are included.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { cpuMs, figures, interleaved, line, median, peakMb, printAll, wallMs } from './measure.mjs';
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
  wallMs(node, args(kept));
  const raw = interleaved(rounds, {
    'node --version': () => wallMs(node, ['--version']),
    'empty program': () => wallMs(node, ['-e', '']),
    'floor: read and parse the YAML': () =>
      wallMs(node, ['--input-type=module', '-e', floorProgram, ...files], { cwd: root }),
    'kgen, new folder': () => wallMs(node, args(fresh())),
    'kgen, nothing changed': () => wallMs(node, args(kept)),
    'kgen --version': () => wallMs(node, [kgen, '--version']),
  });
  const memory = Array.from({ length: rounds }, () => peakMb(node, args(fresh())));
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB of CRDs`);
  printAll(raw, 'ms');
  console.log(line('kgen, peak memory', memory, 'MB'));
  const ratio = median(raw['kgen, new folder']) / median(raw['floor: read and parse the YAML']);
  console.log(`kgen / floor: ${ratio.toFixed(2)}`);
  return [
    {
      what: 'all CRDs of the corpus, wall time',
      ...figures(raw['kgen, new folder']),
      unit: 'ms',
    },
    { what: 'all CRDs of the corpus, peak memory', ...figures(memory), unit: 'MB' },
    {
      what: 'kgen --version over an empty program',
      ...figures(raw['kgen --version'], raw['empty program']),
      unit: 'ms',
    },
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
