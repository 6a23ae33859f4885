// What the pages gain from script: the scheme switch in the footer, the device's zone, the current day and slot, stars,
// and reading without a network.

const root = document.documentElement;
const schemeSwitch = document.querySelector(".scheme");
if (schemeSwitch) {
  for (const choice of schemeSwitch.querySelectorAll("input")) {
    choice.checked = choice.value === (root.dataset.scheme ?? "");
  }
  schemeSwitch.addEventListener("change", ({ target }) => {
    if (target.value) root.dataset.scheme = target.value;
    else delete root.dataset.scheme;
    try {
      if (target.value) localStorage.setItem("scheme", target.value);
      else localStorage.removeItem("scheme");
    } catch { /* storage is closed: the choice holds for this page */ }
  });
}

// Only the browser knows its zone; the page is the same for everybody.
const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const nameDeviceZone = () => {
  for (const link of document.querySelectorAll("[data-device-zone]")) {
    if (!deviceZone) break;
    link.href = link.dataset.deviceZone + encodeURIComponent(deviceZone).replaceAll("%2F", "/");
    // The browser knows zones in every language, cities in none.
    const form = { timeZone: deviceZone, timeZoneName: "long" };
    const parts = new Intl.DateTimeFormat(root.lang, form).formatToParts(Date.parse(link.dataset.at));
    link.querySelector("span").textContent = parts.find(({ type }) => type === "timeZoneName").value;
    link.parentElement.hidden = false;
  }
};

for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => {
    try { localStorage.setItem("language", link.hreflang); } catch { /* storage is closed: the browser's language */ }
  });
}

// Sharing: the system's own way where there is one, and the address itself.
const canonical = document.querySelector("link[rel=canonical]")?.href ?? location.href.split("#")[0];
for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => navigator.share({ title: document.title, url: canonical }).catch(() => {}));
}
for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(canonical);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = words; }, 3000);
  });
}

const center = (scroller, item) => {
  const [outer, inner] = [scroller.getBoundingClientRect(), item.getBoundingClientRect()];
  scroller.scrollBy({ left: inner.left - outer.left - (outer.width - inner.width) / 2 });
};

// The current day may lie outside a narrow window.
const days = document.querySelector(".days");
const day = days?.querySelector("[aria-current]");
if (day) center(days, day);

// What has focus stands whole and clear of faded edges; a browser is content with a part of it.
document.addEventListener("focusin", ({ target }) => {
  const strip = target.closest(".rail-times, .days, .letters ul, .heads");
  if (strip && target.matches(":focus-visible")) center(strip, target);
});

let observer;
const followRail = () => {
  observer?.disconnect();
  const times = document.querySelector(".rail-times");
  if (!times) return;
  const links = new Map([...times.querySelectorAll("a.rail-time")].map((link) => [link.hash.slice(1), link]));
  const slots = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const inView = new Set();
  let current;
  const mark = () => {
    const slot = slots.find((slot) => inView.has(slot)) ?? (current ? null : slots[0]);
    const link = links.get(slot?.id);
    if (!link || link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "location");
    current = link;
    center(times, link);
  };
  // The band that counts as "in view" begins under rail and slot heading.
  observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    mark();
  }, { rootMargin: "-116px 0px -55% 0px" });
  for (const slot of slots) observer.observe(slot);
};

// Stars: one list an event, kept in this browser by the sessions' uids; the page is the same for everybody.
// A mark is [starred, milliseconds]: of two devices the later one counts, at one moment the star.

