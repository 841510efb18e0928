// The service worker of a site: a script of its own, which is told what there is by names that the browser gives it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";

const SCRIPT = readFileSync(new URL("../../crates/page/site/service_worker.js", import.meta.url), "utf8");

test("files come from the network where there is no room to keep them", async () => {
  const listeners = {};
  const full = { match: async () => undefined, put: () => Promise.reject(new Error("no room")) };
  runInNewContext(SCRIPT, {
    VERSION: "1",
    FILES: [],
    registration: { scope: "https://a.example/" },
    caches: { open: async () => full },
    fetch: async () => new Response("its text"),
    addEventListener: (name, listener) => (listeners[name] = listener),
    Headers,
    Response,
  });
  const request = { method: "GET", url: "https://a.example/app.js" };
  const answer = await new Promise((respondWith) => listeners.fetch({ request, respondWith }));
  assert.equal(await answer.text(), "its text");
});
