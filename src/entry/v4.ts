import { express } from '../express/v4/express.js';

export = express;
