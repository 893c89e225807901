/** Ending a program together with what it has started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds for the tool that lists processes, where the system has no `/proc`. */
const listTimeoutMs = 1000;
/** Signals that end a process which does not listen for them. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Windows has a tool that follows the parents. */
function endOnWindows({ pid }: ChildProcess): void {
  const tool = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const ending = spawn(tool, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  // Without the tool the program alone is ended.
  ending.on('error', () => undefined);
  ending.unref();
}

/** The parent of a process on Linux; `undefined` when it has ended meanwhile. */
function parentOf(pid: string): string | undefined {
  try {
    return /\) \S (\d+)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Every process with its parent. */
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

/** What a process has started, and what that has started, as far as their parents are still there. */
function descendantsOf(root: number): readonly number[] {
  const all = processes();
  const found = [String(root)];
  for (const parent of found) {
    for (const [pid, of] of all) if (of === parent) found.push(pid);
  }
  return found.slice(1).map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or belongs to another user.
  }
}

function descendants({ pid }: ChildProcess): readonly number[] {
  if (pid === undefined) return [];
  try {
    return descendantsOf(pid);
  } catch {
    // The system does not list its processes: then the program alone is ended.
    return [];
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends a child process and its descendants at once. One that has ended is left alone: its id may be that of another. */
export function endTree(child: ChildProcess): void {
  if (hasEnded(child)) return;
  try {
    if (process.platform === 'win32') endOnWindows(child);
  } catch {
    // The program alone is ended.
  }
  const others = process.platform === 'win32' ? [] : descendants(child);
  child.kill('SIGKILL');
  for (const pid of others) kill(pid);
}

interface Running {
  readonly child: ChildProcess;
  readonly interactive: boolean;
}

const running: Set<Running> = new Set();

function endAll(): void {
  for (const { child } of running) endTree(child);
}

/** A program that asks a person receives the signal itself: it may have to restore the terminal. */
function pass(signal: NodeJS.Signals): void {
  for (const { child, interactive } of running) {
    if (interactive) child.kill(signal);
    else endTree(child);
  }
}

/**
 * The listener comes first and removes itself, so that others see the process without it. Where there are none, the
 * signal is raised again and does what it does by default.
 */
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  pass(signal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function listen(): void {
  unlisten();
  process.on('exit', endAll);
  for (const signal of endings) process.prependListener(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', endAll);
  for (const signal of endings) process.off(signal, onSignal);
}

/**
 * Ends a child when this process exits or receives SIGINT, SIGTERM or SIGHUP, until the returned function is called. The
 * child is in the group of this process, so a terminal signals both.
 */
export function endWithThisProcess(child: ChildProcess, interactive: boolean): () => void {
  const one = { child, interactive };
  // Also those that a signal has removed.
  listen();
  running.add(one);
  return () => {
    running.delete(one);
    if (running.size === 0) unlisten();
  };
}
