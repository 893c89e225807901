/** Programs of containers: generator functions that run on the clock of the server. */

/** A file of a container. */
export interface ContainerFile {
  readonly content: string;
  /** Permissions, such as `0o644`. */
  readonly mode: number;
}

/**
 * Reads from a standard input: what has arrived since the last call, an empty string if that is nothing, and
 * `undefined` at the end of the input.
 */
export type ReadInput = () => string | undefined;

/** A container in which a program runs. */
export interface ProgramContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly name: string;
  readonly image: string;
  /** Command of the container, with the values of its variables; empty for the one of the image. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Variables, with those of ConfigMaps, Secrets, the downward API and services. */
  readonly env: Readonly<Record<string, string>>;
  /** Number of restarts of the container so far. */
  readonly restarts: number;
  /** The pod as it is now. */
  readonly object: object;
  /** Input of clients that attach to the container. It has ended if the container has no `stdin`. */
  readonly stdin: ReadInput;
  /** Writes a line to the log. */
  log(line: string): void;
  /** Returns a file, of a mounted volume too, or `undefined`. */
  file(path: string): ContainerFile | undefined;
  /** Returns the paths of all files whose path begins with `prefix`, sorted. */
  files(prefix: string): readonly string[];
  /** Writes a file, into a shared volume if one is mounted at its path. `undefined` removes the file. */
  write(path: string, content: string | undefined, mode?: number): void;
  /** Returns the time of the server in milliseconds since the epoch. */
  now(): number;
}

/** End of a program with its reason. */
export interface ContainerExit {
  /** Exit code. Default: 0. */
  readonly code?: number;
  /** Default: `Completed`, or `Error`. */
  readonly reason?: string;
  /** Default: the content of the file at `terminationMessagePath`. */
  readonly message?: string;
}

/** Result of a program: its exit code (default: 0), or its end with a reason. */
type ProgramResult = number | ContainerExit | undefined;

/** A running program. */
export type RunningProgram = Generator<number, ProgramResult>;

/**
 * Main process of a container. It yields the milliseconds until its next step, and returns its exit code
 * (default: 0). At the deletion of the pod, `yield` throws an error, with the name of the signal as its
 * `name`; uncaught, it ends the process with 143.
 */
export type ContainerProgram = (container: ProgramContainer) => RunningProgram;

/** A probe, a hook or a command that a container handles. */
export interface ContainerAction {
  readonly cause: 'startup' | 'liveness' | 'readiness' | 'postStart' | 'preStop' | 'exec' | 'request';
  /** Command of an `exec` action; empty for others. */
  readonly command: readonly string[];
  /** `exec`, `httpGet`, `tcpSocket` or `grpc`; `http` for a request. */
  readonly type: string;
  /**
   * The action in the specification of the container, such as `{ path: '/healthz', port: 8080 }`. For a
   * request: `{ port, method, path, headers, body }`.
   */
  readonly spec: object;
  /** Input of a command. */
  readonly stdin: ReadInput;
  /** Writes to the output of a command, or to the body of a response. */
  stdout(text: string): void;
  /** Writes to the error output of a command. */
  stderr(text: string): void;
}

/**
 * Handles an action of a container. It yields the milliseconds that it takes, and returns an exit code
 * (default: 0). A probe or hook fails with another code, and a probe if it exceeds its timeout. For a request
 * of a proxy or a forwarded port, it returns the status code (default: 200); an error that it throws closes
 * the connection.
 */
export type ActionHandler = (container: ProgramContainer, action: ContainerAction) => RunningProgram;

/** Exit code of a process that a signal ends. */
export const signalCode = { SIGTERM: 143, SIGKILL: 137 } as const;

/** State of a program: its next step, or its end. */
export type Step = { readonly afterMs: number } | (ContainerExit & { readonly code: number });

/** Continues a program. An error that it throws is its failure: exit code 1, and the error in `onError`. */
export function nextStep(program: RunningProgram, onError: (error: unknown) => void): Step {
  try {
    return stepOf(program.next());
  } catch (error) {
    onError(error);
    return { code: 1 };
  }
}

/** Sends a signal to a program. */
export function signal(program: RunningProgram, name: 'SIGTERM'): Step {
  const error = Object.assign(new Error(`the process received ${name}`), { name });
  try {
    return stepOf(program.throw(error));
  } catch {
    return { code: signalCode[name] };
  }
}

function stepOf(result: IteratorResult<number, ProgramResult>): Step {
  if (result.done === true) {
    const exit = typeof result.value === 'object' ? result.value : { code: result.value };
    return { ...exit, code: exitCode(exit.code) };
  }
  return { afterMs: result.value > 0 ? result.value : 0 };
}

function exitCode(code: number | undefined): number {
  return Number.isInteger(code) ? Number(code) & 255 : 0;
}

/** Longest duration and number of steps of an action: a program that never ends must not stop the server. */
const longestActionMs = 3_600_000;
const mostSteps = 100_000;

/** Result of an action: its exit code, and the time that it takes. */
export interface ActionResult {
  readonly code: number;
  readonly ms: number;
}

/** Runs an action to its end, without waiting. */
export function runAction(action: RunningProgram): ActionResult {
  let ms = 0;
  for (let steps = 0; steps < mostSteps && ms < longestActionMs; steps += 1) {
    const step = nextStep(action, () => undefined);
    if ('code' in step) return { code: step.code, ms };
    ms += step.afterMs;
  }
  return { code: signalCode.SIGKILL, ms };
}
