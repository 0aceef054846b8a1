import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import express = require('express');
import { response } from '../../../src/express/response/index.js';

test('the response has the methods of Express, open to change', () => {
  const shape = (prototype: object): [string, object][] =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([name, { value, ...flags }]) => [
      name,
      { ...flags, type: typeof value, parameters: (value as { length: number }).length },
    ]);
  assert.deepEqual(shape(response), shape(express.response));
});

test('the response is a ServerResponse', () => {
  assert.ok(response instanceof http.ServerResponse);
});

test('methods with two names are one function, as in Express', () => {
  assert.equal(response.header, response.set);
  assert.equal(response.contentType, response.type);
});
