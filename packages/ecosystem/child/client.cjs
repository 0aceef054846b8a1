// A client that shows every octet of an answer. The client of node:http hides the order, the case and the framing.
'use strict';
const net = require('node:net');

const PATIENCE_MS = 20_000;

/**
 * @typedef {{ status: string, fields: [string, string][], body: Buffer, chunks?: number[], trailers?: [string, string][], closed?: true }} Answer
 */

/** Parses answers from the data of a connection. */
class Reader {
  octets = Buffer.alloc(0);
  over = false;

  /** @param {string} method @returns {Answer | undefined} undefined while it is incomplete */
  next(method) {
    const end = this.octets.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [status, ...lines] = this.octets.subarray(0, end).toString('latin1').split('\r\n');
    const fields = lines.map(fieldOf);
    const rest = this.octets.subarray(end + 4);
    const value = (name) => fields.find(([each]) => each.toLowerCase() === name)?.[1];
    const code = Number(status.split(' ')[1]);
    const take = (length, more) => {
      this.octets = rest.subarray(length);
      return { status, fields, ...more };
    };
    if (method === 'HEAD' || code < 200 || code === 204 || code === 304) return take(0, { body: Buffer.alloc(0) });
    if (/chunked/i.test(value('transfer-encoding') ?? '')) {
      const read = readChunks(rest);
      return read && take(read.length, { body: read.body, chunks: read.chunks, trailers: read.trailers });
    }
    const length = value('content-length');
    if (length !== undefined) {
      if (rest.length < Number(length)) return undefined;
      return take(Number(length), { body: Buffer.from(rest.subarray(0, Number(length))) });
    }
    return this.over ? take(rest.length, { body: Buffer.from(rest), closed: true }) : undefined;
  }
}

/** @param {string} line @returns {[string, string]} */
function fieldOf(line) {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]/, '')];
}

/** @param {Buffer} octets */
function readChunks(octets) {
  const parts = [];
  for (let place = 0; ;) {
    const end = octets.indexOf('\r\n', place);
    if (end < 0) return undefined;
    const size = Number.parseInt(octets.subarray(place, end).toString('latin1'), 16);
    if (size === 0) {
      const last = octets.indexOf('\r\n\r\n', end);
      if (last < 0) return undefined;
      const lines =
        last === end
          ? []
          : octets
              .subarray(end + 2, last)
              .toString('latin1')
              .split('\r\n');
      const chunks = parts.map(({ length }) => length);
      return { body: Buffer.concat(parts), chunks, trailers: lines.map(fieldOf), length: last + 4 };
    }
    if (octets.length < end + 2 + size + 2) return undefined;
    parts.push(octets.subarray(end + 2, end + 2 + size));
    place = end + 2 + size + 2;
  }
}

/** One connection at a time to a port, kept alive as long as the server keeps it, and the cookies that it has set. */
class Client {
  cookies = new Map();
  /** @type {net.Socket | undefined} */
  socket;
  reader = new Reader();

  /** @param {number} port @param {{ host?: string, jar?: boolean }} [options] `host`: of the Host field; `jar`: cookies are sent back */
  constructor(port, { host = 'ecosystem.test', jar = true } = {}) {
    this.port = port;
    this.host = host;
    this.jar = jar;
  }

  /**
   * @param {string} text a request: its first line without the version, a line for each field, after an empty one the body.
   * Host, Content-Length and Cookie are added where they are missing.
   * @param {Buffer} [binary] a body that is not text
   * @returns {Promise<{ interim: Answer[], answer: Answer }>}
   */
  async send(text, binary) {
    const [first] = text.split(' ', 1);
    const socket = await this.connected();
    socket.write(this.octetsOf(text, binary));
    const interim = [];
    for (;;) {
      const answer = await this.answer(first);
      if (/^HTTP\/1\.[01] 1(?!01)/.test(answer.status)) {
        interim.push(answer);
        continue;
      }
      if (this.jar) this.keepCookies(answer);
      return { interim, answer };
    }
  }

  octetsOf(text, binary) {
    const cut = text.indexOf('\n\n');
    const [line, ...fields] = (cut < 0 ? text : text.slice(0, cut)).split('\n').map((each) => each.trim());
    const body = binary ?? Buffer.from(cut < 0 ? '' : text.slice(cut + 2));
    const has = (name) => fields.some((field) => field.toLowerCase().startsWith(`${name}:`));
    if (!has('host')) fields.unshift(`Host: ${this.host}`);
    if (this.jar && this.cookies.size > 0 && !has('cookie'))
      fields.push(`Cookie: ${[...this.cookies].map((pair) => pair.join('=')).join('; ')}`);
    if (body.length > 0 && !has('content-length') && !has('transfer-encoding'))
      fields.push(`Content-Length: ${body.length}`);
    return Buffer.concat([Buffer.from(`${[`${line} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  }

  keepCookies({ fields }) {
    for (const [name, value] of fields) {
      if (name.toLowerCase() !== 'set-cookie') continue;
      const [pair] = value.split(';');
      const equals = pair.indexOf('=');
      const gone = /expires=thu, 01 jan 1970|max-age=0/i.test(value);
      if (gone) this.cookies.delete(pair.slice(0, equals));
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
  }

  async connected() {
    if (this.socket !== undefined && !this.reader.over) return this.socket;
    this.reader = new Reader();
    const reader = this.reader;
    this.socket = net.connect({ port: this.port, host: '127.0.0.1' });
    this.socket.on('data', (chunk) => (reader.octets = Buffer.concat([reader.octets, chunk])));
    const ended = () => (reader.over = true);
    this.socket.on('end', ended).on('error', ended).on('close', ended);
    await new Promise((resolve, reject) => this.socket.once('connect', resolve).once('error', reject));
    return this.socket;
  }

  /** @returns {Promise<Answer>} */
  answer(method) {
    const { socket, reader } = this;
    return new Promise((resolve, reject) => {
      const look = () => {
        const answer = reader.next(method);
        if (answer !== undefined) {
          // If the connection ends after the answer, node emits a separate event.
          const closes = answer.fields.some(([name, value]) => /^connection$/i.test(name) && /close/i.test(value));
          if (closes) reader.over = true;
          settle(() => resolve(answer));
        } else if (reader.over) {
          const text = reader.octets.toString('latin1').slice(0, 300);
          settle(() => reject(new Error(`the connection ended before a whole answer: ${JSON.stringify(text)}`)));
        }
      };
      const settle = (act) => {
        clearTimeout(timer);
        for (const event of ['data', 'end', 'error', 'close']) socket.off(event, look);
        act();
      };
      const timer = setTimeout(() => {
        const text = reader.octets.toString('latin1').slice(0, 300);
        settle(() => reject(new Error(`no whole answer in ${PATIENCE_MS / 1000} s: ${JSON.stringify(text)}`)));
      }, PATIENCE_MS);
      for (const event of ['data', 'end', 'error', 'close']) socket.on(event, look);
      look();
    });
  }

  close() {
    this.socket?.destroy();
  }
}

module.exports = { Client };
