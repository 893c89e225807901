/** `kgen dev`: the operator of a project on a server in memory, started again after each change. */
import { join } from 'node:path';
import { error, hasErrors } from '../../common/problems.ts';
import { loadConfig } from '../../config/load.ts';
import { checkDefinitions } from '../../manifests/changes/check.ts';
import { formatCheck } from '../../manifests/changes/format.ts';
import type { ManifestsResult } from '../../manifests/manifests.ts';
import { watchManifests } from '../../manifests/watch.ts';
import { isProject } from '../../project/record.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { type DevCluster, loadCommands } from '../operators/run.ts';
import { runOutputs, runProject } from './generate.ts';
import { optionsOf, wholeProject } from './manifests.ts';

/** Runs until a signal ends the process; returns an exit status if the project cannot run. */
export async function runDev(console: Console): Promise<number> {
  const { cwd, stdout } = console;
  if (!isProject(cwd)) return refuse('this folder is not a project: run kgen init', console);
  const commands = await loadCommands(join(cwd, 'package.json'));
  if (commands === undefined)
    return refuse('kgen dev needs @kgen/testing: npm install --save-dev @kgen/testing', console);
  const written = await runProject({ settings: {}, mode: 'write', print: 'text' }, console);
  if (written !== exitCodes.ok) return written;
  const { value: config, problems } = await loadConfig(cwd, undefined);
  if (hasErrors(problems)) return exitCodes.problems;
  const cluster = await commands.dev(cwd, console);
  stdout.write(`kubectl --kubeconfig ${cluster.kubeconfig} get all -A\n`);
  const session = new DevSession(cluster, console);
  await watchManifests(
    optionsOf(wholeProject('write', false), config, cwd),
    (result) => session.changed(result),
    new AbortController().signal,
  );
  return exitCodes.ok;
}

function refuse(what: string, { stderr }: Console): number {
  stderr.write(problemLines([error(what)], stderr.paint));
  return exitCodes.problems;
}

/** Changes of a project, one after the other. */
class DevSession {
  readonly #cluster: DevCluster;
  readonly #console: Console;
  #work: Promise<void> = Promise.resolve();
  #next: ManifestsResult | undefined;

  constructor(cluster: DevCluster, console: Console) {
    this.#cluster = cluster;
    this.#console = console;
  }

  /** Of several changes during one update only the last one follows. Never throws. */
  changed(result: ManifestsResult): void {
    const isIdle = this.#next === undefined;
    this.#next = result;
    if (isIdle) this.#work = this.#work.then(() => this.#follow());
  }

  async #follow(): Promise<void> {
    const result = this.#next;
    this.#next = undefined;
    const { stderr, stdout, now } = this.#console;
    if (result === undefined) return;
    const begun = now();
    stderr.write(problemLines(result.problems, stderr.paint));
    if (!result.isValid) {
      stderr.write('The operator stays as it is.\n');
      return;
    }
    try {
      await this.#update(result);
      stdout.write(`The operator runs with the change after ${Math.round(now() - begun)} ms.\n`);
    } catch (cause) {
      const what = cause instanceof Error ? cause.message : String(cause);
      stderr.write(problemLines([error(`${what}; the operator follows the next change`)], stderr.paint));
    }
  }

  async #update({ apis, out, changes }: ManifestsResult): Promise<void> {
    const { cwd, stdout } = this.#console;
    const isDefined = [...changes.create, ...changes.update].some(({ path }) => path.startsWith('crd/'));
    if (isDefined) {
      const after = apis.map(({ value, placeAt }) => ({ value, position: placeAt }));
      const { kubeconfig } = this.#cluster;
      const check = await checkDefinitions({ against: 'cluster', after, out, cwd, kubeconfig });
      const lines = check.isBreaking ? formatCheck(check) : [];
      if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
      await runOutputs({ settings: {}, mode: 'write', print: 'problems' }, this.#console);
    }
    await this.#cluster.update();
  }
}
