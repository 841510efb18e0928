// Finds elements of the page, and makes some: of SVG, and of HTML.

const SVG = "http://www.w3.org/2000/svg";

// Returns the element with an id.
export const find = (id) => document.getElementById(id);

// Puts a text into the element with an id, which is hidden while it has none.
export const showText = (id, text) => {
  find(id).textContent = text ?? "";
  find(id).hidden = !text;
};

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

// The head and the body of a table: the titles of its columns, and its rows, each with its title first. A title may have several parts.
export const tableOf = (titles, rows) => [
  html("thead", {}, html("tr", {}, ...titles.map((title) => html("th", { scope: "col" }, ...[title].flat())))),
  html("tbody", {}, ...rows.map(([title, ...cells]) => html("tr", {}, html("th", { scope: "row" }, title), ...cells.map((cell) => html("td", {}, cell))))),
];

// One of the pictures that the page defines.
export const icon = (name) => svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#icon-${name}` }));
