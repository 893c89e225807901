/** Audit log of a server, as the proof of the requests that a client sent. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request in the audit log. */
export interface SeenRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** HTTP status of the response; `undefined` if the server has not responded yet. */
  readonly status: number | undefined;
  /** Message of a refusal for a missing permission. */
  readonly denial?: string;
  /** Annotations of admission policies: `POLICY/KEY`. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The audit log of one server. */
export interface AuditLog {
  /** Flags that the server has to be started with. */
  readonly flags: readonly string[];
  /** Returns the requests of a client, by its user agent, or of all clients, in the order of arrival. */
  requests(userAgent?: string): readonly SeenRequest[];
  /** Returns the requests of a user in the order of their arrival. */
  requestsOf(user: string): readonly SeenRequest[];
  /** Removes the log. */
  remove(): Promise<void>;
}

/** Options of `auditLog`. */
export interface AuditOptions {
  /** Recorded verbs. Default: list and watch. */
  readonly verbs?: readonly string[];
}

/** Prepares a log for a server that is started with its flags. */
export async function auditLog({ verbs = ['list', 'watch'] }: AuditOptions = {}): Promise<AuditLog> {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', verbs }, { level: 'None' }],
  };
  const folder = await mkdtemp(join(tmpdir(), 'kgen-audit-'));
  const [log, rules] = [join(folder, 'audit.log'), join(folder, 'policy.json')];
  await writeFile(rules, JSON.stringify(policy));
  return {
    flags: [`--audit-log-path=${log}`, `--audit-policy-file=${rules}`, '--audit-log-mode=blocking'],
    requests: (userAgent) =>
      read(
        readFileSync(log, 'utf8'),
        userAgent ?? '',
        (event) => userAgent === undefined || event.userAgent === userAgent,
      ),
    requestsOf: (user) => read(readFileSync(log, 'utf8'), user, (event) => event.user?.username === user),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user?: { readonly username?: string };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
}

/** Returns the requests that match, on lines that contain `part`. */
function read(text: string, part: string, matches: (event: AuditEvent) => boolean): readonly SeenRequest[] {
  const requests = new Map<string, SeenRequest>();
  // The last line may be incomplete.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '' || !line.includes(part)) continue;
    // Written by the server, in its documented format.
    const event = JSON.parse(line) as AuditEvent;
    if (!matches(event) || requests.has(event.auditID)) continue;
    const { pathname, searchParams } = new URL(event.requestURI, 'https://server');
    const { code: status, message = '' } = event.responseStatus ?? {};
    // A namespace that is being deleted refuses objects with the same status.
    const denied = status === 403 && / cannot /.test(message) ? { denial: message } : {};
    const { verb, annotations = {} } = event;
    requests.set(event.auditID, {
      verb,
      path: pathname,
      query: searchParams,
      status,
      annotations,
      ...denied,
    });
  }
  return [...requests.values()];
}
