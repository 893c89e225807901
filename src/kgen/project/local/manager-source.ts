/** The recording of a running manager, for a page. */
import type { Duplex } from 'node:stream';
import { isApiError, isForbidden, isNotFound, type RESTClient, resource } from '@kgen/runtime';
import type { NamespacedResource } from '@kgen/runtime/client';
import { isObject, text as textAt } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type EndpointText, ForwardedEndpoint } from './forwarded-endpoint.ts';
import { chooseManagerPod, type ManagerPod, type ManagerTarget } from './manager-pod.ts';

/** Choice of a manager. */
export interface ManagerChoice {
  readonly target: ManagerTarget;
  /** Port of the metrics. Default: the port of the Pod with the name `metrics`, or 8443. */
  readonly port?: number | undefined;
  /** Account in the namespace of the target, whose token the manager receives. Default: that of the Pod. */
  readonly serviceAccount?: string | undefined;
  /** Prints a line for the user. */
  readonly print: (line: string) => void;
}

/** Lines since a tag, or the reason why there are none. */
export type ManagerRecording = { readonly tag: string; readonly text: string } | { readonly problem: string };

/** The shortest duration of a token that servers accept, in seconds. */
const durationSeconds = 600;
/** Port of the metrics of new projects. */
const usualPort = 8443;
const recordingPath = '/debug/recording';
/** Limit of a connection, in milliseconds. */
const connectMs = 10_000;
/** Time for which a refused token is not replaced, in milliseconds. */
const refusedMs = 30_000;

/** A service account. */
interface Account {
  readonly namespace: string;
  readonly name: string;
}

interface PodForwards {
  portForwardStream(
    pod: string,
    port: number,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Duplex>;
}

const pods: NamespacedResource<unknown, unknown, PodForwards> = {
  ...{ group: '', version: 'v1', kind: 'Pod', listKind: 'PodList', plural: 'pods', singular: 'pod' },
  ...{ scope: 'Namespaced', verbs: ['get', 'list', 'watch'] },
};

interface Connection {
  readonly pod: ManagerPod;
  readonly port: number;
  readonly endpoint: ForwardedEndpoint;
}

/** Reads the recording of a manager, and that of its successor when its Pod has been replaced. */
export class ManagerSource {
  readonly #cluster: Cluster;
  readonly #choice: ManagerChoice;
  readonly #end = new AbortController();
  #connection: Connection | undefined;
  #token: string | undefined;
  #tokenAt = Number.NEGATIVE_INFINITY;
  /** Identity of the last process that led in place of the shown one. */
  #leader: string | undefined;

  constructor(cluster: Cluster, choice: ManagerChoice) {
    this.#cluster = cluster;
    this.#choice = choice;
  }

  /** Returns the lines since a tag. Never rejects. */
  async read(after: string): Promise<ManagerRecording> {
    try {
      return await this.#read(after);
    } catch {
      // The Pod may have been replaced.
      this.#disconnect();
    }
    try {
      return await this.#read(after);
    } catch (cause) {
      const { pod, port } = this.#connection ?? {};
      this.#disconnect();
      return { problem: problemOf(cause, pod, port) };
    }
  }

  /** Ends the port-forward. */
  close(): void {
    this.#end.abort();
    this.#disconnect();
  }

