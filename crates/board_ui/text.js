// Formats numbers, dates and lists in English.

const LANGUAGE = "en-GB";

export const numbers = new Intl.NumberFormat(LANGUAGE);
const shorter = new Intl.NumberFormat(LANGUAGE, { notation: "compact" });
const shares = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 0 });
const finer = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const fourDigits = new Intl.NumberFormat(LANGUAGE, { maximumSignificantDigits: 4 });
const days = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeZone: "UTC" });
const together = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The text with a capital letter and a full stop, which it may have already.
export const sentence = (text) => `${capital(text).replace(/\.$/, "")}.`;

// A number with the word for what it counts: "1 move", "2,000 moves".
export const counted = (number, one, many) => `${numbers.format(number)} ${number === 1 ? one : many}`;

export const percent = (share) => shares.format(share);

// A share in percent, with a digit after the point where there is one.
export const percentFine = (share) => finer.format(share);

// A number with one digit after the point.
export const oneDecimal = (number) => oneDigit.format(number);

// A number with four digits at most.
export const rounded = (number) => (Number.isInteger(number) ? numbers : fourDigits).format(number);

// A number in little room, such as 1.2k.
export const short = (number) => shorter.format(number);

// A date as people write it, if it is one.
export const day = (date) => (/^\d{4}-\d\d-\d\d$/.test(date) && !isNaN(Date.parse(date)) ? days.format(new Date(date)) : date);

// A list of things: "a, b and c".
export const list = (words) => together.format(words);

// A list of things without an "and".
export const commas = (words) => words.join(", ");
