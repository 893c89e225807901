/**
 * Headers of SPDY streams, whose blocks are one zlib stream with a dictionary per direction.
 * @see https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/#TOC-2.6.10.1-Compression
 */
import { constants, createInflate, type Inflate } from 'node:zlib';

/** Maximum bytes of the headers of a stream. */
const headerLimit = 64 * 1024;

/** Reader of the header blocks of a connection. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary, flush: constants.Z_SYNC_FLUSH });
  #chunks: Buffer[] = [];
  #failure: Error | undefined;

  constructor() {
    this.#inflate.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#inflate.on('error', (error) => {
      this.#failure = error;
    });
  }

  /**
   * Returns the headers of a block. Blocks have to be read in order.
   * @throws {Error} for an invalid block
   */
  async read(block: Uint8Array): Promise<ReadonlyMap<string, string>> {
    this.#chunks = [];
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        this.#inflate.off('error', settle);
        resolve();
      };
      this.#inflate.once('error', settle);
      this.#inflate.write(block, settle);
    });
    if (this.#failure !== undefined) throw this.#failure;
    const bytes = Buffer.concat(this.#chunks);
    if (bytes.length > headerLimit) throw new RangeError('the headers of a stream are too large');
    return parseHeaders(bytes);
  }

  /** Releases the memory of zlib. */
  close(): void {
    this.#inflate.destroy();
  }
}

/** @throws {RangeError} for lengths beyond the block */
function parseHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  let at = 0;
  const next = (): string => {
    const length = bytes.readUInt32BE(at);
    if (length > bytes.length - at - 4) throw new RangeError('a header is longer than its block');
    at += 4 + length;
    return bytes.toString('utf8', at - length, at);
  };
  const headers = new Map<string, string>();
  const count = bytes.readUInt32BE(0);
  at = 4;
  for (let index = 0; index < count; index += 1) headers.set(next().toLowerCase(), next());
  return headers;
}

/**
 * Returns a block without headers. It is stored, and followed by an empty block, at which decompressors
 * return what they have.
 * @param isFirst whether it begins the zlib stream
 */
export function emptyBlock(isFirst: boolean): Uint8Array {
  const block = Uint8Array.of(0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);
  return isFirst ? Buffer.concat([Uint8Array.of(0x78, 0x01), block]) : block;
}

/** Names in the dictionary, each after its length; `_` stands for a space. */
const names = `
  options head post put delete trace accept accept-charset accept-encoding accept-language
  accept-ranges age allow authorization cache-control connection content-base content-encoding
  content-language content-length content-location content-md5 content-range content-type date etag
  expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer
  retry-after server te trailer transfer-encoding upgrade user-agent vary via warning
  www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin
`;

/** End of the dictionary. */
const values = [
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 No',
  'n-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403',
  ' Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Fe',
  'b Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunke',
  'd,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/',
  'javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.',
].join('');

/** Texts that header blocks refer to. */
export const dictionary: Buffer = Buffer.concat([
  ...names
    .trim()
    .split(/\s+/)
    .flatMap((name) => [Uint8Array.of(0, 0, 0, name.length), Buffer.from(name.replace('_', ' '))]),
  Buffer.from(values),
]);
