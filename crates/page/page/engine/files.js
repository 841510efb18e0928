// Files in memory, for a module that keeps some: the functions of WASI (preview 1) that Rust's standard library calls for them. The
// types and numbers are those of https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md.

const SUCCESS = 0;
const BAD_FILE = 8;
const EXISTS = 20;
const INVALID = 28;
const IS_FOLDER = 31;
const MISSING = 44;
const UNSUPPORTED = 52;
const NO_FOLDER = 54;
const NOT_EMPTY = 55;

const DEVICE = 2;
const FOLDER = 3;
const FILE = 4;

const CREATE = 1;
const MUST_BE_FOLDER = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;

// The open folder that all paths begin at.
const ROOT = 3;

// A file whose bytes grow.
class Contents {
  #bytes;
  size;

  constructor(bytes = new Uint8Array()) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  get bytes() {
    return this.#bytes.subarray(0, this.size);
  }

  write(at, bytes) {
    this.resize(Math.max(this.size, at + bytes.length));
    this.#bytes.set(bytes, at);
  }

  resize(size) {
    if (size > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
      grown.set(this.bytes);
      this.#bytes = grown;
    } else if (size > this.size) {
      this.#bytes.fill(0, this.size, size);
    }
    this.size = size;
  }
}

export class Files {
  // Files by path, "run/recipe.toml"; folders have none.
  #entries = new Map([["", null]]);
  #open = new Map([[ROOT, { path: "", entry: null }]]);
  #changed = new Set();

  // Begins with these files, pairs of a path and its bytes.
  constructor(files = []) {
    for (const [path, bytes] of files) {
      path.split("/").slice(0, -1).reduce((above, name) => {
        const folder = above + name;
        this.#entries.set(folder, null);
        return `${folder}/`;
      }, "");
      this.#entries.set(path, new Contents(bytes));
    }
  }

