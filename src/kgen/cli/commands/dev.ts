/** `kgen dev`: the operator of a project, started again after each change. */
import { join } from 'node:path';
import { Refusal } from '../../cluster/refusal.ts';
import type { ParsedFiles } from '../../codemod/compiler-host.ts';
import { error, hasErrors, type InputProblem } from '../../common/problems.ts';
import type { ParsedConfig } from '../../config/config.ts';
import { hashOfReads, RecordedDisk } from '../../input/modules/disk.ts';
import { fileStamps } from '../../input/modules/file-stamps.ts';
import { checkDefinitions } from '../../manifests/changes/check.ts';
import { formatCheck } from '../../manifests/changes/format.ts';
import { type FollowedReads, followChanges, recordedReads } from '../../manifests/follow-changes.ts';
import {
  type ManifestsOptions,
  type ManifestsResult,
  sourcesOf,
  writeDefinitions,
} from '../../manifests/manifests.ts';
import { recordedManifests } from '../../manifests/watch.ts';
import type { Cluster } from '../../project/cluster/cluster.ts';
import { type LocalPorts, localPorts } from '../../project/local/ports.ts';
import { webhookPort } from '../../project/local/webhooks.ts';
import { isProject } from '../../project/record.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { ProjectRun } from '../operators/cluster.ts';
import { openLivePage } from '../operators/live-page.ts';
import { type DevCluster, loadCommands } from '../operators/run.ts';
import type { DevArguments } from './definitions/dev.ts';
import { runOutputs } from './generate.ts';
import { optionsOf, watchedConfig, wholeProject } from './manifests.ts';

/** Runs until a signal ends the process; returns an exit status if the folder is not a project. */
export async function runDev(parsed: DevArguments, console: Console): Promise<number> {
  if (parsed.cluster === true) {
    const { withCluster } = await import('../operators/cluster.ts');
    return withCluster(parsed, console, (...parts) => onCluster(parsed, ...parts));
  }
  const { cwd } = console;
  if (!isProject(cwd)) return refuse('this folder is not a project: run kgen init', console);
  const commands = await loadCommands(join(cwd, 'package.json'));
  if (commands === undefined)
    return refuse('kgen dev needs @kgen/testing: npm install --save-dev @kgen/testing', console);
  const ports = await localPorts(webhookPort(cwd));
  const open = async (): Promise<DevCluster> => {
    const cluster = await commands.dev(cwd, console, ports);
    await printCluster(cluster, ports, console);
    return cluster;
  };
  const session = new DevSession(open, console);
  await followChanges(() => session.run(), new AbortController().signal);
  return exitCodes.ok;
}

/** Runs until a signal, and returns the exit status. */
async function onCluster(parsed: DevArguments, cluster: Cluster, run: ProjectRun): Promise<number> {
  const { openDevCluster } = await import('../operators/dev-cluster.ts');
  const opened = await openDevCluster(cluster, run, parsed);
  if (opened.kind === 'dry-run') return opened.status;
  const { dev, ports } = opened;
  let status: number = exitCodes.internal;
  try {
    await printCluster(dev, ports, run.console);
    const session = new DevSession(async () => dev, run.console, dev);
    await followChanges(() => session.run(), dev.signal);
  } finally {
    status = await dev.end();
  }
  return status;
}

