/** Record of one client of the resources for which its server supports protobuf. */

import type { NewerKind } from '../observe/stats.ts';
import { type ProtobufRequest, writesInForm } from './requests.ts';

/**
 * Encoding of the bodies of a resource: protobuf (`offered`) after the server responded with such an object
 * in protobuf, as not every server rejects other protobuf bodies properly. `taken`: the server accepted a
 * protobuf body.
 */
export type BodyState = 'offered' | 'taken' | 'json';

/** Encodings that a client recorded: responses and bodies by resource, unknown fields by kind. */
export class Encodings {
  readonly #json = new Set<string>();
  readonly #bodies = new Map<string, BodyState>();
  readonly #newer = new Map<string, NewerKind>();

  /**
   * Returns whether to request the response as protobuf. In a representation such as a table, the first
   * attempt is a request that may be repeated.
   */
  acceptsProtobuf(request: ProtobufRequest): boolean {
    // Most clients have no exceptions: keys are made only for those.
    if (this.#json.size > 0 && this.#json.has(resourceKey(request))) return false;
    if (this.#newer.size > 0 && this.#newer.has(kindKey(request))) return false;
    return !writesInForm(request) || this.#bodies.has(resourceKey(request));
  }

  /** Returns the encoding of a request's body. */
  bodies(request: ProtobufRequest): BodyState {
    return (this.acceptsProtobuf(request) && this.#bodies.get(resourceKey(request))) || 'json';
  }

  /** Notes that the server returned such an object in protobuf. */
  markOffered(request: ProtobufRequest): void {
    const key = resourceKey(request);
    if (!this.#bodies.has(key)) this.#bodies.set(key, 'offered');
  }

  /** Notes that the server accepted a body in protobuf, or accepts only JSON. */
  setBodies(request: ProtobufRequest, state: 'taken' | 'json'): void {
    this.#bodies.set(resourceKey(request), state);
  }

  /** Switches the resource to JSON. */
  markJson(request: ProtobufRequest): void {
    this.#json.add(resourceKey(request));
  }

  /** Switches the kind to JSON. Returns whether it was not switched before. */
  markNewer(request: ProtobufRequest, field: string): boolean {
    const key = kindKey(request);
    const { apiVersion, kind } = request.protobuf;
    const isNew = !this.#newer.has(key);
    if (isNew) this.#newer.set(key, { apiVersion, kind, field });
    return isNew;
  }

  /** Kinds that are requested as JSON because of unknown fields. */
  get newer(): readonly NewerKind[] {
    return [...this.#newer.values()];
  }
}

function kindKey({ protobuf: { apiVersion, kind } }: ProtobufRequest): string {
  return `${apiVersion} ${kind}`;
}

/** Returns the group, version and plural, and the kind: every resource can also be requested as metadata. */
function resourceKey({ path, operation, protobuf }: ProtobufRequest): string {
  const [plural] = operation.resource.split('/');
  return `${/^\/api\/[^/]+|^\/apis\/[^/]+\/[^/]+/.exec(path)?.[0]} ${plural} ${protobuf.kind}`;
}
