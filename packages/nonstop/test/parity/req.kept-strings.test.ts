import { keptStringsAreSmall } from '../support/kept-strings.js';

keptStringsAreSmall('express', 'nonstop');
