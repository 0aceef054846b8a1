import { useState } from 'react';

export function getServerSideProps({ req, query }) {
  return { props: { path: req.url, name: query.name ?? 'World' } };
}

export default function Home({ path, name }) {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>Hello {name}!</h1>
      <p>{path}</p>
      <button onClick={() => setCount(count + 1)}>clicked {count} times</button>
    </main>
  );
}
