// node page.js PAGE.html: runs the script of a report page on a document that
// holds just enough, and prints what a reader would see first. A page that
// throws makes this fail.
"use strict";
const fs = require("fs");
const vm = require("vm");

const html = fs.readFileSync(process.argv[2], "utf8");
const data = html.match(/<script type="application\/json"[^>]*>([^]*?)<\/script>/)[1];
const code = html.match(/<script>\n([^]*?)<\/script>/)[1];

const drawn = new Map(); // calls of a canvas, by name
const context = new Proxy({}, {
  get(target, name) {
    if (name in target) return target[name];
    return (...args) => {
      for (const a of args)
        if (typeof a === "number" && !Number.isFinite(a))
          throw new Error(`${String(name)}(${args})`);
      drawn.set(name, (drawn.get(name) || 0) + 1);
      return {width: 10};
    };
  },
  set(target, name, value) { target[name] = value; return true; },
});

class Element {
  constructor(tag) {
    this.tag = tag; this.children = []; this.style = {}; this.attributes = {};
    this.listeners = {}; this.clientWidth = 1000; this.clientHeight = 100;
    this.classList = {add() {}, toggle() {}};
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(name, handler) { this.listeners[name] = handler; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  getContext() { return context; }
  getBoundingClientRect() { return {width: 10, height: 10}; }
  setPointerCapture() {}
  scrollIntoView() {}
  get text() {
    return this.children.map(c => c instanceof Element ? c.text : c).join(" ");
  }
  find(tag) {
    return this.children.filter(c => c instanceof Element).flatMap(c =>
      [...(c.tag === tag ? [c] : []), ...c.find(tag)]);
  }
}
const page = new Element("main"), tip = new Element("div");
const document = {
  createElement: tag => new Element(tag),
  getElementById: id => id === "data" ? {textContent: data}
    : id === "page" ? page : tip,
  documentElement: new Element("html"), title: "",
};
const world = {
  document, devicePixelRatio: 2, innerWidth: 1000, innerHeight: 800,
  getComputedStyle: () => ({getPropertyValue: name => name}),
  matchMedia: () => ({matches: false, addEventListener() {}}),
  addEventListener() {}, requestAnimationFrame: f => f(), console,
};
vm.runInNewContext(code, world);

// Everything that answers to the mouse and the keyboard is used once.
const event = more => ({preventDefault() {}, clientX: 5, clientY: 5,
  offsetX: 500, offsetY: 100, deltaX: 0, deltaY: -300, pointerId: 1,
  target: {value: "c"}, ...more});
for (const tag of ["canvas", "button", "th", "input", "tr"])
  for (const element of page.find(tag))
    for (const [name, handler] of Object.entries(element.listeners))
      for (const more of [{}, {key: "+"}, {key: "ArrowLeft"}, {key: "Enter"},
        {offsetY: 10}, {offsetY: 60, offsetX: 300}, {shiftKey: true}])
        handler(event(more));

console.log(document.title);
for (const tag of ["h1", "h2", "h3"])
  for (const element of page.find(tag)) console.log(`${tag} ${element.text}`);
for (const card of page.find("div").filter(e => e.attributes.class === "card"))
  console.log(`card ${card.text}`);
for (const line of page.find("p").filter(e => e.attributes.class))
  console.log(`${line.attributes.class} ${line.text}`);
for (const head of page.find("th")) console.log(`column ${head.text}`);
const title = element => element.attributes.title || "";
for (const cell of page.find("td"))
  if (/\bname\b/.test(cell.attributes.class))
    console.log(`name ${cell.text}` +
      cell.find("span").map(s => ` <${title(s)}>`).join("").replace(/\n/g, " | "));
console.log(`${page.find("canvas").length} canvases, ` +
  `${drawn.get("fillRect") > 0 ? "drawn" : "empty"}`);
