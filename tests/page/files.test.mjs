// The files of a module that learns, by the functions of WASI that it calls.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./page.mjs";

const { Files } = await load("engine/files.js");

const MISSING = 44;
const EXISTS = 20;
const ROOT = 3;
const CREATE = 1;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;

// Calls the functions as a module does, with texts and numbers in its memory.
class Caller {
  memory = new WebAssembly.Memory({ initial: 1 });
  files;

  constructor(begun = []) {
    this.files = new Files(begun);
    this.functions = this.files.functions(() => this.memory);
  }

  text(text) {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.memory.buffer, 1000).set(bytes);
    return [1000, bytes.length];
  }

  number(at = 0) {
    return new DataView(this.memory.buffer).getUint32(at, true);
  }

  open(path, how = 0, flags = 0) {
    const problem = this.functions.path_open(ROOT, 0, ...this.text(path), how, 0n, 0n, flags, 0);
    return problem ? { problem } : { file: this.number() };
  }

  write(file, text) {
    new DataView(this.memory.buffer).setUint32(8, 1000, true);
    const [, length] = this.text(text);
    new DataView(this.memory.buffer).setUint32(12, length, true);
    assert.equal(this.functions.fd_write(file, 8, 1, 0), 0);
    assert.equal(this.number(), length);
  }

  read(file) {
    const view = new DataView(this.memory.buffer);
    view.setUint32(8, 2000, true);
    view.setUint32(12, 100, true);
    assert.equal(this.functions.fd_read(file, 8, 1, 0), 0);
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, 2000, this.number()));
  }

  list(path) {
    const { file } = this.open(path);
    const names = [];
    for (let cookie = 0n; ; ) {
      // Small, so that entries are cut off.
      this.functions.fd_readdir(file, 3000, 60, cookie, 0);
      const used = this.number();
      const view = new DataView(this.memory.buffer, 3000, used);
      let at = 0;
      while (at + 24 <= used) {
        const length = view.getUint32(at + 16, true);
        if (at + 24 + length > used) break;
        names.push(new TextDecoder().decode(new Uint8Array(this.memory.buffer, 3000 + at + 24, length)));
        cookie = view.getBigUint64(at, true);
        at += 24 + length;
      }
      if (used < 60) return names;
    }
  }
}

test("files are written, appended to, cut, renamed and removed", () => {
  const caller = new Caller();
  const { functions } = caller;
  assert.deepEqual(caller.open("run/a"), { problem: MISSING });
  assert.deepEqual(caller.open("run/a", CREATE), { problem: MISSING }, "there is no such folder");
  assert.equal(functions.path_create_directory(ROOT, ...caller.text("run/games")), MISSING);
  assert.equal(functions.path_create_directory(ROOT, ...caller.text("run")), 0);
  assert.equal(functions.path_create_directory(ROOT, ...caller.text("run")), EXISTS);
  const { file } = caller.open("run/a", CREATE | EXCLUSIVE);
  caller.write(file, "one");
  caller.write(file, " two");
  assert.equal(functions.fd_seek(file, 4n, 0, 0), 0);
  caller.write(file, "2");
  assert.equal(functions.fd_close(file), 0);
  assert.deepEqual(caller.open("run/a", CREATE | EXCLUSIVE), { problem: EXISTS });
  const { file: more } = caller.open("run/a", 0, APPEND);
  caller.write(more, "!");
  assert.equal(caller.read(caller.open("./run//a").file), "one 2wo!");

  const to = new TextEncoder().encode("run/b");
  new Uint8Array(caller.memory.buffer, 4000).set(to);
  assert.equal(functions.path_rename(ROOT, ...caller.text("run/a"), ROOT, 4000, to.length), 0);
  assert.deepEqual(caller.open("run/a"), { problem: MISSING });
  assert.equal(caller.read(caller.open("run/b").file), "one 2wo!");
  const cut = caller.open("run/b", TRUNCATE);
  assert.equal(caller.read(cut.file), "");
  assert.equal(functions.path_unlink_file(ROOT, ...caller.text("run/b")), 0);
  assert.equal(functions.path_unlink_file(ROOT, ...caller.text("run/b")), MISSING);
});

test("changes are told once, with what is there now", () => {
  const caller = new Caller([["run/state", new Uint8Array([1, 2])], ["run/games/1", new Uint8Array([3])]]);
  assert.deepEqual(caller.files.takeChanges(), [], "what was there before has not changed");
  assert.equal(caller.functions.path_unlink_file(ROOT, ...caller.text("run/games/1")), 0);
  caller.write(caller.open("run/new", CREATE).file, "new");
  const changes = Object.fromEntries(caller.files.takeChanges());
  assert.deepEqual(Object.keys(changes).sort(), ["run/games/1", "run/new"]);
  assert.equal(changes["run/games/1"], null);
  assert.equal(new TextDecoder().decode(changes["run/new"]), "new");
  assert.deepEqual(caller.files.takeChanges(), []);
});

test("a folder is listed in parts", () => {
  const names = ["a", "a-longer-name", "third", "fourth"];
  const caller = new Caller(names.map((name) => [`run/games/${name}`, new Uint8Array(5)]));
  assert.deepEqual(caller.list("run/games"), names);
  assert.deepEqual(caller.list("run"), ["games"]);
  assert.deepEqual(caller.list(""), ["run"]);
});
