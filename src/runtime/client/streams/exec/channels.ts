/**
 * Channels of the subprotocols `v5.channel.k8s.io` and `v4.channel.k8s.io` as values: the first byte of a
 * message names its channel.
 * @see https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/4006-transition-spdy-to-websockets
 */

/** Channels of a session. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** State of the reader between two parts. */
export interface ChannelState {
  /** Channel of the message that is being received; `undefined` before its first byte. */
  readonly channel: number | undefined;
}

/** Received bytes of a channel, or an error in place of them. */
export type ChannelEvent =
  | { readonly channel: number; readonly bytes: Uint8Array }
  | { readonly closed: number }
  | { readonly failure: string };

/** Result of one part of a message. */
export interface ChannelStep {
  readonly state: ChannelState;
  readonly event: ChannelEvent | undefined;
}

/** State between two messages. */
export const noMessage: ChannelState = { channel: undefined };

/** Reads a part of a message. Messages without content are ignored: servers send one when they are ready. */
export function readChannel(state: ChannelState, bytes: Uint8Array, last: boolean): ChannelStep {
  const begins = state.channel === undefined;
  const channel = state.channel ?? bytes[0];
  const content = begins ? bytes.subarray(1) : bytes;
  const next = last ? noMessage : { channel };
  if (channel === undefined || content.length === 0) return { state: next, event: undefined };
  return { state: next, event: eventOf(channel, content) };
}

function eventOf(channel: number, bytes: Uint8Array): ChannelEvent {
  const [closed, ...more] = channel === channels.close ? bytes : [];
  if (closed !== undefined && more.length === 0) return { closed };
  if (channel <= channels.resize) return { channel, bytes };
  return { failure: `the server sent a message on the unknown channel ${channel}` };
}
