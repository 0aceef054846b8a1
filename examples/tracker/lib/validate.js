'use strict';

const { httpError } = require('./errors');

const LABELS = ['bug', 'docs', 'feature', 'performance', 'question'];
const STATES = ['open', 'closed'];

/** @returns {Error} 422 with one message for each bad field */
function invalid(fields) {
  return Object.assign(httpError(422, 'Please correct the marked fields.'), { fields });
}

/**
 * @param {unknown} input
 * @param {{ partial?: boolean }} [options] `partial`: only what is present is checked and returned
 * @returns {{ title?: string, body?: string, labels?: string[], state?: string }}
 * @throws 422 with `fields`
 */
function issueFrom(input, { partial = false } = {}) {
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw httpError(400, 'An object is expected.');
  const errors = {};
  const issue = {};
  const wants = (name) => !partial || input[name] !== undefined;

  if (wants('title')) {
    const title = typeof input.title === 'string' ? input.title.trim() : '';
    if (title.length < 3 || title.length > 120) errors.title = 'A title has 3 to 120 characters.';
    else issue.title = title;
  }
  if (wants('body')) {
    const body = input.body ?? '';
    if (typeof body !== 'string' || body.length > 10_000)
      errors.body = 'A description is a text of at most 10000 characters.';
    else issue.body = body.replaceAll('\r\n', '\n');
  }
  if (wants('labels')) {
    const labels = [input.labels ?? []].flat();
    if (labels.length > LABELS.length || !labels.every((label) => LABELS.includes(label)))
      errors.labels = `Labels are: ${LABELS.join(', ')}.`;
    else issue.labels = LABELS.filter((label) => labels.includes(label));
  }
  if (partial && input.state !== undefined) {
    if (!STATES.includes(input.state)) errors.state = 'A state is open or closed.';
    else issue.state = input.state;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return issue;
}

/**
 * Reads the filter and the page of a list.
 *
 * @param {Record<string, unknown>} query
 * @param {number} perPage default
 * @throws 400
 */
function listQueryFrom(query, perPage) {
  const text = (name) =>
    typeof query[name] === 'string' && query[name] !== '' ? query[name].slice(0, 100) : undefined;
  const number = (name, fallback, most) => {
    const given = text(name);
    if (given === undefined) return fallback;
    const value = /^\d{1,6}$/.test(given) ? Number(given) : 0;
    if (value < 1 || value > most) throw httpError(400, `"${name}" is a number from 1 to ${most}.`);
    return value;
  };
  const oneOf = (name, allowed) => {
    const given = text(name);
    if (given !== undefined && !allowed.includes(given))
      throw httpError(400, `"${name}" is one of: ${allowed.join(', ')}.`);
    return given;
  };
  return {
    state: oneOf('state', STATES),
    label: oneOf('label', LABELS),
    text: text('q'),
    page: number('page', 1, 100_000),
    perPage: number('per_page', perPage, 100),
  };
}

/** @returns {number} @throws 404 if the text is not an issue number */
function issueIdFrom(text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw httpError(404, 'There is no such issue.');
  return Number(text);
}

/** @throws 422 with `fields` */
function accountFrom({ username, password } = {}) {
  const errors = {};
  if (typeof username !== 'string' || !/^[a-z][a-z0-9_-]{2,23}$/i.test(username)) {
    errors.username = 'A name has 3 to 24 letters, digits, - or _, and starts with a letter.';
  }
  if (typeof password !== 'string' || password.length < 10 || password.length > 200)
    errors.password = 'A password has 10 to 200 characters.';
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { name: username, password };
}

module.exports = { LABELS, STATES, issueFrom, listQueryFrom, issueIdFrom, accountFrom, invalid };
