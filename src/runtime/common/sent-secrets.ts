/** Credentials that this process has sent: servers, proxies and issuers may repeat them in their texts. */

/** Number of credentials that are kept; rotated ones are among them. */
const most = 200;
/** Shorter values would be found in ordinary words. */
const shortest = 4;

/** Forms of credentials by the value that was noted, the most recent one last. */
const noted = new Map<string, readonly string[]>();

/** Notes a value that is sent as a credential: a token, a password, a secret. */
export function noteSecret(secret: string): void {
  note(secret, () => formsOf(secret));
}

/** Notes the value of an `authorization` header. */
export function noteAuthorization(header: string): void {
  note(header, () => {
    const [, scheme = '', value = ''] = /^(\S+)\s+(.*)/s.exec(header) ?? [];
    if (value === '') return formsOf(header);
    return scheme.toLowerCase() === 'basic' ? [...formsOf(value), ...basicForms(value)] : formsOf(value);
  });
}

function note(key: string, forms: () => readonly string[]): void {
  if (noted.has(key)) return;
  noted.set(key, forms());
  const [oldest] = noted.keys();
  if (noted.size > most && oldest !== undefined) noted.delete(oldest);
}

/** Returns the forms of the password, and of user and password together. */
function basicForms(encoded: string): readonly string[] {
  const pair = Buffer.from(encoded, 'base64').toString();
  const password = pair.slice(pair.indexOf(':') + 1);
  return [...formsOf(pair), ...formsOf(password)];
}

/** Returns a value as it is, in URLs, in JSON and in base64, the longest form first. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < shortest) return [];
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const form = new URLSearchParams([['a', secret]]).toString().slice(2);
  const lower = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const json = JSON.stringify(secret).slice(1, -1);
  const all = [secret, url, lower(url), form, lower(form), json, ...base64Forms(secret)];
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** Returns the characters of base64 that the bytes alone determine, at each position in a longer value. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/(?<!=)=+$/, '');
    const isWhole = (before + bytes.length) % 3 === 0;
    const inner = text.slice(before === 0 ? 0 : before + 1, isWhole ? undefined : -1);
    return inner.length < shortest ? [] : [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Returns a text in which each form of a noted credential is replaced. */
export function withoutSecrets(text: string): string {
  const found = [...noted.values()].flat().filter((form) => text.includes(form));
  // The longest first: one credential may be a part of another.
  return found
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, form) => hidden.replaceAll(form, '[hidden]'), text);
}
