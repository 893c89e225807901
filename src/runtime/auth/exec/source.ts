/** Credentials of exec plugins. */
import { isatty } from 'node:tty';
import type { ClusterConfig, ExecConfig } from '../../config/types.ts';
import { sameCredential } from '../bearer.ts';
import { type AuthEnvironment, clockAndFiles } from '../environment.ts';
import { SharedSources } from '../shared-sources.ts';
import { type Hold, SharedWork } from '../shared-work.ts';
import type { Credential, CredentialSource } from '../types.ts';
import { checkExec, isInteractive, pluginName } from './check.ts';
import { notFound, runFailed } from './failures.ts';
import { type ClusterInfo, clusterInfo, execEnv, execInfo } from './info.ts';
import { findProgram } from './program.ts';
import { type ExecResult, readExecCredential } from './result.ts';
import { runProgram } from './run.ts';

/** Default time-out of a plugin without access to standard input, in milliseconds. */
const defaultTimeoutMs = 60_000;

type ExecEnvironment = Omit<AuthEnvironment, 'fetch'>;

/** Credential source of a plugin: runs it if its credential is missing, expired, or was refused. */
class ExecSource implements CredentialSource {
  readonly label: string;
  readonly #run: (hold: Hold) => Promise<ExecResult>;
  readonly #now: () => number;
  readonly #pending: SharedWork<Credential> = new SharedWork();
  #held: ExecResult | undefined;

  constructor(label: string, run: (hold: Hold) => Promise<ExecResult>, now: () => number) {
    this.label = label;
    this.#run = run;
    this.#now = now;
  }

  current(signal?: AbortSignal): Credential | Promise<Credential> {
    const held = this.#held;
    return held !== undefined && this.#now() <= held.expiresAt ? held.credential : this.#refresh(signal);
  }

  async renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    const newer = this.#held !== undefined && this.#held.credential !== refused;
    const next = newer ? await this.current(signal) : await this.#refresh(signal);
    return sameCredential(next, refused) ? undefined : next;
  }

  #refresh(signal: AbortSignal | undefined): Promise<Credential> {
    return this.#pending.join(async (hold) => {
      const { credential, expiresAt } = await this.#run(hold);
      const held = this.#held?.credential;
      // Returns the same object for an equal credential: a refusal of one applies to the other.
      const next = held !== undefined && sameCredential(held, credential) ? held : credential;
      this.#held = { credential: next, expiresAt };
      return next;
    }, signal);
  }
}

const sources: SharedSources<ExecSource> = new SharedSources();

/**
 * Returns the credential source of a plugin, shared by all clients of this process with an equal
 * configuration.
 * @throws {ConfigError} if the configuration of the plugin is invalid, or the information about its cluster
 * cannot be read
 */
export async function execSource(
  config: ClusterConfig,
  exec: ExecConfig,
  given: Partial<AuthEnvironment>,
): Promise<CredentialSource> {
  const environment = { ...system(), ...given };
  checkExec(exec);
  const cluster = await clusterInfo(config, exec, environment);
  const { clusterConfig: _, ...plugin } = exec;
  return sources.get(
    [Object.entries(plugin).sort(([a], [b]) => (a < b ? -1 : 1)), execInfo(exec, false, cluster)],
    () =>
      new ExecSource(
        pluginName(exec),
        (hold) => runPlugin(exec, cluster, environment, hold),
        environment.now,
      ),
  );
}

/** Runs the plugin once. */
async function runPlugin(
  exec: ExecConfig,
  cluster: ClusterInfo,
  environment: ExecEnvironment,
  hold: Hold,
): Promise<ExecResult> {
  const interactive = isInteractive(exec, environment);
  const info = execInfo(exec, interactive, exec.provideClusterInfo === true ? cluster : undefined);
  const found = await findProgram(exec.command, environment);
  if ('problem' in found) throw notFound(exec, found);
  const added = [...(exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: info }];
  const ended = await runProgram(
    {
      path: found.path,
      args: exec.args ?? [],
      env: execEnv(environment.env, added, environment.platform),
      interactive,
      inheritErrors: interactive && environment.isTerminal(2),
      show: environment.show,
      timeoutMs: interactive ? undefined : (exec.timeoutMs ?? defaultTimeoutMs),
    },
    hold,
  );
  if (ended.outcome.how !== 'exited' || ended.outcome.code !== 0) throw runFailed(exec, ended);
  return readExecCredential(ended.stdout, exec);
}

function system(): ExecEnvironment {
  return {
    ...clockAndFiles,
    env: process.env,
    platform: process.platform,
    isTerminal: isatty,
    show: showError,
  };
}

/** Writes to standard error. A closed standard error must not end the program. */
function showError(chunk: Uint8Array): void {
  try {
    const { stderr } = process;
    stderr.write(chunk, (error) => {
      if (error && stderr.listenerCount('error') === 0) stderr.once('error', () => undefined);
    });
  } catch {
    // Called from an event of the plugin's pipe. The error of a failed plugin contains its last lines.
  }
}
