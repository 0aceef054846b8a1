// Loaded before an example: its servers listen on 127.0.0.1 alone, whatever it asks for.
import net = require('node:net');

type Listen = (this: net.Server, options: net.ListenOptions, done?: () => void) => net.Server;

const plain = net.Server.prototype.listen as Listen;

function listen(this: net.Server, first: unknown, ...rest: readonly unknown[]): net.Server {
  const options = typeof first === 'object' ? first : { port: Number(first) };
  const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
  return plain.call(this, { ...options, host: '127.0.0.1' }, done);
}

net.Server.prototype.listen = listen as typeof net.Server.prototype.listen;
