import './view.js';

const app = document.querySelector('#app');

function start() {
  let count = 0;
  const button = app.querySelector('button');
  button.addEventListener('click', () => (button.textContent = `clicked ${++count} times`));
  app.dataset.started = 'yes';
}

// The HTML from the server stays; the page only adds its listeners.
start();

if (import.meta.hot) {
  import.meta.hot.accept('./view.js', (changed) => {
    app.innerHTML = changed.view(location.pathname);
    start();
  });
}
