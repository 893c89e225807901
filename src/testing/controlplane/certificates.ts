import { generate } from 'selfsigned';

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority in memory. */
export interface CertificateAuthority {
  /** Its certificate in PEM. */
  readonly cert: string;
  /** Issues a certificate for a server with these names and addresses. */
  issueServer(name: string, hosts: Hosts): Promise<KeyPair>;
  /**
   * Issues a certificate that authenticates `name` as a member of `groups`.
   *
   * @throws TypeError for a name that cannot be part of a subject: empty, or with one of `, + " \ < > ; = #`
   * or a control character
   */
  issueClient(name: string, groups: readonly string[]): Promise<KeyPair>;
}

/** Names and addresses for which a server's certificate is valid. */
export interface Hosts {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

const dayMs = 86_400_000;

/** Creates an authority whose certificates are valid for a few days. */
export async function createAuthority(): Promise<CertificateAuthority> {
  const { cert, private: key } = await generate(subject('kgen-test-ca', []), {
    ...common(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const ca = { cert, key };
  return {
    cert,
    issueServer: (name, hosts) => issue(ca, subject(name, []), serverExtensions(hosts)),
    issueClient: async (name, groups) => issue(ca, subject(name, groups), clientExtensions),
  };
}

type Options = NonNullable<Parameters<typeof generate>[1]>;
type Extensions = NonNullable<Options['extensions']>;
type Subject = NonNullable<Parameters<typeof generate>[0]>;

async function issue(ca: KeyPair, name: Subject, extensions: Extensions): Promise<KeyPair> {
  const issued = await generate(name, { ...common(), ca, extensions });
  return { cert: issued.cert, key: issued.private };
}

function common(): Options {
  const now = Date.now();
  return {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(now + 30 * dayMs),
  };
}

function subject(name: string, groups: readonly string[]): Subject {
  return [
    { name: 'commonName', value: plain(name) },
    ...groups.map((group) => ({ name: 'organizationName', value: plain(group) })),
  ];
}

/** The library joins a subject to one string and parses it again, so separators and quotes are rejected. */
function plain(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (name !== '' && name === name.trim() && !/[,+"\\<>;=#\u0000-\u001f\u007f]/.test(name)) return name;
  throw new TypeError(`${JSON.stringify(name)} cannot be the name of a user or group of a test certificate`);
}

function serverExtensions({ names, addresses }: Hosts): Extensions {
  const altNames = [
    ...names.map((value) => ({ type: 2 as const, value })),
    ...addresses.map((ip) => ({ type: 7 as const, ip })),
  ];
  return [
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    // The extension may not be empty: a certificate without hosts has its common name alone.
    ...(altNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames }] : []),
  ];
}

const clientExtensions: Extensions = [
  { name: 'keyUsage', digitalSignature: true, critical: true },
  { name: 'extKeyUsage', clientAuth: true },
];
