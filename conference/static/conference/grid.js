// What the grid gains from script: heads that follow sideways, now, arrow keys, the whole of a cut title, and
// as much paper as many rooms need.

// As much as an outline takes.
const FOCUS_ROOM = 6;

const isRunning = (block, now) => {
  if (block.matches(".is-break, .is-cancelled")) return false;
  const [start, end] = [...block.querySelectorAll(".range time")].map((time) => Date.parse(time.dateTime));
  return start <= now && now < end;
};

const showRunning = (block, now) => {
  const running = isRunning(block, now);
  if (running === block.classList.contains("is-running")) return;
  block.classList.toggle("is-running", running);
  block.querySelector(".now-mark")?.remove();
  if (!running) return;
  const mark = document.createElement("strong");
  mark.className = "now-mark";
  mark.append(document.createElement("span"), " ");
  mark.firstChild.textContent = block.closest(".plan").dataset.now;
  block.querySelector(".range").after(" ", mark);
};

// Between two marks of the axis time runs evenly, in open stretches and in folds.
const findPlace = (plan, now) => {
  const marks = [...plan.querySelectorAll(".mark")].map((mark) => ({
    time: Date.parse(mark.firstElementChild.dateTime),
    at: Number(mark.style.getPropertyValue("--at")),
    above: Number(mark.style.getPropertyValue("--above")),
  }));
  const next = marks.findIndex(({ time }) => time > now);
  if (next < 1) return null;
  const [before, after] = [marks[next - 1], marks[next]];
  const part = (now - before.time) / (after.time - before.time);
  const between = (name) => before[name] + part * (after[name] - before[name]);
  return { at: between("at"), above: between("above") };
};

const makeLine = (plan) => {
  const line = document.createElement("div");
  line.className = "now-line";
  line.setAttribute("aria-hidden", "true");
  line.append(document.createElement("time"));
  plan.append(line);
  return line;
};

const drawLine = (plan, now) => {
  const place = findPlace(plan, now);
  const drawn = plan.querySelector(".now-line");
  if (!place) {
    drawn?.remove();
    return;
  }
  const line = drawn ?? makeLine(plan);
  const format = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: plan.dataset.zone };
  line.firstChild.textContent = new Intl.DateTimeFormat("en-GB", format).format(now);
  for (const name of ["at", "above"]) line.style.setProperty(`--${name}`, place[name]);
};

const drawNow = () => {
  const now = Date.now();
  for (const plan of document.querySelectorAll(".plan")) {
    drawLine(plan, now);
    for (const mark of plan.querySelectorAll(".mark")) {
      const distance = Math.abs(Date.parse(mark.firstElementChild.dateTime) - now);
      mark.classList.toggle("is-beside-now", distance < 4 * 60_000);
    }
    for (const block of plan.querySelectorAll(".block")) showRunning(block, now);
  }
};

// Heads and plan scroll as one, whichever of them is moved.
const paired = new WeakSet();
const pairScrollers = (day) => {
  if (paired.has(day)) return;
  paired.add(day);
  const pair = [day.querySelector(".heads"), day.querySelector(".scroller")];
  // What was moved from here answers with an event of its own, late: it must not move the first back.
  let answering = null;
  for (const [one, other] of [pair, [...pair].reverse()]) {
    one.addEventListener("scroll", () => {
      if (answering === one) {
        answering = null;
        return;
      }
      const before = other.scrollLeft;
      other.scrollLeft = one.scrollLeft;
      if (other.scrollLeft !== before) answering = other;
    }, { passive: true });
  }
};
const pairAll = () => document.querySelectorAll(".grid-day").forEach(pairScrollers);
pairAll();
// An answer to a filter brings days and blocks that have no marks yet.
document.addEventListener("plenary:updated", () => {
  pairAll();
  drawNow();
});

// Up and down in time within a room, left and right to what runs beside it in the nearest room.
const findNeighbour = (block, key) => {
  const here = block.getBoundingClientRect();
  const vertical = key === "ArrowUp" || key === "ArrowDown";
  const [near, far, from, to] = vertical ? ["top", "bottom", "left", "right"] : ["left", "right", "top", "bottom"];
  const sign = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  const distance = (box) => (sign > 0 ? box[near] - here[far] : here[near] - box[far]);
  const others = [...block.closest(".plan").querySelectorAll(".block")]
    .filter((other) => other !== block)
    .map((other) => ({ other, box: other.getBoundingClientRect() }))
    .filter(({ box }) => distance(box) > -2 && box[from] < here[to] - 2 && here[from] < box[to] - 2);
  others.sort((a, b) => distance(a.box) - distance(b.box) || a.box[from] - b.box[from]);
  return others[0]?.other;
};

