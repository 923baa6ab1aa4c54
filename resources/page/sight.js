// What is at the leading edge of the view: the first character whose line is wholly visible.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});
  const TOLERANCE_PX = 2; // rounding of scroll positions to whole device pixels

  // Returns {slot, offset, range, at} or null for a flow without slots. `range` is null where the
  // slot is not ready or has no text from here on; `at` is the distance from the edge in pixels.
  function firstVisible(reader) {
    const { slots } = reader;
    const first = reader.slotAt(0);
    for (let index = first; index < slots.length; index += 1) {
      const slot = slots[index];
      const [top, end] = reader.extentOfSlot(slot);
      if (top > reader.axis.length) break;
      if (end - slot.gap <= 0) continue; // only the space behind it is in view
      if (slot.page) {
        // A strip of the page before is not what the reader looks at.
        if (end > reader.axis.length / 4 || index + 1 === slots.length) return inUnknown(slot, top);
      } else if (!slot.isReady) {
        return inUnknown(slot, top);
      } else {
        const found = firstInSlot(slot, reader.axis);
        if (found && found.at < reader.axis.length) return found;
      }
    }
    // Nothing but pictures: the place is that of the document which holds the first of them.
    return slots.length ? inUnknown(slots[first], reader.extentOfSlot(slots[first])[0]) : null;
  }

  // A place in a slot of which only the size is known.
  function inUnknown(slot, top) {
    const share = slot.size > 0 ? Math.min(1, Math.max(0, -top / slot.size)) : 0;
    const length = Math.max(0, slot.end - slot.start - 1);
    const offset = slot.page ? slot.start : slot.start + Math.floor(share * length);
    return { slot, offset, range: null, at: top + share * slot.size, share };
  }

  function firstInSlot(slot, axis) {
    const { map } = slot;
    const startOf = (element) => axis.extent(slot.toView(element.getBoundingClientRect()))[0];
    const above = map.lastMark((index) => startOf(map.marks[index]) < -TOLERANCE_PX);
    const walker = map.walker(map.marks[Math.max(0, above)] ?? null);
    const range = map.doc.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      range.selectNodeContents(node);
      const rects = range.getClientRects();
      if (!rects.length) continue;
      const [start] = axis.extent(slot.toView(rects[rects.length - 1]));
      if (start < -TOLERANCE_PX) continue;
      const unit = firstUnit(slot, axis, range, node);
      if (unit === null) continue;
      range.setStart(node, unit);
      range.setEnd(node, unit + (node.data.codePointAt(unit) > 0xffff ? 2 : 1));
      return { slot, offset: map.offsetOf(node, unit), range, at: slot.extentOf(range).first[0] };
    }
    return null;
  }

  // The first unit of a text node whose line starts inside the view; lines follow one another, so
  // the search halves.
  function firstUnit(slot, axis, range, node) {
    const isInside = (unit) => {
      for (let at = unit; at < node.data.length; at += 1) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const rects = range.getClientRects();
        if (!rects.length || !(rects[0].width || rects[0].height)) continue;
        return axis.extent(slot.toView(rects[0]))[0] >= -TOLERANCE_PX;
      }
      return true;
    };
    let low = -1;
    let high = node.data.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isInside(middle)) high = middle;
      else low = middle;
    }
    if (high >= node.data.length) return null;
    const isLowSurrogate = /[\udc00-\udfff]/.test(node.data[high]);
    return isLowSurrogate && high > 0 ? high - 1 : high;
  }

  Object.assign(ibid, { firstVisible });
})();
