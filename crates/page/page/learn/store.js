// The runs that this browser keeps: their files, what each iteration brought, and the network after it.

const NAME = "hexzero-learn";
const VERSION = 1;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const committed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser cannot keep the run: there is no room."));
  });

// All keys that begin with a run's.
const of = (run) => IDBKeyRange.bound([run], [run, []]);

export class RunStore {
  #database;

  static async open() {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const name of ["runs", "files", "entries", "networks"]) request.result.createObjectStore(name);
    };
    const store = new RunStore();
    store.#database = await done(request);
    return store;
  }

  #read(name) {
    return this.#database.transaction(name).objectStore(name);
  }

  // All runs, each with its `id`, the latest first.
  async runs() {
    return (await done(this.#read("runs").getAll())).sort((a, b) => b.begun - a.begun);
  }

  async begin(run) {
    const transaction = this.#database.transaction("runs", "readwrite");
    transaction.objectStore("runs").put(run, run.id);
    return committed(transaction);
  }

  // The files of a run, pairs of a path and its bytes.
  async files(run) {
    const store = this.#read("files");
    const [keys, values] = await Promise.all([done(store.getAllKeys(of(run))), done(store.getAll(of(run)))]);
    return keys.map(([, path], at) => [path, values[at]]);
  }

  // Returns what the iterations of a run brought, in order.
  entries(run) {
    return done(this.#read("entries").getAll(of(run)));
  }

  // The network after an iteration, as a checkpoint's bytes. Throws if it is not kept: a run of the program keeps only some.
  async network(run, iteration) {
    const network = await done(this.#read("networks").get([run, iteration]));
    if (network) return network;
    const entry = await done(this.#read("entries").get([run, iteration]));
    const file = entry && (await done(this.#read("files").get([run, `run/checkpoints/${entry.figures.checkpoint}`])));
    if (!file) throw new Error("The network of this iteration is not kept. Choose another iteration.");
    return file;
  }

  // Keeps the files of a run that have changed, together with the iteration that changed them: all of it or nothing.
  keep(run, changes, entry = null, network = null) {
    const transaction = this.#database.transaction(["files", "entries", "networks"], "readwrite");
    const files = transaction.objectStore("files");
    for (const [path, bytes] of changes) bytes ? files.put(bytes, [run, path]) : files.delete([run, path]);
    if (entry) transaction.objectStore("entries").put(entry, [run, entry.figures.iteration]);
    if (network) transaction.objectStore("networks").put(network, [run, entry.figures.iteration]);
    return committed(transaction);
  }

  forget(run) {
    const transaction = this.#database.transaction(["runs", "files", "entries", "networks"], "readwrite");
    transaction.objectStore("runs").delete(run);
    for (const name of ["files", "entries", "networks"]) transaction.objectStore(name).delete(of(run));
    return committed(transaction);
  }
}
