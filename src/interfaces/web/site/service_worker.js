// Keeps the page's files, so that it opens without a network: all that it needs when it is installed, the model of a game when it is
// loaded first. A line with VERSION and FILES comes before this one.

const CACHE = `hexzero ${registration.scope} ${VERSION}`;
const OWN = `hexzero ${registration.scope} `;

// "reload" passes by the browser's cache of HTTP: there may be files of an older version.
const install = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
};

const forgetOthers = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
};

const answer = async (request) => {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
};

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
