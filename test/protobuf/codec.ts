/** The codec under test: the entry point of the generated package, which loads codecs on demand. */
import { globSync } from 'tinyglobby';
import { encodeMessage } from '../../src/runtime/protobuf/encode.ts';
import { parseEnvelope } from '../../src/runtime/protobuf/envelope.ts';
import type { Codecs, KindCodec } from '../../src/runtime/protobuf/types.ts';
import { Reader } from '../../src/runtime/protobuf/wire/reader.ts';
import { repository } from '../support/emitted.ts';

export { decode, encode } from '../../generated/kubernetes/protobuf.ts';

/** Synchronous encode and decode, for tests that call them a million times. */
export interface Codec {
  readonly decode: (bytes: Buffer) => object;
  readonly encode: (object: object) => Buffer;
}

/** Loads the codecs of every group version. */
export async function codecOfAll(): Promise<Codec> {
  const kinds = await allCodecs();
  const find = (apiVersion: string, kind: string): KindCodec | undefined =>
    kinds.get(`${apiVersion} ${kind}`);
  const reader = new Reader({ unknown: 'keep' });
  return {
    decode: (bytes) => {
      const { apiVersion, kind, start, end } = parseEnvelope(bytes);
      const codec = find(apiVersion, kind);
      if (codec === undefined) return {};
      return reader.read(codec.read, bytes, start, end, { apiVersion, kind });
    },
    encode: (object) => {
      // seam: a decoded object, or {} if the kind is unknown
      const { apiVersion = '', kind = '' } = object as { apiVersion?: string; kind?: string };
      const codec = find(apiVersion, kind);
      if (codec === undefined) throw new TypeError('an unknown kind');
      return Buffer.from(encodeMessage(codec, object, { apiVersion, kind }));
    },
  };
}

export async function allCodecs(): Promise<ReadonlyMap<string, KindCodec>> {
  const files = globSync('generated/kubernetes/*/*/protobuf.ts', { cwd: repository, ignore: '**/dist/**' });
  const loaded = await Promise.all(
    files.map(async (file) => {
      const [, group = '', version = ''] = file.split('/').slice(-4);
      // seam: exports of a generated module, with their declared types
      const { codecs } = (await import(`${repository}/${file}`)) as { codecs: Codecs };
      return [...codecs].map(([kind, codec]): readonly [string, KindCodec] => [
        `${apiVersionOf(group, version)} ${kind}`,
        codec,
      ]);
    }),
  );
  return new Map(loaded.flat());
}

function apiVersionOf(group: string, version: string): string {
  if (group === 'core') return version;
  return `${group === 'meta' ? 'meta.k8s.io' : group}/${version}`;
}
