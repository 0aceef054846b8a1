'use strict';

const { randomBytes, scrypt, timingSafeEqual } = require('node:crypto');
const { promisify } = require('node:util');

const derive = promisify(scrypt);
const KEY_BYTES = 32;

/** @returns {Promise<string>} salt and scrypt key, to be stored instead of the password */
async function hashPassword(password) {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_BYTES);
  return `${salt.toString('base64')}:${key.toString('base64')}`;
}

/**
 * @param {string} password
 * @param {string} [stored] from `hashPassword`; without it the answer is `false`, after the same amount of work,
 *   so that the time an answer takes does not tell which names exist
 * @returns {Promise<boolean>}
 */
async function checkPassword(password, stored) {
  const [salt, expected] = (stored ?? 'AAAAAAAAAAAAAAAAAAAAAA==:')
    .split(':')
    .map((part) => Buffer.from(part, 'base64'));
  const key = await derive(password, salt, KEY_BYTES);
  return key.length === expected.length && timingSafeEqual(key, expected);
}

module.exports = { hashPassword, checkPassword };
