import { keptStringsAreSmall } from '../support/kept-strings.js';

keptStringsAreSmall('node:http', 'engine');
