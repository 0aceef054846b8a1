import './register.js';
