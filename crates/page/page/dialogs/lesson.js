// "How to play": the rules of a game with pictures, and a link to its lesson. Texts and positions come from the server.

import { html, svg } from "../board_ui/elements.js";
import { View, at } from "../board_ui/geometry.js";
import { ground, links, ownerClass, piece, trace, viewBox } from "../board_ui/picture.js";
import { textButton } from "../panels/controls.js";

// Draws a position of a lesson.
export const picture = (view, { pieces, taken, marked, chain, label }) => {
  const put = (place, name, ...parts) => svg("g", { class: name, transform: at(view.places[place].centre) }, ...parts);
  const owner = pieces.find(({ place }) => chain.includes(place))?.owner ?? null;
  return svg(
    "svg",
    { class: "board", viewBox: viewBox(view.box), role: "img", "aria-label": label },
    ground(view),
    ...links(view, chain, owner),
    ...pieces.map((one) => put(one.place, `piece ${ownerClass(one.owner)}`, piece(one, view.places[one.place]))),
    ...taken.map((place) => put(place, "ghost", trace(view.places[place]))),
    ...marked.map((place) =>
      put(place, "", svg("path", { class: "hint", d: view.places[place].outline, transform: "scale(0.9)" })),
    ),
  );
};

const figure = async (one, layoutOf) => {
  const drawn = picture(new View(await layoutOf(one.size)), one);
  return html("figure", {}, drawn, html("figcaption", {}, one.caption));
};

const part = async ({ title, text, pictures }, layoutOf) => {
  const figures = await Promise.all(pictures.map((one) => figure(one, layoutOf)));
  return html("section", {}, html("h3", {}, title), html("p", {}, text), figures.length ? html("div", { class: "pictures" }, ...figures) : null);
};

// Puts a game's rules into an element once their boards are loaded. `onStart` starts the game's lesson, if it has one.
export const showLesson = async (host, game, layouts, onStart = null) => {
  host.replaceChildren();
  const layoutOf = (size) => layouts.get(game.id, size);
  const parts = await Promise.all(game.lesson.map((one) => part(one, layoutOf)));
  const start = textButton("Try it on the board", () => {
    host.closest("dialog").close();
    onStart();
  });
  start.id = "start-lesson";
  host.replaceChildren(...(onStart ? [start] : []), ...parts);
};
