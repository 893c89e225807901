/** Termination of a program with its descendants. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Time-out of the tool that lists processes on systems without `/proc`, in milliseconds. */
const listTimeoutMs = 1000;
/** Signals that end a process without a listener for them. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Kills a child process and its descendants at once. One that has ended is left alone: its id may belong to
 * another process.
 */
export function endTree(child: ChildProcess): void {
  if (hasEnded(child)) return;
  try {
    if (process.platform === 'win32') endOnWindows(child);
  } catch {
    // Only the program is ended.
  }
  const others = process.platform === 'win32' ? [] : descendants(child);
  child.kill('SIGKILL');
  for (const pid of others) kill(pid);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function descendants({ pid }: ChildProcess): readonly number[] {
  if (pid === undefined) return [];
  try {
    return descendantsOf(pid);
  } catch {
    // The system does not list its processes: only the program is ended.
    return [];
  }
}

/** Returns the descendants of a process whose parents still run. */
function descendantsOf(root: number): readonly number[] {
  const all = processes();
  const found = [String(root)];
  for (const parent of found) {
    for (const [pid, of] of all) if (of === parent) found.push(pid);
  }
  return found.slice(1).map(Number);
}

/** Returns every process with its parent. */
function processes(): readonly (readonly [pid: string, parent: string | undefined])[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => [pid, parentOf(pid)]);
  }
  const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    timeout: listTimeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (stdout ?? '').split('\n').map((line) => {
    const [pid = '', parent] = line.trim().split(/\s+/);
    return [pid, parent];
  });
}

/** Returns the parent of a process on Linux; `undefined` if the process has ended meanwhile. */
function parentOf(pid: string): string | undefined {
  try {
    return /\) \S (\d+)(?!\d)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, or belongs to another user.
  }
}

/** Ends a process tree on Windows, whose `taskkill` follows the parents. */
function endOnWindows({ pid }: ChildProcess): void {
  const tool = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const ending = spawn(tool, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  // Without the tool only the program is ended.
  ending.on('error', () => undefined);
  ending.unref();
}

interface Running {
  readonly child: ChildProcess;
  readonly interactive: boolean;
}

const running: Set<Running> = new Set();

/**
 * Starts a child that ends when this process exits or receives SIGINT, SIGTERM or SIGHUP, until the returned
 * function is called. The child is in the process group of this process, so a terminal signals both.
 */
export function startWithThisProcess(
  start: () => ChildProcess,
  interactive: boolean,
): { readonly child: ChildProcess; readonly forget: () => void } {
  // Before the child exists: a signal that arrives while it starts would end this process without its child.
  // Adds listeners again that a signal has removed.
  listen();
  try {
    const one = { child: start(), interactive };
    running.add(one);
    return { child: one.child, forget: () => forget(one) };
  } catch (error) {
    if (running.size === 0) unlisten();
    throw error;
  }
}

function forget(one: Running): void {
  running.delete(one);
  if (running.size === 0) unlisten();
}

function unlisten(): void {
  process.off('exit', endAll);
  for (const signal of endings) process.off(signal, onSignal);
}

/**
 * The listener runs first and removes itself, so that other listeners see the process without it. If there
 * are none, the signal is raised again for its default action.
 */
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  pass(signal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

/**
 * Forwards a signal to the programs. An interactive program receives the signal itself: it may have to
 * restore the terminal.
 */
function pass(signal: NodeJS.Signals): void {
  for (const { child, interactive } of running) {
    if (interactive) child.kill(signal);
    else endTree(child);
  }
}

function endAll(): void {
  for (const { child } of running) endTree(child);
}

function listen(): void {
  unlisten();
  process.on('exit', endAll);
  for (const signal of endings) process.prependListener(signal, onSignal);
}
