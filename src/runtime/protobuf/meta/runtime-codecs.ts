/** Codecs of kinds that every group uses, which need no generated code. */

import { listCodec } from '../response/list.ts';
import type { Codecs, KindCodec, MessageCodec } from '../types.ts';
import {
  readDeleteOptions,
  readPartialObjectMetadata,
  readStatus,
  writeDeleteOptions,
  writePartialObjectMetadata,
  writeStatus,
} from './meta-codecs.ts';

const metadata: MessageCodec = { read: readPartialObjectMetadata, write: writePartialObjectMetadata };

/** `v1` Status and DeleteOptions, `meta.k8s.io/v1` PartialObjectMetadata and its list. */
export const runtimeCodecs: Codecs = new Map<string, KindCodec>([
  ['Status', { read: readStatus, write: writeStatus }],
  ['DeleteOptions', { read: readDeleteOptions, write: writeDeleteOptions }],
  ['PartialObjectMetadata', metadata],
  ['PartialObjectMetadataList', listCodec(metadata)],
]);
