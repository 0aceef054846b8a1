import { eachSameThroughBothDoors, type Handler } from '../support/both-doors.js';

/** Values of one field over several answers, each given by `setHeader` or by `writeHead`; the first answers repeat. */
const series: Record<string, readonly (readonly [name: string, value: string | number])[]> = {
  'the same value': [
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
  ],
  'another spelling of the name': [
    ['X-Spelt', 'one way'],
    ['X-Spelt', 'one way'],
    ['X-Spelt', 'one way'],
    ['x-SPELT', 'one way'],
    ['X-Spelt', 'one way'],
  ],
  'a value of as many characters': [
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'aXcdefgh'],
    ['X-Long', 'abcdefgh'],
  ],
  'a number after its text': [
    ['X-Number', '12'],
    ['X-Number', '12'],
    ['X-Number', '12'],
    ['X-Number', 12],
  ],
  'octets outside of ASCII': [
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
  ],
  nothing: [
    ['X-Empty', ''],
    ['X-Empty', ''],
    ['X-Empty', ''],
  ],
  'Connection: close at last': [
    ['Connection', 'keep-alive'],
    ['Connection', 'keep-alive'],
    ['Connection', 'keep-alive'],
    ['Connection', 'close'],
  ],
  'a value that is refused': [
    ['X-Refused', 'good'],
    ['X-Refused', 'good'],
    ['X-Refused', 'good'],
    ['X-Refused', 'go\nd'],
  ],
};

const ways: Record<string, (name: string, value: string | number) => Handler> = {
  setHeader: (name, value) => (_req, res) => {
    res.setHeader(name, value);
    res.end('answer');
  },
  writeHead: (name, value) => (_req, res) => {
    res.writeHead(200, { [name]: value });
    res.end('answer');
  },
};

eachSameThroughBothDoors(
  Object.entries(series).flatMap(([what, lines]) =>
    Object.entries(ways).map(([way, handlerOf]) => ({
      name: `answers in turn with ${what}, by ${way}`,
      talk: async (client) => {
        for (let i = 0; i < lines.length; i++) {
          await client.send(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
          if (lines[i][1] === 'go\nd') await client.untilClose();
          else await client.answer();
        }
      },
      handler: (req, res, log) => {
        const [name, value] = lines[Number(req.url?.slice(1))];
        return handlerOf(name, value)(req, res, log);
      },
    })),
  ),
);
