// Says things in the language of words.js. Plurals, numbers, dates and lists are those of Intl.

import { GAMES, LANGUAGE, WORDS } from "./words.js";

const plurals = new Intl.PluralRules(LANGUAGE);
export const numbers = new Intl.NumberFormat(LANGUAGE);
const shorter = new Intl.NumberFormat(LANGUAGE, { notation: "compact" });
const shares = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 0 });
const finer = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeZone: "UTC" });
const together = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

export const capital = (text) => text.charAt(0).toLocaleUpperCase(LANGUAGE) + text.slice(1);

// A text with values in place of the names in braces; one whose name begins with a capital letter begins with one too. Of a
// text with plurals, `n` chooses the form.
export const say = (key, values = {}) => {
  const found = WORDS[key];
  if (found === undefined) {
    console.error(`words.js has no text '${key}'`);
    return key;
  }
  const text = typeof found === "string" ? found : (found[plurals.select(values.n)] ?? found.other);
  return text.replace(/\{(\w)(\w*)\}/g, (whole, initial, rest) => {
    const value = values[initial + rest] ?? values[initial.toLowerCase() + rest];
    if (value === undefined) console.error(`words.js: '${key}' has no value for ${whole}`);
    const written = typeof value === "number" ? numbers.format(value) : String(value ?? "");
    return initial === initial.toLowerCase() ? written : capital(written);
  });
};

// What a game says of itself.
export const theirs = (text) => GAMES[text] ?? text;

export const percent = (share) => shares.format(share);

// With a digit after the point where there is one.
export const percentFine = (share) => finer.format(share);

// A number in little room, such as 1.2k.
export const short = (number) => shorter.format(number);

// A date as people write it, if it is one.
export const day = (date) => (/^\d{4}-\d\d-\d\d$/.test(date) && !isNaN(Date.parse(date)) ? days.format(new Date(date)) : date);

// Things one after another: "a, b and c".
export const list = (words) => together.format(words);

// The same without an "and".
export const commas = (words) => words.join(say("comma"));
