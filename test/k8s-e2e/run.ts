/** Command line of the suites of others. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exclusionOf } from './excluded.ts';
import { readPasses, updatePasses } from './passes.ts';
import { listSuites, openForSuites, runSuite } from './suites/controller-runtime.ts';
import { listKubernetes, runKubernetes } from './suites/kubernetes.ts';
import type { ServerName } from './suites/servers.ts';
import type { Spec } from './suites/spec.ts';

const usage = `usage: npm run test:e2e-kubernetes -- [options]

Runs the specs of Kubernetes and controller-runtime that are known to pass, and fails if one of them does not.
--suite NAME   kubernetes or controller-runtime (default: both)
--on SERVER    memory (default), or real: etcd, kube-apiserver and kube-controller-manager, without nodes
--focus REGEX  only specs, or suites of controller-runtime, whose names match
--all          also specs of Kubernetes that are not known to pass
--shared       one server for all suites of controller-runtime (default: one for each)
--jobs N       servers at the same time (default: 4)
--update       writes the names of the specs that passed into passes.txt
--log FILE     output of the programs (default: a temporary file)
Exit codes: 0 all of them passed, 1 one did not, 2 wrong usage.
`;

/** Choices of the command line. */
interface Choices {
  readonly suite: string | undefined;
  readonly on: ServerName;
  readonly focus: RegExp;
  readonly isAll: boolean;
  readonly isShared: boolean;
  readonly jobs: number;
  readonly isUpdate: boolean;
  readonly log: string;
}

/** Runs the command with the arguments, and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const output = await mkdtemp(join(tmpdir(), 'kgen-e2e-run-'));
  const choices = choicesOf(args, output);
  if (choices === undefined) return 2;
  let code = 0;
  try {
    if (choices.suite !== 'controller-runtime') code ||= await kubernetes(choices, output);
    if (choices.suite !== 'kubernetes') code ||= await controllerRuntime(choices);
  } finally {
    if (code === 0) await rm(output, { recursive: true });
    else console.log(`output: ${choices.log}`);
  }
  return code;
}

function choicesOf(args: readonly string[], output: string): Choices | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        suite: { type: 'string' },
        on: { type: 'string', default: 'memory' },
        focus: { type: 'string', default: '' },
        all: { type: 'boolean', default: false },
        shared: { type: 'boolean', default: false },
        jobs: { type: 'string', default: '4' },
        update: { type: 'boolean', default: false },
        log: { type: 'string', default: join(output, 'output') },
      },
    });
    if (values.on !== 'memory' && values.on !== 'real') throw new Error(`--on ${values.on} is unknown`);
    if (!['kubernetes', 'controller-runtime', undefined].includes(values.suite))
      throw new Error(`--suite ${values.suite} is unknown`);
    return {
      ...{ suite: values.suite, on: values.on, focus: new RegExp(values.focus) },
      ...{ isAll: values.all, isShared: values.shared, isUpdate: values.update, log: values.log },
      jobs: Number(values.jobs),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
}

async function kubernetes(choices: Choices, output: string): Promise<number> {
  const known = new Set(readPasses());
  const all = choices.isAll ? await listKubernetes(output) : [...known];
  const names = all.filter((name) => choices.focus.test(name) && exclusionOf(name) === undefined);
  const specs: Spec[] = [];
  const rest = groups(names);
  const work = async (_: unknown, job: number): Promise<void> => {
    for (let group = rest.shift(); group !== undefined; group = rest.shift()) {
      const results = await runKubernetes(group, choices.on, `${choices.log}-${job}`);
      for (const spec of results) report(spec);
      specs.push(...results);
      if (choices.isUpdate) updatePasses(results);
    }
  };
  await Promise.all(Array.from({ length: choices.jobs }, work));
  print('Kubernetes', specs);
  const passed = new Set(specs.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name));
  return choices.on === 'real' || names.every((name) => passed.has(name) || !known.has(name)) ? 0 : 1;
}

async function controllerRuntime(choices: Choices): Promise<number> {
  const suites = (await listSuites()).filter((name) => choices.focus.test(name));
  const specs: Spec[] = [];
  const shared = choices.isShared ? await openForSuites(choices.on) : undefined;
  for (const suite of suites) {
    const server = shared ?? (await openForSuites(choices.on));
    try {
      const results = await runSuite(suite, server, choices.log);
      for (const spec of results) report(spec);
      specs.push(...results);
    } finally {
      if (shared === undefined) await server.stop();
    }
  }
  await shared?.stop();
  print('controller-runtime', specs);
  return specs.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

/** Prints a spec that did not pass. */
function report({ name, outcome, seconds, message }: Spec): void {
  if (outcome === 'passed') return;
  console.log(`${outcome} after ${seconds.toFixed(1)} s: ${name}\n    ${message.replaceAll('\n', '\n    ')}`);
}

/** Prints numbers of specs by area. */
function print(suite: string, specs: readonly Spec[]): void {
  const areas = new Map<string, Record<Spec['outcome'], number>>();
  for (const { name, outcome } of specs) {
    for (const area of [/^\[?[\w.-]+\]?/.exec(name)?.[0] ?? '', 'all']) {
      const counts = areas.get(area) ?? { passed: 0, failed: 0, skipped: 0 };
      counts[outcome] += 1;
      areas.set(area, counts);
    }
  }
  console.log(`\n${suite}`);
  for (const [area, { passed, failed, skipped }] of [...areas].sort())
    console.log(`  ${area.padEnd(32)} ${passed} passed, ${failed} failed, ${skipped} skipped`);
}

/** Specs that share a server. */
const groupSize = 25;

/** Distributes names, so that similar specs run on different servers. */
function groups(names: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(names.length / groupSize);
  return Array.from({ length: count }, (_, group) => names.filter((_name, index) => index % count === group));
}
