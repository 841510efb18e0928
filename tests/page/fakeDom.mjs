// As much of a document as modules of the page need to build what they show.

class FakeElement extends EventTarget {
  children = [];
  dataset = {};
  style = { setProperty() {} };
  classList = { add() {}, remove() {}, toggle() {} };
  hidden = false;
  #value;

  constructor(tag) {
    super();
    this.tag = tag;
  }

  // Attributes are properties, too.
  setAttribute(name, value) {
    if (name.startsWith("data-")) this.dataset[name.slice("data-".length)] = String(value);
    else this[name] = value === "" ? true : value;
  }

  // The chosen option of a list, too.
  get value() {
    return this.#value ?? (this.children.find(({ selected }) => selected) ?? this.children[0])?.value;
  }

  set value(value) {
    this.#value = String(value);
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }

  set textContent(text) {
    this.replaceChildren(text);
  }

  append(...children) {
    for (const child of children) if (child instanceof FakeElement) child.parentElement = this;
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }

  remove() {
    this.parentElement.children = this.parentElement.children.filter((child) => child !== this);
  }

  // Nobody clicks what is not there to be seen.
  click() {
    if (!this.hidden) this.dispatchEvent(new Event("click"));
  }

  // Selectors are those of a class, a tag, or a value of `data-…`.
  querySelectorAll(selector) {
    const [, kind, tag, name, wanted] = /^(?:\.([\w-]+)|(\w+)|\[data-(\w+)=(\w+)\])$/.exec(selector);
    const fits = (one) => one.tag === tag || String(one.class).split(" ").includes(kind) || (name && one.dataset[name] === wanted);
    const own = this.children.filter((child) => child instanceof FakeElement);
    return own.flatMap((child) => [...(fits(child) ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  focus() {}

  matches() {
    return false;
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

// Makes a document at an address, whose elements with an id are there as soon as they are asked for.
export const fakeDocument = (baseURI) => {
  const body = new FakeElement("body");
  const known = new Map();
  const getElementById = (id) => {
    if (!known.has(id)) {
      known.set(id, new FakeElement("div"));
      body.append(known.get(id));
    }
    return known.get(id);
  };
  const createElement = (tag) => new FakeElement(tag);
  const createElementNS = (_, tag) => new FakeElement(tag);
  const querySelector = (selector) => body.querySelector(selector);
  const documentElement = Object.assign(new FakeElement("html"), { hasAttribute: () => false });
  return { baseURI, body, getElementById, createElement, createElementNS, querySelector, documentElement };
};
