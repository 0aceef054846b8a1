import type express = require('express');
import { version } from './subject.js';

/** The genuine Express of the tested version. It has the types of Express 5 in both cases; rows must only use what their version has. */
export const oracle = require(version === 4 ? 'express4' : 'express') as typeof express;
