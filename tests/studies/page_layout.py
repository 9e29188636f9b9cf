"""Where the parts of a page are, as a browser has laid them out: what is cut, covered or too small."""

from __future__ import annotations

# Text outside of pictures that a reader at this width cannot see whole. What is wider than the page has to be
# in a part that scrolls.
CUT = """
const cut = [];
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const node = words.currentNode, element = node.parentElement;
  if (!node.data.trim() || !element.checkVisibility()) continue;
  if (element.closest('svg, script, style, .unseen, .skip')) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const scrolls = element.closest('.wide, pre');
  for (const box of range.getClientRects()) {
    const outside = box.left < -1 || box.right > document.documentElement.clientWidth + 1;
    if (box.width && outside && !scrolls) cut.push([node.data.trim().slice(0, 60), box.left, box.right]);
  }
  for (let e = element; e && e !== document.body; e = e.parentElement) {
    const look = getComputedStyle(e);
    const hidden = look.overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 1;
    if (hidden) cut.push([node.data.trim().slice(0, 60), 'hidden by', e.tagName]);
  }
}
return cut;
"""

# Pairs of words that cover each other, in the page and inside each picture.
COVERED = """
const boxes = [];
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const node = words.currentNode, element = node.parentElement;
  if (!node.data.trim() || !element.checkVisibility()) continue;
  if (element.closest('script, style, .unseen, .skip, nav, .track .off')) continue;
  const svg = element.closest('svg');
  const range = document.createRange();
  range.selectNodeContents(node);
  const rects = svg ? [element.getBoundingClientRect()] : [...range.getClientRects()];
  const home = element.closest('.wide, pre');
  const frame = home ? home.getBoundingClientRect() : null;
  for (const {left, right, top, bottom} of rects) {
    // Only what can be seen of a part that scrolls.
    const box = {left: Math.max(left, frame ? frame.left : left),
      right: Math.min(right, frame ? frame.right : right), top, bottom, height: bottom - top};
    if (box.right - box.left > 1) boxes.push({text: node.data.trim().slice(0, 40), svg, box});
  }
}
boxes.sort((a, b) => a.box.top - b.box.top);
const covered = [];
boxes.forEach((one, i) => {
  // Lines of text are as high as their line spacing: letters that are not there do not cover anything.
  const slack = one.svg ? 0.3 : 0.35;
  for (let j = i + 1; j < boxes.length && boxes[j].box.top < one.box.bottom; j++) {
    const other = boxes[j];
    if (one.svg !== other.svg) continue;
    const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    if (high > slack * Math.min(one.box.height, other.box.height) && wide > 2)
      covered.push([one.text, other.text, wide, high]);
  }
});
return covered;
"""

# Text of pictures that sticks out of them, or is written smaller than a number of pixels.
IN_PICTURES = """
const least = arguments[0];
return [...document.querySelectorAll('.draw > svg')].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const scale = frame.width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll('text')].filter(text => text.textContent.trim()).flatMap(text => {
    const box = text.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(text).fontSize) * scale;
    const out = box.left < frame.left - 3 || box.right > frame.right + 3
      || box.top < frame.top - 3 || box.bottom > frame.bottom + 3;
    const small = size < least;
    return out || small ? [[svg.ariaLabel, text.textContent, out ? 'outside' : 'small', size]] : [];
  });
});
"""

# Whether parts that are wider than their place say that they scroll, and only those.
HINTS = """
return [...document.querySelectorAll('.wide')].filter(e => e.checkVisibility()).filter(e =>
  (e.scrollWidth > e.clientWidth + 1) !== e.classList.contains('scrolls')).map(e => e.ariaLabel);
"""
