import { nodesProcess } from '../core/clock.js';
import { answerDirectly, type Told } from '../node/http2-answers.js';
import { kRequest } from '../http/message.js';
import type { Carrier, Http2Response } from './messages.js';
import { afterClose, finishResponse } from './response-end.js';
import { Delivery, kDelivery, kHead, kResponse, kStream } from './symbols.js';

/**
 * Sends an answer whose head waits and whose body is complete, without the writable side of its stream.
 *
 * @param body null for none
 * @returns whether it was done
 */
export function answerWhole(res: Http2Response, body: string | Uint8Array | null, charset: BufferEncoding): boolean {
  const { [kRequest]: req, [kStream]: stream, [kHead]: block } = res;
  // A stream whose client has more to send is not closed when its answer ends.
  if (!req.complete || res._trailer !== '' || block === null) return false;
  // The stream encodes the text, or refuses an encoding that does not exist, which it does for octets too.
  if (charset !== 'utf8' && (typeof body === 'string' || !Buffer.isEncoding(charset))) return false;
  const size = body === null ? 0 : (res._contentLength ?? Buffer.byteLength(body));
  // Listeners hear of the end in the async context of this call. Without listeners, the closing of the stream is soon enough.
  const told = body !== null && res._eventsCount !== 0 ? new Hearer((stream as Carrier)[kResponse]) : null;
  if (!answerDirectly(stream, { block, date: res.sendDate, body, size, told })) return false;
  res[kHead] = null;
  res._headerSent = true;
  if (told !== null) told.wait();
  else if (body === null) nodesProcess.nextTick(finishResponse, res);
  return true;
}

/** Ends the response when the handle has written it, which may be before it has returned. */
class Hearer implements Told {
  private isTold = false;

  constructor(private readonly res: Http2Response) {}

  wait(): void {
    if (!this.isTold) this.res[kDelivery] = Delivery.InHandle;
  }

  written(status: number): void {
    const { res } = this;
    this.isTold = true;
    res[kDelivery] = Delivery.Open;
    if (status >= 0) finishResponse(res);
    if (status < 0 || res[kStream].destroyed) afterClose(res);
  }
}
