// The whole book in one flow: mounts what is near the view, keeps the place where it is while sizes
// change, jumps, marks, and reports. Timers never fire here (scripts of the book are switched off),
// so everything waits for frames, observers and promises.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});

  const NEAR = 1; // views before and behind the visible one that are kept ready
  const FAR = 6; // views away at which a part is taken out again
  const EDGE_PX = 12; // between the edge of the view and a line that was jumped to; less than a line
  const HEAD_PX = 24; // the same for the head of a document
  const FLASH_MS = 900;
  const CITED = "ibid-cited";

  class Reader {
    axis = new ibid.Axis();
    slots = [];
    framed = new WeakMap();
    settings = { style: "", pageStyle: "", isDark: false, colors: {} };
    bridge = null;
    cited = [];
    marked = [];
    #anchor = null; // what must not move on the screen: {slot, offset, range, share, isEdge, at}
    #placed = 0; // scroll position that we set ourselves
    #jump = 0;
    #isLanding = false;
    #isRightToLeft = false;
    #hasUpright = false;
    #learned = { size: 0, characters: 0, used: 0 };
    #column = 0;
    #frameRequested = false;
    #reported = "";
    #isShown = false;

    constructor() {
      this.book = document.getElementById("book");
      window.addEventListener("scroll", () => this.#nextFrame(), { passive: true });
      window.addEventListener("resize", () => this.#onResize());
      this.#listen(window);
    }

    // ---- orders from the window ------------------------------------------------------------

    configure(settings) {
      this.settings = settings;
      const { style } = document.documentElement;
      style.setProperty("--page", settings.colors.page);
      style.setProperty("--scroll-thumb", `${settings.colors.muted}66`);
      // A frame is transparent only where its scheme is that of the page around it.
      style.colorScheme = settings.isDark ? "dark" : "light";
      for (const slot of this.#mounted()) slot.restyle();
      this.keepPlace();
    }

    showBook({ documents, isRightToLeft, perCharacter, start }) {
      for (const slot of this.#mounted()) slot.unmount();
      this.axis.turnUpright();
      this.slots = [];
      this.cited = [];
      this.marked = [];
      this.#anchor = null;
      this.#reported = "";
      this.#isShown = this.#hasUpright = false;
      this.#isRightToLeft = isRightToLeft;
      this.#learned = { size: perCharacter * 2000, characters: 2000, used: perCharacter };
      this.#column = this.#columnNow();
      this.book.replaceChildren();
      this.addDocuments(documents);
      this.goTo({ ...start, isQuiet: true });
    }

    // Adds the documents that are not there yet, in spine order.
    addDocuments(documents) {
      const known = new Set(this.slots.map((slot) => slot.file));
      const fresh = documents.filter((entry) => !known.has(entry.file));
      if (!fresh.length) return;
      for (const { file, parts, page, isFixed } of fresh) {
        parts.forEach(([start, end, address], part) => {
          const isLast = part === parts.length - 1;
          this.slots.push(new ibid.Slot(this, { file, part, start, end, address, page, isFixed, isLast }));
        });
      }
      this.slots.sort((one, other) => one.file - other.file || one.part - other.part);
      this.slots.forEach((slot, index) => {
        const there = this.book.children[index];
        if (there !== slot.element) this.book.insertBefore(slot.element, there ?? null);
      });
      this.keepPlace();
      this.#nextFrame();
    }

    // target: {file, start, end?, inset?, isEdge?, highlight?, isQuiet?}
    goTo(target) {
      const slot = this.#slotOf(target.file, target.start);
      if (!slot) return;
      const jump = (this.#jump += 1);
      this.#isLanding = !slot.isLost;
      for (const other of this.slots) other.isPinned = false;
      slot.isPinned = true;
      if (target.highlight) {
        this.cited = [target];
        for (const other of this.#ready()) this.#mark(other);
      }
      slot.mount();
      if (!slot.isReady) {
        this.#anchor = this.#anchorFor(slot, target);
        this.keepPlace();
        this.#update();
      }
      slot.whenReady.then(() => {
        if (jump === this.#jump) this.#land(slot, target);
      });
    }

    setMarked(spans) {
      this.marked = spans;
      for (const slot of this.#ready()) this.#mark(slot);
    }

    clearCited() {
      this.cited = [];
      for (const slot of this.#ready()) this.#mark(slot);
    }

    clearSelection() {
      for (const slot of this.#ready()) slot.frame.contentWindow.getSelection().removeAllRanges();
    }

    page(direction) {
      const step = Math.max(this.axis.length * 0.5, this.axis.length - 64);
      this.axis.scrollTo(this.axis.scroll + direction * step);
    }

    textUnderHighlight() {
      let text = "";
      for (const slot of this.slots) {
        if (!slot.isReady) continue;
        const highlight = slot.frame.contentWindow.CSS.highlights.get(CITED);
        for (const range of highlight ?? []) text += slot.map.textOf(range);
      }
      return text;
    }

    // ---- what slots tell and ask -----------------------------------------------------------

    frameCreated(view) {
      const slot = this.framed.get(view.frameElement);
      if (!slot) return;
      slot.adopt(view);
      this.#listen(view);
      view.document.addEventListener("selectionchange", () => this.#nextFrame(slot));
      for (const kind of ["click", "auxclick"]) {
        view.document.addEventListener(kind, (event) => this.#onClick(event, slot), true);
      }
    }

    variables() {
      const lines = Object.entries(this.settings.colors).map(([role, color]) => `--ibid-${role}: ${color};`);
      const scheme = this.settings.isDark ? "dark" : "light";
      return `:root { --ibid-flash-share: 0; --ibid-vh: ${window.innerHeight / 100}px; color-scheme: ${scheme}; ${lines.join(" ")} }`;
    }

    sizePerCharacter() {
      return this.#learned.used;
    }

    chooseAxis(slot) {
      if (slot.page || this.axis.isSideways) return;
      if (slot.writingMode !== "vertical-rl") {
        this.#hasUpright = true;
      } else if (this.#isRightToLeft || !this.#hasUpright) {
        this.axis.turnSideways();
        for (const other of this.slots) if (other.isReady) other.measure();
        this.keepPlace();
      }
    }

    partReady(slot) {
      if (!slot.page) {
        ibid.tendTables(slot.frame.contentDocument);
        ibid.tendPictures(slot.frame.contentDocument);
      }
      slot.measure();
      if (!slot.page) this.#learn(slot);
      this.#mark(slot);
      this.keepPlace();
      this.#nextFrame();
    }

    partResized(slot) {
      if (!slot.isReady) return;
      if (!slot.page) ibid.tendTables(slot.frame.contentDocument);
      if (slot.measure()) {
        this.keepPlace();
        this.#nextFrame();
      }
    }

    // A part that cannot be had leaves a gap; what stands beside it does not wait for it.
    partFailed(file, part) {
      const slot = this.slots.find((other) => other.file === file && other.part === part);
      if (!slot) return;
      slot.isLost = true;
      if (slot.isPinned) this.#isLanding = slot.isPinned = false;
      slot.unmount();
      slot.setSize(40);
      this.keepPlace();
      this.#nextFrame();
    }

    extentOfSlot(slot) {
      return this.axis.extent(slot.element.getBoundingClientRect());
    }

    // Index of the first slot that ends behind `position`, in pixels of the view.
    slotAt(position) {
      let low = -1;
      let high = this.slots.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.extentOfSlot(this.slots[middle])[1] > position) high = middle;
        else low = middle;
      }
      return Math.max(0, high);
    }

    // ---- the place -------------------------------------------------------------------------

    // Moves the view so that the anchor stands where it stood.
    keepPlace() {
      if (!this.#anchor) return;
      const position = this.#positionOf(this.#anchor);
      const drift = position - this.#anchor.at;
      if (Math.abs(drift) > 0.4) this.axis.scrollTo(this.axis.scroll + drift);
      this.#placed = this.axis.scroll;
    }

    #positionOf(anchor) {
      const { slot } = anchor;
      const [top] = this.extentOfSlot(slot);
      if (anchor.isEdge) return top;
      if (slot.isReady && !slot.page && anchor.share === undefined) {
        if (!anchor.range || anchor.range.startContainer.ownerDocument !== slot.map.doc) {
          anchor.range = slot.map.rangeOf(anchor.offset, anchor.offset + 1);
        }
        return slot.extentOf(anchor.range).first[0];
      }
      const share = anchor.share ?? (anchor.offset - slot.start) / Math.max(1, slot.end - slot.start);
      return top + share * slot.size;
    }

    #anchorFor(slot, target) {
      const isEdge = target.isEdge || (target.end == null && target.inset == null && target.start === slot.start && slot.part === 0) || Boolean(slot.page);
      const edge = isEdge && !slot.page ? HEAD_PX : EDGE_PX;
      const at = target.inset ?? (target.end != null ? this.axis.length / 3 : edge);
      return { slot, offset: target.start, range: null, isEdge, at };
    }

    #land(slot, target) {
      const anchor = this.#anchorFor(slot, target);
      if (target.end != null && !slot.page) {
        anchor.range = slot.map.rangeOf(target.start, Math.min(target.end, slot.end));
        const { first, all } = slot.extentOf(anchor.range);
        const size = all[1] - all[0];
        const third = this.axis.length / 3;
        const start = size <= third ? (this.axis.length - size) / 2 : size <= 2 * third ? third : third / 2;
        anchor.at = start + first[0] - all[0];
      }
      this.#anchor = anchor;
      this.keepPlace();
      // At either end of the book it stands where it can, and stays there as the book grows.
      anchor.at = this.#positionOf(anchor);
      this.#update();
      slot.isPinned = false;
      if (target.highlight) this.#flash();
      this.#afterPaint(() => {
        this.#isLanding = false;
        this.#report();
        this.#nextFrame();
        if (!target.isQuiet) this.bridge?.on_arrived();
      });
    }

    // ---- mounting --------------------------------------------------------------------------

    #update() {
      const { length } = this.axis;
      const visible = this.#between(0, length);
      for (const slot of visible) slot.mount();
      // What is beside the view waits until a jump has been painted.
      if (!this.#isLanding && visible.every((slot) => slot.isReady || slot.isLost)) {
        for (const slot of this.#between(-NEAR * length, (1 + NEAR) * length)) slot.mount();
      }
      for (const slot of this.#mounted()) {
        const [start, end] = this.extentOfSlot(slot);
        const isFar = end < -FAR * length || start > (1 + FAR) * length;
        if (isFar && !slot.isPinned && !this.#holdsSelection(slot)) slot.unmount();
      }
    }

    #between(from, to) {
      const found = [];
      for (let index = this.slotAt(from); index < this.slots.length; index += 1) {
        if (found.length && this.extentOfSlot(this.slots[index])[0] >= to) break;
        found.push(this.slots[index]);
      }
      return found;
    }

    #mounted() {
      return this.slots.filter((slot) => slot.frame);
    }

    #ready() {
      return this.slots.filter((slot) => slot.isReady);
    }

    #slotOf(file, offset) {
      const own = this.slots.filter((slot) => slot.file === file);
      return (
        own.find((slot) => offset < slot.end) ?? own.at(-1) ??
        this.slots.find((slot) => slot.file > file) ?? this.slots.at(-1)
      );
    }

    // Estimates of parts never seen improve with every part that was.
    #learn(slot) {
      this.#learned.size += slot.size - slot.gap;
      this.#learned.characters += slot.end - slot.start;
      const now = this.#learned.size / this.#learned.characters;
      if (Math.abs(now / this.#learned.used - 1) < 0.15) return;
      this.#learned.used = now;
      for (const other of this.slots) if (!other.isMeasured) other.setSize(other.estimate());
    }

    #columnNow() {
      return Math.min(this.axis.breadth * 0.88, 612);
    }

    #onResize() {
      const ratio = this.#column / this.#columnNow();
      this.#column = this.#columnNow();
      this.#learned.size *= ratio;
      this.#learned.used *= ratio;
      for (const slot of this.slots) {
        if (slot.frame) slot.restyle();
        if (slot.isReady) slot.measure();
        else if (slot.page) slot.setSize(slot.estimate());
        else slot.setSize((slot.size - slot.gap) * ratio + slot.gap);
      }
      this.keepPlace();
      this.#nextFrame();
    }

    // ---- marks -----------------------------------------------------------------------------

    #mark(slot) {
      const view = slot.frame.contentWindow;
      this.#draw(slot, view, "ibid-marked", this.marked, 0);
      this.#draw(slot, view, CITED, this.cited, 1);
    }

    #draw(slot, view, name, spans, priority) {
      const ranges = spans
        .filter((span) => span.file === slot.file && span.start < slot.end && slot.start < span.end)
        .map((span) => slot.map.rangeOf(span.start, span.end));
      if (!ranges.length) {
        view.CSS.highlights.delete(name);
        return;
      }
      const highlight = new view.Highlight(...ranges);
      highlight.priority = priority;
      view.CSS.highlights.set(name, highlight);
    }

    #flash() {
      if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      const jump = this.#jump;
      let begun = null;
      const step = (now) => {
        begun ??= now;
        const share = Math.max(0, 1 - (now - begun) / FLASH_MS);
        const isOver = share === 0 || jump !== this.#jump;
        for (const slot of this.#ready()) {
          this.#draw(slot, slot.frame.contentWindow, "ibid-flash", isOver ? [] : this.cited, 2);
          slot.setVariable("--ibid-flash-share", String(Math.round(share * 100)));
        }
        if (!isOver) window.requestAnimationFrame(step);
      };
      window.requestAnimationFrame(step);
    }

    // ---- reports ---------------------------------------------------------------------------

    #selecting = null;

    #nextFrame(selecting = null) {
      this.#selecting = selecting ?? this.#selecting;
      if (this.#frameRequested) return;
      this.#frameRequested = true;
      window.requestAnimationFrame(() => {
        this.#frameRequested = false;
        if (Math.abs(this.axis.scroll - this.#placed) > 1) {
          this.#anchor = ibid.firstVisible(this);
          this.#placed = this.axis.scroll;
        }
        this.#update();
        this.#report();
        if (this.#selecting) this.#reportSelection(this.#selecting);
        this.#selecting = null;
      });
    }

    #afterPaint(act) {
      if (document.hidden) act();
      else window.requestAnimationFrame(() => window.requestAnimationFrame(act));
    }

    #report() {
      const place = ibid.firstVisible(this);
      if (!place || !this.bridge || !place.slot.isReady) return;
      if (this.#anchor?.share !== undefined && place.range) this.#anchor = place;
      const report = [place.slot.file, place.offset, Math.round(place.at * 10) / 10];
      if (String(report) !== this.#reported) {
        this.#reported = String(report);
        this.bridge.on_place(...report);
      }
      if (!this.#isShown) {
        this.#isShown = true;
        this.#afterPaint(() => this.bridge.on_shown());
      }
    }

    #holdsSelection(slot) {
      const selection = slot.isReady ? slot.frame.contentWindow.getSelection() : null;
      return Boolean(selection && !selection.isCollapsed);
    }

    #reportSelection(slot) {
      if (!slot.isReady) return;
      const selection = slot.frame.contentWindow.getSelection();
      if (!selection.rangeCount || selection.isCollapsed) {
        if (!this.slots.some((other) => this.#holdsSelection(other))) this.bridge?.on_selection(-1, 0, 0, "");
        return;
      }
      for (const other of this.#ready()) {
        if (other !== slot) other.frame.contentWindow.getSelection().removeAllRanges();
      }
      const range = selection.getRangeAt(0);
      const text = slot.map.textOf(range);
      const kept = text.trim();
      if (!kept) {
        this.bridge?.on_selection(-1, 0, 0, "");
        return;
      }
      const before = text.length - text.trimStart().length; // white space: one unit, one code point
      const start = slot.map.offsetOf(range.startContainer, range.startOffset) + before;
      this.bridge?.on_selection(slot.file, start, start + ibid.convert(kept, kept.length, false), kept);
    }

    #onClick(event, slot) {
      const link = event.composedPath().find((node) => /^(a|area)$/i.test(node.localName ?? ""));
      const address = link?.getAttribute("href") ?? link?.getAttributeNS("http://www.w3.org/1999/xlink", "href");
      if (address == null) return;
      event.preventDefault();
      const kind = `${link.getAttribute("epub:type") ?? ""} ${link.getAttributeNS("http://www.idpf.org/2007/ops", "type") ?? ""} ${link.getAttribute("role") ?? ""}`;
      const isNote = /(^|\s)(doc-)?noteref(\s|$)/.test(kind);
      let target;
      try {
        target = new URL(address, link.baseURI).href;
      } catch {
        return; // an address that no one can read leads nowhere
      }
      this.bridge?.on_link(slot.file, target, isNote);
    }

    // Keys that move a page work wherever the focus is; sideways text moves with the wheel too.
    #listen(view) {
      const { document: doc } = view;
      doc.addEventListener("wheel", (event) => {
        if (!this.axis.isSideways || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 29 : event.deltaMode === 2 ? this.axis.length : 1;
        this.axis.scrollTo(this.axis.scroll + event.deltaY * unit);
      }, { passive: false });
      doc.addEventListener("keydown", (event) => {
        const isForOther = event.target.closest?.("a, audio, video, summary") && event.key === " ";
        if (isForOther || event.ctrlKey || event.altKey || event.metaKey) return;
        if (this.#move(event.key, event.shiftKey)) event.preventDefault();
      });
    }

    #move(key, isShifted) {
      if (key === "PageDown" || (key === " " && !isShifted)) this.page(1);
      else if (key === "PageUp" || key === " ") this.page(-1);
      else if (this.axis.isSideways && key === "Home") this.axis.scrollTo(0);
      else if (this.axis.isSideways && key === "End") this.axis.scrollTo(Number.MAX_SAFE_INTEGER);
      else return false;
      return true;
    }
  }

  const reader = (ibid.reader = new Reader());
  new QWebChannel(qt.webChannelTransport, (channel) => {
    reader.bridge = channel.objects.bridge;
    reader.bridge.on_ready();
  });
})();
