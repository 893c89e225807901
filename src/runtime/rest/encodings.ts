/** What one client has learned of which resources its server speaks protobuf for. */
import { type ProtobufRequest, writesInForm } from './protobuf-requests.ts';
import type { NewerKind } from './stats.ts';

/**
 * How bodies of a resource are sent. As protobuf, once the server has answered with such an object in protobuf: not
 * every server would refuse the body of another one politely. `taken`: it took one.
 */
export type BodyState = 'offered' | 'taken' | 'json';

/** The memory of a client. Answers and bodies are learned of by resource, fields by kind. */
export class Encodings {
  readonly #json = new Set<string>();
  readonly #bodies = new Map<string, BodyState>();
  readonly #newer = new Map<string, NewerKind>();

  /** Whether the answer is asked for as protobuf. In a form, that is first tried with what may be asked twice. */
  asksFor(request: ProtobufRequest): boolean {
    const key = resourceKey(request);
    if (this.#json.has(key) || this.#newer.has(kindKey(request))) return false;
    return this.#bodies.has(key) || !writesInForm(request);
  }

  /** How the body of a request is sent. */
  bodies(request: ProtobufRequest): BodyState {
    return (this.asksFor(request) && this.#bodies.get(resourceKey(request))) || 'json';
  }

  /** The server gave such an object in protobuf. */
  answered(request: ProtobufRequest): void {
    const key = resourceKey(request);
    if (!this.#bodies.has(key)) this.#bodies.set(key, 'offered');
  }

  /** The server took a body in protobuf, or takes only JSON. */
  learned(request: ProtobufRequest, state: 'taken' | 'json'): void {
    this.#bodies.set(resourceKey(request), state);
  }

  /** The resource is JSON from now on. */
  refused(request: ProtobufRequest): void {
    this.#json.add(resourceKey(request));
  }

  /** The kind is JSON from now on. Gives whether that is news. */
  outgrown(request: ProtobufRequest, field: string): boolean {
    const key = kindKey(request);
    const { apiVersion, kind } = request.protobuf;
    const isNew = !this.#newer.has(key);
    if (isNew) this.#newer.set(key, { apiVersion, kind, field });
    return isNew;
  }

  /** The kinds that are JSON because of their fields. */
  get newer(): readonly NewerKind[] {
    return [...this.#newer.values()];
  }
}

function kindKey({ protobuf: { apiVersion, kind } }: ProtobufRequest): string {
  return `${apiVersion} ${kind}`;
}

/** The group, version and plural, and the kind: metadata is one that every resource can be asked for as. */
function resourceKey({ path, operation, protobuf }: ProtobufRequest): string {
  const [plural] = operation.resource.split('/');
  return `${/^\/api\/[^/]+|^\/apis\/[^/]+\/[^/]+/.exec(path)?.[0]} ${plural} ${protobuf.kind}`;
}
