// The page's script: paints the link-load pictures and names the link under the pointer.
#include "report/html.hpp"

namespace spineweave::report {

std::string_view page_script() {
  return R"js("use strict";
const hole = 0xffff, dead = 0xfffe;
// Blue up to a full link, ever redder above it: lightness alone tells the order, and blue from orange is
// told apart with every kind of colour vision.
const palettes = {
  light: { within: ["#eef1f5", "#cfe0f1", "#93c0e4", "#4f95d0", "#1f65b0"], over: ["#fcb45f", "#f4763b", "#cf2f22", "#7a0410"] },
  dark: { within: ["#202833", "#22415f", "#28659c", "#3f8ed6", "#7cc0ff"], over: ["#f7c548", "#fb9240", "#ff5b4d", "#ffb0c4"] },
};
const dark = matchMedia("(prefers-color-scheme: dark)");

function decode(text, bytesEach) {
  const raw = atob(text), values = new Uint32Array(raw.length / bytesEach);
  for (let i = 0; i < raw.length; i++) values[Math.floor(i / bytesEach)] += raw.charCodeAt(i) * 256 ** (i % bytesEach);
  return values;
}

function blend(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1), first = Math.min(Math.floor(place), stops.length - 2);
  const part = place - first;
  const channel = (stop, c) => parseInt(stops[stop].slice(1 + 2 * c, 3 + 2 * c), 16);
  return "rgb(" + [0, 1, 2].map(c => Math.round(channel(first, c) * (1 - part) + channel(first + 1, c) * part)).join() + ")";
}

function colorOf(load) {
  const palette = dark.matches ? palettes.dark : palettes.light;
  if (load <= 1) return blend(palette.within, load);
  // From just above full to the fullest link of the page, or to twice full.
  return blend(palette.over, Math.log(load) / Math.log(Math.max(linkLoads.fullest, 2)));
}

const deadColor = () => getComputedStyle(document.documentElement).getPropertyValue("--dead").trim();

function cellSize(picture, canvas) {
  if (canvas.closest(".strips")) return [Math.max(1, Math.min(28, Math.floor(1000 / picture.columns))), 44];
  const width = picture.columns <= 64 ? 256 : 528;
  const w = Math.max(1, Math.min(22, Math.floor(width / picture.columns)));
  return [w, Math.max(1, Math.min(22, Math.floor(520 / picture.rows), 3 * w))];
}

function paintDead(context, x, y, w, h) {
  context.fillStyle = context.strokeStyle = deadColor();
  if (w < 5 || h < 5) return context.fillRect(x, y, w, h);
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.globalAlpha = 0.35;
  context.fillRect(x, y, w, h);
  context.globalAlpha = 1;
  for (let d = -h; d < w; d += 4) {
    context.beginPath();
    context.moveTo(x + d, y + h);
    context.lineTo(x + d + h, y);
    context.stroke();
  }
  context.restore();
}

function paint(canvas) {
  const picture = linkLoads.pictures[canvas.dataset.picture], [w, h] = cellSize(picture, canvas);
  const scale = devicePixelRatio || 1;
  canvas.style.width = w * picture.columns + "px";
  canvas.style.height = h * picture.rows + "px";
  canvas.width = Math.round(w * picture.columns * scale);
  canvas.height = Math.round(h * picture.rows * scale);
  const context = canvas.getContext("2d"), gap = w >= 5 && h >= 5 ? 1 : 0;
  context.scale(scale, scale);
  for (let i = 0; i < picture.load.length; i++) {
    const load = picture.load[i], x = i % picture.columns * w, y = Math.floor(i / picture.columns) * h;
    if (load === hole) continue;
    if (load === dead) { paintDead(context, x, y, w - gap, h - gap); continue; }
    context.fillStyle = colorOf(load / 1000);
    context.fillRect(x, y, w - gap, h - gap);
  }
}

function describe(picture, cell) {
  const load = picture.load[cell];
  if (load === hole) return "no cable here";
  const parallel = picture.parallelOf[cell];
  const name = linkLoads.names[picture.fromOf[cell]] + " → " + linkLoads.names[picture.toOf[cell]] + (parallel ? "#" + parallel : "");
  if (load === dead) return name + "\ndown";
  const flows = picture.flowsOf[cell];
  return name + "\n" + (load / 10).toFixed(1) + " % demand, " + flows + (flows === 1 ? " flow" : " flows") +
    (picture.block > 1 ? "\nthe fullest of up to " + picture.block + " links" : "");
}

function followPointer(canvas) {
  const picture = linkLoads.pictures[canvas.dataset.picture], tip = document.getElementById("tip");
  canvas.addEventListener("pointermove", event => {
    const box = canvas.getBoundingClientRect();
    const column = Math.min(picture.columns - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * picture.columns)));
    const row = Math.min(picture.rows - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * picture.rows)));
    tip.textContent = describe(picture, row * picture.columns + column);
    tip.style.display = "block";
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
  });
  canvas.addEventListener("pointerleave", () => { tip.style.display = "none"; });
}

function paintLegend() {
  const legend = document.getElementById("legend"), top = Math.max(linkLoads.fullest, 2);
  legend.textContent = "";
  const add = (background, text, apart) => {
    const item = document.createElement("span"), swatch = document.createElement("i");
    swatch.style.background = background;
    item.append(swatch, text);
    if (apart) item.className = "apart";
    legend.append(item);
  };
  for (const percent of [0, 25, 50, 75, 100]) add(colorOf(percent / 100), percent ? percent + " %" : "idle");
  if (linkLoads.fullest > 1.0005) {
    const steps = [1.01, 1.5, 2, 3, 4, 5, 8, 12, 20, 50, 100].filter(step => step < top * 0.95);
    for (const step of [...steps, top]) add(colorOf(step), step === 1.01 ? "> 100 %" : Math.round(step * 100) + " %", step === 1.01);
  }
  if (linkLoads.pictures.some(picture => picture.load.includes(dead)))
    add("repeating-linear-gradient(135deg, var(--dead) 0 2px, transparent 2px 4px)", "down", true);
}

for (const picture of linkLoads.pictures) {
  picture.load = decode(picture.utilisation, 2);
  picture.flowsOf = decode(picture.flows, 2);
  picture.fromOf = decode(picture.from, 4);
  picture.toOf = decode(picture.to, 4);
  picture.parallelOf = decode(picture.parallel, 1);
}
function paintAll() {
  paintLegend();
  document.querySelectorAll("canvas").forEach(paint);
}
document.querySelectorAll("canvas").forEach(followPointer);
dark.addEventListener("change", paintAll);
paintAll();
)js";
}

}  // namespace spineweave::report
