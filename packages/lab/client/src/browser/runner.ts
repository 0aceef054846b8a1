import type { RunnerMessage, Verb } from '../logic/contract.js';

/** No answer: the contestant does not run, or took too long. */
export class NoAnswer extends Error {}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly serverMs: number | null;
  readonly body: unknown;
}

const patience = { page: 10_000, afterLoad: 1500, answer: 60_000 };

/**
 * One contestant's page in an invisible frame. It fetches from its own origin, so that requests are measured without
 * the preflight that a browser sends before cross-origin requests.
 */
export class Runner {
  readonly #origin: string;
  readonly #frame = document.createElement('iframe');
  readonly #aborted = new AbortController();
  #asked = 0;
  #onMessage: (message: RunnerMessage) => void = () => undefined;

  private constructor(origin: string, name: string) {
    this.#origin = origin;
    this.#frame.title = `Requests to ${name}`;
    this.#frame.className = 'runner';
    this.#frame.tabIndex = -1;
    this.#frame.ariaHidden = 'true';
    // With it the frame's clock has a resolution of 5 µs instead of 100.
    if (crossOriginIsolated) this.#frame.allow = 'cross-origin-isolated';
    addEventListener(
      'message',
      ({ source, origin, data }) => {
        if (source === this.#frame.contentWindow && origin === this.#origin) this.#onMessage(data);
      },
      { signal: this.#aborted.signal },
    );
  }

  /**
   * Opens the frame.
   *
   * @throws {NoAnswer} if the contestant's page does not load
   */
  static async open(contestant: { readonly name: string; readonly origin: string }): Promise<Runner> {
    const runner = new Runner(contestant.origin, contestant.name);
    try {
      await runner.#load();
      return runner;
    } catch (error) {
      runner.close();
      throw error;
    }
  }

  /**
   * Sends one request and waits for its answer.
   *
   * @throws {NoAnswer} if none arrives
   */
  async request(method: Verb, path: string, body?: unknown): Promise<Answer> {
    const key = String(++this.#asked);
    const message = await this.#hear(
      (heard) => heard.type !== 'ready' && heard.key === key,
      patience.answer,
      () => this.#frame.contentWindow?.postMessage({ type: 'request', key, method, path, body }, this.#origin),
    );
    if (message.type === 'sample') return message;
    throw new NoAnswer(message.type === 'failed' ? message.message : 'no answer');
  }

  close(): void {
    this.#aborted.abort();
    this.#frame.remove();
  }

  #load(): Promise<RunnerMessage> {
    return this.#hear(
      ({ type }) => type === 'ready',
      patience.page,
      (giveUp) => {
        // A browser also fires "load" for its own page about a refused connection: then no "ready" follows.
        this.#frame.addEventListener('load', () => setTimeout(giveUp, patience.afterLoad, 'its page did not come'), {
          once: true,
        });
        this.#frame.src = `${this.#origin}/runner`;
        document.body.append(this.#frame);
      },
    );
  }

  #hear(
    wanted: (message: RunnerMessage) => boolean,
    ms: number,
    begin: (giveUp: (why: string) => void) => void,
  ): Promise<RunnerMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<RunnerMessage>();
    const giveUp = (why: string): void => reject(new NoAnswer(why));
    const timer = setTimeout(giveUp, ms, `no answer within ${ms / 1000} s`);
    this.#onMessage = (message) => {
      if (wanted(message)) resolve(message);
    };
    begin(giveUp);
    return promise.finally(() => clearTimeout(timer));
  }
}
