// The direction in which a book flows: down, or sideways from right to left for vertical text.
// Everything else speaks of start, end and length along it, in pixels of the view.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});
  const root = document.documentElement;

  class Axis {
    isSideways = false;

    turnSideways() {
      this.isSideways = true;
      root.dataset.axis = "x";
    }

    turnUpright() {
      this.isSideways = false;
      delete root.dataset.axis;
    }

    get length() {
      return this.isSideways ? root.clientWidth : root.clientHeight;
    }

    get breadth() {
      return this.isSideways ? root.clientHeight : root.clientWidth;
    }

    get scroll() {
      return this.isSideways ? -window.scrollX : window.scrollY;
    }

    scrollTo(position) {
      if (this.isSideways) window.scrollTo({ left: -position, behavior: "instant" });
      else window.scrollTo({ top: position, behavior: "instant" });
    }

    // [start, end] of a rectangle in the coordinates of the view.
    extent(rect) {
      return this.isSideways
        ? [root.clientWidth - rect.right, root.clientWidth - rect.left]
        : [rect.top, rect.bottom];
    }
  }

  Object.assign(ibid, { Axis });
})();
