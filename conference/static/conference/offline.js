// What an open page says of the network and of news: that it is shown from this device, as of when, and that the
// programme has changed since; and the new programme in its place, when that disturbs nobody. Every word comes from
// the template; the page itself is the same for everybody.

const INTERVAL = 5 * 60_000;
// A network that leads nowhere does not tell when it leads somewhere again.
const INTERVAL_AWAY = 30_000;
const LONGEST_ANSWER = 10_000;
const page = document.documentElement;
// Filters bring a page anew, and with it its version.
const known = () => document.getElementById("offline-words").dataset;

let isAway = page.dataset.kept !== undefined;
let checkedAt = Number(page.dataset.kept ?? Date.now());
let newest = "";
let updatedAt = 0;
let hasWorker = false;

// Saying

const clone = (name) => document.getElementById("offline-words").content.querySelector(name).cloneNode(true);

const sayTime = (instant) => {
  const form = { timeZone: known().zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const sameDay = new Date(instant).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(page.lang, sameDay ? form : { ...form, day: "numeric", month: "short" }).format(instant);
};

const isToday = (day) => new Intl.DateTimeFormat("en-CA", { timeZone: known().zone }).format(Date.now()) === day;

const isOutdated = () => newest !== "" && newest !== known().version;

/** The sentences that hold now: none for a page that is up to date. */
const findSentences = () => {
  const instead = page.dataset.instead;
  if (isAway) return [isToday(known().day) ? ".is-today" : ".is-earlier", ...(instead ? [`.is-${instead}`] : [])];
  if (isOutdated()) return [".is-changed"];
  if (instead) return [".is-back"];
  return updatedAt ? [".is-updated"] : [];
};

const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

/** The line under the notice of `part`, or on top of a page that has no room for one. */
const makeLine = (part = document) => {
  const line = make("p", { id: "offline-line", role: "status" });
  line.dataset.byScript = "";
  const tabs = part.querySelector(".masthead.is-full .tabs");
  line.className = `offline-line ${tabs ? "notice" : "hint"}`;
  if (tabs) {
    tabs.before(line);
  } else {
    const band = make("div", { id: "offline-band", className: "wrap" });
    band.append(line);
    part.querySelector("#main").prepend(band);
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
    for (const part of body.querySelectorAll(".is-updated")) {
      part.textContent = part.textContent.replace("{time}", sayTime(updatedAt));
    }
    line.replaceChildren(body);
  }
  showFooter();
};

// Renewing: the page becomes equal to what the server shows at its address now

const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select";
// A page behind a secret is no programme, and has forms; its owner reloads it by the link.
const isSecret = () => /\/my\/./.test(location.pathname);
/** Whether something is being typed, chosen, read out of a dialog or copied. */
const isInUse = () =>
  document.activeElement?.matches(TYPING) || !getSelection().isCollapsed ||
  document.querySelector(":popover-open, :modal, .htmx-request") !== null;

const listFiles = (part) => [...part.querySelectorAll("script[src], link[rel=stylesheet]")].map((file) => file.src || file.href);

/** Hold what the reader looks at and what has the focus; the answer brings both back. */
const holdReader = () => {
  const items = "main [data-uid], main [data-mine]";
  const keyOf = (item) => item?.dataset.uid ?? item?.dataset.mine;
  const edge = document.querySelector(".rail")?.getBoundingClientRect().bottom ?? 0;
  const inView = scrollY > 0 && [...document.querySelectorAll(items)].find((one) => one.getBoundingClientRect().bottom > edge + 16);
  const before = inView && { key: keyOf(inView), top: inView.getBoundingClientRect().top, y: scrollY };
  const focused = document.activeElement;
  const focusedKey = keyOf(focused?.closest(items));
  const find = (key) => key && [...document.querySelectorAll(items)].find((one) => keyOf(one) === key);
  return () => {
    if (before) {
      const now = find(before.key);
      if (now) scrollBy({ top: now.getBoundingClientRect().top - before.top, behavior: "instant" });
      else scrollTo({ top: before.y, behavior: "instant" });
    }
    if (document.activeElement === document.body && focused && focused !== document.body) {
      (find(focusedKey)?.querySelector("a") ?? document.getElementById("main")).focus({ preventScroll: true });
    }
  };
};

const bring = (wanted) => {
  const giveBack = holdReader();
  document.title = wanted.title;
  page.style.cssText = wanted.documentElement.style.cssText;
  const canonical = document.querySelector("link[rel=canonical]");
  if (canonical) canonical.href = wanted.querySelector("link[rel=canonical]")?.href ?? canonical.href;
  // The line stays the one it is: what is said in it next is read out.
  if (document.getElementById("offline-line")) makeLine(wanted);
  window.plenaryUpdate(document.body, wanted.body);
  window.htmx?.process(document.body);
  updatedAt = Date.now();
  document.dispatchEvent(new Event("plenary:updated"));
  giveBack();
};

let isRenewing = false;

/** Bring the new programme into this page. Whoever is busy with it sees the line with the link, until later. */
const renew = async () => {
  if (isRenewing || isAway || !isOutdated() || isSecret() || isInUse()) return;
  isRenewing = true;
  try {
    const address = location.pathname + location.search;
    const answer = await fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(LONGEST_ANSWER) });
    const text = answer.ok ? await answer.text() : "";
    const wanted = new DOMParser().parseFromString(text, "text/html");
    const isSame = address === location.pathname + location.search && listFiles(wanted).join() === listFiles(document).join();
    // Not what another page, a gone one or a newer release of the site needs: that is for the link.
    if (!isSame || !wanted.getElementById("offline-words") || isInUse()) return;
    // A renamed session has another address.
    if (answer.redirected) history.replaceState(history.state, "", answer.url + location.hash);
    bring(wanted);
  } catch { /* no network: the line with the link stays */ } finally { isRenewing = false; }
};

