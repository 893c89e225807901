/** Ending a program together with what it has started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Windows has no groups: its own tool follows the parents. */
function endOnWindows(pid: number): void {
  const tool = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const ending = spawn(tool, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  // Without the tool the program alone is ended, by the caller.
  ending.on('error', () => undefined);
  ending.unref();
}

/**
 * Ends a child process at once.
 * @param grouped whether it was started as the leader of a group: then the group is ended
 */
export function endTree(child: ChildProcess, grouped: boolean): void {
  const { pid } = child;
  if (pid !== undefined && grouped) {
    try {
      if (process.platform === 'win32') endOnWindows(pid);
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
  }
  if (process.platform !== 'win32' || !grouped) child.kill('SIGKILL');
}

const running: Set<ChildProcess> = new Set();

function endAll(): void {
  for (const child of running) endTree(child, true);
}

/** Sees to it that a child does not outlive this process, until the function that comes back is called. */
export function endWithThisProcess(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  };
}
