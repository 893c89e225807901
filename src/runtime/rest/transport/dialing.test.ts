import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Dialing } from './dialing.ts';

describe('sockets that are being made', () => {
  it('are closed with the client, also those that come later', async () => {
    const dialing = new Dialing();
    const [early, late] = [new Socket(), new Socket()];
    const errors: string[] = [];
    for (const socket of [early, late]) socket.on('error', ({ message }) => errors.push(message));
    dialing.track(early);
    dialing.track('not a socket');
    dialing.track(undefined);
    await dialing.destroy();
    expect([early.destroyed, early.closed]).toEqual([true, true]);
    dialing.track(late);
    expect(late.destroyed).toBe(true);
    await new Promise((resolve) => late.once('close', resolve));
    expect(errors).toEqual(['the client is closed', 'the client is closed']);
  });

  it('are forgotten when they are closed', async () => {
    const dialing = new Dialing();
    const socket = new Socket();
    dialing.track(socket);
    expect(socket.listenerCount('close')).toBe(1);
    socket.destroy();
    dialing.track(socket);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.listenerCount('close')).toBe(0);
    await dialing.destroy();
  });

  it('say which stage the connection has reached', () => {
    const dialing = new Dialing();
    const connecting = dialing.stage();
    const dial = dialing.begin(false);
    expect(dialing.stage()).toBe(connecting);
    dialing.connected(dial);
    expect(dialing.stage()).not.toBe(connecting);
    dialing.over(dial);
    expect(dialing.stage()).toBe(connecting);
    dialing.begin(true);
    expect(dialing.stage()).not.toBe(connecting);
  });
});
