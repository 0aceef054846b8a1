import { handlersScript } from '../programs/source.js';
import { asProgram, endsWithHead, halvesOf, lastSteps, stepsOver1, type StreamProgram } from './program.js';

/** @returns a runnable script: `node program.js node` over HTTP/1, `node program.js engine` over HTTP/2 */
export function runnable(program: StreamProgram): string {
  const { method, body } = program;
  const json = (value: unknown): string => JSON.stringify(value);
  return `\
${handlersScript(asProgram(program))}
const over1 = async (port) => {
  const client = require('node:net').connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  client.on('data', (part) => (received += part.toString('latin1')));
  client.on('end', () => { received += '<END>'; client.end(); });
  client.on('error', (error) => (received += '<' + error.code + '>'));
  for (const step of ${json(stepsOver1(program))}) {
    if (step.send) { await sleep(step.await === 'nothing' ? 0 : 40); client.writable && client.write(step.send, 'latin1'); }
    else if (step.sleep) await sleep(step.sleep);
    else if (step === 'settle') await sleep(60);
    else client.destroy();
  }
  console.log(JSON.stringify(received));
};
const over2 = async (port) => {
  const session = require('node:http2').connect('http://127.0.0.1:' + port, { settings: { initialWindowSize: ${program.window} } });
  const headers = ${json({
    ':method': method,
    ':path': '/0',
    ':authority': 'a',
    ...(body.kind === 'length' ? { 'content-length': body.size } : {}),
  })};
  const body = ${json(body)}, [first, second] = ${json(halvesOf(body))};
  const isWhole = ${endsWithHead(body)};
  const stream = session.request(headers, { endStream: isWhole, waitForTrailers: body.kind === 'chunked' && body.trailer });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '5' }));
  let text = '';
  stream.on('response', (fields) => console.log('ANSWER', fields)).on('trailers', (fields) => console.log('TRAILERS', fields));
  stream.on('data', (part) => (text += part)).on('error', () => {}).on('close', () => console.log('CLOSED', stream.rstCode));
  if (body.atOnce) stream.end(first + second);
  await sleep(40);
  if (first !== '' && stream.writable) stream.write(first);
  await sleep(40);
  if (!isWhole && body.second && stream.writable) stream.end(second);
  for (const step of ${json(lastSteps(program))}) {
    if (step === 'settle') await sleep(60);
    else if (step === 'drop') stream.close(8);
    else await sleep(step.sleep);
  }
  console.log(JSON.stringify(text));
};
const server = process.argv[2] === 'engine' ? require('nonstop/http2').createServer(ofServer) : require('node:http').createServer(ofServer);
server.listen(0, '127.0.0.1', async () => {
  await (process.argv[2] === 'engine' ? over2 : over1)(server.address().port);
  await sleep(100);
  process.exit();
});
`;
}
