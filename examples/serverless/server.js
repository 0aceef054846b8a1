import { app } from './app.js';

const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw error;
  console.log(`http://localhost:${server.address().port}/hello/ada`);
});
