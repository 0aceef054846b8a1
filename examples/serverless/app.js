import express from 'nonstop';

export const app = express();
app.use(express.json());

app.get('/hello/:name', (req, res) => {
  res.cookie('seen', '1').json({ hello: req.params.name, query: req.query });
});

app.post('/echo', (req, res) => {
  res.status(201).json(req.body);
});

app.get('/picture', (req, res) => {
  res.type('png').send(Buffer.from('89504e470d0a1a0a', 'hex'));
});
