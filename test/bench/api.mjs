// Processor time and memory of kgen for the whole Kubernetes API, from saved documents and from a live
// server. Node's start and the writing of files are included.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startControlPlane } from '../../src/testing/dist/index.js';
import { saveDocuments } from './documents.mjs';
import { cpuMs, figures, interleaved, line, median, peakMb, printAll, wallMs } from './measure.mjs';

/**
 * Runs both parts. The control plane runs only while it is needed, so that it does not disturb other
 * measurements.
 */
export async function benchApi({ corpus, ...settings }) {
  const { node, root } = settings;
  const folder = mkdtempSync(join(settings.folder, 'api-'));
  const fresh = () => mkdtempSync(join(folder, 'fresh-'));
  const kgen = (...args) => [join(root, 'src/kgen/bin/kgen.js'), ...args];
  const tools = { node, kgen, fresh, rounds: settings.rounds };
  const v3 = join(folder, 'v3');
  const live = await fromServer({ ...tools, folder, v3 });
  const v2 = join(corpus, 'openapi/kubernetes-v2.json');
  if (!existsSync(v2)) console.log(`without the published v2 document: missing file ${v2}`);
  return [...fromFiles({ ...tools, documents: { ...(existsSync(v2) ? { v2 } : {}), v3 } }), ...live];
}

/** Measures generation from a server, and saves its documents to the folder `v3`. */
async function fromServer({ folder, v3, ...tools }) {
  const server = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
    await saveDocuments(server.config, v3);
    return measureServer({ ...tools, kubeconfig, v3 });
  } finally {
    await server.stop();
  }
}

function measureServer({ node, kgen, fresh, rounds, kubeconfig, v3 }) {
  const args = () => kgen('--from-cluster', '--kubeconfig', kubeconfig, '--out', fresh());
  const withCache = (cache) => ({ env: { ...process.env, XDG_CACHE_HOME: cache } });
  const kept = withCache(fresh());
  cpuMs(node, args(), kept);
  const raw = interleaved(rounds, {
    'from saved v3 documents': () => cpuMs(node, kgen('--openapi', v3, '--out', fresh())),
    'from the live server, cold cache': () => cpuMs(node, args(), withCache(fresh())),
    'from the live server, warm cache': () => cpuMs(node, args(), kept),
  });
  const memory = interleaved(rounds, {
    'from the live server, cold cache, peak memory': () => peakMb(node, args(), withCache(fresh())),
    'from the live server, warm cache, peak memory': () => peakMb(node, args(), kept),
  });
  printAll(raw, 'ms of processor time');
  printAll(memory, 'MB');
  const [saved, ...live] = Object.values(raw);
  return ['cold', 'warm'].map((cache, index) => ({
    what: `the whole API from the live server, ${cache} cache: processor time over that from saved documents`,
    value: median(live[index]) / median(saved),
    unit: '×',
  }));
}

/** Lower bound: a process that only reads the documents and parses them. */
const floorProgram = `
import { readdirSync, readFileSync, statSync } from 'node:fs';
const [path] = process.argv.slice(1);
const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => path + '/' + name) : [path];
for (const file of files) JSON.parse(readFileSync(file, 'utf8'));
`;

function fromFiles({ node, kgen, fresh, rounds, documents }) {
  const results = Object.entries(documents).flatMap(([name, path]) => {
    const args = () => kgen('--openapi', path, '--out', fresh());
    const raw = interleaved(rounds, {
      [`floor: read and parse the ${name} documents`]: () =>
        cpuMs(node, ['--input-type=module', '-e', floorProgram, path]),
      [`from saved ${name} documents`]: () => cpuMs(node, args()),
    });
    const memory = Array.from({ length: rounds }, () => peakMb(node, args()));
    printAll(raw, 'ms of processor time');
    console.log(line(`from saved ${name} documents, peak memory`, memory, 'MB'));
    const what = `the whole API from saved ${name} documents`;
    const [floor, ours] = Object.values(raw).map(median);
    return [
      { what: `${what}: processor time of kgen over that of parsing them`, value: ours / floor, unit: '×' },
      { what: `${what}, peak memory`, ...figures(memory), unit: 'MB' },
    ];
  });
  measureParts({ node, kgen, fresh, rounds, documents });
  return results;
}

/** Measures the parts of kgen that are loaded on demand. */
function measureParts({ node, kgen, fresh, rounds, documents: { v3 } }) {
  const args = (out, ...more) => kgen('--openapi', v3, '--out', out, ...more);
  const same = fresh();
  wallMs(node, args(same));
  const less = fresh();
  wallMs(node, args(less, '--exclude', 'batch/v1/CronJob'));
  printAll(
    interleaved(rounds, {
      'from saved v3 documents, --paths': () => wallMs(node, args(fresh(), '--paths')),
      'from saved v3 documents, --verify': () => wallMs(node, args(fresh(), '--verify')),
      'from saved v3 documents, --paths --verify': () => wallMs(node, args(fresh(), '--paths', '--verify')),
      'from saved v3 documents, --check, no difference': () => wallMs(node, args(same, '--check')),
      'from saved v3 documents, --check, one kind more': () =>
        wallMs(node, args(less, '--check'), { status: 1 }),
    }),
    'ms',
  );
  printAll(
    interleaved(rounds, {
      'from saved v3 documents, --paths, peak memory': () => peakMb(node, args(fresh(), '--paths')),
      'from saved v3 documents, --verify, peak memory': () => peakMb(node, args(fresh(), '--verify')),
    }),
    'MB',
  );
}
