// Downloads of compressed files.

// Returns the bytes of a file that lies compressed by gzip at `url`. Throws an error that names it.
export const fetchDecompressed = async (url) => {
  const name = new URL(url).pathname.split("/").at(-1);
  let answer;
  try {
    answer = await fetch(url);
  } catch {
    throw new Error(`the file ${name} cannot be reached`);
  }
  if (!answer.ok) throw new Error(`the file ${name} cannot be read: the server answers ${answer.status}`);
  try {
    // A server may send the file with its own compression taken off already.
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`the file ${name} is damaged`);
  }
};

// The module that learns, of the page at `base`.
export const learningModule = async (base) => WebAssembly.compile(await fetchDecompressed(new URL("engine/hexzero-learn.wasm.gz", base)));