// Asking

const tellWorker = async (version, release) => {
  const registration = await navigator.serviceWorker.ready;
  registration.active.postMessage({ keep: known().root, version, release });
};

const mayKeep = () => Boolean(known().worker && navigator.serviceWorker);

const hear = ({ version, release }) => {
  newest = version;
  checkedAt = Date.now();
  updatedAt = 0;
  // The worker answers when it has kept the new programme.
  if (hasWorker) tellWorker(version, release);
  else renew();
};

let asking = null;

/** Ask the site itself: "connected" means nothing where a network leads nowhere, or to somebody else's page. */
const ask = async () => {
  if (document.hidden) return;
  // The latest question counts. An earlier one may hang on a network that led nowhere: the browser would let this one
  // wait for it, and its end would be taken for news.
  asking?.abort();
  const question = asking = new AbortController();
  AbortSignal.timeout(LONGEST_ANSWER).addEventListener("abort", () => question.abort());
  try {
    if (!navigator.onLine) throw new Error("offline");
    const answer = await fetch(known().programme, { cache: "no-cache", signal: question.signal });
    const said = answer.ok ? await answer.json() : null;
    if (question !== asking) return;
    isAway = answer.status >= 500;
    if (said) hear(said);
  } catch {
    if (question !== asking) return;
    isAway = true;
  }
  show();
};

const listen = () => {
  // A newer worker may come with newer files.
  if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", ask);
  // What was just shown in place came from this device.
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.kept) renew();
    if (!data.checkedAt) return;
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
      hasWorker = true;
      // This page says what the newest version is, if it came from the network.
      if (!isAway) tellWorker(known().version);
    } catch { /* no storage, as in a private window: everything else works, and nothing was promised */ }
  }
  if (isAway) ask();
};

const start = () => {
  show();
  begin();
  setInterval(ask, INTERVAL);
  setInterval(() => { if (isAway) ask(); }, INTERVAL_AWAY);
  for (const name of ["online", "offline"]) addEventListener(name, ask);
  for (const name of ["visibilitychange", "htmx:sendError"]) document.addEventListener(name, ask);
  addEventListener("pageshow", ({ persisted }) => persisted && ask());
  // Done with typing or a dialog.
  for (const name of ["focusout", "toggle", "selectionchange"]) {
    document.addEventListener(name, () => { if (isOutdated()) setTimeout(renew); }, { capture: true });
  }
  document.addEventListener("plenary:updated", () => {
    delete page.dataset.instead;
    show();
  });
};
// Once everything else is there; pages above the events have nothing to say.
if (document.getElementById("offline-words")) addEventListener("load", start);
