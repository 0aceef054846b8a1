import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The results of the requests of a period. */
export class Tally {
  asked = 0;
  answered = 0;
  /** No answer, or an incomplete one. */
  lost = 0;
  /** Answers with another status than 200, by status. */
  readonly refused: Record<number, number> = {};
  /** Orders that had already been carried out: the first answer was lost, or the request was sent twice on the way. */
  twice = 0;
  /** Sessions that had lost data that was read back before. */
  forgotten = 0;
  /**
   * Orders that were answered with 200 and are not in the session, which was not read back in between: express-session could not
   * save it, and tells that only after the answer.
   */
  unsaved = 0;
  /** Event streams that started, and those that broke off. */
  streams = 0;
  brokenStreams = 0;
  readonly errors: Record<string, number> = {};
  /** Milliseconds between two answers to any of the clients. */
  longestSilence = 0;
  private last = performance.now();

  heard(): void {
    const now = performance.now();
    this.longestSilence = Math.max(this.longestSilence, now - this.last);
    this.last = now;
  }

  toString(): string {
    const { asked, answered, lost, refused, twice, forgotten, unsaved, streams, brokenStreams, errors } = this;
    const silence = `${Math.round(this.longestSilence)} ms`;
    return JSON.stringify({
      asked,
      answered,
      lost,
      refused,
      twice,
      forgotten,
      unsaved,
      streams,
      brokenStreams,
      errors,
      silence,
    });
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookie: string | undefined;
}

/**
 * Clients that post orders with their own ids, read back their orders, fetch a page, and listen to events. Each has a session and
 * a keep-alive connection.
 */
export class Clients {
  tally = new Tally();
  private over = false;
  private readonly port: number;
  private readonly running: Promise<void>[];
  /** Milliseconds that a client waits before each request. */
  private readonly pause: number;
  private next = 0;
  /** Consecutive answers with status 200, up to now. */
  private wellInARow = 0;

  /** @param perSecond maximum rate of all clients together; undefined for no limit */
  constructor(port: number, counts: { clients: number; streams: number; perSecond?: number }) {
    this.port = port;
    this.pause = counts.perSecond === undefined ? 0 : (1000 * counts.clients) / counts.perSecond;
    this.running = [
      ...Array.from({ length: counts.clients }, (_, i) => this.client(i)),
      ...Array.from({ length: counts.streams }, () => this.listener()),
    ];
  }

  /**
   * Starts a new tally, and waits until the requests of the old one are answered: the next act could make them fail.
   *
   * @returns the old tally
   */
  async turn(): Promise<Tally> {
    const { tally } = this;
    this.tally = new Tally();
    while (tally.answered + tally.lost < tally.asked) await sleep(5);
    return tally;
  }

  async asked(count: number): Promise<void> {
    const { tally } = this;
    while (tally.asked < count) await sleep(20);
  }

  /** Waits for an answer with another status than 200. */
  async refused(): Promise<void> {
    const { tally } = this;
    while (Object.keys(tally.refused).length === 0) await sleep(20);
  }

  /** Waits until so many answers one after the other had status 200. */
  async well(count: number): Promise<void> {
    this.wellInARow = 0;
    while (this.wellInARow < count) await sleep(20);
  }

  async end(): Promise<Tally> {
    this.over = true;
    await Promise.all(this.running);
    return this.tally;
  }

  private async client(number: number): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    let cookie: string | undefined;
    let orders = 0;
    /** What was read back last. */
    let stored = 0;
    /** The period of the last order: it may be read back in a later one. */
    let period = this.tally;
    const readBack = (found: number): void => {
      if (found < stored) this.tally.forgotten++;
      else if (found < orders) period.unsaved++;
      stored = found;
      orders = found;
    };
    for (let turn = 0; !this.over; turn++) {
      const id = `${process.pid}-${number}-${this.next++}`;
      const ordered = await this.ask(agent, { method: 'POST', path: `/orders/${id}` }, cookie);
      if (ordered?.status === 200) {
        const said = JSON.parse(ordered.body) as { times: number; orders: number };
        if (said.times !== 1) this.tally.twice++;
        readBack(said.orders - 1);
        ({ orders } = said);
        period = this.tally;
        cookie ??= ordered.cookie;
      } else {
        // Only Valkey knows whether the order was carried out.
        const known = await this.ask(agent, { path: '/orders' }, cookie);
        if (known?.status === 200) {
          const said = JSON.parse(known.body) as { orders: number };
          readBack(said.orders);
        } else await sleep(50);
        continue;
      }
      await this.ask(agent, { path: '/' }, undefined);
      const read = await this.ask(agent, { path: '/orders' }, cookie);
      if (read?.status === 200) {
        const said = JSON.parse(read.body) as { orders: number };
        if (said.orders > orders) this.tally.twice++;
        readBack(said.orders);
      }
    }
    agent.destroy();
  }

  /** @returns undefined if there was no answer */
  private async ask(
    agent: http.Agent,
    options: http.RequestOptions,
    cookie: string | undefined,
  ): Promise<Answer | undefined> {
    if (this.pause > 0) await sleep(this.pause);
    const { tally } = this;
    tally.asked++;
    try {
      const answer = await this.send(agent, options, cookie);
      tally.answered++;
      tally.heard();
      this.wellInARow++;
      if (answer.status !== 200) {
        this.wellInARow = 0;
        tally.refused[answer.status] = (tally.refused[answer.status] ?? 0) + 1;
      }
      return answer;
    } catch (error) {
      tally.lost++;
      this.wellInARow = 0;
      const text = `${options.method ?? 'GET'} ${(error as Error).message}`;
      tally.errors[text] = (tally.errors[text] ?? 0) + 1;
      return undefined;
    }
  }

  private send(agent: http.Agent, options: http.RequestOptions, cookie: string | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: http.OutgoingHttpHeaders = cookie === undefined ? {} : { cookie };
      const request = http.request({ host: '127.0.0.1', port: this.port, agent, headers, ...options }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (part: string) => (body += part));
        answer.on('error', reject);
        answer.on('end', () => {
          const [set] = answer.headers['set-cookie'] ?? [];
          resolve({ status: answer.statusCode!, body, cookie: set?.split(';', 1)[0] });
        });
      });
      request.on('error', (error) => {
        const connection = request.reusedSocket ? 'on a kept connection' : 'on a new connection';
        reject(new Error(`${connection}: ${error.message}`));
      });
      request.end();
    });
  }

  /** Reconnects when the stream ends, as an EventSource does. */
  private async listener(): Promise<void> {
    while (!this.over) {
      await new Promise<void>((resolve) => {
        const request = http.get({ host: '127.0.0.1', port: this.port, path: '/events', agent: false }, (answer) => {
          if (answer.statusCode === 200) this.tally.streams++;
          const leave = setInterval(() => {
            if (this.over) request.destroy();
          }, 50);
          answer.resume();
          answer.on('error', () => {
            if (!this.over) this.tally.brokenStreams++;
          });
          answer.on('close', () => {
            clearInterval(leave);
            resolve();
          });
        });
        request.on('error', () => resolve());
      });
      if (!this.over) await sleep(100);
    }
  }
}
