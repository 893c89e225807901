/** Kinds with a codec, and reasons why others have none. */
import type { GoKind } from './oracle.ts';

const optionKinds: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
]);

/** Returns the reason why Go's kind has no codec here, `undefined` if it must have one. */
export function reasonForNone({ apiVersion, kind, type, noProtobuf }: GoKind): string | undefined {
  if (noProtobuf !== undefined) return `Go cannot write it either: ${noProtobuf}`;
  if (type.includes('/apis/meta/v1.') && !['v1', 'meta.k8s.io/v1'].includes(apiVersion)) {
    if (optionKinds.has(kind)) return 'options are of meta.k8s.io/v1 wherever they are sent';
  }
  if (apiVersion === 'meta.k8s.io/v1beta1') return 'servers respond in meta.k8s.io/v1';
  return undefined;
}

/** Returns true if the codec must support the kind. */
export function hasCodec(kind: GoKind): boolean {
  return reasonForNone(kind) === undefined;
}
