// Reads what a page shows, in one pass over its elements; defines `proctor` in a world that the page cannot reach.
(() => {
  const ROLES = {
    a: "link", abbr: "static", article: "article", audio: "audio", aside: "landmark", blockquote: "block quote",
    button: "push button", canvas: "canvas", code: "static", details: "section", dialog: "dialog", dd: "list item",
    dt: "list item", fieldset: "grouping", figure: "section", footer: "landmark", form: "form", h1: "heading",
    h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", header: "landmark", hr: "separator",
    iframe: "internal frame", img: "image", label: "label", legend: "label", li: "list item", main: "landmark",
    meter: "level bar", nav: "landmark", ol: "list", optgroup: "grouping", option: "list item", output: "static",
    p: "paragraph", pre: "section", progress: "progress bar", section: "section", select: "combo box",
    summary: "toggle button", table: "table", td: "table cell", textarea: "entry", th: "column header", tr: "table row",
    ul: "list", video: "video",
  };
  const INPUTS = {
    button: "push button", checkbox: "check box", color: "push button", file: "push button", hidden: "", image: "push button",
    number: "spin button", password: "password text", radio: "radio button", range: "slider", reset: "push button",
    submit: "push button",
  };
  const ARIA = {
    alert: "alert", alertdialog: "dialog", article: "article", button: "push button", cell: "table cell", checkbox: "check box",
    columnheader: "column header", combobox: "combo box", dialog: "dialog", document: "document web", feed: "list",
    form: "form", grid: "table", gridcell: "table cell", group: "grouping", heading: "heading", img: "image", link: "link",
    list: "list", listbox: "list box", listitem: "list item", log: "log", menu: "menu", menubar: "menu bar",
    menuitem: "menu item", menuitemcheckbox: "check menu item", menuitemradio: "radio menu item", none: "section",
    option: "list item", presentation: "section", progressbar: "progress bar", radio: "radio button",
    radiogroup: "grouping", region: "landmark", row: "table row", rowheader: "row header", scrollbar: "scroll bar",
    search: "landmark", searchbox: "entry", separator: "separator", slider: "slider", spinbutton: "spin button",
    status: "status bar", switch: "toggle button", tab: "page tab", tablist: "page tab list", tabpanel: "panel",
    textbox: "entry", toolbar: "tool bar", tooltip: "tool tip", tree: "tree", treeitem: "tree item",
  };
  const SHAPES = new Set(["rect", "circle", "ellipse", "polygon", "polyline", "path", "line", "image", "text", "tspan"]);
  const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "br", "wbr", "defs"]);
  const NAMED_BY_CONTENT = new Set([
    "link", "push button", "heading", "label", "page tab", "menu item", "list item", "table cell", "column header",
    "row header", "toggle button", "tree item", "check menu item", "radio menu item", "check box", "radio button",
    "tool tip",
  ]);
  const CLICKABLE = new Set(["link", "push button", "check box", "radio button", "page tab", "menu item", "toggle button"]);
  const LONG = 4000;
  const cut = (text) => (text || "").replace(/[\s\u00a0]+/g, " ").trim().slice(0, LONG);
  const tagOf = (el) => el.localName.toLowerCase();

  function roleOf(el, tag) {
    const said = (el.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
    if (said && Object.hasOwn(ARIA, said)) return ARIA[said];
    if (tag === "input") {
      const type = (el.type || "text").toLowerCase();
      return Object.hasOwn(INPUTS, type) ? INPUTS[type] : "entry";
    }
    if (tag === "a" && !el.hasAttribute("href")) return "";
    if (tag === "select" && (el.multiple || el.size > 1)) return "list box";
    if (el.isContentEditable && (!el.parentElement || !el.parentElement.isContentEditable)) return "entry";
    if (Object.hasOwn(ROLES, tag)) return ROLES[tag];
    if (SHAPES.has(tag) && el.ownerSVGElement) return tag === "text" || tag === "tspan" ? "static" : "image";
    return "";
  }

  function ownText(el) {
    let text = "";
    for (const child of el.childNodes) if (child.nodeType === 3) text += child.data;
    return cut(text);
  }

  function labelOf(el) {
    const ids = el.getAttribute("aria-labelledby");
    if (ids) {
      const found = ids.split(/\s+/).map((id) => el.getRootNode().getElementById?.(id)).filter(Boolean);
      const text = cut(found.map((each) => each.textContent).join(" "));
      if (text) return text;
    }
    const aria = cut(el.getAttribute("aria-label"));
    if (aria) return aria;
    if (el.labels && el.labels.length) {
      const text = cut([...el.labels].map((each) => each.innerText || each.textContent).join(" "));
      if (text) return text;
    }
    return "";
  }

  function nameOf(el, tag, role) {
    const label = labelOf(el);
    if (label) return label;
    if (tag === "input" && role === "push button") {
      return cut(el.value) || cut(el.alt) || cut(el.title) || (el.type === "submit" ? "Submit" : el.type === "reset" ? "Reset" : "");
    }
    if (tag === "img" || tag === "area") return cut(el.alt) || cut(el.title);
    if (tag === "fieldset") return cut(el.querySelector("legend")?.textContent);
    if (tag === "table") return cut(el.caption?.textContent);
    if (tag === "option") return cut(el.label || el.text);
    if (NAMED_BY_CONTENT.has(role)) {
      const inner = cut(el.innerText ?? el.textContent) || cut([...el.querySelectorAll("img[alt]")].map((i) => i.alt).join(" "));
      if (inner) return inner.slice(0, 500);
    }
    return cut(el.title) || cut(el.placeholder) || "";
  }

  function statesOf(el, role, active) {
    const states = ["showing", "visible"];
    const off = el.disabled === true || el.getAttribute("aria-disabled") === "true" || el.closest?.("fieldset[disabled]");
    if (!off) states.push("enabled", "sensitive");
    if (el === active) states.push("focused");
    if (el.tabIndex >= 0 && !off) states.push("focusable");
    const checked = el.type === "checkbox" || el.type === "radio" ? el.checked : el.getAttribute("aria-checked") === "true";
    if (checked) states.push("checked");
    if (el.selected === true && tagOf(el) === "option") states.push("selected");
    if (el.getAttribute("aria-selected") === "true") states.push("selected");
    if (el.getAttribute("aria-pressed") === "true") states.push("pressed");
    const open = el.getAttribute("aria-expanded");
    if (open !== null) states.push(open === "true" ? "expanded" : "collapsed");
    if ((role === "entry" || role === "password text" || role === "spin button") && !off && !el.readOnly) states.push("editable");
    if (tagOf(el) === "textarea") states.push("multi line");
    if (el.required) states.push("required");
    if (el.readOnly) states.push("read only");
    return states;
  }

  function valueOf(el, role) {
    if (!["slider", "spin button", "progress bar", "level bar", "scroll bar"].includes(role)) return null;
    const from = (name, ...aria) => {
      for (const text of [el[name], ...aria.map((each) => el.getAttribute(each))]) {
        const number = parseFloat(text);
        if (Number.isFinite(number)) return number;
      }
      return null;
    };
    const current = from("value", "aria-valuenow");
    if (current === null) return null;
    return [current, from("min", "aria-valuemin") ?? 0, from("max", "aria-valuemax") ?? 100, from("step") ?? 0];
  }

  function textOf(el, tag, role, own) {
    if (role === "password text") return "•".repeat(Math.min((el.value || "").length, 200));
    if (tag === "input" && ["check box", "radio button", "push button"].includes(role)) return "";
    if (tag === "input" || tag === "textarea") return String(el.value ?? "").slice(0, 100000);
    if (tag === "select") return cut([...el.selectedOptions].map((each) => each.label || each.text).join(", "));
    if (role === "entry") return String(el.innerText ?? "").slice(0, 100000);
    // A sentence is read whole, with its links and emphasised words.
    return own || role === "paragraph" || role === "heading" ? cut(el.innerText ?? own) : "";
  }

  const ATTRIBUTES = ["id", "class", "type", "href", "placeholder", "alt", "name", "fill", "src", "data-index"];
  function attributesOf(el, tag, style) {
    const found = { tag };
    for (const name of ATTRIBUTES) {
      const text = el.getAttribute(name);
      if (text) found[name] = text.slice(0, 200);
    }
    if (style) {
      const back = style.backgroundColor;
      if (back && back !== "rgba(0, 0, 0, 0)") found["background-color"] = back;
    }
    return found;
  }

  function describe(el, active, box, style) {
    const tag = tagOf(el);
    let role = roleOf(el, tag);
    const own = ownText(el);
    style = style || getComputedStyle(el);
    const pointed = style.cursor === "pointer" && (!el.parentElement || getComputedStyle(el.parentElement).cursor !== "pointer");
    const clickable = CLICKABLE.has(role) || el.hasAttribute("onclick") || pointed || (el.tabIndex >= 0 && tag !== "iframe");
    if (!role) {
      // An icon or a coloured field without a word is something to see, and often something to click.
      const icon = style.backgroundImage !== "none";
      const field = !el.firstElementChild && style.backgroundColor !== "rgba(0, 0, 0, 0)";
      if (!own && !clickable && !icon && !field) return null;
      role = own ? "static" : icon ? "image" : "section";
    }
    let name = nameOf(el, tag, role);
    const text = textOf(el, tag, role, own);
    if (!name && role === "static") name = text.slice(0, 500);
    if (!name && role === "section" && clickable) name = cut(el.innerText).slice(0, 200);
    return [
      role, name, text, cut(el.getAttribute("aria-description")), valueOf(el, role), statesOf(el, role, active), box,
      clickable ? ["click"] : [], attributesOf(el, tag, style),
    ];
  }

  function focused() {
    let el = document.activeElement;
    for (;;) {
      const inner = el && (el.shadowRoot?.activeElement || frameOf(el)?.activeElement);
      if (!inner || inner === el) return el;
      el = inner;
    }
  }

  function frameOf(el) {
    try {
      return tagOf(el) === "iframe" || tagOf(el) === "frame" ? el.contentDocument : null;
    } catch {
      return null;
    }
  }

  const meet = (a, b) => {
    const x = Math.max(a[0], b[0]), y = Math.max(a[1], b[1]);
    const right = Math.min(a[0] + a[2], b[0] + b[2]), bottom = Math.min(a[1] + a[3], b[1] + b[3]);
    return right > x && bottom > y ? [x, y, right - x, bottom - y] : null;
  };

  function look(most, bar) {
    const nodes = [];
    const active = focused();
    const ends = performance.now() + 3000;
    let whole = true;
    const view = shown();
    // Children are pushed in reverse, so that they are taken in order; each with its parent's number, depth and clip.
    const stack = [[document.body || document.documentElement, -1, 0, view, 0, 0]];
    while (stack.length) {
      const [el, parent, depth, clip, dx, dy] = stack.pop();
      if (!el || SKIPPED.has(tagOf(el))) continue;
      if (nodes.length >= most || performance.now() > ends) { whole = false; break; }
      const rect = el.getBoundingClientRect();
      const place = [rect.x + dx, rect.y + dy, rect.width, rect.height];
      const box = meet(place, clip);
      let style = null;
      if (!box) {
        // Without an area of its own it may still hold what is seen; what is not drawn at all, or clips, does not.
        if (!rect.width && !rect.height && !el.getClientRects().length && getComputedStyle(el).display !== "contents") continue;
        if (rect.width && rect.height) {
          style = getComputedStyle(el);
          if (style.overflowX !== "visible" || style.overflowY !== "visible") continue;
        }
      } else {
        style = getComputedStyle(el);
      }
      let index = parent, below = depth, inner = clip;
      if (box && style) {
        const seen = style.visibility === "visible" && Number(style.opacity) > 0;
        if (Number(style.opacity) === 0 && style.pointerEvents === "none") continue;
        const made = seen ? describe(el, active, box, style) : null;
        if (made) {
          index = nodes.length;
          nodes.push([parent, depth, ...made]);
          below = depth + 1;
        }
        if (style.overflowX !== "visible" || style.overflowY !== "visible") inner = meet(place, clip) || clip;
        if (style.position === "fixed") inner = meet(place, view) || inner;
      }
      const framed = frameOf(el);
      if (framed) {
        const rim = [place[0] + el.clientLeft, place[1] + el.clientTop];
        const inside = box && meet([rim[0], rim[1], el.clientWidth, el.clientHeight], clip);
        if (inside) stack.push([framed.body || framed.documentElement, index, below, inside, rim[0], rim[1]]);
        continue;
      }
      if (tagOf(el) === "select" && !el.multiple && el.size <= 1) continue;
      const children = el.shadowRoot ? el.shadowRoot.children : tagOf(el) === "slot" && el.assignedElements().length ? el.assignedElements() : el.children;
      for (let place = children.length - 1; place >= 0; place--) stack.push([children[place], index, below, inner, dx, dy]);
    }
    return JSON.stringify({ title: document.title, url: location.href, nodes, whole, frame: frame(bar) });
  }

  // Where the page begins on the screen, and how many pixels of the screen one of its own is. `bar` says whether there
  // are tabs and an address above it; a page that was pinched shows a part of itself only.
  function frame(bar) {
    const port = window.visualViewport, scale = devicePixelRatio * (port ? port.scale : 1);
    const top = bar ? screenY + Math.max(0, outerHeight - innerHeight) : 0;
    const [x, y] = port ? [port.offsetLeft, port.offsetTop] : [0, 0];
    return [bar ? screenX * devicePixelRatio - x * scale : -x * scale, top * devicePixelRatio - y * scale, scale];
  }

  function shown() {
    const port = window.visualViewport;
    return port ? [port.offsetLeft, port.offsetTop, port.width, port.height] : [0, 0, innerWidth, innerHeight];
  }

  function at(across, down, bar) {
    const [left, top, scale] = frame(bar), x = (across + 0.5 - left) / scale, y = (down + 0.5 - top) / scale;
    let el = document.elementFromPoint(x, y), dx = 0, dy = 0;
    for (;;) {
      const framed = el && frameOf(el);
      if (framed) {
        const rect = el.getBoundingClientRect();
        dx += rect.x + el.clientLeft;
        dy += rect.y + el.clientTop;
        const inner = framed.elementFromPoint(x - dx, y - dy);
        if (!inner) break;
        el = inner;
        continue;
      }
      const inner = el?.shadowRoot?.elementFromPoint(x - dx, y - dy);
      if (!inner || inner === el) break;
      el = inner;
    }
    return one(el, dx, dy, bar);
  }

  function one(el, dx, dy, bar) {
    const active = focused();
    for (; el; el = el.parentElement || el.getRootNode().host) {
      const rect = el.getBoundingClientRect();
      const box = meet([rect.x + dx, rect.y + dy, rect.width, rect.height], shown());
      const made = box && describe(el, active, box, null);
      if (made) return JSON.stringify({ title: document.title, nodes: [[-1, 0, ...made]], frame: frame(bar) });
    }
    return "";
  }

  function focus(bar) {
    const el = focused();
    if (!el || el === document.body) return "";
    let dx = 0, dy = 0;
    for (let view = el.ownerDocument.defaultView; view && view !== window; ) {
      let owner = null;
      try { owner = view.frameElement; } catch { owner = null; }
      if (!owner) break;
      const rect = owner.getBoundingClientRect();
      dx += rect.x + owner.clientLeft;
      dy += rect.y + owner.clientTop;
      view = owner.ownerDocument.defaultView;
    }
    return one(el, dx, dy, bar);
  }

  // What a person does reaches the display at once and the page a moment later; counted, so that it can be waited for.
  let heard = 0, told = () => {};
  for (const kind of ["mouseup", "keyup", "wheel", "touchend"]) {
    addEventListener(kind, (event) => { if (event.isTrusted) { heard += 1; told(); } }, { capture: true, passive: true });
  }

  // Wait until the page has heard more than `before` (null: of nothing), for `patience` ms at most, and then until it has
  // drawn so many pictures without its elements having changed meanwhile, for a second at most.
  async function rest(before, patience, pictures) {
    if (heard === before) await new Promise((done) => { told = done; setTimeout(done, patience); });
    let changed = false;
    const watch = new MutationObserver(() => { changed = true; });
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const ends = performance.now() + 1000;
    for (let drawn = 0; drawn < pictures && performance.now() < ends; drawn = changed ? 1 : drawn + 1) {
      changed = false;
      await new Promise((done) => requestAnimationFrame(done));
    }
    watch.disconnect();
    await new Promise((done) => setTimeout(done, 0));
    return heard;
  }

  globalThis.proctor = { look, at, focus, rest, heard: () => heard };
  return true;
})()
