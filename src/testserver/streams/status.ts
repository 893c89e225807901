/** Status at the end of a session, as a kubelet sends it. */
import type { ExecResult } from '../call/stream-handlers.ts';

/** Status of a process. */
export interface SessionStatus {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason: string; readonly message: string }[] };
  readonly code?: number;
}

/** Returns the status of a process that ended. */
export function exitStatus({ code }: ExecResult): SessionStatus {
  if (code === 0) return { status: 'Success' };
  if (!Number.isInteger(code) || code < 0 || code > 255)
    return internalStatus(
      `the handler returned the exit code ${code}, which must be an integer from 0 to 255`,
    );
  return {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    message: `command terminated with non-zero exit code: exit status ${code}`,
  };
}

/** Returns the status of a process that could not run. */
export function internalStatus(message: string): SessionStatus {
  return {
    status: 'Failure',
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    code: 500,
  };
}
