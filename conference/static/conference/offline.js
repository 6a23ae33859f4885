// What an open page says of the network and of news: that it is shown from this device, as of when, and that the
// programme has changed since. Every word comes from the template; the page itself is the same for everybody.

const INTERVAL = 5 * 60_000;
const LONGEST_ANSWER = 10_000;
const page = document.documentElement;
// Filters bring a page anew, and with it its version.
const known = () => document.getElementById("offline-words").dataset;

let isAway = page.dataset.kept !== undefined;
let checkedAt = Number(page.dataset.kept ?? Date.now());
let newest = "";

// Saying

const clone = (name) => document.getElementById("offline-words").content.querySelector(name).cloneNode(true);

const sayTime = (instant) => {
  const form = { timeZone: known().zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const sameDay = new Date(instant).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(page.lang, sameDay ? form : { ...form, day: "numeric", month: "short" }).format(instant);
};

const isToday = (day) => new Intl.DateTimeFormat("en-CA", { timeZone: known().zone }).format(Date.now()) === day;

/** The sentences that hold now: none for a page that is up to date. */
const findSentences = () => {
  const instead = page.dataset.instead;
  if (isAway) return [isToday(known().day) ? ".is-today" : ".is-earlier", ...(instead ? [`.is-${instead}`] : [])];
  if (newest && newest !== known().version) return [".is-changed"];
  return instead ? [".is-back"] : [];
};

const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

/** The line under the notice, or on top of a page that has no room for one. */
const makeLine = () => {
  const line = make("p", { id: "offline-line", role: "status" });
  const tabs = document.querySelector(".masthead.is-full .tabs");
  line.className = `offline-line ${tabs ? "notice" : "hint"}`;
  if (tabs) {
    tabs.before(line);
  } else {
    const band = make("div", { id: "offline-band", className: "wrap" });
    band.append(line);
    document.getElementById("main").prepend(band);
  }
  return line;
};

const showFooter = () => {
  const found = document.getElementById("offline-foot");
  if (!isAway) found?.remove();
  if (!isAway || found) return;
  const textContent = clone(".is-checked").textContent.replace("{time}", sayTime(checkedAt));
  document.querySelector(".footer .wrap")?.prepend(make("p", { id: "offline-foot", textContent }));
};

const show = () => {
  const names = findSentences();
  const shown = document.getElementById("offline-line");
  if (!names.length) (shown?.closest("#offline-band") ?? shown)?.remove();
  else if (shown?.dataset.says !== names.join()) {
    const line = shown ?? makeLine();
    line.dataset.says = names.join();
    const body = make("span");
    for (const name of names) body.append(clone(name), " ");
    for (const link of body.querySelectorAll("a")) link.href = location.pathname + location.search;
    line.replaceChildren(body);
  }
  showFooter();
};

// Asking

const tellWorker = async (version, release) => {
  const registration = await navigator.serviceWorker.ready;
  registration.active.postMessage({ keep: known().root, version, release });
};

const mayKeep = () => Boolean(known().worker && navigator.serviceWorker);

/** Ask the site itself: "connected" means nothing where a network leads nowhere, or to somebody else's page. */
const ask = async () => {
  if (document.hidden) return;
  try {
    if (!navigator.onLine) throw new Error("offline");
    const signal = AbortSignal.timeout(LONGEST_ANSWER);
    const answer = await fetch(known().programme, { cache: "no-cache", signal });
    isAway = answer.status >= 500;
    if (answer.ok) {
      const { version, release } = await answer.json();
      newest = version;
      checkedAt = Date.now();
      if (mayKeep()) tellWorker(version, release);
    }
  } catch { isAway = true; }
  show();
};

const listen = () => {
  // A newer worker may come with newer files.
  if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", ask);
  // What was just shown in place came from this device.
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    isAway = true;
    checkedAt = data.checkedAt;
    show();
  });
};

const begin = async () => {
  if (mayKeep()) {
    listen();
    try {
      await navigator.serviceWorker.register(known().worker, { updateViaCache: "none" });
      // This page says what the newest version is, if it came from the network.
      if (!isAway) tellWorker(known().version);
    } catch { /* no storage, as in a private window: everything else works, and nothing was promised */ }
  }
  if (isAway) ask();
};

show();
begin();
setInterval(ask, INTERVAL);
for (const name of ["online", "offline"]) addEventListener(name, ask);
for (const name of ["visibilitychange", "htmx:sendError"]) document.addEventListener(name, ask);
addEventListener("pageshow", ({ persisted }) => persisted && ask());
document.addEventListener("plenary:updated", () => {
  delete page.dataset.instead;
  show();
});
