// An archive in the format of tar (POSIX ustar), which every system unpacks.

const BLOCK = 512;

const text = (value, length) => {
  const bytes = new Uint8Array(length);
  bytes.set(new TextEncoder().encode(value).subarray(0, length));
  return bytes;
};

const octal = (value, length) => text(value.toString(8).padStart(length - 1, "0"), length);

const header = (path, size) => {
  const bytes = new Uint8Array(BLOCK);
  const put = (at, part) => bytes.set(part, at);
  put(0, text(path, 100));
  put(100, octal(0o644, 8));
  put(124, octal(size, 12));
  put(136, octal(0, 12));
  put(148, text("        ", 8));
  put(156, text("0", 1));
  put(257, text("ustar\u000000", 8));
  put(148, octal(bytes.reduce((sum, byte) => sum + byte, 0), 7));
  return bytes;
};

// Returns the bytes of an archive of files, pairs of a path of at most 100 characters and its bytes.
export const archive = (files) => {
  const parts = files.flatMap(([path, bytes]) => [header(path, bytes.length), bytes, new Uint8Array(-bytes.length & (BLOCK - 1))]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
};
