// What cannot be read on a page: texts that lie over each other, and texts that are cut off. A browser reports neither as an error, and axe looks for neither.

/** Runs in the page. A text node is a text; where it is seen is its boxes, less what its ancestors clip. */
function unreadable() {
  /** The editor draws its text twice, the second time without ink, and scrolls its line numbers by hand. */
  const LEFT_OUT = '.marks, .gutter';
  /** Boxes of letters are higher than their ink, and borders are a pixel. */
  const [SLACK, SHARE] = [2, 0.35];

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const width = (box) => box.right - box.left;
  const height = (box) => box.bottom - box.top;

  /** The inside of an element, where what it clips is seen. */
  const inside = (element) => {
    const box = element.getBoundingClientRect();
    if (element instanceof SVGElement) return box;
    const left = box.left + element.clientLeft;
    const top = box.top + element.clientTop;
    return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
  };
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(LEFT_OUT) && !element.closest('.hidden, .skip');

  /** What is left of a box behind everything that clips it; `isCut` if the rest cannot be scrolled to. */
  const clip = (box, element) => {
    let seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
    let isCut = false;
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY } = styleOf(up);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const room = inside(up);
      const isBeyond = (low, high) => low > SLACK || high > SLACK;
      const stops = (overflow) => overflow === 'hidden' || overflow === 'clip';
      isCut ||= stops(overflowX) && isBeyond(room.left - seen.left, seen.right - room.right);
      isCut ||= stops(overflowY) && isBeyond(room.top - seen.top, seen.bottom - room.bottom);
      seen = meet(seen, room);
      if (width(seen) <= 0 || height(seen) <= 0) return { seen: null, isCut };
    }
    return { seen, isCut };
  };

  /** How much a surface hides: the last number of a colour with four, or all of it. */
  const opacity = (colour) => {
    const alpha = /(?:\/|,[^,]+,[^,]+,)\s*([\d.]+)\)$/.exec(colour);
    return alpha ? Number(alpha[1]) : 1;
  };
  /** Does it stand on a surface of its own that lies over the other, such as a message over a board? */
  const hides = (element, other) => {
    let [isLifted, isOpaque] = [false, false];
    for (let up = element; up && !up.contains(other); up = up.parentElement) {
      const { position, backgroundColor } = styleOf(up);
      isLifted ||= position === 'absolute' || position === 'fixed';
      isOpaque ||= opacity(backgroundColor) > 0.9;
    }
    return isLifted && isOpaque;
  };

  const texts = [];
  const found = new Set();
  const named = (node) => node.data.trim().replace(/\s+/g, ' ').slice(0, 60);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element || ['SCRIPT', 'STYLE', 'OPTION', 'TITLE', 'TEXTAREA', 'CANVAS'].includes(element.tagName.toUpperCase()) || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (width(box) < 1 || height(box) < 1) continue;
      const { seen, isCut } = clip(box, element);
      if (isCut) found.add(`cut: "${named(node)}"`);
      if (seen) texts.push({ node, seen });
    }
  }
  texts.sort((a, b) => a.seen.top - b.seen.top);
  for (const [i, a] of texts.entries()) {
    for (let j = i + 1; j < texts.length && texts[j].seen.top < a.seen.bottom; j += 1) {
      const b = texts[j];
      if (a.node === b.node) continue;
      const both = meet(a.seen, b.seen);
      if (width(both) <= SLACK || height(both) <= SHARE * Math.min(height(a.seen), height(b.seen))) continue;
      const [above, below] = [a.node.parentElement, b.node.parentElement];
      if (!hides(above, below) && !hides(below, above)) found.add(`over each other: "${named(a.node)}" and "${named(b.node)}"`);
    }
  }

  // What stands in a field is no text node: a placeholder or the chosen option has to be measured.
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll('input, select')) {
    const text = field.tagName === 'SELECT' ? field.selectedOptions[0]?.text : field.value ? '' : field.placeholder;
    if (!text || !isSeen(field)) continue;
    const style = styleOf(field);
    pen.font = style.font;
    const arrow = field.tagName === 'SELECT' ? 16 : 0;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    if (pen.measureText(text).width > room + SLACK) found.add(`cut in its field: "${text}"`);
  }
  return [...found];
}

/** What cannot be read on the page as it stands, a line each. */
export function unreadableTexts(page) {
  return page.evaluate(unreadable);
}
