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
}

/** The audit log of one server. */
export interface AuditLog {
  /** Flags that the server has to be started with. */
  readonly flags: readonly string[];
  /** Returns the requests of a client, by its user agent, or of all clients. They are in order of arrival. */
  requests(userAgent?: string): readonly SeenRequest[];
  /** Removes the log. */
  remove(): Promise<void>;
}

const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
};

/**
 * Prepares a log for a server that is started with its flags. It contains requests with some verbs; without
 * verbs, all requests.
 */
export async function auditLog(verbs: readonly string[] = ['list', 'watch']): Promise<AuditLog> {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-audit-'));
  const [log, rules] = [join(folder, 'audit.log'), join(folder, 'policy.json')];
  await writeFile(
    rules,
    JSON.stringify({ ...policy, rules: [{ level: 'Metadata', verbs }, { level: 'None' }] }),
  );
  return {
    flags: [`--audit-log-path=${log}`, `--audit-policy-file=${rules}`, '--audit-log-mode=blocking'],
    requests: (userAgent) => read(readFileSync(log, 'utf8'), userAgent),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly responseStatus?: { readonly code?: number };
}

function read(text: string, userAgent?: string): readonly SeenRequest[] {
  const requests = new Map<string, SeenRequest>();
  // The last line may be incomplete.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '' || !line.includes(userAgent ?? '')) continue;
    // Written by the server, in its documented format.
    const event = JSON.parse(line) as AuditEvent;
    if ((userAgent ?? event.userAgent) !== event.userAgent || requests.has(event.auditID)) continue;
    const { pathname, searchParams } = new URL(event.requestURI, 'https://server');
    const status = event.responseStatus?.code;
    requests.set(event.auditID, { verb: event.verb, path: pathname, query: searchParams, status });
  }
  return [...requests.values()];
}
