/** The terminal of a reader: it does the steps of a walkthrough. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { repository } from '../../support/emitted.ts';
import { type CommandStep, missingLine, type Step } from './steps.ts';

/** Place and surroundings of the reader. */
export interface TerminalOptions {
  /** Folder in which the reader begins. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** Folder with kubectl. */
  readonly tools: string;
  /** Receives each command with its counterpart. */
  readonly print: (line: string) => void;
}

/** Width of the column of commands. */
const width = 92;

/** Does steps in order. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #lasting = new Set<ChildProcess>();
  /** Current folder. */
  folder: string;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.folder = options.folder;
    const bin = join(options.folder, '.bin');
    writeShims(bin);
    const { NODE_OPTIONS: _, ...env } = process.env;
    const path = [bin, options.tools, env['PATH']].join(delimiter);
    this.#env = { ...env, PATH: path, KUBECONFIG: options.kubeconfig };
  }

  /** @throws {Error} a command fails, or prints other lines than the page */
  async do(step: Step): Promise<void> {
    if (step.kind === 'section') return this.#endSection(step.title);
    if (step.kind === 'command') return this.#command(step);
    const path = join(this.folder, step.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
    this.#options.print(`  (edit ${step.path})`);
  }

  /** Interrupts the commands that still run. */
  async #endSection(title: string): Promise<void> {
    await this.close();
    this.#options.print(`\n${title}`);
  }

  async close(): Promise<void> {
    for (const child of this.#lasting) {
      if (child.exitCode !== null) continue;
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      // By convention, 130 is the status after an interrupt.
      if (code !== 0 && code !== 130) throw new Error(`an interrupted command ended with ${code}`);
    }
    this.#lasting.clear();
  }

  async #command(step: CommandStep): Promise<void> {
    const { command, beside, line } = step;
    this.#options.print(`  ${command.padEnd(width)} | ${beside}`);
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    if (folder !== undefined) this.folder = resolve(this.folder, folder);
    else
      await this.#run(step).catch((cause) =>
        Promise.reject(new Error(`line ${line}: ${command}: ${cause.message}`)),
      );
  }

  async #run({ command, isLasting, output: expected }: CommandStep): Promise<void> {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: this.folder, env: this.#env });
    let output = '';
    const isComplete = (): boolean => isLasting && missingLine(output, expected) === undefined;
    const complete = new Promise<void>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          if (isComplete()) done();
        });
    });
    const ended = once(child, 'close').then(([code]) => {
      if (isLasting || code !== 0) throw new Error(`ended with ${code}:\n${output}`);
    });
    if (isLasting) {
      this.#lasting.add(child);
      ended.catch(() => undefined); // Commands that are interrupted end, too.
    }
    await Promise.race([complete, ended]);
    const missing = missingLine(output, expected);
    if (missing !== undefined) throw new Error(`expected the line\n${missing}\nin\n${output}`);
  }
}

/** Programs in place of npm's: the packages are those of this repository, and no registry is used. */
function writeShims(folder: string): void {
  const bin = join(repository, 'node_modules/.bin');
  const shims = {
    npx: `exec ${bin}/"$@"`,
    npm: `case "$1" in
  install) test -e node_modules || ln -s ${join(repository, 'node_modules')} node_modules ;;
  create) folder=$3; shift 4; exec ${bin}/create-kgen "$folder" "$@" ;;
  test) shift; exec node_modules/.bin/vitest run "$@" ;;
  run) exec env PATH=node_modules/.bin:"$PATH" sh -c "$(node -p "require('./package.json').scripts['$2']")" ;;
  *) echo "npm $1 is not available in walkthroughs" >&2; exit 2 ;;
esac`,
  };
  mkdirSync(folder);
  for (const [name, script] of Object.entries(shims)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}