  // Returns copies of what has changed since the last call, pairs of a path and its bytes, or null for what is gone.
  takeChanges() {
    const changes = [...this.#changed].map((path) => [path, this.#entries.get(path)?.bytes.slice() ?? null]);
    this.#changed.clear();
    return changes;
  }

  // Returns the functions for a module whose memory `getMemory` returns.
  functions(getMemory) {
    const view = () => new DataView(getMemory().buffer);
    const bytesAt = (at, length) => new Uint8Array(getMemory().buffer, at, length);
    // Returns a path relative to an open folder. Decoders refuse shared memory, so the bytes are copied.
    const pathAt = (folder, at, length) => {
      const path = new TextDecoder().decode(bytesAt(at, length).slice());
      const parts = [...(this.#open.get(folder)?.path ?? "").split("/"), ...path.split("/")];
      return parts.filter((part) => part && part !== ".").join("/");
    };
    const parts = (at, count) =>
      Array.from({ length: count }, (_, part) => {
        const place = at + 8 * part;
        return bytesAt(view().getUint32(place, true), view().getUint32(place + 4, true));
      });
    const tell = (at, entry, path) => {
      bytesAt(at, 64).fill(0);
      view().setBigUint64(at + 8, this.#number(path), true);
      view().setUint8(at + 16, entry ? FILE : FOLDER);
      view().setBigUint64(at + 24, 1n, true);
      view().setBigUint64(at + 32, BigInt(entry?.size ?? 0), true);
      return SUCCESS;
    };
    const open = (file, work) => {
      const found = this.#open.get(file);
      return found ? work(found) : BAD_FILE;
    };

    return {
      fd_prestat_get: (file, at) => {
        if (file !== ROOT) return BAD_FILE;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true);
        return SUCCESS;
      },
      fd_prestat_dir_name: (file, at) => {
        bytesAt(at, 1)[0] = "/".charCodeAt(0);
        return SUCCESS;
      },
      fd_fdstat_get: (file, at) => {
        const found = this.#open.get(file);
        if (!found && file >= ROOT) return BAD_FILE;
        bytesAt(at, 24).fill(0xff);
        view().setUint8(at, file < ROOT ? DEVICE : found.entry ? FILE : FOLDER);
        view().setUint16(at + 2, 0, true);
        return SUCCESS;
      },
      fd_filestat_get: (file, at) => open(file, ({ entry, path }) => tell(at, entry, path)),
      path_filestat_get: (folder, flags, path, length, at) => {
        const name = pathAt(folder, path, length);
        return this.#entries.has(name) ? tell(at, this.#entries.get(name), name) : MISSING;
      },
      path_open: (folder, look, path, length, how, rights, inherited, flags, at) => {
        const [file, problem] = this.#openPath(pathAt(folder, path, length), how, flags);
        if (!problem) view().setUint32(at, file, true);
        return problem;
      },
      fd_close: (file) => (this.#open.delete(file) ? SUCCESS : BAD_FILE),
      fd_read: (file, at, count, read) =>
        open(file, (found) => {
          if (!found.entry) return IS_FOLDER;
          const before = found.at;
          for (const part of parts(at, count)) {
            const bytes = found.entry.bytes.subarray(found.at, found.at + part.length);
            part.set(bytes);
            found.at += bytes.length;
          }
          view().setUint32(read, found.at - before, true);
          return SUCCESS;
        }),
      // What goes to standard output is discarded.
      fd_write: (file, at, count, written) => {
        const found = this.#open.get(file);
        let bytes = 0;
        for (const part of parts(at, count)) {
          if (found?.entry) this.#append(found, part);
          bytes += part.length;
        }
        view().setUint32(written, bytes, true);
        return found || file < ROOT ? SUCCESS : BAD_FILE;
      },
      fd_seek: (file, offset, from, at) =>
        open(file, (found) => {
          const place = [0, found.at, found.entry?.size ?? 0][from] + Number(offset);
          if (!(place >= 0)) return INVALID;
          found.at = place;
          view().setBigUint64(at, BigInt(place), true);
          return SUCCESS;
        }),
      fd_filestat_set_size: (file, size) =>
        open(file, ({ entry, path }) => {
          entry?.resize(Number(size));
          this.#changed.add(path);
          return entry ? SUCCESS : IS_FOLDER;
        }),
      fd_readdir: (file, at, length, first, used) =>
        open(file, ({ path }) => {
          const list = this.#list(path, Number(first));
          bytesAt(at, length).set(list.subarray(0, length));
          view().setUint32(used, Math.min(length, list.length), true);
          return SUCCESS;
        }),
      path_create_directory: (folder, path, length) => {
        const name = pathAt(folder, path, length);
        if (this.#entries.has(name)) return EXISTS;
        if (!this.#isInFolder(name)) return MISSING;
        this.#entries.set(name, null);
        return SUCCESS;
      },
      path_unlink_file: (folder, path, length) => {
        const name = pathAt(folder, path, length);
        if (!this.#entries.get(name)) return this.#entries.has(name) ? IS_FOLDER : MISSING;
        this.#entries.delete(name);
        this.#changed.add(name);
        return SUCCESS;
      },
      path_rename: (folder, path, length, newFolder, newPath, newLength) =>
        this.#rename(pathAt(folder, path, length), pathAt(newFolder, newPath, newLength)),
      path_readlink: () => INVALID,
      fd_sync: () => SUCCESS,
      fd_datasync: () => SUCCESS,
      poll_oneoff: () => UNSUPPORTED,
    };
  }

  // The number of a file among all.
  #number(path) {
    return BigInt([...this.#entries.keys()].indexOf(path) + 1);
  }

  #isInFolder(path) {
    return this.#entries.get(path.split("/").slice(0, -1).join("/")) === null;
  }

  // Returns the number of the opened file, or a problem.
  #openPath(path, how, flags) {
    const isThere = this.#entries.has(path);
    if (!isThere && !(how & CREATE)) return [0, MISSING];
    if (isThere && how & EXCLUSIVE) return [0, EXISTS];
    if (!isThere) {
      if (!this.#isInFolder(path)) return [0, MISSING];
      this.#entries.set(path, new Contents());
      this.#changed.add(path);
    }
    const entry = this.#entries.get(path);
    if (entry && how & MUST_BE_FOLDER) return [0, NO_FOLDER];
    if (entry && how & TRUNCATE) {
      entry.resize(0);
      this.#changed.add(path);
    }
    let file = ROOT + 1;
    while (this.#open.has(file)) file++;
    this.#open.set(file, { path, entry, at: 0, appends: (flags & APPEND) !== 0 });
    return [file, SUCCESS];
  }

  #append(found, bytes) {
    if (found.appends) found.at = found.entry.size;
    found.entry.write(found.at, bytes);
    found.at += bytes.length;
    this.#changed.add(found.path);
  }

  #rename(path, newPath) {
    const entry = this.#entries.get(path);
    if (!entry) return this.#entries.has(path) ? NOT_EMPTY : MISSING;
    this.#entries.delete(path);
    this.#entries.set(newPath, entry);
    for (const found of this.#open.values()) if (found.entry === entry) found.path = newPath;
    this.#changed.add(path).add(newPath);
    return SUCCESS;
  }

  // The entries of a folder in the form of WASI, from the one numbered `first`.
  #list(folder, first) {
    const start = folder && `${folder}/`;
    const within = [...this.#entries].filter(([path]) => path && path.startsWith(start) && !path.slice(start.length).includes("/"));
    const parts = within.slice(first).map(([path, entry], place) => {
      const name = new TextEncoder().encode(path.slice(start.length));
      const bytes = new Uint8Array(24 + name.length);
      const view = new DataView(bytes.buffer);
      view.setBigUint64(0, BigInt(first + place + 1), true);
      view.setBigUint64(8, this.#number(path), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, entry ? FILE : FOLDER);
      bytes.set(name, 24);
      return bytes;
    });
    return Uint8Array.from(parts.flatMap((bytes) => [...bytes]));
  }
}
