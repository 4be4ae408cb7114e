// What the browser test asks a page. Evaluates to an object of functions.
({
  // Every text that can be seen, with the ratio of its contrast to what lies behind it and its size
  // on the screen.
  texts() {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = channels(color).map((v) => {
        v /= 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const opaque = (color) => color !== "transparent" && (channels(color)[3] ?? 1) === 1;
    const behind = (element) => {
      const drawn = element.closest("g")?.querySelector("rect");
      if (drawn) return getComputedStyle(drawn).fill;
      for (let e = element; e; e = e.parentElement) {
        const color = getComputedStyle(e).backgroundColor;
        if (opaque(color)) return color;
      }
      return "rgb(255, 255, 255)";
    };
    const out = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const words = walker.currentNode.textContent.trim();
      if (!words || element.closest("title, script, .unseen, .skip") || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const svg = element.closest("svg");
      const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
      const [a, b] = [luminance(svg ? style.fill : style.color), luminance(behind(element))];
      out.push({
        words: words.slice(0, 60),
        ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
        pixels: parseFloat(style.fontSize) * scale,
      });
    }
    return out;
  },

  // What sticks out of the page to the right, unless it lies in a box that scrolls by itself.
  wider(width) {
    const out = [];
    for (const e of document.querySelectorAll("body *")) {
      if (e.closest(".scroll, pre, .unseen, .skip") || !e.checkVisibility()) continue;
      if (e.closest("thead") && getComputedStyle(e.closest("thead")).position === "absolute") continue;
      const box = e.getBoundingClientRect();
      if (box.width > 0 && box.right > width + 0.5) out.push(`${e.tagName}.${e.className} ${box.right}`);
    }
    return out;
  },

  // Where the keyboard is, and whether that can be seen.
  focus() {
    const e = document.activeElement;
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    return {
      name: `${e.tagName} ${e.id || e.textContent.trim().slice(0, 40)}`,
      outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
      shown: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  },

  // Everything that the keyboard should reach, in order.
  stops() {
    return [...document.querySelectorAll("a[href], button, summary, [tabindex='0']")]
      .filter((e) => e.checkVisibility())
      .map((e) => `${e.tagName} ${e.id || e.textContent.trim().slice(0, 40)}`);
  },
})