document.addEventListener("keydown", (event) => {
  const block = event.target.closest?.(".block");
  if (!block || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = findNeighbour(block, event.key)?.querySelector("a");
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// A block that has focus stands whole in sight, beside the axis and not under it; a wide one says its name anywhere.
document.addEventListener("focusin", ({ target }) => {
  const block = target.closest(".block:not(.is-wide, .is-in-fold)");
  if (!block || !target.matches(":focus-visible")) return;
  const scroller = block.closest(".scroller");
  const [window, axis, box] = [scroller, scroller.querySelector(".axis-ground"), block].map((item) => item.getBoundingClientRect());
  const isAxisLeft = axis.left < window.left + 1;
  const [left, right] = isAxisLeft ? [axis.right, window.right] : [window.left, axis.left];
  if (box.left < left) scroller.scrollBy({ left: box.left - left - FOCUS_ROOM });
  else if (box.right > right) scroller.scrollBy({ left: Math.min(box.right - right, box.left - left) + FOCUS_ROOM });
});

document.addEventListener("pointerover", ({ target }) => {
  const link = target.closest?.(".block > a");
  if (!link || link.title) return;
  const isCut = (part) => part && (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1);
  const title = link.querySelector(".title");
  if (isCut(title) || isCut(link.querySelector(".text"))) link.title = title.textContent;
});

drawNow();
setInterval(drawNow, 15_000);

// Paper: a day whose titles would not fit on one page is laid out on several, each with the axis and the heads of its
// rooms. Without script it is one page a day; fewer rooms, chosen in the page, then leave more room.

// In points: what the style sheet leaves for the plan, the height of a line, and the widths of a letter (with what
// words leave free at the ends of lines) and a badge.
const PAPER = { width: 742, height: 455, line: 6.4, letter: 3.1, badge: 18 };
// How many rooms and pages of hours are tried; as few pages as hold every title are taken.
const ROOMS = [10, 8, 7, 6, 5, 4, 3, 2, 1];
const STRETCHES = [1, 2, 3];
// The least width of a session beside others, in that of a room.
const WIDTH_OF_LANE = 0.75;

// From so many minutes on, the axis has no room for words at every quarter.
const LONG = 720;

const read = (item, name) => Number(item.style.getPropertyValue(`--${name}`));
const write = (item, values) => {
  for (const [name, value] of Object.entries(values)) item.style.setProperty(`--${name}`, value);
};
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// A place on the axis: minutes of open time and lines of folds. Both only grow as time passes, and so does their sum.
const findStart = (item) => ({ at: read(item, "at"), above: read(item, "above") });
const findEnd = (item) => ({ at: read(item, "at") + read(item, "for"), above: read(item, "above") + read(item, "lines") });
const order = ({ at, above }) => at + above;

/** The widths of a day's columns, in that of an ordinary one. */
const weigh = (day) => {
  const weights = [...day.querySelectorAll(".head-row li")].map(() => 1);
  for (const block of day.querySelectorAll(".block:not(.is-wide, .is-in-fold)")) {
    const column = read(block, "column");
    weights[column] = Math.max(weights[column], read(block, "lanes") * WIDTH_OF_LANE);
  }
  return weights;
};

/** Part columns of these widths into pages of about `most`: [{from, to, weights}], filled as evenly as may be. */
const partRooms = (weights, most) => {
  const share = sum(weights) / Math.ceil(sum(weights) / most);
  const parts = [];
  let filled = 0;
  weights.forEach((weight, column) => {
    const part = parts.at(-1);
    // What is half over the edge begins the next page.
    if (!part || filled + weight / 2 > share * parts.length) parts.push({ from: column, to: column + 1, weights: [weight] });
    else Object.assign(part, { to: column + 1, weights: [...part.weights, weight] });
    filled += weight;
  });
  return parts;
};

/** Part a day into `count` stretches [start, end], cut at the strong marks near even shares that the fewest cross. */
const partTime = (day, count) => {
  const end = { at: read(day, "for"), above: read(day, "lines") };
  const blocks = [...day.querySelectorAll(".block")].map((block) => [order(findStart(block)), order(findEnd(block))]);
  const marks = [...day.querySelectorAll(".mark.is-strong")].map(findStart);
  const parts = [];
  let start = { at: 0, above: 0 };
  for (let number = 1; number < count; number += 1) {
    const even = (end.at * number) / count;
    const countCrossing = (mark) => blocks.filter(([from, to]) => from < order(mark) && order(mark) < to).length;
    const near = marks
      .filter((mark) => mark.at > start.at && mark.at < end.at && Math.abs(mark.at - even) <= 90)
      .sort((a, b) => countCrossing(a) - countCrossing(b) || Math.abs(a.at - even) - Math.abs(b.at - even));
    if (!near.length) continue;
    parts.push([start, near[0]]);
    [start] = near;
  }
  return [...parts, [start, end]];
};

/** Whether every title has the lines it takes, as far as one can tell without setting it. */
const isLegible = (blocks, rooms, stretches) => blocks.every((block) => {
  const part = rooms.find(({ to }) => block.column < to);
  const [start, end] = stretches.find(([, edge]) => order(block.start) < order(edge)) ?? stretches.at(-1);
  const columns = block.span > 1 ? sum(part.weights) : part.weights[block.column - part.from];
  const width = (PAPER.width * columns) / sum(part.weights) / block.lanes - PAPER.badge;
  const minute = (PAPER.height - PAPER.line * (end.above - start.above)) / Math.max(end.at - start.at, 1);
  const lines = Math.max(1, Math.floor((Math.min(block.minutes, end.at - block.start.at) * minute) / PAPER.line));
  return block.letters <= Math.floor(width / PAPER.letter) * lines;
});

const choosePages = (day) => {
  const weights = weigh(day);
  const blocks = [...day.querySelectorAll(".block:not(.is-in-fold)")].map((block) => ({
    column: read(block, "column"), span: read(block, "span"), lanes: read(block, "lanes") || 1,
    start: findStart(block), minutes: read(block, "for"),
    letters: (block.matches(".is-tall") ? 12 : 6) + block.querySelector(".title").textContent.trim().length,
  }));
  const choices = STRETCHES.flatMap((count) => {
    const stretches = partTime(day, count);
    return ROOMS.map((most) => ({ rooms: partRooms(weights, most), stretches }));
  });
  choices.sort((a, b) => a.rooms.length * a.stretches.length - b.rooms.length * b.stretches.length);
  return choices.find(({ rooms, stretches }) => isLegible(blocks, rooms, stretches)) ?? choices.at(-1);
};

const keepRooms = (page, { from, to, weights }) => {
  for (const item of page.querySelectorAll(".head-row li, .gutter, .block:not(.is-in-fold)")) {
    const column = read(item, "column");
    const [first, last] = [Math.max(from, column), Math.min(to, column + (read(item, "span") || 1))];
    if (first < last) write(item, { column: first - from, span: last - first });
    else item.remove();
  }
  write(page, { columns: weights.length, tracks: weights.map((weight) => `minmax(0, ${weight}fr)`).join(" ") });
};

const keepTime = (page, [start, end]) => {
  for (const item of page.querySelectorAll(".mark, .moment")) {
    const from = findStart(item);
    if (order(from) < order(start) || order(from) > order(end)) item.remove();
    else write(item, { at: from.at - start.at, above: from.above - start.above });
  }
  for (const item of page.querySelectorAll(".fold, .block")) {
    const [from, to] = [findStart(item), findEnd(item)];
    if (order(to) <= order(start) || order(from) >= order(end)) {
      item.remove();
      continue;
    }
    item.classList.toggle("goes-on", order(from) < order(start));
    const [at, above] = ["at", "above"].map((name) => Math.max(from[name], start[name]));
    write(item, { at: at - start.at, above: above - start.above });
    write(item, { for: Math.min(to.at, end.at) - at, lines: Math.min(to.above, end.above) - above });
  }
  write(page, { for: end.at - start.at, lines: end.above - start.above });
};

const makePage = (day, rooms, stretch) => {
  const page = day.cloneNode(true);
  for (const item of [page, ...page.querySelectorAll("[id]")]) item.removeAttribute("id");
  page.classList.add("is-page");
  page.classList.toggle("is-long-day", stretch[1].at - stretch[0].at > LONG);
  keepRooms(page, rooms);
  keepTime(page, stretch);
  return page;
};

const layOut = (day) => {
  const { rooms, stretches } = choosePages(day);
  if (rooms.length * stretches.length === 1) return;
  const pages = stretches.flatMap((stretch) => rooms.map((part) => makePage(day, part, stretch)));
  // What only goes on, through the night say, stands where it begins.
  day.before(...pages.filter((page) => page.querySelector(".block:not(.goes-on)")));
  day.classList.add("is-laid-out");
};

addEventListener("beforeprint", () => document.querySelectorAll(".grid-day:not(.is-page, .is-laid-out)").forEach(layOut));
addEventListener("afterprint", () => {
  for (const page of document.querySelectorAll(".is-page")) page.remove();
  for (const day of document.querySelectorAll(".is-laid-out")) day.classList.remove("is-laid-out");
});
