/** The server's side of a schedule: changes of objects, connections and requests. */
import { Chance } from './chance.ts';
import type { Act } from './schedule.ts';
import type { Traits } from './server/lists.ts';
import type { PlannedFault, RequestFault } from './server/network-faults.ts';
import { keyOf } from './server/objects.ts';
import { ApiServer } from './server/server.ts';
import type { Stream } from './server/stream.ts';
import { seen } from './server/view.ts';
import { SimulatedClock } from './simulated-clock.ts';

const namespaces = ['shop', 'bank', 'mill'];
const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** Completes all work that does not wait for time. */
export type Settle = () => Promise<void>;

export class World {
  readonly clock = new SimulatedClock();
  readonly server: ApiServer;
  readonly #settle: Settle;
  /** Number of occurrences of each fault. */
  readonly met = new Map<string, number>();
  /** Random choices of the current step. */
  chance: Chance;

  constructor(seed: number, traits: Traits, settle: (world: World) => Promise<void>) {
    this.chance = new Chance(seed, 2);
    this.server = new ApiServer(this.clock, new Chance(seed, 3), traits);
    this.server.faults.onMet = (name) => this.meet(name);
    this.#settle = () => settle(this);
  }

  meet(name: string): void {
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
  }

  settle(): Promise<void> {
    return this.#settle();
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms, this.#settle);
  }

  /** Creates, changes and deletes some objects. */
  write(most = 5): void {
    const { server, chance } = this;
    if (server.absent) return;
    for (let count = chance.between(1, most); count > 0; count -= 1) this.#change();
    server.publish();
  }

