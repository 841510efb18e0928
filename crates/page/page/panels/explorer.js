// A table of the moves of an opening: one's own games after each, and what the engine's map says.

import { html } from "../board_ui/elements.js";
import { commas, percent } from "../board_ui/text.js";
import { PERSON } from "../game/games.js";
import { versionOf } from "../game/storage.js";
import { ownRecord } from "../own_play/explorer.js";
import { short, spoken } from "../text/moves.js";

const MAX_OWN = 3;
const MAX_MOVES = 5;

// The record of the position that was shown last, so that games are not counted again during an analysis.
let latest = { position: null, version: 0, record: new Map() };

export const recordAt = ({ current: position, setup, players, allPeople }) => {
  const version = versionOf("games");
  if (latest.position !== position || latest.version !== version) {
    const player = allPeople ? null : (players.find((one) => setup.roles[one] === PERSON) ?? null);
    latest = { position, version, record: ownRecord({ ...setup, moves: position.moves(), player }) };
  }
  return latest.record;
};

const played = ({ won, lost, drawn }) => won + lost + drawn;

const recordText = ({ won, lost, drawn }) =>
  commas([["won", won], ["lost", lost], ["drawn", drawn]].filter(([, count]) => count).map(([word, count]) => `${count} ${word}`));

export const showExplorer = (host, session, openings) => {
  const own = recordAt(session);
  const best = openings.best;
  // An analysis, or a map that is still loading, will fill it: it gets its room at once.
  host.hidden = !own.size && !best.length && !session.analysing && !openings.loading;
  if (host.hidden) return;
  const worth = new Map(best);
  const mine = [...own].toSorted(([, a], [, b]) => played(b) - played(a)).slice(0, MAX_OWN).map(([move]) => move);
  const moves = [...mine, ...best.map(([move]) => move).filter((move) => !mine.includes(move))].slice(0, MAX_MOVES);
  const row = (move) =>
    html(
      "tr",
      { "data-move": move },
      html("th", { scope: "row" }, html("button", { type: "button", "aria-label": `Play ${spoken(session, move)}` }, short(session, move))),
      html("td", {}, own.has(move) ? recordText(own.get(move)) : "–"),
      html("td", {}, worth.has(move) ? percent(worth.get(move)) : "–"),
    );
  // Rows that say the same stay, and the focus with them.
  const rows = moves.map(row);
  const body = host.querySelector("tbody");
  if (body.innerHTML !== rows.map(({ outerHTML }) => outerHTML).join("")) body.replaceChildren(...rows);
};