  async #read(after: string): Promise<ManagerRecording> {
    this.#connection ??= await this.#connect();
    const { pod, endpoint } = this.#connection;
    const path = `${recordingPath}?${new URLSearchParams({ after })}`;
    let response = await endpoint.get(path, this.#token);
    if (response.status === 401 && Date.now() - this.#tokenAt > refusedMs) {
      this.#token = await accountToken(this.#cluster.rest, this.#accountOf(pod));
      this.#tokenAt = Date.now();
      response = await endpoint.get(path, this.#token);
    }
    const { status, tag, text } = response;
    if (status !== 200) return { problem: refusalOf(response, this.#accountOf(pod)) };
    this.#followLeader(text);
    return { tag, text };
  }

  /** Chooses another Pod for the next lines if another process leads: once for each, as it may be missing. */
  #followLeader(text: string): void {
    const leader = otherLeaderIn(text);
    if (leader === undefined || leader === this.#leader || this.#choice.target.kind === 'pod') return;
    this.#leader = leader;
    this.#disconnect();
  }

  async #connect(): Promise<Connection> {
    const { target, port: chosen, print } = this.#choice;
    const pod = await chooseManagerPod(this.#cluster, target);
    const port = chosen ?? pod.metricsPort ?? usualPort;
    print(`Pod ${pod.namespace}/${pod.name}, port ${port}: ${pod.reason}`);
    const { signal } = this.#end;
    const client = resource(this.#cluster.rest, pods).in(pod.namespace);
    const open = (): Promise<Duplex> =>
      client.portForwardStream(pod.name, port, { timeoutMs: connectMs, signal });
    return { pod, port, endpoint: new ForwardedEndpoint(open) };
  }

  #disconnect(): void {
    this.#connection?.endpoint.close();
    this.#connection = undefined;
  }

  #accountOf({ namespace, serviceAccount }: ManagerPod): Account {
    return { namespace, name: this.#choice.serviceAccount ?? serviceAccount };
  }
}

/**
 * Requests a token of a service account, which is valid for ten minutes. The credentials of the kubeconfig
 * are never sent to a Pod: its program could use them.
 * @throws {Refusal} the user may not, or the account does not exist
 */
async function accountToken(rest: RESTClient, { namespace, name }: Account): Promise<string> {
  const [place, account] = [namespace, name].map(encodeURIComponent);
  try {
    const response = await rest.post(`/api/v1/namespaces/${place}/serviceaccounts/${account}/token`, {
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [], expirationSeconds: durationSeconds },
      },
    });
    return isObject(response) ? textAt(response, 'status', 'token') : '';
  } catch (cause) {
    const what = `service account ${namespace}/${name}`;
    if (isForbidden(cause))
      throw new Refusal(
        `a token of the ${what} is needed, and the user may not create one: an administrator grants create of serviceaccounts/token, or choose another account with --service-account`,
      );
    if (isApiError(cause) && isNotFound(cause)) throw new Refusal(`the ${what} does not exist`);
    throw cause;
  }
}

/** Returns the identity of the leader, if the last lines about the election name another process. */
function otherLeaderIn(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('{"type":"lease"'));
  const states = lines.map((line): unknown => JSON.parse(line)).filter(isObject);
  const last = states.filter((state) => state['lease'] === 'leader').at(-1);
  const holder = textAt(last, 'holder');
  return last?.['isHeld'] === false && holder !== '' ? holder : undefined;
}

/** Returns the reason why a manager sends no recording, and the action that resolves it. */
function refusalOf({ status, text }: EndpointText, { namespace, name }: Account): string {
  const account = `service account ${namespace}/${name}`;
  if (status === 401) return `the manager does not accept tokens of the ${account} (401)`;
  if (status === 403 && text.trim() !== 'forbidden') return text.trim();
  if (status === 403)
    return (
      `the ${account} may not get ${recordingPath}: bind it to a ClusterRole with nonResourceURLs: ` +
      `[${recordingPath}] and verbs: [get], such as OPERATOR-recording-reader, which kgen writes`
    );
  if (status === 404)
    return 'the manager does not serve its recording: set metrics: { recording: true } of the Manager, and deploy it';
  if (status === 500)
    return 'the manager could not review the access (500): its log has the reason; it needs create of tokenreviews and subjectaccessreviews';
  return `the manager responds with ${status}: pass --port with the port of its metrics`;
}

function problemOf(cause: unknown, pod: ManagerPod | undefined, port: number | undefined): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (pod === undefined) return message;
  return `Pod ${pod.namespace}/${pod.name}, port ${port}: ${message}; pass --port with the port of the metrics of the manager`;
}