const stars = (() => {
  const words = document.getElementById("star-words");
  if (!words) return null;
  const key = `plenary:${words.dataset.event}`;
  let held = null;
  const read = () => {
    if (held) return held;
    try { return { stars: {}, titles: {}, ...JSON.parse(localStorage.getItem(key)) }; } catch { return { stars: {}, titles: {} }; }
  };
  const say = (text) => {
    const status = document.querySelector(".star-status") ?? document.body.appendChild(document.createElement("p"));
    status.className = "star-status";
    status.setAttribute("role", "status");
    status.textContent = text;
  };
  const write = (list) => {
    try {
      localStorage.setItem(key, JSON.stringify(list));
      held = null;
    } catch {
      // Full or closed: they hold for this page, and the visitor knows.
      held = list;
      say(words.dataset.full);
    }
  };
  const isStarred = (uid, list = read()) => Boolean(list.stars[uid]?.[0]);

  const merge = (list, marks) => {
    for (const [uid, starred, at] of marks) {
      const known = list.stars[uid];
      if (!known || at > known[1] || (at === known[1] && starred && !known[0])) list.stars[uid] = [starred, at];
    }
    return list;
  };

  // Only mine: a choice of this tab, since what is mine stands in no address.
  const onlyKey = `${key}:only`;
  const isOnly = () => { try { return sessionStorage.getItem(onlyKey) !== null; } catch { return false; } };
  const showOnlyMine = (count) => {
    const button = document.querySelector("[data-only-mine]");
    const holds = Boolean(button) && count > 0 && isOnly();
    root.classList.toggle("shows-only-mine", holds);
    if (!button) return;
    button.hidden = !count;
    button.setAttribute("aria-pressed", holds);
  };

  const show = () => {
    const list = read();
    for (const item of document.querySelectorAll("[data-uid]")) {
      const starred = isStarred(item.dataset.uid, list);
      item.classList.toggle("is-starred", starred);
      let button = item.querySelector(":scope > .star, :scope .star-place > .star");
      if (!button) {
        button = words.content.querySelector(".star").cloneNode(true);
        const title = item.querySelector(".title, h1")?.textContent.trim() ?? "";
        button.setAttribute("aria-label", words.dataset.star.replace("{title}", title));
        (item.querySelector(":scope .star-place") ?? item).append(button);
      }
      button.setAttribute("aria-pressed", starred);
    }
    // In the grid a star only shows: a block has no room for the button.
    for (const block of document.querySelectorAll("[data-mine]")) {
      block.classList.toggle("is-starred", isStarred(block.dataset.mine, list));
    }
    const count = Object.values(list.stars).filter(([starred]) => starred).length;
    for (const tag of document.querySelectorAll("[data-star-count]")) {
      tag.hidden = !count;
      tag.textContent = count;
    }
    showOnlyMine(count);
    for (const link of document.querySelectorAll("a.rail-time")) {
      const slot = document.getElementById(link.hash.slice(1));
      link.classList.toggle("is-mine", Boolean(slot?.querySelector(".is-starred")));
    }
    document.dispatchEvent(new Event("plenary:stars"));
  };

  // With a list on the server: everything known goes there, everything decided comes back. Twice is as once.
  let waiting;
  const exchange = async () => {
    const list = read();
    if (!list.links || navigator.onLine === false) return;
    const changes = Object.entries(list.stars).map(([uid, [starred, at]]) => [uid, starred, at]);
    try {
      const response = await fetch(`${new URL(list.links.url).pathname}sync/`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ changes }),
        referrerPolicy: "no-referrer",
      });
      if (response.status === 404) {
        const now = read();
        delete now.links;
        write(now);
        say(words.dataset.closed);
      } else if (response.ok) keep(await response.json());
    } catch { /* no network: sent when there is one again */ }
  };
  const exchangeSoon = (delay = 1500) => {
    clearTimeout(waiting);
    if (read().links) waiting = setTimeout(exchange, delay);
  };
  const keep = (answer) => {
    const list = merge(read(), answer.stars);
    list.links = { url: answer.url, feed: answer.feed, share: answer.share };
    write(list);
    show();
    return list;
  };

  const toggle = (uid, title) => {
    const list = read();
    list.stars[uid] = [!isStarred(uid, list), Math.max(Date.now(), (list.stars[uid]?.[1] ?? 0) + 1)];
    list.titles[uid] = title;
    write(list);
    show();
    exchangeSoon();
  };

  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-only-mine]")) {
      try {
        if (isOnly()) sessionStorage.removeItem(onlyKey);
        else sessionStorage.setItem(onlyKey, "");
      } catch { /* storage is closed: all stay in sight */ }
      show();
    }
    const button = target.closest?.(".star");
    const item = button?.closest("[data-uid]");
    if (item) toggle(item.dataset.uid, item.querySelector(".title, h1")?.textContent.trim() ?? "");
  });
  addEventListener("storage", (event) => { if (event.key === key) show(); });
  addEventListener("online", () => exchangeSoon(0));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) exchangeSoon(); });
  exchangeSoon(500);
  return { read, write, merge, keep, show, say, exchange, isStarred };
})();
window.plenaryStars = stars;

const enhance = () => {
  stars?.show();
  if (schemeSwitch) schemeSwitch.hidden = false;
  nameDeviceZone();
  followRail();
};
enhance();
document.addEventListener("plenary:updated", enhance);

// What an open page says of the network and of news, once everything else is there: that it is shown from this device,
// as of when, and that the programme has changed since. Every word comes from the template.

const beginOffline = () => {
  const INTERVAL = 5 * 60_000;
  const LONGEST_ANSWER = 10_000;
  // Filters bring a page anew, and with it its version.
  const known = () => document.getElementById("offline-words").dataset;

  let isAway = root.dataset.kept !== undefined;
  let checkedAt = Number(root.dataset.kept ?? Date.now());
  let newest = "";

  const clone = (name) => document.getElementById("offline-words").content.querySelector(name).cloneNode(true);

  const sayTime = (instant) => {
    const form = { timeZone: known().zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const sameDay = new Date(instant).toDateString() === new Date().toDateString();
    return new Intl.DateTimeFormat(root.lang, sameDay ? form : { ...form, day: "numeric", month: "short" }).format(instant);
  };

  const isToday = (day) => new Intl.DateTimeFormat("en-CA", { timeZone: known().zone }).format(Date.now()) === day;

  /** The sentences that hold now: none for a page that is up to date. */
  const findSentences = () => {
    const instead = root.dataset.instead;
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
    delete root.dataset.instead;
    show();
  });
};
if (document.getElementById("offline-words")) addEventListener("load", beginOffline);
