// Keeps the page's files, so that it opens without a network: all that it needs when it is installed, the model of a game when it is
// loaded first. A line with VERSION and FILES comes before this one.

const CACHE = `hexzero ${registration.scope} ${VERSION}`;
const OWN = `hexzero ${registration.scope} `;

// "reload" bypasses the browser's HTTP cache, which may hold files of an older version.
const install = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
};

const forgetOthers = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
};

// Isolates the page from those of other origins, as a host may do too: without that no browser lets threads share memory.
const isolated = (answer) => {
  // A redirect is the browser's to follow.
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
};

const answer = async (request) => {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return isolated(kept);
  const answer = await fetch(request);
  // Where there is no room, the page works as long as there is a network.
  if (answer.ok) await cache.put(request, answer.clone()).catch(() => null);
  return isolated(answer);
};

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
