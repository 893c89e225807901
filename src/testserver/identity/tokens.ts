/**
 * Tokens of service accounts: JSON Web Tokens that the server signs and accepts.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { isObject, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { randomUid, type ServerEnvironment } from '../environment/environment.ts';
import type { Store } from '../store/store.ts';
import { accountGroups, accountUserName, authenticatedGroup, type User } from './user.ts';

/** Issuer of the tokens, and the audience of the server. */
export const issuer = 'https://kubernetes.default.svc';

/** An object that a token is bound to: the token is invalid once the object is deleted. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

/** Content of a new token. */
export interface TokenClaims {
  /** The stored service account. */
  readonly account: JsonObject;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: BoundObject | undefined;
  /** Node of the pod that the token is bound to. */
  readonly node: { readonly name: string; readonly uid: string } | undefined;
}

/** A token that is valid for at least one of the requested audiences. */
export interface ReviewedToken {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Issues and verifies the tokens of one server. */
export class Tokens {
  readonly #store: Store;
  readonly #environment: ServerEnvironment;
  #keys: Keys | undefined;

  constructor(store: Store, environment: ServerEnvironment) {
    this.#store = store;
    this.#environment = environment;
  }

  /** Returns a signed token. */
  issue({ account, audiences, seconds, bound, node }: TokenClaims): string {
    const now = Math.floor(this.#environment.now() / 1000);
    const [namespace, name] = [text(account, 'metadata', 'namespace'), text(account, 'metadata', 'name')];
    const references = {
      namespace,
      ...(node === undefined || bound?.kind === 'Node' ? {} : { node }),
      ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
      serviceaccount: { name, uid: text(account, 'metadata', 'uid') },
    };
    const payload = {
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: issuer,
      jti: randomUid(this.#environment),
      'kubernetes.io': references,
      nbf: now,
      sub: accountUserName({ namespace, name }),
    };
    const { id, privateKey } = this.#key();
    const content = `${encode({ alg: 'ES256', kid: id })}.${encode(payload)}`;
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  /**
   * Returns the user of a valid token and the audiences that it has in common with `audiences`, or the reason
   * why it is invalid.
   */
  review(token: string, audiences: readonly string[]): ReviewedToken | string {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return invalidToken;
    const own = strings(claims, 'aud');
    const common = audiences.filter((audience) => own.includes(audience));
    if (common.length === 0) {
      const [given, requested] = [own, audiences].map(
        (list) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`,
      );
      return `[${invalidToken}, token audiences ${given} is invalid for the target audiences ${requested}]`;
    }
    const problem = this.#problemOf(claims);
    return problem ?? { user: userOf(claims), audiences: common };
  }

  /** Returns the public key as a JSON Web Key Set. */
  keySet(): JsonObject {
    const { id, publicKey } = this.#key();
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty: 'EC', kid: id, crv: 'P-256', alg: 'ES256', x, y }] };
  }

  /** The key is created with the first token: most tests need none. */
  #key(): Keys {
    this.#keys ??= createKeys();
    return this.#keys;
  }

  #claimsOf(token: string): JsonObject | undefined {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    if (this.#keys === undefined || more.length > 0 || signature === '') return undefined;
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    // The server wrote it.
    return isSigned
      ? object(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json)
      : undefined;
  }

  #problemOf(claims: JsonObject): string | undefined {
    const expires = own(claims, 'exp');
    if (typeof expires !== 'number' || this.#environment.now() >= expires * 1000)
      return `[${invalidToken}, service account token has expired]`;
    const references = object(claims, 'kubernetes.io');
    const namespace = text(references, 'namespace');
    for (const [claim, resource, prefix] of boundResources) {
      const reference = own(references, claim);
      if (!isObject(reference)) continue;
      const stored = this.#store.get(resource, `${prefix ? `${namespace}/` : ''}${text(reference, 'name')}`);
      if (text(stored, 'metadata', 'uid') !== text(reference, 'uid'))
        return `[${invalidToken}, service account token has been invalidated]`;
    }
    return undefined;
  }
}

/** Reason of a token that is invalid in any respect. */
export const invalidToken = 'invalid bearer token';

/** Claims that name objects, which have to exist. */
const boundResources: readonly (readonly [claim: string, storage: string, isNamespaced: boolean])[] = [
  ['serviceaccount', 'serviceaccounts', true],
  ['pod', 'pods', true],
  ['secret', 'secrets', true],
];

interface Keys {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function createKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(der).digest('base64url'), privateKey, publicKey };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function userOf(claims: JsonObject): User {
  const references = object(claims, 'kubernetes.io');
  const namespace = text(references, 'namespace');
  const [pod, node] = [object(references, 'pod'), object(references, 'node')];
  const extra = {
    'authentication.kubernetes.io/credential-id': [`JTI=${text(claims, 'jti')}`],
    ...extraOf('node', node),
    ...extraOf('pod', pod),
  };
  return {
    name: text(claims, 'sub'),
    uid: text(references, 'serviceaccount', 'uid'),
    groups: [...accountGroups(namespace), authenticatedGroup],
    extra,
  };
}

function extraOf(kind: string, { name, uid }: JsonObject): Readonly<Record<string, readonly string[]>> {
  if (typeof name !== 'string' || typeof uid !== 'string') return {};
  return {
    [`authentication.kubernetes.io/${kind}-name`]: [name],
    [`authentication.kubernetes.io/${kind}-uid`]: [uid],
  };
}
