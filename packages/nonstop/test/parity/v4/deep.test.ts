// Runs the tables of the folder above with Express 4.
import './mean-express-4.js';
import '../deep.test.js';
