// Measurements of fresh processes: wall time from spawn to exit, and peak resident memory.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Runs a command once and returns its wall time in milliseconds. Throws if the exit status is not `status`
 * (default: 0).
 */
export function wallMs(command, args, { status: expected = 0, ...options } = {}) {
  const started = process.hrtime.bigint();
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (result.status !== expected) {
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status}:\n${result.stdout}${result.stderr}`,
    );
  }
  return ms;
}

// Worker threads load the probe, too.
const probe = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const report = () => writeSync(3, JSON.stringify(process.resourceUsage()));
if (isMainThread) process.on('exit', report);
`)}`;

/** Returns the resource usage of a Node program with all its threads. */
function usageOf(node, args, options = {}) {
  const { status, output, stderr } = spawnSync(node, ['--import', probe, ...args], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`);
  return JSON.parse(output[3]);
}

/** Returns the peak resident memory of a Node program, in MB. */
export function peakMb(node, args, options) {
  return usageOf(node, args, options).maxRSS / 1024;
}

/** Returns the processor time of a Node program with its start, in milliseconds. */
export function cpuMs(node, args, options) {
  const { userCPUTime, systemCPUTime } = usageOf(node, args, options);
  return (userCPUTime + systemCPUTime) / 1000;
}

/** Returns the milliseconds that a fresh process needs for `import(module)`, without Node's start. */
export function importMs(node, module, cwd) {
  const program = `const started = performance.now(); await import('${module}'); console.log(performance.now() - started);`;
  const { status, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', program], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`import('${module}') ended with ${status}:\n${stderr}`);
  return Number(stdout);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Returns the median and the best run of `values`, relative to those of `base` if present. */
export function figures(values, base = [0]) {
  return { value: median(values) - median(base), best: Math.min(...values) - Math.min(...base) };
}

/** Runs the measurements in turns, so that changes in the machine's load affect all of them. */
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
  return `${name.padEnd(52)} median ${round(median(values))} ${unit} (${sorted.map(round).join(' ')})`;
}

/** Prints one line for each measurement. */
export function printAll(raw, unit) {
  for (const [name, values] of Object.entries(raw)) console.log(line(name, values, unit));
}

/** Describes the machine of the measurements. */
export function machine(node) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${version}`;
}
