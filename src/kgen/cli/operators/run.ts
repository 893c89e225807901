/** Commands of `@kgen/testing`, which kgen loads from the user's project and does not depend on. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { ClientConnection } from '@kgen/runtime';
import { error } from '../../common/problems.ts';
import type { LocalPorts } from '../../project/local/ports.ts';
import type { ActionResult, LiveText } from '../../view/live-document.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { type Progress, startProgress } from '../progress.ts';
import type { ReplayArguments, SimulateArguments } from './arguments.ts';

/** Exports of the module `@kgen/testing/commands`. */
export interface TestingCommands {
  /** Runs `kgen simulate`, and returns the exit status. Ends the progress line before it prints. */
  readonly simulate: (parsed: SimulateArguments, console: Console, progress: Progress) => Promise<number>;
  /** Runs `kgen replay`, and returns the exit status. */
  readonly replay: (parsed: ReplayArguments, console: Console) => Promise<number>;
  /** Starts the cluster of `kgen dev` for the project in a folder. */
  readonly dev: (cwd: string, console: Console, ports: LocalPorts) => Promise<DevCluster>;
  /** Returns the operator of a program, which does not run yet. */
  readonly operator: (main: string, options: OperatorOptions) => Promise<OperatorProcess>;
  /** Returns the samples of the project in a folder. */
  readonly samples: (cwd: string) => Promise<DevSamples>;
}

/** Samples of a project. */
export interface DevSamples {
  /**
   * Applies the files if one has changed. Repeats objects that need a webhook of the operator until it
   * serves.
   * @param isServed returns whether the operator runs
   * @throws {Error} if the server rejects an object
   */
  apply(connection: ClientConnection, isServed: () => boolean): Promise<void>;
}

/** Options of the process of an operator. */
export interface OperatorOptions {
  /** Variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when the program ends by itself. */
  readonly onEnd: (end: OperatorEnd) => void;
  /** Whether signals of the terminal do not reach the process, but only those of `signal`. Default: false. */
  readonly isGroup?: boolean | undefined;
  /** Stream that stays open until the process has ended, however this one ends. */
  readonly held?: Writable | undefined;
}

/** End of an operator. */
export interface OperatorEnd {
  /** Exit status, as shells report it. */
  readonly status: number;
  /** Verb and cause: `has ended (SIGTERM)`. */
  readonly text: string;
}

/** The operator of a project, which ends with this process. */
export interface OperatorProcess {
  readonly isRunning: boolean;
  /**
   * Starts the program with the present sources, unless it runs with them.
   * @param between called after the end of the one that runs
   * @throws {Error} if a module cannot be parsed, or imports a file that does not exist
   */
  update(between: () => Promise<void>): Promise<void>;
  /** Sends a signal, if the program runs. */
  signal(name: NodeJS.Signals): void;
  /** Ends the program, as `update` does before it starts the next one. */
  stop(): Promise<void>;
  /** Ends the program by SIGKILL. The next `update` starts it. */
  kill(): Promise<void>;
}

/** A cluster in memory for the operator of a project. */
export interface DevCluster {
  /** Path of the kubeconfig; absent for that of the environment. */
  readonly kubeconfig?: string | undefined;
  /**
   * Applies the definitions, permissions, policies and webhooks in `config`, starts the operator, in place of
   * the one that runs, and applies the samples. Does not repeat whatever is unchanged.
   * @throws {Error} if the server rejects them, or the program cannot be bundled
   */
  readonly update: () => Promise<void>;
  /**
   * Returns the lines of its recording after the state with a tag: objects, changes and requests. Absent for
   * a cluster that others use.
   */
  readonly record?: ((after: string) => LiveText) | undefined;
  /** Performs an action of the page, which is any value in JSON. Absent as `record`. Never rejects. */
  readonly act?: ((action: unknown) => Promise<ActionResult>) | undefined;
}

/** Runs a command of `@kgen/testing`, which is loaded from the project of the operator. */
export async function runOperator(
  parsed: SimulateArguments | ReplayArguments,
  console: Console,
): Promise<number> {
  const file = resolve(console.cwd, parsed.file);
  if (!existsSync(file)) return refuse('the file does not exist: check the path', parsed.file, console);
  const commands = await loadCommands(file);
  if (commands === undefined) {
    const name = `kgen ${parsed.command}`;
    const what = `${name} needs @kgen/testing: npm install --save-dev @kgen/testing`;
    return refuse(what, parsed.file, console);
  }
  if (parsed.command === 'replay') return commands.replay(parsed, console);
  const progress = startProgress(console.stderr);
  return commands.simulate(parsed, console, progress);
}

/** Loads the commands that belong to the project of a file, so that both load the same runtime. */
export async function loadCommands(file: string): Promise<TestingCommands | undefined> {
  let path: string;
  try {
    path = createRequire(file).resolve('@kgen/testing/commands');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of module resolution have a code
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw cause;
  }
  const { commands }: { readonly commands: TestingCommands } = await import(pathToFileURL(path).href);
  return commands;
}

function refuse(what: string, file: string, { stderr }: Console): number {
  stderr.write(problemLines([error(what, { file })], stderr.paint));
  return exitCodes.usage;
}
