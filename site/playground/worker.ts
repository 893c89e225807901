/** The thread that generates, so that a large definition does not block the page. */
import { responseTo } from './generated.ts';
import type { PlaygroundRequest } from './protocol.ts';

declare const __KGEN_VERSION__: string;

addEventListener('message', ({ data }: MessageEvent<PlaygroundRequest>) => {
  postMessage(responseTo(data, __KGEN_VERSION__));
});
