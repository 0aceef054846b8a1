import fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { onFinished } from '../core/packages.js';
import { kTakesText } from '../core/shortcuts.js';
import { PIPES_CATCH } from '../node/differences.js';
import { contentFor, isPipedPlainly } from './plain-pipe.js';

/** How much is read and written at a time, in octets: twice as much as by a stream of `node:fs`, which reads ahead as much as it writes. */
const PART = 131_072;

/**
 * The same over HTTP/2. What a client's reset leaves unsent counts against its session's memory limit for as long as the session lives, in every
 * Node measured (20.20, 24.22, 26.12): a session with the default limit of 10 MB ended with an error after some 280 resets of a pipe, 170 with parts of 128 KiB.
 */
const STREAM_PART = 65_536;

/** The most parts of memory that are kept for files to come: 4 MiB. */
const MOST_SPARE = 32;

/** Memory that no write uses any more. */
const spareParts: Buffer[] = [];

/** The octets of a file from `start` to `end`, the index of the last one. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface MaybeStreamed extends ServerResponse {
  /** Of a response of HTTP/2. */
  readonly stream?: ServerHttp2Stream;
}

export interface Outcome {
  /** The file cannot be opened, read or closed. The last comes when all was sent. */
  failed(error: NodeJS.ErrnoException): void;
  /** Called before an error of the head destroys the response. */
  readonly broken?: (() => void) | undefined;
  /** All octets were passed on, and the response has ended. */
  readonly ended?: (() => void) | undefined;
}

/**
 * Sends a part of a file and ends the response, as a pipe of `fs.createReadStream()` does. Each read waits until the kernel has taken what was
 * read before, so that its memory serves all reads. The stream takes 64 KiB outside of V8's heap for each read; such memory made V8 collect
 * its whole heap once in 80 requests, and a file of 300 kB cost twice the time.
 *
 * @param res whose turn it is: the callbacks of writes of a response that waits for its turn may never be called
 */
export function sendInParts(res: ServerResponse, path: string, range: Range, outcome: Outcome): void {
  const file = new FileInParts(res, path, range, outcome);
  const stop = (): void => file.stop();
  onFinished()(res, stop);
  // HTTP/2: node never calls back the write of a stream that a program closes meanwhile, and the stream stays open.
  if (kTakesText in res) (res as MaybeStreamed).stream?.once('aborted', stop);
  fs.open(path, 'r', (error, fd) => file.opened(error, fd));
}

class FileInParts {
  private fd = -1;
  private memory: Buffer | null = null;
  private at: number;
  private readonly most: number;
  private isReading = false;
  private isOver = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly path: string,
    private readonly range: Range,
    private readonly outcome: Outcome,
  ) {
    this.at = range.start;
    this.most = kTakesText in res ? STREAM_PART : PART;
  }

  opened(error: NodeJS.ErrnoException | null, fd: number): void {
    if (error !== null) {
      this.isOver = true;
      this.outcome.failed(error);
      return;
    }
    this.fd = fd;
    if (this.isOver) {
      this.close(null);
      return;
    }
    this.memory = spareParts.pop() ?? Buffer.allocUnsafeSlow(PART);
    this.read();
  }

  /** The response is over, whether by this file or not. Memory that a write may still use is left to the collector. */
  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.memory = null;
    if (this.fd !== -1 && !this.isReading) this.close(null);
  }

  private read(): void {
    const { at, range } = this;
    this.isReading = true;
    const length = Math.min(this.most, range.end + 1 - at);
    fs.read(this.fd, this.memory!, 0, length, at, (error, count) => this.onRead(error, count));
  }

  private onRead(error: NodeJS.ErrnoException | null, count: number): void {
    this.isReading = false;
    if (this.isOver) {
      this.close(null);
    } else if (error !== null) {
      this.isOver = true;
      this.close(error);
    } else if (count === 0) {
      // The file has become shorter.
      this.finish();
    } else {
      this.at += count;
      this.write(this.memory!.subarray(0, count));
    }
  }

  private write(part: Buffer): void {
    const { res } = this;
    try {
      res.write(contentFor(res, part), (error) => this.onWritten(error));
    } catch (error) {
      // An invalid status, or a program's `writeHead` that throws.
      if (!PIPES_CATCH) throw error;
      this.outcome.broken?.();
      res.destroy(error as Error);
    }
  }

  private onWritten(error: Error | null | undefined): void {
    if (error != null) this.stop();
    else if (this.isOver) return;
    else if (this.at > this.range.end) this.finish();
    // A program may have replaced them with the head, by others that drop the callback.
    else if (isPipedPlainly(this.res)) this.read();
    else this.pipeRest();
  }

  private pipeRest(): void {
    const { res, outcome, path, fd, at: start } = this;
    this.isOver = true;
    this.release();
    // The open file: another one may have its path by now.
    const rest = fs.createReadStream(path, { fd, start, end: this.range.end });
    rest.on('error', (error) => outcome.failed(error));
    onFinished()(res, () => rest.destroy());
    rest.pipe(res);
    rest.on('end', () => outcome.ended?.());
  }

  /** No write uses the memory any more. */
  private release(): void {
    if (spareParts.length < MOST_SPARE) spareParts.push(this.memory!);
    this.memory = null;
  }

  private finish(): void {
    const { res, outcome } = this;
    this.isOver = true;
    this.release();
    res.end();
    outcome.ended?.();
    this.close(null);
  }

  private close(failure: NodeJS.ErrnoException | null): void {
    fs.close(this.fd, (error) => {
      const fault = error ?? failure;
      if (fault != null) this.outcome.failed(fault);
    });
  }
}
