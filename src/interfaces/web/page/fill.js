// Puts the texts into the page as it is loaded. Until then it is not shown, so that nothing is seen in two languages.

import { say } from "./say.js";
import { LANGUAGE } from "./words.js";

// What an attribute of an element says: its text, or another attribute's value.
const ATTRIBUTES = { label: "aria-label", about: "title", hint: "placeholder", content: "content" };

for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
for (const [name, attribute] of Object.entries(ATTRIBUTES))
  for (const element of document.querySelectorAll(`[data-${name}]`)) element.setAttribute(attribute, say(element.dataset[name]));
document.documentElement.lang = LANGUAGE;
document.documentElement.classList.remove("wordless");
