/** Rules of `kgen doctor` about webhooks and their serving certificate. Pure. */
import { certificateFacts, isSignedBy, splitBundle } from '@kgen/certificates/facts';
import { array, type JsonObject, object, text } from '@kgen/schema/values/json';
import { refOf } from './cluster.ts';

/** Secret with the serving certificate of an operator. */
export interface ServingSecret {
  readonly name: string;
  /** Whether its Pods mount it: another program writes it. Otherwise the operator does. */
  readonly isMounted: boolean;
  readonly state: 'present' | 'missing' | 'forbidden';
  /** `tls.crt`: the certificate, then others; empty unless it is present. */
  readonly chain: string;
}

/** A client of the webhooks: an entry of a configuration, or the conversion of a definition. */
export interface WebhookClient {
  /** Name in messages. */
  readonly about: string;
  /** Consequence of a server that does not respond. */
  readonly effect: string;
  readonly service: string;
  /** Namespace of the Service; empty for a URL. */
  readonly namespace: string;
  /** PEM. */
  readonly bundle: string;
}

/** A defect, and whether it has an effect by now. */
export interface CertificateDefect {
  readonly isSerious: boolean;
  readonly what: string;
}

/** Returns the clients of configurations and of definitions. */
export function webhookClients(
  configurations: readonly JsonObject[],
  definitions: readonly JsonObject[],
): readonly WebhookClient[] {
  const reviews = configurations.flatMap((each) => array(each, 'webhooks'));
  const conversions = definitions.filter(
    (each) => text(each, 'spec', 'conversion', 'strategy') === 'Webhook',
  );
  return [
    ...reviews.map((each) => ({
      about: text(each, 'name'),
      effect: text(each, 'failurePolicy') === 'Ignore' ? 'is skipped' : 'refuses all its writes',
      ...clientOf(object(each, 'clientConfig')),
    })),
    ...conversions.map((each) => ({
      about: `the conversion of ${refOf(each).name}`,
      effect: 'fails for all requests in another version than the stored one',
      ...clientOf(object(each, 'spec', 'conversion', 'webhook', 'clientConfig')),
    })),
  ];
}

function clientOf(config: JsonObject): Pick<WebhookClient, 'service' | 'namespace' | 'bundle'> {
  const [service, namespace] = [text(config, 'service', 'name'), text(config, 'service', 'namespace')];
  return { service, namespace, bundle: Buffer.from(text(config, 'caBundle'), 'base64').toString() };
}

/** Returns the defects of the authorities that a client trusts. */
export function bundleDefects({ about, bundle }: WebhookClient, now: number): readonly CertificateDefect[] {
  if (bundle === '')
    return [
      defect(`${about} has no caBundle: the operator or cert-manager sets it; kgen logs shows why not`),
    ];
  const certificates = certificatesOf(bundle);
  if (certificates.length === 0) return [defect(`${about}: its caBundle contains no certificate`)];
  const end = certificates.map(endOf).reduce((a, b) => Math.max(a, b));
  return expiry(`${about}: its caBundle`, end, now);
}

/** Returns the defects of the serving certificate, and of the trust of clients in it. */
export function servingDefects(
  { name, isMounted, state, chain }: ServingSecret,
  clients: readonly WebhookClient[],
  now: number,
): readonly CertificateDefect[] {
  const keeper = isMounted
    ? 'cert-manager or the service CA of the cluster writes it: see its Certificate or Service'
    : 'the operator writes it: see kgen logs';
  if (state === 'forbidden')
    return [{ isSerious: false, what: `Secret ${name} is not checked: your account may not get it` }];
  if (state === 'missing') {
    const callers = clients.map(({ about }) => about).join(', ');
    return [
      defect(`Secret ${name} does not exist, but API servers call the operator (${callers}); ${keeper}`),
    ];
  }
  const sent = certificatesOf(chain);
  const [leaf] = sent;
  if (leaf === undefined) return [defect(`Secret ${name} has no certificate in tls.crt; ${keeper}`)];
  const untrusting = clients.filter(({ bundle }) => {
    const authorities = certificatesOf(bundle);
    return authorities.length > 0 && !sent.some((each) => authorities.some((by) => isSignedBy(each, by)));
  });
  return [
    ...expiry(`the certificate in Secret ${name}`, endOf(leaf), now, `; ${keeper}`),
    ...untrusting.map(({ about, effect }) =>
      defect(
        `${about} ${effect}: its caBundle does not contain the authority of the certificate in Secret ${name}; ${isMounted ? 'cert-manager or the service CA' : 'the operator'} sets it, unless another program does: kgen logs`,
      ),
    ),
  ];
}

const dayMs = 86_400_000;
const soonDays = 7;

function expiry(what: string, end: number, now: number, action = ''): readonly CertificateDefect[] {
  const date = new Date(end).toISOString().slice(0, 10);
  if (end <= now) return [defect(`${what} has expired on ${date}${action}`)];
  return end - now < soonDays * dayMs
    ? [{ isSerious: false, what: `${what} expires on ${date}${action}` }]
    : [];
}

function endOf(certificate: string): number {
  return certificateFacts(certificate).until;
}

/** Returns the certificates of a PEM; invalid ones are left out. */
function certificatesOf(pem: string): readonly string[] {
  return splitBundle(pem).filter((each) => {
    try {
      certificateFacts(each);
      return true;
    } catch {
      return false;
    }
  });
}

function defect(what: string): CertificateDefect {
  return { isSerious: true, what };
}
