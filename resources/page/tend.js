// What a style sheet cannot know of a book: tables too wide or too tight, drawings in black ink that a
// dark page would swallow. Says so in attributes; text and structure are never touched.
"use strict";
(() => {
  const ibid = (window.ibid ??= {});
  const SAMPLE_PX = 24; // a picture is judged by a copy of this size
  const CLEAR_SHARE = 0.3; // of a drawing's pixels, at least, show the paper
  const INK_LUMINANCE = 90; // of 255; ink is darker on average

  // A table wider than the column scrolls by itself; cells that touch (style sheets that reset
  // everything to nothing) are set apart.
  function tendTables(doc) {
    const room = doc.body?.clientWidth ?? 0;
    for (const table of doc.body?.getElementsByTagName("table") ?? []) {
      const cell = table.querySelector("tr > :nth-child(2)");
      if (cell) {
        const style = doc.defaultView.getComputedStyle(cell);
        const between = style.borderCollapse === "separate" ? parseFloat(style.borderSpacing) : 0;
        const inside = parseFloat(style.paddingInlineStart) + parseFloat(style.borderInlineStartWidth);
        if (between + inside === 0) table.setAttribute("data-ibid-tight", "");
      }
      if (table.offsetWidth > room + 1) table.setAttribute("data-ibid-wide", "");
    }
  }

  function tendPictures(doc) {
    for (const picture of doc.images) {
      if (picture.complete) judge(picture);
      else picture.addEventListener("load", () => judge(picture), { once: true });
    }
  }

  function judge(picture) {
    if (!picture.naturalWidth || picture.hasAttribute("data-ibid-ink")) return;
    const canvas = new OffscreenCanvas(SAMPLE_PX, SAMPLE_PX);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0, SAMPLE_PX, SAMPLE_PX);
    const { data } = context.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX);
    let clear = 0;
    let weight = 0;
    let light = 0;
    for (let at = 0; at < data.length; at += 4) {
      const alpha = data[at + 3];
      if (alpha < 64) clear += 1;
      weight += alpha;
      light += alpha * (0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]);
    }
    const isDrawing = clear >= CLEAR_SHARE * SAMPLE_PX * SAMPLE_PX && weight > 0;
    if (isDrawing && light / weight < INK_LUMINANCE) picture.setAttribute("data-ibid-ink", "");
  }

  Object.assign(ibid, { tendPictures, tendTables });
})();
