// What the grid gains from script: heads that follow sideways, now, arrow keys, the whole of a cut title.

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

document.addEventListener("pointerover", ({ target }) => {
  const link = target.closest?.(".block > a");
  if (!link || link.title) return;
  const isCut = (part) => part && (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1);
  const title = link.querySelector(".title");
  if (isCut(title) || isCut(link.querySelector(".text"))) link.title = title.textContent;
});

drawNow();
setInterval(drawNow, 15_000);
