// What can be given to others: the address of a position, its moves, and a picture of the board.

import { stonesOfAddress, stonesToAddress } from "./arrangement.js";
import { fromAddress, start, toAddress } from "./branches.js";
import { say } from "./say.js";

// Longer addresses leave out what was said, and then all but the moves to the position that is shown.
const LONGEST = 6000;

// What a position's address has behind the page's: game, board, and moves with variations.
export const addressOf = (session) => {
  const { setup, current } = session;
  const head = `#${setup.game}/${setup.size}/`;
  const stones = stonesToAddress(setup.stones);
  for (const hasComments of [true, false]) {
    let shown = null;
    const tree = session.tree.toJSON(null, (position, written) => {
      if (!hasComments) written.length = 2;
      if (position === current) shown = written;
    });
    const whole = head + toAddress(tree, shown) + stones;
    if (whole.length <= LONGEST) return whole;
  }
  const line = start();
  let at = line;
  for (const move of current.moves()) {
    at[1] = [[move, []]];
    [at] = at[1];
  }
  return head + toAddress(line, at) + stones;
};

// The game of such an address, with the moves to the position that it shows; null if there is none in it.
export const gameOfAddress = (hash, { games }) => {
  if (hash.length < 2) return null;
  const [id, size, moves = "", stones = ""] = hash.slice(1).split("/");
  const game = games.find((one) => one.id === id);
  if (!game || !/^\d+$/.test(size ?? "")) throw new Error(say("address.unreadable"));
  const [tree, current] = fromAddress(moves);
  return { game: id, size: Number(size), stones: stonesOfAddress(stones), tree, current };
};

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "paint-order"];
const WRITTEN = ["font-size", "font-weight", "text-anchor", "dominant-baseline"];

// The board as a picture of its own: what it looks like on the page, without what only serves to be clicked on.
export const pictureOf = (board, paper) => {
  const copy = board.cloneNode(true);
  const originals = [board, ...board.querySelectorAll("*")];
  const gone = [];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    if (style.display === "none" || style.visibility === "hidden") gone.push(element);
    for (const { name } of [...element.attributes])
      if (/^(aria-|data-|class|role|tabindex|style)/.test(name)) element.removeAttribute(name);
    for (const name of element.tagName === "text" ? [...PAINTED, ...WRITTEN] : PAINTED)
      element.setAttribute(name, style.getPropertyValue(name));
    if (element.tagName === "text") element.setAttribute("font-family", "system-ui, sans-serif");
  });
  for (const element of gone) element.remove();
  const { x, y, width, height } = board.viewBox.baseVal;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: paper })) ground.setAttribute(name, value);
  copy.prepend(ground);
  const scale = 1200 / Math.max(width, height);
  copy.setAttribute("width", Math.round(width * scale));
  copy.setAttribute("height", Math.round(height * scale));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
};

// The same as PNG.
export const toPng = async (picture) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

// Puts a text on the clipboard. Where the browser has none for pages without encryption, by the older way.
export const copyText = async (text, host) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  host.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error(say("clipboard.refused"));
};
