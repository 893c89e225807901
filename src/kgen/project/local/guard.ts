/** A process that restores the state of a cluster once this one has ended, also by SIGKILL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { LocalKubeconfig } from './kubeconfig.ts';
import type { RestorePlan } from './restore.ts';

/** Facts that the process reads from its standard input, one line for each change; the last one applies. */
export interface GuardedState {
  readonly plan: RestorePlan;
  /** Temporary folders that are removed. */
  readonly folders: readonly string[];
}

/** The process. */
export interface Guard {
  /** A pipe: the state is restored once every process that has it has ended. */
  readonly held: Writable;
  /** Replaces the plan. */
  guard(plan: RestorePlan): void;
  /** Restores the state, and returns whether that was possible. */
  end(): Promise<boolean>;
}

/**
 * Starts the process. It survives a signal of the terminal, and removes the folder of the kubeconfig.
 * @param further folders that it removes
 */
export function startGuard({ env, folder }: LocalKubeconfig, further: readonly string[]): Guard {
  const folders = [...(folder === undefined ? [] : [folder]), ...further];
  const child = spawn(process.execPath, [fileURLToPath(new URL('./guard-main.js', import.meta.url))], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined); // Reported by `end`.
  // A guard that was killed: the end reports it.
  child.stdin.on('error', () => undefined);
  return {
    held: child.stdin,
    guard: (plan) => {
      const state: GuardedState = { plan, folders };
      child.stdin.write(`${JSON.stringify(state)}\n`);
    },
    end: async () => {
      child.stdin.end();
      await ended;
      return child.exitCode === 0;
    },
  };
}
