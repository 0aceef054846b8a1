import assert = require('node:assert/strict');
import { test } from 'node:test';
import { AnswerReader } from './raw-answer.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const answer = (length: string): Buffer => bytes(`HTTP/1.1 200 OK\r\nContent-Length:${length}\r\n\r\nhello`);

for (const length of ['', ' x', ' 5, 5', ' -5', ' 0x5', ' 5.0', ' 1e1', ' 5 5', ' Infinity']) {
  test(`an answer whose length is ${JSON.stringify(length)} is invalid`, () => {
    assert.throws(() => new AnswerReader().push(answer(length)), /not a length/);
  });
}

test('answers are cut by their lengths, at every split of the bytes', () => {
  const all = Buffer.concat([answer(' 5'), answer(' 05')]);
  for (let at = 0; at <= all.length; at++) {
    const reader = new AnswerReader();
    const answers = [...reader.push(all.subarray(0, at)), ...reader.push(all.subarray(at))];
    assert.deepEqual(
      answers.map(({ body, framing }) => [body.toString(), framing]),
      [
        ['hello', 'length'],
        ['hello', 'length'],
      ],
    );
  }
});
