import type express = require('express');
import { version } from './subject.js';

/** The genuine Express of the version that is meant. Typed as Express 5 in both cases: what a row asks for is the row's to know. */
export const oracle = require(version === 4 ? 'express4' : 'express') as typeof express;
