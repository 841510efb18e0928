// Saves all that this browser keeps as one file, and loads such a file.

import { find } from "../board_ui/elements.js";
import { counted } from "../board_ui/text.js";
import { asFile, restore } from "./backup.js";
import { download } from "../game/records.js";

export const bindKeeping = () => {
  const say = (text) => (find("kept-note").textContent = text);
  find("save-all").addEventListener("click", () => {
    download(asFile(), "hexzero-kept.json", "application/json");
    say("Saved.");
  });
  find("load-all").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    try {
      const { games, mistakes, reviews } = restore(await file.text());
      const [g, m, r] = [[games, "game"], [mistakes, "mistake"], [reviews, "review"]].map(([n, one]) => counted(n, `new ${one}`, `new ${one}s`));
      say(`${g}, ${m}, ${r}.`);
    } catch (error) {
      say(error instanceof SyntaxError ? "This is not a file that was saved here." : error.message);
    }
    target.value = "";
  });
};