async function printCluster(cluster: DevCluster, ports: LocalPorts, { stdout }: Console): Promise<void> {
  const { kubeconfig } = cluster;
  const lines = await openLivePage(ports, cluster);
  stdout.write(`kubectl${kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`} get all -A\n`);
  for (const line of lines) stdout.write(`${line}\n`);
}

function refuse(what: string, { stderr }: Console): number {
  stderr.write(problemLines([error(what)], stderr.paint));
  return exitCodes.problems;
}

/** Definitions of a run, which the next one uses again if their modules are unchanged. */
interface KnownDefinitions {
  readonly sources: string;
  readonly disk: RecordedDisk;
  readonly result: ManifestsResult;
}

/** Everything of a project, from its types to the running operator. */
class DevSession {
  readonly #open: () => Promise<DevCluster>;
  readonly #console: Console;
  readonly #parsed: ParsedFiles = new Map();
  #definitions: KnownDefinitions | undefined;
  /** Stamps of the inputs from which the present clients were generated; empty if that has failed. */
  #clients = '';
  /** Stamps of the inputs in the present run. */
  #inputs = '';
  #cluster: DevCluster | undefined;

  /** @param cluster that exists already: changes are compared with its objects from the beginning */
  constructor(open: () => Promise<DevCluster>, console: Console, cluster?: DevCluster) {
    this.#open = open;
    this.#cluster = cluster;
    this.#console = console;
  }

  /** Follows the present files. Errors are printed, and the operator stays as it is. */
  async run(): Promise<FollowedReads> {
    const { cwd, stderr, stdout, now } = this.#console;
    const begun = now();
    const disk = new RecordedDisk();
    const settings = await watchedConfig(cwd, disk);
    const { value: config, problems } = settings;
    const options = optionsOf(wholeProject('write'), settings, cwd);
    const search = () => {
      const [sources, samples] = [sourcesOf(options), fileStamps(['samples'], cwd)];
      return { sources, samples, folders: [...sources.folders, ...samples.folders] };
    };
    const found = search();
    this.#inputs = stampsOf(config, cwd);
    try {
      if (await this.#follow(config, options, problems, disk))
        stdout.write(`The operator runs with the present files after ${Math.round(now() - begun)} ms.\n`);
      else
        stderr.write(`The operator ${this.#cluster === undefined ? 'does not start' : 'stays as it is'}.\n`);
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      const what = cause instanceof Error ? cause.message : String(cause);
      stderr.write(problemLines([error(`${what}; the operator follows the next change`)], stderr.paint));
    }
    const disks = [disk, ...(this.#definitions === undefined ? [] : [this.#definitions.disk])];
    const reads = recordedReads(disks, found, search);
    return {
      folders: () => [...reads.folders(), ...fileStamps(inputsOf(config), cwd).folders],
      isChanged: () => reads.isChanged() || stampsOf(config, cwd) !== this.#inputs,
    };
  }

  /** Returns whether the files are valid. */
  async #follow(
    config: ParsedConfig,
    options: ManifestsOptions,
    problems: readonly InputProblem[],
    disk: RecordedDisk,
  ): Promise<boolean> {
    if (!this.#print(problems)) return false;
    const definitions = await this.#writeDefinitions(options);
    if (!definitions.isValid) return this.#print(definitions.problems);
    if (!(await this.#writeClients(config))) return false;
    const result = await recordedManifests(options, disk, this.#parsed);
    if (!this.#print(result.problems) || !result.isValid) return false;
    await this.#update();
    return true;
  }

  /** Prints problems, and returns whether none is an error. */
  #print(problems: readonly InputProblem[]): boolean {
    const { stderr } = this.#console;
    stderr.write(problemLines(problems, stderr.paint));
    return !hasErrors(problems);
  }

  /** Before the program is read, which imports the clients that are generated from the definitions. */
  async #writeDefinitions(options: ManifestsOptions): Promise<ManifestsResult> {
    const known = this.#definitions;
    const only = { ...options, program: [] };
    const sources = JSON.stringify(sourcesOf(only));
    if (known?.sources === sources && known.disk.hash === hashOfReads(known.disk.reads)) return known.result;
    const disk = new RecordedDisk();
    const result = await recordedManifests(only, disk, this.#parsed, writeDefinitions);
    this.#definitions = { sources, disk, result };
    await this.#reportBreaks(result);
    return result;
  }

  /** Prints changes of definitions that break stored objects or clients. */
  async #reportBreaks({ apis, out, isValid }: ManifestsResult): Promise<void> {
    if (this.#cluster === undefined || !isValid) return;
    const { cwd, stdout } = this.#console;
    const { kubeconfig } = this.#cluster;
    const after = apis.map(({ value, placeAt }) => ({ value, position: placeAt }));
    const check = await checkDefinitions({ against: 'cluster', after, out, cwd, kubeconfig });
    if (check.isBreaking) stdout.write(`${formatCheck(check).join('\n')}\n`);
  }

  /** Returns whether the clients are those of the present definitions. */
  async #writeClients(config: ParsedConfig): Promise<boolean> {
    const { cwd } = this.#console;
    const stamps = stampsOf(config, cwd);
    this.#inputs = stamps;
    if (stamps === this.#clients) return true;
    const status = await runOutputs({ settings: {}, mode: 'write', print: 'problems' }, this.#console);
    this.#clients = status === exitCodes.ok ? stamps : '';
    return status === exitCodes.ok;
  }

  async #update(): Promise<void> {
    this.#cluster ??= await this.#open();
    await this.#cluster.update();
  }
}

/** Returns everything from which clients are generated, for comparisons. */
function stampsOf(config: ParsedConfig, cwd: string): string {
  return JSON.stringify([config, fileStamps(inputsOf(config), cwd).stamps]);
}

/** Returns the files from which clients are generated. */
function inputsOf({ settings, outputs = [] }: ParsedConfig): readonly string[] {
  return [settings, ...outputs].flatMap(({ input = [] }) => input);
}
