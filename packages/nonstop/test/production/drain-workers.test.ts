import { describe } from 'node:test';
import { drains } from './drains.js';

describe('a drain of workers loses nothing', () => drains('nonstop', ['--workers', '2']));
