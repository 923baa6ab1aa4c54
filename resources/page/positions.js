// Places in a document: canonical offsets, in Unicode code points, to points of the live tree and
// back. The rule of what counts as text is that of app/books/canonical.py and nothing else.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});

  const NEVER_TEXT = new Set([
    "script", "style", "template", "rt", "rp", "annotation", "annotation-xml", "audio", "video",
  ]);
  const NEVER_TEXT_IN_SVG = new Set(["title", "desc", "metadata"]);
  const SVG = "http://www.w3.org/2000/svg";
  const NOT_SHOWN = /(?:^|;)\s*display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|$)/i;
  const SURROGATE = /[\ud800-\udfff]/;

  function isLeftOut(element) {
    const name = element.localName.toLowerCase();
    return (
      NEVER_TEXT.has(name) ||
      element.hasAttribute("hidden") ||
      (element.namespaceURI === SVG && NEVER_TEXT_IN_SVG.has(name)) ||
      NOT_SHOWN.test(element.getAttribute("style") ?? "")
    );
  }

  // The only place where code points meet UTF-16 units: converts a distance from the start of
  // `text`, from code points to units if `toUnits`, else from units to code points.
  function convert(text, distance, toUnits) {
    if (!SURROGATE.test(text)) return Math.min(distance, text.length);
    let units = 0;
    let points = 0;
    while (units < text.length && (toUnits ? points : units) < distance) {
      units += text.codePointAt(units) > 0xffff ? 2 : 1;
      points += 1;
    }
    return toUnits ? units : points;
  }

  const lengthOf = (node) => convert(node.data, node.data.length, false);

  // Offsets of one part of a document. `start` is the offset of the part's first character.
  class TextMap {
    constructor(doc, start, end) {
      this.doc = doc;
      this.start = start;
      this.end = end;
      this.marks = [...doc.querySelectorAll("body [data-o]")].filter((mark) => !this.isOutside(mark));
      this.offsets = this.marks.map((mark) => Number(mark.dataset?.o ?? mark.getAttribute("data-o")));
    }

    isOutside(element) {
      for (let at = element; at && at !== this.doc.body; at = at.parentElement) {
        if (isLeftOut(at)) return true;
      }
      return false;
    }

    // Walks the text nodes that count, from the element `from` on through the document.
    walker(from) {
      const walker = this.doc.createTreeWalker(
        this.doc.body ?? this.doc.documentElement,
        NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION,
        (node) => {
          if (node.nodeType !== Node.ELEMENT_NODE) return NodeFilter.FILTER_ACCEPT;
          return isLeftOut(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
        },
      );
      if (from) walker.currentNode = from;
      return walker;
    }

    // Index of the last mark for which `isBefore(index)` holds; -1 where none does.
    lastMark(isBefore) {
      let low = -1;
      let high = this.marks.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (isBefore(middle)) low = middle;
        else high = middle;
      }
      return low;
    }

    startOfWalk(index) {
      return index < 0
        ? [this.walker(null), this.start]
        : [this.walker(this.marks[index]), this.offsets[index]];
    }

    // The point before the character at `offset`; for an end, behind the character before it.
    pointAt(offset, isEnd) {
      const last = isEnd ? offset - 1 : offset;
      let [walker, at] = this.startOfWalk(this.lastMark((index) => this.offsets[index] <= last));
      let node = null;
      for (let next = walker.nextNode(); next; next = walker.nextNode()) {
        node = next;
        const length = lengthOf(node);
        if (at + length > last) return [node, convert(node.data, offset - at, true)];
        at += length;
      }
      if (node) return [node, node.data.length];
      const body = this.doc.body ?? this.doc.documentElement;
      return [body, offset <= this.start ? 0 : body.childNodes.length];
    }

    rangeOf(start, end) {
      const range = this.doc.createRange();
      range.setStart(...this.pointAt(Math.max(start, this.start), false));
      range.setEnd(...this.pointAt(Math.min(end, this.end), true));
      return range;
    }

    // The offset of a boundary point of the tree.
    offsetOf(node, unit) {
      const point = this.doc.createRange();
      point.setStart(node, unit);
      const isBefore = (index) => point.comparePoint(this.marks[index], 0) <= 0;
      let [walker, at] = this.startOfWalk(this.lastMark(isBefore));
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        if (text === node) return at + convert(text.data, unit, false);
        if (point.comparePoint(text, 0) >= 0) break;
        at += lengthOf(text);
      }
      return at;
    }

    // The canonical text that a live range covers, by the same rule (ruby and fallbacks left out).
    textOf(range) {
      const isBefore = (index) => range.comparePoint(this.marks[index], 0) < 0;
      const [walker] = this.startOfWalk(this.lastMark(isBefore));
      let text = "";
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (range.comparePoint(node, 0) > 0) break;
        if (!range.intersectsNode(node)) continue;
        const from = node === range.startContainer ? range.startOffset : 0;
        const to = node === range.endContainer ? range.endOffset : node.data.length;
        text += node.data.slice(from, to);
      }
      return text;
    }
  }

  Object.assign(ibid, { TextMap, convert });
})();
