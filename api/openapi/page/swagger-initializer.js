// Runs in the browser, on /docs alone: no inline script, so that the page's content policy stays strict.
window.addEventListener('load', async () => {
  const base = new URL('.', window.location.href);
  const description = await (await fetch(new URL('docs.json', base))).json();
  // Requests go to where this page came from; its content policy allows no other place.
  description.servers = [{ url: base.href.replace(/\/$/, '') }];
  window.SwaggerUIBundle({
    spec: description,
    dom_id: '#docs',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
});
