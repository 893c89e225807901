/** Exit status of a process, as servers send it at the end of a session. */
import { constants } from 'node:os';
import { ApiError, DecodeError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import type { ProcessExit } from '../../../api/verbs/exec.ts';
import { isFields } from '../../../common/fields.ts';
import { readStatus } from '../../../rest/response/api-error.ts';

/** Offset of the exit codes of processes that a signal ended. */
const signalOffset = 128;

/**
 * Parses the `Status` of a session.
 * @returns the exit, or the error of a process that could not run
 */
export function readExit(json: Uint8Array, operation: RequestOperation): ProcessExit | Error {
  const value = parsed(json);
  // API servers that translate the status of a kubelet send it without its kind.
  const status = readStatus(isFields(value) ? { kind: 'Status', ...value } : value);
  if (status?.status === 'Success') return { code: 0 };
  if (status?.status !== 'Failure') {
    return new DecodeError('the exit status that the server sent is not a Status', operation);
  }
  if (status.reason !== 'NonZeroExitCode') return new ApiError(status, operation);
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  const code = /^\d{1,9}$/.test(cause?.message ?? '') ? Number(cause?.message) : 0;
  if (code === 0) return new DecodeError('the exit status that the server sent has no exit code', operation);
  const signal = signalOf(code);
  return { code, ...(signal !== undefined && { signal }), reason: status.message ?? status.reason };
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString());
  } catch {
    // Reported by the caller, like JSON that is not a Status.
    return undefined;
  }
}

function signalOf(code: number): string | undefined {
  const number = code - signalOffset;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
