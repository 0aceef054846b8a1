// The tables of the folder above, which are asked of Express 4 here.
import './mean-express-4.js';
import '../deep.test.js';
