// Tables of the simulation: the planted bugs that it finds, and the seeds of correct operators that it does
// not accuse. Both are those of the tests. Processor time includes the start of each simulation.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Bugs are searched in so many seeds. */
const bugSeeds = 200;

/** Prints both tables. `seeds` is the number of seeds of each correct operator. */
export async function benchTables({ node, root, seeds = 20 }) {
  const parts = 2;
  const found = await Promise.all(
    Array.from({ length: parts }, (_, part) => run({ node, root }, { part, parts, bugSeeds, seeds })),
  );
  const rows = found.flat();
  const bugs = rows.filter(({ table }) => table === 'bugs');
  const correct = rows.filter(({ table }) => table === 'correct');
  print(
    ['an operator that …', 'check', 'seed', 'CPU s', 'right'],
    bugs.map(({ name, check, seed, seconds, isRight }) => [
      ...[name, check ?? 'not found', String(seed ?? '-'), seconds.toFixed(1), isRight ? 'yes' : 'no'],
    ]),
  );
  print(
    ['correct operator', 'seeds', 'findings', 'seeds per CPU s'],
    correct.map(({ name, seeds: ran, findings, seconds }) => [
      ...[name, String(ran), String(findings), (ran / seconds).toFixed(1)],
    ]),
  );
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const right = bugs.filter(({ isRight, seconds }) => isRight && seconds <= 60).length;
  return [
    { what: `planted bugs of ${bugs.length} found within 60 s`, value: right, unit: '' },
    {
      what: `findings in ${sum(correct.map(({ seeds: ran }) => ran))} seeds of correct operators`,
      value: sum(correct.map(({ findings }) => findings)),
      unit: '',
    },
  ];
}

/** Runs a part of the operators in a process, with the packages that are built. */
async function run({ node, root }, settings) {
  const program = fileURLToPath(new URL('../simulate/tables.mjs', import.meta.url));
  const hooks = new URL('typescript-hooks.mjs', import.meta.url).href;
  const args = ['--disable-warning=ExperimentalWarning', '--enable-source-maps', '--import', hooks, program];
  const child = spawn(node, [...args, JSON.stringify(settings)], {
    cwd: root,
    env: { ...process.env, KGEN_SEED: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rows = [];
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) rows.push(JSON.parse(line));
  const [status] = await ended;
  if (status !== 0) throw new Error(`the simulations ended with ${status}`);
  return rows;
}

function print(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}
