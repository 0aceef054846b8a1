// Runs the tables of the folder above with Express 4.
import './mean-express-4.js';
import '../middleware.body.test.js';
import '../middleware.static.test.js';
import '../body.arriving.test.js';
import '../files.failing.test.js';
