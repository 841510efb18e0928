// Shares more than the address of a position: a picture of the board, a text on the clipboard, and the links of a shared board.

import { html, svg } from "../board_ui/elements.js";
import { addressOfToken } from "../game/shared.js";

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "paint-order"];
const WRITTEN = ["font-size", "font-weight", "text-anchor", "dominant-baseline"];

// Returns the board as a picture of its own, as it looks on the page, without what only serves to be clicked on.
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
  copy.prepend(svg("rect", { x, y, width, height, fill: paper }));
  const scale = 1200 / Math.max(width, height);
  copy.setAttribute("width", Math.round(width * scale));
  copy.setAttribute("height", Math.round(height * scale));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
};

// Turns the picture into a PNG.
export const toPng = async (picture) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

// Copies a text to the clipboard: by an older command on pages without encryption, which get no clipboard from the browser.
export const copyText = async (text, host) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  host.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error("The browser does not let this page copy.");
};

// Shows the links of a shared board, which this player has shared: for the other player, for those who watch, and for oneself on another
// device.
export const showLinks = (dialog, session) => {
  const { tokens, seat } = session.setup.shared;
  const [first, second] = session.players;
  const [mine, other] = seat === "first" ? [first, second] : [second, first];
  const said = dialog.querySelector("[role=status]");
  said.textContent = "";
  const row = (name, text, token) => {
    const link = location.origin + location.pathname + addressOfToken(token);
    const field = html("input", { type: "text", readonly: true, value: link, "aria-label": text });
    field.addEventListener("focus", () => field.select());
    const button = html("button", { type: "button", "data-link": name }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await copyText(link, dialog);
        said.textContent = `Copied: ${text.toLowerCase()}.`;
      } catch (error) {
        said.textContent = error.message;
      }
    });
    return html("label", {}, html("span", {}, text), html("span", { class: "beside" }, field, button));
  };
  dialog.querySelector(".links").replaceChildren(
    html("p", {}, `You are ${mine}. Send the first link to ${other}. Anyone who has a link can use it. There are no clocks.`),
    row("other", `Link for ${other}`, tokens[seat === "first" ? "second" : "first"]),
    row("watch", "Link to watch", tokens.watch),
    row("mine", "Your own link, for another device", tokens[seat]),
  );
  dialog.showModal();
};
