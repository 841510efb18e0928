// Labels of a game: its name, the players and the date.

import { html } from "../board_ui/elements.js";
import { capital } from "../board_ui/text.js";
import { seatNames } from "../game/games.js";

// Returns the players in short; nothing if they are not named.
export const versus = (game, players) => {
  const named = seatNames(game).map((seat) => players?.[seat] ?? "");
  const [first, second] = named.map((name, i) => name || capital(seatNames(game)[i]));
  return named.some(Boolean) ? `${first} – ${second}` : "";
};

// A form for that. `done(labels)` gets it, or null if nothing is to change.
export const labelForm = (game, { name = "", players = {}, date = "" }, done) => {
  const field = (text, value) => {
    const input = html("input", { type: "text", maxlength: "80", value, autocomplete: "off" });
    return [input, html("label", {}, text, input)];
  };
  const [nameInput, nameField] = field("Name", name);
  const seats = seatNames(game).map((seat) => [seat, ...field(capital(seat), players[seat] ?? "")]);
  const [dateInput, dateField] = field("Date", date);
  const button = (text, action, kind = null) => {
    const made = html("button", { type: "button", class: kind }, text);
    made.addEventListener("click", action);
    return made;
  };
  const finish = () => {
    const named = seats.map(([seat, input]) => [seat, input.value.trim()]).filter(([, player]) => player);
    done({
      ...(nameInput.value.trim() && { name: nameInput.value.trim() }),
      ...(named.length && { players: Object.fromEntries(named) }),
      ...(dateInput.value.trim() && { date: dateInput.value.trim() }),
    });
  };
  const form = html(
    "div",
    { class: "labels", role: "group", "aria-label": "Name and players" },
    nameField,
    ...seats.map(([, , label]) => label),
    dateField,
    html("div", { class: "pair" }, button("Done", finish, "primary"), button("Cancel", () => done(null))),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    finish();
  });
  return form;
};
