/** Webhooks of an operator on this machine: their certificate, and their registration in a cluster. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@kgen/certificates/authority';
import { isApiError } from '@kgen/runtime';
import { array, isObject, type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, type ObjectRef, refOf, refText } from '../cluster/cluster.ts';
import {
  isDefinition,
  labelled,
  type OperatorPlace,
  readObjects,
  webhookKinds,
} from '../cluster/operator.ts';
import type { Session } from '../cluster/session.ts';
import { disown, fieldManager } from './pause.ts';
import {
  type LocalEndpoint,
  type PlannedRegistration,
  planRegistration,
  type Registration,
  type RegistrationChange,
  releasePatch,
  undoRegistration,
} from './registration.ts';
import type { WebhookHost } from './webhook-host.ts';

/** Returns the objects of a project through which servers call webhooks; empty ones of kinds without any. */
export function webhookObjects(cwd: string, { name }: Pick<OperatorPlace, 'name'>): readonly JsonObject[] {
  const read = (path: string) => (existsSync(join(cwd, path)) ? readObjects(cwd, path) : []);
  const written = read('config/webhook');
  const configurations = webhookKinds.map((kind): JsonObject => {
    const none = { ...kind, metadata: { name }, webhooks: [] };
    return written.find((each) => text(each, 'kind') === kind.kind) ?? none;
  });
  return [...configurations, ...read('config/crd').filter(isConverted)];
}

/** Returns the port at which the program of a project serves its webhooks, or would. */
export function webhookPort(cwd: string): number {
  const path = 'config/webhook/service.yaml';
  const [service] = existsSync(join(cwd, path)) ? readObjects(cwd, path) : [];
  const [port] = array(service, 'spec', 'ports').filter(isObject);
  return Number(port?.['targetPort'] ?? 9443);
}

