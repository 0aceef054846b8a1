// Runs the tables of the folder above with Express 4.
import './mean-express-4.js';
import '../res.aborted.test.js';
import '../res.cookie.test.js';
import '../res.fields.test.js';
import '../res.files.test.js';
import '../res.format.test.js';
import '../res.json.test.js';
import '../res.redirect.test.js';
import '../res.render.test.js';
import '../res.send.test.js';
