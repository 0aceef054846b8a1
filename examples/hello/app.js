'use strict';

const express = require('nonstop');

const app = express();

app.get('/', (req, res) => {
  res.send('Hello World!');
});

module.exports = app;

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}`);
  });
}