function isConverted(definition: JsonObject): boolean {
  return text(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
}

/** Returns whether a program has webhooks. */
export function hasWebhooks(objects: readonly JsonObject[]): boolean {
  return objects.some((each) => isDefinition(each) || array(each, 'webhooks').length > 0);
}

/** Parts of `LocalWebhooks`. */
export interface LocalWebhooksParts {
  readonly host: Extract<WebhookHost, { readonly host: string }>;
  readonly place: OperatorPlace;
  readonly cwd: string;
  readonly session: Session;
}

const [pollMs, limitMs, attempts] = [100, 60_000, 5];

/** Webhooks that a program on this machine serves. */
export class LocalWebhooks {
  /** Folder with the certificate, in which the program writes its port. */
  readonly folder: string;
  /** Variables of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly #parts: LocalWebhooksParts;
  readonly #caBundle: string;
  #registrations: readonly Registration[] = [];

  constructor(parts: LocalWebhooksParts) {
    const { host } = parts.host;
    const authority = createAuthority({ name: 'kgen-webhooks' });
    const names = { names: ['localhost'], addresses: ['127.0.0.1'] };
    names[isIPv4(host) ? 'addresses' : 'names'].push(host);
    const { cert, key } = authority.issueServer('localhost', names);
    this.#parts = parts;
    this.#caBundle = Buffer.from(authority.cert).toString('base64');
    this.folder = mkdtempSync(join(tmpdir(), 'kgen-webhooks-'));
    this.env = { KGEN_WEBHOOKS: this.folder };
    writeFileSync(join(this.folder, 'tls.crt'), cert);
    writeFileSync(join(this.folder, 'tls.key'), key, { mode: 0o600 });
  }

  /** Removes the folder. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Forgets the port of a program that has ended. */
  restarts(): void {
    rmSync(this.#portFile, { force: true });
  }

  /** Returns definitions as they are applied while their webhooks are registered. */
  definitions(objects: readonly JsonObject[]): readonly JsonObject[] {
    return objects.map((each) => {
      const { kind, name } = refOf(each);
      const found = this.#registrations.find(({ ref }) => ref.kind === kind && ref.name === name);
      const conversion = found?.parts[0]?.after;
      const spec = each['spec'];
      if (conversion === undefined || !isObject(spec) || !isConverted(each)) return each;
      return { ...each, spec: { ...spec, conversion } };
    });
  }

  /** Prints the registrations that `register` would write. */
  async preview(cluster: Cluster): Promise<void> {
    const { cwd, place, session } = this.#parts;
    const endpoint = this.#endpoint(webhookPort(cwd));
    for (const each of webhookObjects(cwd, place))
      for (const line of linesOf(await this.#plan(cluster, each, endpoint))) session.print(`would ${line}`);
  }

  /**
   * Registers the webhooks once the program serves them.
   * @param willChange called before each change with all registrations, so that they are undone
   * @throws {Refusal} the program does not serve webhooks
   */
  async register(
    cluster: Cluster,
    isRunning: () => boolean,
    willChange: (registrations: readonly Registration[]) => void,
  ): Promise<void> {
    const { cwd, place, session } = this.#parts;
    const objects = webhookObjects(cwd, place);
    if (!hasWebhooks(objects) && this.#registrations.length === 0) return;
    const port = await this.#port(isRunning);
    if (port === undefined) return;
    for (const local of objects) {
      const plan = await this.#registered(cluster, local, this.#endpoint(port), willChange);
      for (const line of linesOf(plan)) session.print(line);
    }
  }

  async #registered(
    cluster: Cluster,
    local: JsonObject,
    endpoint: LocalEndpoint,
    willChange: (registrations: readonly Registration[]) => void,
  ): Promise<PlannedRegistration> {
    for (let attempt = 1; ; attempt++) {
      const plan = await this.#plan(cluster, local, endpoint);
      const { ref, parts, change } = plan;
      this.#registrations = [
        ...this.#registrations.filter((each) => refText(each.ref) !== refText(ref)),
        ...(parts.length > 0 ? [{ ref, parts }] : []),
      ];
      if (change === undefined) return plan;
      willChange(this.#registrations);
      try {
        // With the label by which `kgen undeploy` finds it.
        const [created] = labelled([plan.created], this.#parts.place.name);
        await write(cluster, ref, change, created);
        return plan;
      } catch (cause) {
        // The object has changed meanwhile.
        if (!isApiError(cause) || attempt === attempts) throw cause;
      }
    }
  }

  async #plan(cluster: Cluster, local: JsonObject, endpoint: LocalEndpoint): Promise<PlannedRegistration> {
    const { namespace } = this.#parts.place;
    const earlier = this.#registrations.find(({ ref }) => refText(ref) === refText(refOf(local)));
    return planRegistration(local, await cluster.find(refOf(local)), endpoint, { namespace, earlier });
  }

  #endpoint(port: number): LocalEndpoint {
    const { host, port: stated = port } = this.#parts.host;
    return { address: `${host}:${stated}`, caBundle: this.#caBundle };
  }

  /** Waits for the port; `undefined` if the program ends. */
  async #port(isRunning: () => boolean): Promise<number | undefined> {
    const { now, sleep } = this.#parts.session;
    for (const end = now() + limitMs; ; await sleep(pollMs)) {
      const written = existsSync(this.#portFile) ? readFileSync(this.#portFile, 'utf8') : '';
      if (written.endsWith('\n')) return Number(written);
      if (!isRunning()) return undefined;
      if (now() < end) continue;
      throw new Refusal(
        'the program does not serve its webhooks: add webhooks() of @kgen/controller/webhooks to its manager',
      );
    }
  }

  get #portFile(): string {
    return join(this.folder, 'port');
  }
}

function linesOf({ ref, parts, change }: PlannedRegistration): readonly string[] {
  if (change === undefined) return [];
  const urls = parts.flatMap(({ after }) => {
    const url = text(after, 'clientConfig', 'url') || text(after, 'webhook', 'clientConfig', 'url');
    return url === '' ? [] : [url];
  });
  return [`register   ${refText(ref)}: ${urls.join(', ') || 'removed webhooks of the deployed program'}`];
}

async function write(
  cluster: Cluster,
  { apiVersion, kind, name, uid }: ObjectRef,
  change: Exclude<RegistrationChange, undefined>,
  created: object = {},
): Promise<void> {
  if (change === 'delete')
    return cluster.delete({ apiVersion, kind, name, ...(uid !== undefined && { uid }) });
  if (change === 'create') {
    await cluster.objects.create({ ...created, apiVersion, kind }, { fieldManager });
    return;
  }
  await cluster.objects.patch({ apiVersion, kind, metadata: { name } }, [...change], {
    type: 'json',
    fieldManager,
  });
}

/** Undoes a registration. Returns the line for the user; `undefined` if nothing was changed. */
export async function unregister(cluster: Cluster, registration: Registration): Promise<string | undefined> {
  const present = await cluster.find(registration.ref);
  const change = undoRegistration(registration, present);
  if (present === undefined || change === undefined) return undefined;
  const ref = refOf(present);
  await write(cluster, ref, change);
  if (change === 'delete') return `deleted    ${refText(ref)}`;
  await disown(cluster, ref);
  return `restored   ${refText(ref)}`;
}

/**
 * Replaces addresses of machines that a killed process has left in objects. Returns the objects that the
 * server accepts then; in a dry run, those without such an address.
 */
export async function releaseWebhooks(
  cluster: Cluster,
  objects: readonly JsonObject[],
  { dryRun, print }: Pick<Session, 'print'> & { readonly dryRun: boolean },
): Promise<readonly JsonObject[]> {
  const accepted = new Set(objects);
  const isConfiguration = (each: JsonObject): boolean =>
    webhookKinds.some(({ kind }) => kind === text(each, 'kind'));
  const called = objects.filter((each) => isConverted(each) || isConfiguration(each));
  for (const each of called) {
    const present = await cluster.find(refOf(each));
    const change = releasePatch(each, present);
    if (change === undefined) continue;
    if (dryRun) accepted.delete(each);
    else {
      await write(cluster, refOf(each), change);
      await disown(cluster, refOf(each));
    }
    print(`restored   ${refText(refOf(each))}: it named webhooks on a machine`);
  }
  return [...accepted];
}
