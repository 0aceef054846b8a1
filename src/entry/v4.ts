import { express } from '../express/v4/express.js';
import type types = require('../types/index.js');

const nonstop = express as unknown as types.Framework & { query: types.Untyped };

export = nonstop;
