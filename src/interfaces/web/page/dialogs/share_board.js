// The links of a shared board: for the other player, for those who watch, and for oneself on another device.

import { html } from "../board_ui/elements.js";
import { addressOfToken } from "../game/shared.js";
import { copyText } from "./sharing.js";

// Shows the links of the board of a session, which this player has shared.
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
        said.textContent = `On the clipboard: ${text.toLowerCase()}.`;
      } catch (error) {
        said.textContent = error.message;
      }
    });
    return html("label", {}, html("span", {}, text), html("span", { class: "beside" }, field, button));
  };
  dialog.querySelector(".links").replaceChildren(
    html("p", {}, `You are ${mine}. Send ${other} this link; whoever has a link may use it. There are no clocks.`),
    row("other", `Link for ${other}`, tokens[seat === "first" ? "second" : "first"]),
    row("watch", "Link to watch", tokens.watch),
    row("mine", "Your own link, for another device", tokens[seat]),
  );
  dialog.showModal();
};
