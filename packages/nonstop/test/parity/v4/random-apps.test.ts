import './mean-express-4.js';
import '../random-apps.test.js';
