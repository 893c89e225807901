// Fresh processes, measured: wall time from spawn to exit, and the peak of resident memory.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Runs a command once; gives milliseconds of wall time. Fails loudly: a broken run is no measurement. */
export function wallMs(command, args, options = {}) {
  const started = process.hrtime.bigint();
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (result.status !== 0) {
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status}:\n${result.stdout}${result.stderr}`,
    );
  }
  return ms;
}

const probe = `data:text/javascript,${encodeURIComponent(
  "import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,String(process.resourceUsage().maxRSS)))",
)}`;

/** Peak resident memory of a Node program, in MB. */
export function peakMb(node, args, options = {}) {
  const { status, output, stderr } = spawnSync(node, ['--import', probe, ...args], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`);
  return Number(output[3]) / 1024;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Runs the given measurements by turns, so that a change of the machine's mood hits all of them. */
export function interleaved(rounds, measurements) {
  const raw = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(measurements)) raw[name].push(measure());
  }
  return raw;
}

/** `name  median 512 ms (498 505 512 530 541)` */
export function line(name, values, unit) {
  const round = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
  const sorted = [...values].sort((a, b) => a - b);
  return `${name.padEnd(44)} median ${round(median(values))} ${unit} (${sorted.map(round).join(' ')})`;
}

/** What the numbers were measured on. */
export function machine(node) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${version}`;
}
