// What runs, what has ended, and the way to now: from the times in the page and the device's clock. The page is the
// same for everybody; every word comes from its templates.

const MINUTE = 60_000;
// From so many minutes on, hours are said too.
const LONG = 120;
const words = document.getElementById("now-words");
const storageKey = `hides-ended:${location.pathname}`;
let hidesEnded = false;
try { hidesEnded = sessionStorage.getItem(storageKey) !== null; } catch { /* storage is closed: off */ }

/** Start and end of a row or break as numbers; null where it has no time. */
export const readTimes = (row) => {
  const times = row.querySelectorAll(".range time");
  return times.length ? [Date.parse(times[0].dateTime), Date.parse(times[times.length - 1].dateTime)] : null;
};

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const sayLeft = (milliseconds, prefix) => {
  const minutes = Math.max(1, Math.ceil(milliseconds / MINUTE));
  const values = { minutes, hours: Math.floor(minutes / 60), rest: minutes % 60 };
  return fill(words.dataset[prefix + (minutes < LONG ? "Minutes" : "Hours")], values);
};

const clone = (selector) => words.content.querySelector(selector).cloneNode(true);

const markRunning = (row, [start, end], now) => {
  let marks = row.querySelectorAll(".now");
  if (!marks.length) {
    // Beside the title where there is a column of times, else above it; the style sheet shows one of them.
    if (!row.matches(".row")) (row.querySelector(".big-time") ?? row.lastElementChild).after(clone(".now-line"));
    else {
      row.querySelector(".when").append(clone(".now-column"));
      row.querySelector(".what").prepend(clone(".now-line"));
    }
    marks = row.querySelectorAll(".now");
  }
  for (const mark of marks) {
    const isLine = mark.matches(".now-line");
    mark.querySelector(".now-words").textContent = sayLeft(end - now, isLine ? "now" : "left");
    mark.querySelector(".now-bar")?.style.setProperty("--done", (now - start) / (end - start));
  }
};

const markRow = (row, now) => {
  const times = readTimes(row);
  const isNow = times !== null && times[0] <= now && now < times[1];
  row.classList.toggle("is-ended", times !== null && times[1] <= now);
  row.classList.toggle("is-now", isNow);
  if (isNow) markRunning(row, times, now);
  else for (const mark of row.querySelectorAll(".now")) mark.remove();
};

const markSlot = (slot) => {
  const head = slot.querySelector(".slot-head");
  const isNow = slot.querySelector(".row.is-now") !== null;
  if (isNow && !head.querySelector(".now")) head.append(clone(".now-slot"));
  else if (!isNow) head.querySelector(".now")?.remove();
};

/** Whether `now` lies within the days of the page, and on one of them. */
const readDays = (link, now) => {
  const days = link.dataset.days.split(" ").map((day) => day.split("/").map(Date.parse));
  return { isDuring: days[0][0] <= now && now < days.at(-1)[1], isToday: days.some(([a, b]) => a <= now && now < b) };
};

const findTarget = (now) => {
  const slots = [...document.querySelectorAll(".slot[id]")].filter((slot) => slot.checkVisibility());
  const running = slots.filter((slot) => slot.querySelector(".is-now"));
  return running.at(-1) ?? slots.find((slot) => Date.parse(slot.querySelector("time").dateTime) > now);
};

const markRail = (link, isToday, now) => {
  const target = isToday && findTarget(now);
  link.hidden = !target;
  if (!target) return;
  link.hash = target.id;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: words.dataset.zone, hour: "2-digit", minute: "2-digit" });
  const time = link.querySelector("time");
  time.textContent = clock.format(now);
  time.dateTime = new Date(now).toISOString();
};

// "Not yet ended": a choice like the others, kept in this window, for it depends on when one looks

let countWords = null;

const offerNotEnded = (isDuring) => {
  let box = document.getElementById("hides-ended");
  const template = document.getElementById("not-ended");
  if (isDuring && !box && template) {
    const facet = template.content.firstElementChild.cloneNode(true);
    const more = document.getElementById(facet.id);
    if (more) more.append(facet.querySelector(".choice"));
    else template.before(facet);
    box = document.getElementById("hides-ended");
  } else if (!isDuring) box?.closest(".choice").remove();
  if (box) box.checked = hidesEnded;
};

const countEnded = (isHiding) => {
  const rows = document.querySelectorAll("#sessions .day .row, #sessions .day .break");
  const left = [...rows].filter((row) => !row.classList.contains("is-ended")).length;
  const number = document.querySelector(".choice:has(#hides-ended) .count");
  if (number) number.textContent = left;
  const count = document.getElementById("count");
  if (!count) return;
  countWords ??= [...count.childNodes].map((node) => node.cloneNode(true));
  const chip = document.getElementById("not-ended-chip");
  if (isHiding) {
    const [before, after] = count.dataset.words.split("{n}");
    const strong = document.createElement("b");
    strong.textContent = left;
    if (count.textContent !== before + left + after) count.replaceChildren(before, strong, after);
    if (!chip) document.querySelector(".chips").append(clone("#not-ended-chip"));
  } else if (chip) {
    chip.remove();
    count.replaceChildren(...countWords.map((node) => node.cloneNode(true)));
  }
};

const hideOldChanges = (now) => {
  for (const change of document.querySelectorAll(".change")) {
    const age = now - Date.parse(change.querySelector("time").dateTime);
    change.hidden = age > change.dataset.days * 24 * 60 * MINUTE;
  }
};

/** Show the page as of `now`. */
export const showNow = (now = Date.now()) => {
  for (const row of document.querySelectorAll(".row, .break, .session-facts")) markRow(row, now);
  for (const slot of document.querySelectorAll(".slot[id]")) markSlot(slot);
  hideOldChanges(now);
  const link = document.getElementById("rail-now");
  const { isDuring, isToday } = link ? readDays(link, now) : {};
  offerNotEnded(isDuring);
  const isHiding = Boolean(isDuring && hidesEnded);
  document.documentElement.classList.toggle("hides-ended", isHiding);
  countEnded(isHiding);
  for (const time of document.querySelectorAll("a.rail-time")) {
    const slot = document.getElementById(time.hash.slice(1));
    time.parentElement.classList.toggle("is-ended", !slot?.querySelector(".row:not(.is-ended), .break:not(.is-ended)"));
  }
  if (link) markRail(link, isToday, now);
};

const choose = (value) => {
  hidesEnded = value;
  try {
    if (value) sessionStorage.setItem(storageKey, "");
    else sessionStorage.removeItem(storageKey);
  } catch { /* storage is closed: the choice holds for this page */ }
  showNow();
};

if (words) {
  let timer;
  const tick = () => {
    clearTimeout(timer);
    showNow();
    // A hidden page sleeps, and catches up when it is seen.
    if (!document.hidden) timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE) + 50);
  };
  tick();
  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : tick()));
  document.addEventListener("plenary:updated", () => {
    countWords = null;
    showNow();
  });
  document.addEventListener("plenary:planned", () => showNow());
  document.addEventListener("change", ({ target }) => {
    if (target.id === "hides-ended") choose(target.checked);
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest(".clear, .facets-foot a")) choose(false);
    if (!target.closest("#not-ended-chip")) return;
    choose(false);
    document.getElementById("hides-ended")?.focus({ preventScroll: true });
  });
  // In the sheet it is a trial like every other choice.
  let before = hidesEnded;
  document.getElementById("filters")?.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") before = hidesEnded;
  });
  document.addEventListener("plenary:given-up", () => choose(before));
}
