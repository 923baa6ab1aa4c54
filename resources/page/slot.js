// One part of a document in the flow of the book: a box of known or estimated size, and a frame in
// it while it is near the view.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});

  class Slot {
    frame = null;
    map = null; // ibid.TextMap of the live document while ready
    size = 0; // pixels along the flow
    isMeasured = false;
    isLost = false; // cannot be loaded
    isPinned = false; // a jump is on its way here
    #sheet = null;
    #variables = null;
    #observer = null;
    #resolveReady = null;

    constructor(reader, { file, part, start, end, address, page, isFixed, isLast }) {
      Object.assign(this, { reader, file, part, start, end, address, page, isFixed, isLast });
      this.element = document.createElement("div");
      this.element.className = page ? "slot page" : "slot";
      this.setSize(this.estimate());
      this.whenReady = new Promise((resolve) => (this.#resolveReady = resolve));
    }

    get isReady() {
      return this.map !== null;
    }

    estimate() {
      if (this.page) return this.fit().height + this.gap;
      return Math.max(40, (this.end - this.start) * this.reader.sizePerCharacter()) + this.gap;
    }

    // Space behind the last part of a document.
    get gap() {
      if (!this.isLast) return 0;
      return this.page ? 16 : 72;
    }

    // Size of a fixed page in the view, and its scale.
    fit() {
      const room = this.reader.axis.isSideways ? window.innerWidth : this.reader.axis.breadth;
      const scale = Math.min((room - 32) / this.page.width, 2);
      return { scale, width: this.page.width * scale, height: this.page.height * scale, room };
    }

    setSize(size) {
      if (Math.abs(size - this.size) < 0.01) return false;
      this.size = size;
      this.element.style.blockSize = `${size}px`;
      return true;
    }

    mount() {
      if (this.frame || this.isLost) return;
      this.frame = document.createElement("iframe");
      this.frame.setAttribute("sandbox", "allow-same-origin");
      this.frame.setAttribute("tabindex", "-1");
      this.frame.src = this.address;
      this.frame.addEventListener("load", () => this.#onLoad());
      this.reader.framed.set(this.frame, this);
      this.element.append(this.frame);
    }

    unmount() {
      if (!this.frame) return;
      this.#observer?.disconnect();
      this.#observer = this.#sheet = this.#variables = this.map = null;
      this.frame.remove();
      this.frame = null;
      this.whenReady = new Promise((resolve) => (this.#resolveReady = resolve));
    }

    // The document of the frame exists but is still empty: our styles come before its first paint.
    adopt(view) {
      this.#sheet = new view.CSSStyleSheet();
      this.#variables = new view.CSSStyleSheet();
      this.restyle();
      view.document.adoptedStyleSheets = [this.#sheet, this.#variables];
      view.document.addEventListener("DOMContentLoaded", () => this.#onParsed(view));
    }

    setVariable(name, value) {
      this.#variables?.cssRules[0]?.style.setProperty(name, value);
    }

    restyle() {
      const { style, pageStyle } = this.reader.settings;
      this.#sheet?.replaceSync(this.page ? pageStyle : style);
      this.#variables?.replaceSync(this.reader.variables());
      if (this.isReady) ibid.followScheme(this.frame.contentDocument, this.reader.settings.isDark);
    }

    #onParsed(view) {
      const pending = [...view.document.querySelectorAll("link")].filter(
        (link) => /\bstylesheet\b/i.test(link.rel) && !link.sheet && !link.disabled,
      );
      const settled = pending.map(
        (link) =>
          new Promise((resolve) => {
            link.addEventListener("load", resolve, { once: true });
            link.addEventListener("error", resolve, { once: true });
          }),
      );
      Promise.all(settled).then(() => this.#onStyled(view));
    }

    // Also where the frame's own script never ran, as happens in the first moments of a process that
    // replaces a dead one.
    #onLoad() {
      const view = this.frame?.contentWindow;
      if (this.isReady || !view) return;
      if (!this.frame.contentDocument?.URL.startsWith("book:")) return;
      if (!this.#sheet) this.reader.frameCreated(view);
      this.#onStyled(view);
    }

    #onStyled(view) {
      if (this.isReady || this.frame?.contentWindow !== view) return;
      const doc = view.document;
      if (this.isFixed && !this.page) this.#becomePage(doc);
      ibid.followScheme(doc, this.reader.settings.isDark);
      this.reader.chooseAxis(this);
      this.map = new ibid.TextMap(doc, this.start, this.end);
      this.#observer = new view.ResizeObserver(() => this.reader.partResized(this));
      this.#observer.observe(doc.documentElement);
      this.#resolveReady();
      this.reader.partReady(this);
    }

    // A fixed page says its own size (EPUB 3.3 §8.2.2.6); one that does not flows like text.
    #becomePage(doc) {
      const content = doc.querySelector("meta[name='viewport' i]")?.getAttribute("content") ?? "";
      const size = (name) => Number(new RegExp(`\\b${name}\\s*=\\s*([\\d.]+)`).exec(content)?.[1] ?? 0);
      const box = doc.querySelector("body > svg[viewBox]")?.viewBox.baseVal;
      const width = size("width") || box?.width || 0;
      const height = size("height") || box?.height || 0;
      if (!width || !height) return;
      this.page = { width, height };
      this.element.className = "slot page";
      this.restyle();
    }

    // Which way the document's lines run: "horizontal-tb", "vertical-rl" or "vertical-lr".
    get writingMode() {
      const doc = this.frame.contentDocument;
      const view = this.frame.contentWindow;
      const own = view.getComputedStyle(doc.documentElement).writingMode;
      if (own !== "horizontal-tb" || !doc.body) return own;
      return view.getComputedStyle(doc.body).writingMode;
    }

    // Gives the slot the size of its content; returns whether that changed.
    measure() {
      this.isMeasured = true;
      if (this.page) return this.#place();
      const doc = this.frame.contentDocument;
      const isAcross = (this.writingMode !== "horizontal-tb") !== this.reader.axis.isSideways;
      const root = doc.documentElement;
      root.toggleAttribute("data-ibid-across", isAcross);
      if (isAcross) return this.setSize(this.reader.axis.length * 0.9 + this.gap);
      const box = root.getBoundingClientRect();
      let size = this.reader.axis.isSideways ? box.width : box.height;
      // What is positioned outside the flow is not in the box.
      const scrolled = this.reader.axis.isSideways ? root.scrollWidth : root.scrollHeight;
      const own = this.reader.axis.isSideways ? root.clientWidth : root.clientHeight;
      if (scrolled > own + 1 && scrolled > size + 1 && scrolled < size + 4 * this.reader.axis.length) {
        size = scrolled;
      }
      return this.setSize(Math.ceil(size) + this.gap);
    }

    #place() {
      const { scale, width, height, room } = this.fit();
      Object.assign(this.frame.style, {
        width: `${this.page.width}px`,
        height: `${this.page.height}px`,
        transform: `translateX(${Math.max(0, (room - width) / 2)}px) scale(${scale})`,
      });
      return this.setSize(height + this.gap);
    }

    // A rectangle of the frame's document, in coordinates of the view.
    toView(rect) {
      const box = this.frame.getBoundingClientRect();
      const scale = this.page ? this.fit().scale : 1;
      return new DOMRect(
        box.left + rect.left * scale, box.top + rect.top * scale,
        rect.width * scale, rect.height * scale,
      );
    }

    // Rectangles for a range that has none (collapsed white space, text that a style hides): those
    // of the next text that is drawn, else of the last, else the head of the document.
    #rectsNear(range) {
      const { doc } = this.map;
      const around = doc.createRange();
      const walker = this.map.walker(null);
      walker.currentNode = range.startContainer;
      let next = walker.nextNode();
      for (let tries = 0; next && tries < 200; tries += 1, next = walker.nextNode()) {
        around.selectNodeContents(next);
        const rects = [...around.getClientRects()].filter((rect) => rect.width && rect.height);
        if (rects.length) return rects.slice(0, 1);
      }
      const element = range.startContainer.parentElement ?? doc.documentElement;
      for (let at = element; at; at = at.parentElement) {
        const rect = at.getBoundingClientRect();
        if (rect.width || rect.height) return [rect];
      }
      return [doc.documentElement.getBoundingClientRect()];
    }

    // [start, end] along the flow of the first line box of a range, and of all of them.
    extentOf(range) {
      let rects = [...range.getClientRects()].filter((rect) => rect.width || rect.height);
      if (!rects.length) rects = this.#rectsNear(range);
      const extents = rects.map((rect) => this.reader.axis.extent(this.toView(rect)));
      return {
        first: extents[0],
        all: [Math.min(...extents.map((e) => e[0])), Math.max(...extents.map((e) => e[1]))],
      };
    }
  }

  // Media queries on the colour scheme follow the reader's theme, not the desktop's.
  function followScheme(doc, isDark) {
    const visit = (rules) => {
      for (const rule of rules) {
        if (rule.media && /prefers-color-scheme/.test(rule.ibidMedia ?? rule.media.mediaText)) {
          rule.ibidMedia ??= rule.media.mediaText;
          rule.media.mediaText = rule.ibidMedia.replace(
            /\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/g,
            (_, scheme) => ((scheme === "dark") === isDark ? "(min-width: 0)" : "(max-width: 0)"),
          );
        }
        if (rule.cssRules) visit(rule.cssRules);
        else if (rule.styleSheet) visitSheet(rule.styleSheet);
      }
    };
    const visitSheet = (sheet) => {
      try {
        visit(sheet.cssRules);
      } catch {
        // A sheet that the book does not hold has no rules to read.
      }
    };
    for (const sheet of doc.styleSheets) visitSheet(sheet);
  }

  Object.assign(ibid, { Slot, followScheme });
})();
