// node client.js http://localhost:3000: two clients, one over a WebSocket from its first request, one that starts with long polling.
import { once } from 'node:events';
import { io } from 'socket.io-client';

const address = process.argv[2] ?? 'http://localhost:3000';
const direct = io(address, { transports: ['websocket'] });
const polling = io(address, { transports: ['polling', 'websocket'] });

await Promise.all([direct, polling].map((socket) => new Promise((connected) => socket.on('connect', connected))));
const { engine } = polling.io;
if (engine.transport.name === 'polling') await once(engine, 'upgrade');

const heard = new Promise((said) => polling.on('said', said));
console.log(`heard by ${await direct.emitWithAck('say', 'hello')}`);
console.log(`said: ${await heard}`);
console.log(`over ${direct.io.engine.transport.name} and ${engine.transport.name}`);
direct.close();
polling.close();
