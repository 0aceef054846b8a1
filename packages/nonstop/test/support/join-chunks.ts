const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

/**
 * Joins the chunks of each body in the received octets. Chunk boundaries have no meaning (RFC 9112 §7.1), and on
 * node they depend on whether a tick passed between two pipelined requests.
 */
export function joinChunks(wire: string): string {
  let joined = '';
  let from = 0;
  for (let at = wire.indexOf(CHUNKED); at !== -1; at = wire.indexOf(CHUNKED, from)) {
    const start = at + CHUNKED.length;
    const { data, end } = readChunks(wire, start);
    joined += `${wire.slice(from, start)}${data}`;
    from = end;
  }
  return joined + wire.slice(from);
}

function readChunks(wire: string, start: number): { data: string; end: number } {
  let data = '';
  let end = start;
  for (;;) {
    const size = /^([0-9a-f]+)\r\n/.exec(wire.slice(end, end + 10));
    // No body (the answer to HEAD), or an incomplete one: unchanged.
    if (size === null) return { data, end };
    const from = end + size[0].length;
    const length = Number.parseInt(size[1], 16);
    data += wire.slice(from, from + length);
    end = from + length + 2;
    if (length === 0) return { data: `${data}(end of chunks)`, end };
  }
}
