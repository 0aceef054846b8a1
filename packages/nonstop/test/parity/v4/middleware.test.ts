// The tables of the folder above, which are asked of Express 4 here.
import './mean-express-4.js';
import '../middleware.body.test.js';
import '../middleware.static.test.js';
import '../body.arriving.test.js';
import '../files.failing.test.js';
