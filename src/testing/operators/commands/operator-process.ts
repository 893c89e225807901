/** The operator of a project as a child process. */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OperatorEnd, OperatorOptions, OperatorProcess } from 'kgen/commands';
import { bundleFile } from './bundle.ts';

/** Returns the operator of a program, which does not run yet. */
export function operatorProcess(main: string, options: OperatorOptions): OperatorProcess {
  return new BundledOperator(main, options);
}

/** Time that an operator has to stop by itself, in milliseconds. */
const stopMs = 1_000;

/**
 * Ends the operator with this process, also after SIGKILL, and defines the function by which its recording
 * has the lines of the program.
 */
const preload = `data:text/javascript,${encodeURIComponent(
  [
    `import { callSite } from ${JSON.stringify(callSiteModule())};`,
    "globalThis[Symbol.for('kgen.callSite')] = callSite;",
    "const end = () => process.kill(process.pid, 'SIGTERM');",
    // The other process may have ended before this line.
    "process.on('disconnect', end); process.channel?.unref(); if (!process.connected) end();",
  ].join(' '),
)}`;

/** Returns the address of the built module, also from sources. */
function callSiteModule(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('@kgen/testing/package.json'));
  return pathToFileURL(join(folder, 'dist/operators/simulate/process/call-site.js')).href;
}

class BundledOperator implements OperatorProcess {
  readonly #main: string;
  readonly #options: OperatorOptions;
  #running: { readonly child: ChildProcess; readonly text: string } | undefined;

  constructor(main: string, options: OperatorOptions) {
    this.#main = main;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  async update(between: () => Promise<void>): Promise<void> {
    const bundle = await bundleFile(this.#main);
    if (this.#running?.text === bundle.text) return bundle.remove();
    try {
      await this.stop();
      await between();
    } catch (error) {
      bundle.remove();
      throw error;
    }
    const { env, onEnd, isGroup = false, held } = this.#options;
    const child = fork(bundle.file, {
      env: { ...process.env, ...env },
      execArgv: ['--enable-source-maps', '--max-semi-space-size=8', '--import', preload],
      detached: isGroup,
      stdio: [
        isGroup ? 'ignore' : 'inherit',
        'inherit',
        'inherit',
        'ipc',
        ...(held === undefined ? [] : [held]),
      ],
    });
    const running = { child, text: bundle.text };
    this.#running = running;
    const end = (result: OperatorEnd): void => {
      bundle.remove();
      if (this.#running !== running) return;
      this.#running = undefined;
      onEnd(result);
    };
    child.once('error', ({ message }) => end({ status: 1, text: `cannot start: ${message}` }));
    child.once('exit', (code, signal) => end(endOf(code, signal)));
  }

  signal(name: NodeJS.Signals): void {
    this.#running?.child.kill(name);
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Resolves once the program has ended. */
  #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#running?.child;
    this.#running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const end = setTimeout(() => child.kill('SIGKILL'), stopMs);
      child.once('exit', () => {
        clearTimeout(end);
        resolve();
      });
      child.kill(signal);
    });
  }
}

/** Returns the status of a shell for the end of a process. */
function endOf(code: number | null, signal: NodeJS.Signals | null): OperatorEnd {
  if (signal === null) return { status: code ?? 1, text: `has ended (exit status ${code})` };
  return { status: 128 + constants.signals[signal], text: `has ended (${signal})` };
}