  #change(): void {
    const { chance, server } = this;
    const { database } = server;
    const [namespace, name] = [chance.pick(namespaces), `w-${chance.below(5)}`];
    const key = `${namespace}/${name}`;
    if (chance.odds(0.7)) {
      const known = database.get(key)?.metadata.labels['tier'];
      const tier = known !== undefined && chance.odds(0.8) ? known : chance.pick(['web', 'db']);
      database.put({ namespace, name, tier, size: chance.below(1000) }, chance);
    } else {
      database.heal(key);
      database.delete(key, chance);
    }
  }

  /** Applies a step to the server. Steps of clients are ignored. */
  async act(act: Act): Promise<void> {
    const { server, chance } = this;
    const stream = server.streams.filter(({ hanging }) => !hanging).at(chance.below(2));
    if (await this.#actOnTime(act)) return;
    if (this.#actOnRequests(act) || this.#actOnObjects(act)) return;
    if (stream !== undefined) this.#actOnStream(act, stream);
  }

  async #actOnTime(act: Act): Promise<boolean> {
    const { chance, server } = this;
    switch (act) {
      case 'pass':
        await this.pass(chance.pick([100, 3 * secondMs, 20 * secondMs, 90 * secondMs, 12 * minuteMs]));
        return true;
      case 'bookmarks only':
        for (let minute = chance.between(2, 6); minute > 0; minute -= 1) {
          server.database.advance(5);
          server.publish();
          await this.pass(minuteMs);
        }
        server.compact();
        if (server.streams.length > 0) this.meet(act);
        return true;
      case 'time leaps':
      case 'computer sleeps':
        if (act === 'computer sleeps') for (const stream of server.streams) stream.hanging = true;
        this.write();
        await this.clock.leap(chance.pick([minuteMs, 20 * minuteMs, 300 * minuteMs]), this.#settle);
        this.meet(act);
        return true;
      default:
        return false;
    }
  }

  #actOnRequests(act: Act): boolean {
    const { server, chance } = this;
    const failure = (status: number, more: object = {}): RequestFault => ({
      type: 'failure',
      failure: { status, ...more },
    });
    switch (act) {
      case 'connection refused':
        return this.#startPeriod(act, { type: 'refused' });
      case '429 with Retry-After':
        return this.#startPeriod(act, failure(429, { retryAfterSeconds: chance.between(1, 40) }));
      case '429 without Retry-After':
        return this.#startPeriod(act, failure(429));
      case 'burst of 500':
        return this.#startPeriod(act, failure(500));
      case 'burst of 503':
        return this.#startPeriod(act, failure(503, chance.odds(0.5) ? { retryAfterSeconds: 2 } : {}));
      case 'burst of 504':
        return this.#startPeriod(act, failure(504));
      case '403 responses':
        return this.#startPeriod(act, failure(403));
      case 'token expires':
        return this.#startPeriod(act, failure(401));
      case '410 on list':
        return this.#plan(act, [
          ['watch', failure(410)],
          ['list', failure(410)],
        ]);
      case '410 in mid-list':
        return this.#plan(act, [
          ['watch', failure(410)],
          ['watch', failure(410)],
          ['list', failure(410)],
          ['page', failure(410)],
        ]);
      case '410 on watch':
        return this.#plan(act, [['watch', failure(410)]]);
      case 'one 404':
        return this.#plan(act, [['any', failure(404)]]);
      case 'no response to a request':
        return this.#plan(act, [[chance.pick(['watch', 'list', 'page'] as const), { type: 'hung' }]]);
      case 'list is interrupted':
        return this.#plan(act, [
          ['watch', failure(410)],
          ['list', { type: 'cut' }],
        ]);
      case 'list is not JSON':
        return this.#plan(act, [
          ['watch', failure(410)],
          ['list', { type: 'malformed' }],
        ]);
      case 'proxy ends each watch':
        server.faults.cutsUntil = this.clock.now() + chance.between(5, 60) * secondMs;
        return this.#cutAll(act);
      default:
        return false;
    }
  }

  /** Starts a period of faults. Streams are ended, so that requests meet it. */
  #startPeriod(name: Act, fault: RequestFault): true {
    const until = this.clock.now() + this.chance.pick([0.5, 3, 20, 120]) * secondMs;
    this.server.faults.addPeriod({ name, fault, until });
    return this.#cutAll(name);
  }

  #plan(name: Act, faults: readonly (readonly [PlannedFault['for'], RequestFault])[]): true {
    const [last] = faults.slice(-1);
    for (const planned of faults) {
      const [kind, fault] = planned;
      this.server.faults.plan({ name: planned === last ? name : `before ${name}`, for: kind, fault });
    }
    return this.#cutAll(name);
  }

  #cutAll(how: string): true {
    for (const stream of this.server.streams) {
      if (this.chance.odds(0.8) && !stream.hanging) stream.cut(how, { inOrder: this.chance.odds(0.5) });
    }
    return true;
  }

  #actOnObjects(act: Act): boolean {
    const { server, chance } = this;
    const { database } = server;
    switch (act) {
      case 'write':
        this.write();
        return true;
      case 'other resources change':
        database.advance(chance.between(1, 20));
        server.publish();
        return true;
      case 'compaction':
        server.compact();
        this.meet(act);
        return true;
      case 'compaction during a disconnect':
        server.faults.addPeriod({
          name: act,
          fault: { type: 'refused' },
          until: this.clock.now() + 5 * secondMs,
        });
        this.#cutAll(act);
        this.write();
        server.compact();
        this.write();
        return true;
      case 'server restart':
        server.faults.addPeriod({
          name: act,
          fault: { type: 'refused' },
          until: this.clock.now() + chance.below(20) * secondMs,
        });
        this.write();
        server.restart();
        return true;
      case 'server behind':
        return this.#fallBehind(act);
      case 'cache lags':
        server.lag(true);
        this.write();
        this.clock.timer(chance.pick([1, 5, 30]) * secondMs, () => server.lag(false));
        this.meet(act);
        return true;
      case 'resource is removed':
        return this.#uninstall(act);
      default:
        return this.#actOnOne(act);
    }
  }

  #fallBehind(act: Act): true {
    const { server, chance } = this;
    server.fallBehind(chance.between(1, 10));
    const fault: RequestFault = { type: 'failure', failure: { status: 410 } };
    if (chance.odds(0.7)) server.faults.plan({ name: `before ${act}`, for: 'watch', fault });
    this.clock.timer(chance.pick([1, 5, 30]) * secondMs, () => server.lag(false));
    this.meet(act);
    return true;
  }

  /** Uninstalls the resource, and installs it again after a while. */
  #uninstall(act: Act): true {
    const { server, chance } = this;
    if (server.absent) return true;
    this.meet(act);
    server.uninstall(chance.odds(0.5));
    this.clock.timer(chance.pick([0.2, 4, 60]) * secondMs, () => server.install());
    return true;
  }

  /** Applies a step to one existing object. */
  #actOnOne(act: Act): boolean {
    const { server, chance } = this;
    const { database } = server;
    const isOurs =
      act === 'broken object' || act === 'same name, other uid' || act === 'object leaves a selector';
    if (!isOurs || database.keys.length === 0) return isOurs;
    const object = database.get(chance.pick(database.keys));
    if (object === undefined) return true;
    const { namespace, name, labels } = object.metadata;
    const fields = { namespace, name, tier: labels['tier'] ?? 'web', size: chance.below(1000) };
    this.meet(act);
    if (act === 'broken object') {
      database.break(keyOf(object));
      if (chance.odds(0.6)) database.put(fields, chance);
    } else if (act === 'object leaves a selector') {
      database.put({ ...fields, tier: fields.tier === 'web' ? 'db' : 'web' }, chance);
    } else {
      if (chance.odds(0.5)) this.#cutAll(act);
      database.heal(keyOf(object));
      database.delete(keyOf(object), chance);
      database.put(fields, chance);
    }
    server.publish();
    return true;
  }

  #actOnStream(act: Act, stream: Stream): void {
    const { chance } = this;
    switch (act) {
      case 'cut between events':
        stream.cut(act);
        break;
      case 'cut within a line':
        stream.cut(act, { partial: '{"type":"MODIFIED","object":{"kind":"Wid' });
        break;
      case 'ended within a line':
        stream.cut(act, { partial: '{"type":"ADDED","object":{"metadata":{"na', inOrder: true });
        break;
      case 'ended regularly':
        stream.close(act);
        break;
      case 'silent hang':
        stream.hanging = true;
        break;
      case 'garbage line':
        stream.unreadable(chance.pick(['<html>Bad Gateway</html>', '{"type":', '[]', '{"type":"RENAMED"}']));
        break;
      case 'undecodable event':
        stream.unreadable({
          type: chance.pick(['ADDED', 'MODIFIED', 'DELETED']),
          object: chance.pick([{}, null, 7]),
        });
        break;
      case 'error in the stream':
        stream.fail(500);
        break;
      case '410 in the stream':
        stream.fail(410);
        break;
      case 'duplicate event':
      case 'stale event':
        if (!this.#repeat(act, stream)) return;
        break;
      default:
        return;
    }
    this.meet(act);
  }

  /** Sends an earlier event again: the last one, or any. */
  #repeat(act: 'duplicate event' | 'stale event', stream: Stream): boolean {
    const sent = this.server.database.log.filter(({ version, broken }) => version <= stream.sent && !broken);
    const events = sent
      .map((entry) => seen(stream.requested.view, entry))
      .filter((event) => event !== undefined);
    const event = act === 'duplicate event' ? events.at(-1) : events.at(this.chance.below(events.length));
    if (event === undefined || stream.bursting || stream.requested.version === undefined) return false;
    stream.repeat(event);
    return true;
  }

  /** Ends all faults, and waits until their effects are over. */
  async recover(): Promise<void> {
    const { server } = this;
    server.faults.clear();
    if (server.absent) await this.pass(minuteMs);
    server.lag(false);
    const { broken } = server.database;
    for (const key of broken) this.#heal(key);
    this.write();
    server.publish();
    await this.pass(22 * minuteMs);
  }

  /** Rewrites an object that could not be decoded for a while, because clients do not request it again. */
  #heal(key: string): void {
    const { database } = this.server;
    database.heal(key);
    const object = database.get(key);
    if (object === undefined) return;
    const { namespace, name, labels } = object.metadata;
    database.put({ namespace, name, tier: labels['tier'] ?? 'web', size: 7 }, this.chance);
  }
}
